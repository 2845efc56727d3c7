"""What is printed: published rows as they are, ours with deviation, seeds and cost; values for programs; points."""

from synparse.replication.papers import MeasuredRow, Paper, PaperTable
from synparse.replication.replicate import Cell, FilledRow, FilledTable, Replication
from synparse.replication.runs import ReplicationProgress
from synparse.replication.steps import Step
from synparse.replication.tables import as_tables, as_values, scatters, with_head

BY_MASK_RATE = PaperTable(
    title="mask rate",
    source="table 6",
    protocol="in per cent",
    columns={"perplexity": ("perplexity",), "UAS": ("heads",)},
    published={"0.1": ("45.3 ± 1.2", "6 ± 0"), "0.2": ("90.10", None)},
    axis="mask rate",
)
DONE = FilledRow({"perplexity": Cell((50.0, 52.0), 2), "UAS": Cell((40.04,), 1)}, 1, 2, 3, 4.26)
NOT_DONE = FilledRow({"perplexity": Cell((), 0), "UAS": None}, 0, 0, 3, None)
FILLED = FilledTable("6", BY_MASK_RATE, {"0.1": DONE, "0.5": NOT_DONE}, ("--pairs FILE",))


def replication(*tables, progress=None):
    paper = Paper("structformer", "Shen et al.", {filled.number: filled.table for filled in tables})
    return Replication(paper, tables, progress or ReplicationProgress({}, {}, []))


def test_published_rows_stand_above_ours():
    [table] = as_tables(replication(FILLED))
    assert table.title == "table 6: mask rate\nsource: table 6\nprotocol: in per cent"
    assert table.columns == ["", "perplexity", "UAS", "seeds", "minutes"]
    assert table.rows == [
        ["0.1", "45.3 ± 1.2", "6 ± 0", "–", "–"],
        ["0.2", "90.10", "–", "–", "–"],
        ["ours: 0.1", "51.0 ± 1.4", "40.0", "1–2 of 3", "4.3"],
        ["ours: 0.5", "–", "–", "0 of 3", "–"],
    ]


def test_a_table_without_our_rows_has_no_columns_of_them():
    [table] = as_tables(replication(FILLED._replace(number="figure 4.5", ours={})))
    assert table.title.startswith("figure 4.5: ")
    assert table.columns == ["", "perplexity", "UAS"]
    assert len(table.rows) == 2


def test_without_rows_of_this_call_those_that_were_measured_stand_below_with_the_claims():
    past = MeasuredRow(
        {"UAS": "33.5 ± 6.1"}, "3", "11.2", "text.txt; recipes: small", "abc", "2026-11-24", "synparse tables"
    )
    table = PaperTable(**{**vars(BY_MASK_RATE), "claims": {"Trees are best at 0.3.": "not decided: one seed"}})
    past_rows = Paper("structformer", "Shen et al.", {"6": table}, {"6": {"0.3": past}})
    replicated = Replication(past_rows, [FILLED._replace(table=table, ours={})], ReplicationProgress({}, {}, []))
    [printed] = as_tables(replicated)
    assert printed.title.splitlines()[3:] == [
        "ours: text.txt; recipes: small (2026-11-24)",
        "claim: Trees are best at 0.3. Ours: not decided: one seed",
    ]
    assert printed.columns == ["", "perplexity", "UAS", "seeds", "minutes"]
    assert printed.rows[-1] == ["ours: 0.3", "–", "33.5 ± 6.1", "3", "11.2"]
    assert as_values(replicated)["tables"][0]["measured"] == [{"row": "0.3", **past._asdict()}]
    [printed] = as_tables(replicated._replace(tables=[FILLED._replace(table=table)]))
    assert [row[0] for row in printed.rows[2:]] == ["ours: 0.1", "ours: 0.5"]
    assert "claim" not in printed.title
    of_call = replicated._replace(tables=[FILLED._replace(table=table)])
    assert [values["tables"][0]["claims"] for values in map(as_values, (replicated, of_call))] == [table.claims, {}]


def test_published_figures_are_numbers_in_json():
    [table] = as_values(replication(FILLED))["tables"]
    assert [row["cells"] for row in table["published"]] == [["45.3 ± 1.2", "6 ± 0"], [90.1, None]]


def test_a_turned_table_has_a_column_for_each_row_and_shares_in_the_unit_of_the_paper():
    of_shares = PaperTable(
        title="pairs", source="table 3.3", columns={"simple": ("pairs",)}, published={"LSTM": ("1.00",)}
    )
    of_shares = PaperTable(**{**vars(of_shares), "in_fractions": True, "decimals": 2, "turned": True})
    row = FilledRow({"simple": Cell((90.0, 95.0), 2)}, 2, 2, 2, 20.0)
    [table] = as_tables(replication(FilledTable("3.3", of_shares, {"LSTM": row}, ())))
    assert table.columns == ["", "LSTM", "ours: LSTM"]
    assert table.rows == [["simple", "1.00", "0.93 ± 0.04"], ["seeds", "–", "2"], ["minutes", "–", "20.0"]]


def test_values_are_unrounded_and_name_what_is_missing():
    step, broken = Step("train seed 3", ("train",)), Step("pairs", ("pairs",))
    values = as_values(replication(FILLED, progress=ReplicationProgress({}, {broken: "no such file"}, [step])))
    assert values["paper"] == "structformer"
    assert values["missing"] == ["train seed 3"]
    assert values["failed"] == [{"step": "pairs", "error": "no such file"}]
    [table] = values["tables"]
    assert table["published"][0] == {"row": "0.1", "cells": ["45.3 ± 1.2", "6 ± 0"]}
    first = table["ours"][0]
    assert first["minutes"] == 4.26
    assert first["seeds"] == 2
    assert first["cells"][1] == {"text": "40.0", "mean": 40.04, "deviation": None, "values": [40.04]}
    assert table["ours"][1]["cells"] == [{"text": "–", "mean": None, "deviation": None, "values": []}, None]
    assert table["needs"] == ["--pairs FILE"]


def test_points_are_published_figures_and_ours():
    found = [(one.title, one.x_label, one.y_label, list(one.points)) for one in scatters(replication(FILLED))]
    assert found == [
        ("table 6: the paper", "mask rate", "perplexity", [("", 0.1, 45.3), ("", 0.2, 90.1)]),
        ("table 6: ours", "mask rate", "perplexity", [("", 0.1, 51.0)]),
        ("table 6: the paper", "mask rate", "UAS", [("", 0.1, 6.0)]),
        ("table 6: ours", "mask rate", "UAS", [("", 0.1, 40.04)]),
    ]
    plain = PaperTable(**{**vars(BY_MASK_RATE), "axis": ""})
    assert scatters(replication(FILLED._replace(table=plain))) == []


def test_what_was_not_given_is_not_described():
    about, _ = with_head(replication(FILLED), {"text": "a.txt", "test": ""})
    assert about.rows == [("paper", "Shen et al."), ("text", "a.txt")]
    about, _ = with_head(replication(FILLED._replace(ours={})), {"text": "a.txt"})
    assert about.rows == [("paper", "Shen et al.")]
