"""Tables and plain values of evaluations, by hand."""

from synparse.tasks.evaluation import Evaluation, Tally
from synparse.tasks.report import PROTOCOL, plain_values, tables_of

ONE = Evaluation(Tally(10, 8, 20, 15, 10), {"length": {10: Tally(4, 4), 20: Tally(6, 4)}, "depth": {3: Tally(10, 8)}})
TWO = Evaluation(Tally(10, 9, 20, 17, 10), {"length": {10: Tally(4, 3), 20: Tally(6, 6)}, "depth": {3: Tally(10, 9)}})
BLIND = Evaluation(Tally(10, 5, 20, 0, 10), {"length": {10: Tally(4, 1), 20: Tally(6, 4)}, "depth": {3: Tally(10, 5)}})
ALL = {"ordered-memory": [("a", ONE), ("b", TWO)], "lstm": [("c", BLIND)]}
MAJORITY = {"majority: 7": Tally(10, 4)}


def test_tables_have_a_column_for_each_encoder_and_baseline():
    scores, by_length, by_depth = tables_of(ALL, MAJORITY)
    columns = ["ordered-memory (2)", "lstm (1)"]
    assert scores == (
        "scores",
        ["", *columns, "majority: 7", "examples"],
        [
            ["accuracy", "85.00 ± 7.07", "50.00", "40.00", "10"],
            ["F1", "80.00 ± 7.07", "–", "–", "10"],  # 15 and 17 of 20 constituents
            ["inner F1", "60.00 ± 14.14", "–", "–", "10"],  # 5 and 7 of 10
        ],
    )
    assert by_length == (
        "accuracy by length",
        ["length", *columns, "examples"],
        [["1–10", "87.50 ± 17.68", "25.00", "4"], ["11–20", "83.33 ± 23.57", "66.67", "6"]],
    )
    assert by_depth == (
        "accuracy by depth",
        ["depth", *columns, "examples"],
        [["3", "85.00 ± 7.07", "50.00", "10"]],
    )


def test_plain_values_have_every_model_and_each_encoder():
    values = plain_values(ALL, PROTOCOL, MAJORITY)
    assert values["protocol"] == PROTOCOL
    assert list(values["models"]) == ["a", "b", "c"]
    assert values["models"]["a"] == {
        "encoder": "ordered-memory",
        "examples": 10,
        "accuracy": 80.0,
        "f1": 75.0,
        "inner_f1": 50.0,
        "groups": {
            "length": {
                "10": {"examples": 4, "accuracy": 100.0, "f1": None, "inner_f1": None},
                "20": {"examples": 6, "accuracy": 66.67, "f1": None, "inner_f1": None},
            },
            "depth": {"3": {"examples": 10, "accuracy": 80.0, "f1": None, "inner_f1": None}},
        },
    }
    assert values["encoders"]["ordered-memory"]["f1"] == {"mean": 80.0, "deviation": 7.07, "models": 2}
    assert values["encoders"]["lstm"] == {
        "accuracy": {"mean": 50.0, "deviation": None, "models": 1},
        "f1": None,
        "inner_f1": None,
    }
    assert values["baselines"] == {"majority: 7": {"examples": 10, "accuracy": 40.0, "f1": None, "inner_f1": None}}
