"""Tables of evaluations whose numbers are known."""

import json

from synparse.scoring.segmentation import SegmentationScores
from synparse.tasks.craft.evaluation import ImitatorEvaluation, OptionTable
from synparse.tasks.craft.option_success import Success, correspondence
from synparse.tasks.craft.report import OF_OPTIONS, plain_values, protocol_of, tables_of

RATES = ((0.9, 0.0, 0.1, 0.0), (0.05, 0.0, 0.8, 0.0))
TABLE = OptionTable(Success(RATES, 40), correspondence(RATES, [0, 2]))


def evaluation(accuracy, options=None, nmi=0.5):
    scores = SegmentationScores(accuracy, None, 0.25, 0.5, nmi, 7)
    return ImitatorEvaluation("threshold", scores, 0.75, accuracy / 4, options)


EVALUATIONS = {
    "option-controller": [("a", evaluation(0.5, TABLE)), ("b", evaluation(0.7))],
    "ompn": [("c", evaluation(1.0, nmi=None))],
}


def test_a_column_for_each_kind_and_a_table_for_the_options_of_each_model():
    scores, options = tables_of(EVALUATIONS)
    title, columns, rows = scores
    assert columns == ["", "option-controller (2)", "ompn (1)"]
    assert rows == [
        ["demonstrations", "7", "7"],
        ["boundaries", "threshold", "threshold"],
        ["alignment accuracy", "60.00 ± 14.14", "100.00"],
        ["boundary precision", "–", "–"],
        ["boundary recall", "25.00 ± 0.00", "25.00"],
        ["boundary F1", "50.00 ± 0.00", "50.00"],
        ["NMI", "50.00 ± 0.00", "–"],
        ["action accuracy", "75.00 ± 0.00", "75.00"],
        ["nats per action", "0.1500 ± 0.0354", "0.2500"],
    ]
    title, columns, rows = options
    assert title == "success of the options of a in 40 worlds"
    assert columns[1:] == ["A (wood)", "B (gold)", "C (iron)", "D (grass)"]
    assert rows == [
        ["option 1", "90.00", "0.00", "10.00", "0.00"],
        ["option 2", "5.00", "0.00", "80.00", "0.00"],
        ["diagonal", "85.00", "", "", ""],
        ["off-diagonal", "10.00", "", "", ""],
    ]


def test_the_protocol_tells_of_options_where_there_are_some():
    assert OF_OPTIONS in protocol_of(EVALUATIONS)
    assert OF_OPTIONS not in protocol_of({"ompn": EVALUATIONS["ompn"]})


def test_plain_values():
    values = json.loads(json.dumps(plain_values(EVALUATIONS)))
    model = values["models"]["a"]
    assert (model["kind"], model["alignment_accuracy"], model["precision"], model["nats"]) == (
        *("option-controller", 50.0, None, 0.125),
    )
    assert model["options"]["success"][1] == {"A": 5.0, "B": 0.0, "C": 80.0, "D": 0.0}
    assert model["options"]["subtask_of"] == ["A", "C"]
    assert (model["options"]["diagonal"], model["options"]["off_diagonal"]) == (85.0, 10.0)
    assert "options" not in values["models"]["b"]
    kinds = values["kinds"]
    assert kinds["option-controller"]["alignment_accuracy"] == {"mean": 60.0, "deviation": 14.14, "models": 2}
    assert kinds["option-controller"]["nats"] == {"mean": 0.15, "deviation": 0.0354, "models": 2}
    assert kinds["ompn"]["nmi"] is None
