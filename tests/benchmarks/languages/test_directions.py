"""The table of directions, and its program."""

import sys
from pathlib import Path

from benchmarks.commands import program
from benchmarks.languages import directions
from synparse.files.tables import read_table


def test_a_row_has_the_evidence_of_the_text_and_the_heads_of_the_gold_trees(data, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (data / "de").rename(data / "pl")
    (data / "es").mkdir(exist_ok=True)
    monkeypatch.setattr(sys, "argv", ["directions", str(data), "--table", "directions.tsv"])
    program(directions.main)
    assert "pl: nothing is to be decided" in capsys.readouterr().out
    rows = read_table(Path("directions.tsv"))
    assert "Polish" not in {row["language"] for row in rows}
    for row in rows:
        both = (float(row["of words"]) + float(row["of endings"])) / 2
        assert abs(both - float(row["of both"])) < 0.011
        assert row["decided"] == ("none" if abs(both) < 0.1 else "left" if both > 0 else "right")
        assert 0 <= float(row["heads after, per cent"]) <= 100
