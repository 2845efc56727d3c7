"""All steps of the program, with tiny models in place of training."""

import shutil
import sys

import pytest

from benchmarks import commands
from benchmarks.languages import __main__ as languages
from benchmarks.languages import data as files
from benchmarks.languages import table
from benchmarks.quality.table import NOTHING
from synparse.cli.app import run as run_command
from synparse.files.tables import read_table


@pytest.fixture
def ran(monkeypatch, tiny_udgn, tiny_student):
    """The commands that were run: training copies a tiny model, the others run in this process."""
    seen = []

    def run(*arguments, **_):
        words = [str(argument) for argument in arguments]
        output = words[words.index("--output") + 1]
        seen.append(words[0] + " " + output.rpartition("/")[2])
        if words[0] == "train":
            shutil.copytree(tiny_student if "student" in words else tiny_udgn, output)
        elif run_command(words):
            raise commands.CommandError(f"{words[0]} failed")

    monkeypatch.setattr(commands, "run", run)
    monkeypatch.setitem(files.TREES, "de", "trees-none.ptb.gz")
    return seen


@pytest.fixture
def program(monkeypatch, tmp_path, data):
    """A function that runs the program, and returns its exit code and the rows of the table of languages."""
    monkeypatch.setattr(table, "TABLE", tmp_path / "table.tsv")
    monkeypatch.setattr(table, "UNTOUCHED", tmp_path / "untouched.tsv")

    def program(*arguments):
        common = [data, "--work", tmp_path / "work"]
        monkeypatch.setattr(sys, "argv", ["languages", *map(str, (*common, *arguments))])
        with pytest.raises(SystemExit) as ended:
            languages.main()
        return ended.value.code, read_table(tmp_path / "table.tsv")

    return program


def test_a_row_for_each_language_and_one_for_the_mean(ran, program, capsys):
    code, rows = program("--seeds", "1,2", "--minutes", "1.5", "--jobs", "2")
    assert code == 0
    assert [row["language"] for row in rows] == ["German", "Spanish", "mean"]
    german, spanish, mean = rows
    assert (german["settings"], german["seeds"]) == ("--minutes 1.5", "1 1")  # the same tiny model twice
    assert german["UAS"].endswith("(0.0)")
    assert float(german["supervised UUAS"]) >= float(german["supervised UAS"])
    # der Hund | sah | die Katze
    assert (german["left-branching UF1"], german["right-branching UF1"]) == ("33.3", "66.7")
    assert spanish["UF1"] == mean["UF1"] == NOTHING
    assert "Targets missed:" in capsys.readouterr().out
    assert [name for name in ran if name.startswith("train de")] == ["train de-seed1", "train de-seed2"]
    assert ran.count("train student") == 10
    ran.clear()
    assert program("--seeds", "1,2", "--minutes", "1.5")[1][:2] == [
        {**row, "command": row["command"].replace(" --jobs 2", "")} for row in rows[:2]
    ]
    assert ran == []  # all of it was there
    assert program("--minutes", "2")[0] == 1  # another setting needs another folder
    assert "name another folder by --work" in capsys.readouterr().err


@pytest.mark.usefixtures("ran")
def test_what_fails_is_told_and_the_rest_goes_on(program, monkeypatch, capsys):
    train = commands.run

    def run(*arguments, **_):
        if str(arguments[-1]).endswith("de-seed1"):
            raise commands.CommandError("synparse train ended with exit code 1")
        train(*arguments)

    monkeypatch.setattr(commands, "run", run)
    monkeypatch.setattr(languages, "baseline_scores", lambda *_: commands.run("parse", "missing", "--output", "x"))
    code, rows = program()
    assert code == 1
    assert [(row["language"], row["next word UAS"]) for row in rows] == [("Spanish", NOTHING)]
    told = capsys.readouterr().err
    assert "de: synparse train ended with exit code 1" in told
    assert "es, baselines: parse failed" in told


@pytest.mark.usefixtures("ran")
def test_languages_that_nothing_was_decided_on_have_a_table_of_their_own(program, data, tmp_path):
    shutil.copytree(data / "es", data / "grc")
    _, rows = program("--languages", "es,grc", "--without", "supervised", "--without", "brackets")
    assert [row["language"] for row in rows] == ["Spanish"]
    assert [row["language"] for row in read_table(tmp_path / "untouched.tsv")] == ["Ancient Greek"]
    code, _ = program("--languages", "grc", "--without", "supervised", "--table", str(tmp_path / "all.tsv"))
    assert [row["language"] for row in read_table(tmp_path / "all.tsv")] == ["Ancient Greek"]
    assert code == 0
