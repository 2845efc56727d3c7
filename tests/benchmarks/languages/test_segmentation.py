"""The scores of how running text is split, on the tiny treebanks of the tests."""

import sys

import pytest

from benchmarks.languages import segmentation
from synparse.files.tables import read_table


def test_a_row_for_each_language_that_can_be_scored(data, tmp_path, monkeypatch, capfd):
    (data / "es" / "dev.conllu.gz").write_text("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n")  # no text, so no characters
    monkeypatch.setattr(segmentation, "TABLE", tmp_path / "table.tsv")
    monkeypatch.setattr(sys, "argv", ["segmentation", str(data), "--work", str(tmp_path / "work")])
    with pytest.raises(SystemExit, match="1"):
        segmentation.main()
    [german] = read_table(tmp_path / "table.tsv")
    # Of 10 sentences, "Sie sah der Katze zu Der Hund bellt." is one; the first and the last of 6 are right.
    assert (german["language"], german["tokens F1"], german["sentences F1"]) == ("German", "100.0", "25.0")
    assert "\nes: " in capfd.readouterr().err
