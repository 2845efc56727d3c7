"""The table of errors of a language, and its program."""

import sys
from pathlib import Path

import pytest

from benchmarks.commands import program
from benchmarks.languages import errors
from synparse.files.tables import read_table
from tests.benchmarks.languages.conftest import GOLD

# The determiner of the first sentence and the object of the second one have other heads.
WRONG = [
    ("1\tDer\t_\tDET\t_\t_\t2", "1\tDer\t_\tDET\t_\t_\t3"),
    ("4\tKatze\t_\tNOUN\t_\t_\t2", "4\tKatze\t_\tNOUN\t_\t_\t1"),
]


def run(monkeypatch, data, folder, *options):
    monkeypatch.setattr(sys, "argv", ["errors", str(data), "--work", str(folder), "--table", "errors.tsv", *options])
    program(errors.main)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    predicted = GOLD * 5
    for right, wrong in WRONG:
        assert right in predicted
        predicted = predicted.replace(right, wrong)
    (tmp_path / "de-seed1.conllu").write_text(predicted, encoding="utf-8")
    return tmp_path


def test_words_are_counted_by_relation_distance_and_side(data, folder, monkeypatch):
    for _ in range(2):  # rows are replaced
        run(monkeypatch, data, folder, "--languages", "de")
    rows = {
        (row["by"], row["value"]): (row["per cent"], row["UAS"], row["UUAS"]) for row in read_table(Path("errors.tsv"))
    }
    assert rows["relation", "det"] == ("25.0", "50.0", "50.0")
    assert rows["relation", "obj"] == ("12.5", "0.0", "0.0")
    assert rows["relation", "compound"] == ("12.5", "100.0", "100.0")  # without its subtype
    assert rows["part of speech", "NOUN"] == ("25.0", "50.0", "50.0")
    assert rows["distance", "1"] == ("50.0", "75.0", "75.0")
    assert rows["side of the head", "head left"] == ("25.0", "50.0", "50.0")
    assert len(read_table(Path("errors.tsv"))) == len(rows)


def test_errors_of_other_languages_stay_unseen(data, folder, monkeypatch, capsys):
    (data / "de").rename(data / "pl")
    run(monkeypatch, data, folder, "--languages", "pl")
    assert "stay unseen" in capsys.readouterr().out
    assert read_table(Path("errors.tsv")) == []


def test_trees_that_are_missing_are_told(data, folder, monkeypatch):
    with pytest.raises(SystemExit, match=r"no trees .*es-seed1\.conllu; make them"):
        run(monkeypatch, data, folder, "--languages", "es")
