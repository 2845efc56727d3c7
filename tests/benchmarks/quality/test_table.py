"""The table: its cells, its rows, and the table that is kept."""

import sys

from benchmarks.quality import table
from benchmarks.quality.table import NOTHING
from synparse.files.tables import read_table


def test_mean_and_spread_by_hand():
    assert table.mean_and_spread([1.0, 2.0, 6.0]) == "3.0 (2.6)"
    assert table.mean_and_spread([3.813635], 2) == "3.81"
    assert table.mean_and_spread([None, None]) == table.mean_and_spread([]) == NOTHING


def test_a_row_is_read_as_it_was_written(tmp_path):
    row = {"parser": 'a "b"', "command": "python -m x --name 'a \"b\"'", "note": "two\tcells\nlines"}
    table.write_table(tmp_path / "table.tsv", [row])
    [read] = read_table(tmp_path / "table.tsv")
    assert tuple(read) == table.COLUMNS
    assert {name: read[name] for name in row} == {**row, "note": "two cells lines"}
    assert read["minutes"] == NOTHING


def test_a_row_replaces_the_one_of_the_same_parser_and_ways():
    first = {"parser": "a", "punctuation": "evidence", "date": "1"}
    rows = table.with_row(table.with_row([], first), {**first, "punctuation": "ignore"})
    assert [row["punctuation"] for row in rows] == ["evidence", "ignore"]
    assert table.with_row(rows, {**first, "date": "2"}) == [{**first, "date": "2"}, rows[1]]


def test_the_command_of_a_row_can_be_pasted(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["score.py", "english", "--name", "two words"])
    assert table.made_now("benchmarks.quality.score")["command"] == (
        "python -m benchmarks.quality.score english --name 'two words'"
    )
    monkeypatch.setattr(sys, "argv", ["score.py"])
    assert table.made_now("benchmarks.quality.score")["command"] == "python -m benchmarks.quality.score"


def test_rows_of_a_topic_are_printed(tmp_path, monkeypatch, capsys):
    rows = [{"topic": topic, "parser": f"of {topic}"} for topic in ("parts", "grammars")]
    table.write_table(tmp_path / "table.tsv", rows)
    monkeypatch.setattr(sys, "argv", ["table.py", "--topic", "parts", "--table", str(tmp_path / "table.tsv")])
    table.main()
    printed = capsys.readouterr().out
    assert printed.count("| of parts |") == 3
    assert "of grammars" not in printed


def test_the_kept_table_has_these_columns_and_each_row_once():
    rows = read_table(table.TABLE)
    assert tuple(rows[0]) == table.COLUMNS
    assert len({tuple(row[name] for name in table.IDENTITY) for row in rows}) == len(rows)
    assert all(row["date"] != NOTHING and row["scored at"] != NOTHING for row in rows)
