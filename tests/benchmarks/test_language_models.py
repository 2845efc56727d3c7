"""The steps that make the shipped models of languages."""

import doctest
import gzip
import shutil
import sys

import pytest

from benchmarks import language_models
from benchmarks.language_models import WEAKNESSES, card, steps
from benchmarks.language_text import models_of_languages
from benchmarks.languages.data import Language
from benchmarks.languages.steps import StepError
from benchmarks.quality.table import read_table
from synparse.cli.app import run as run_command

GOLD = """\
# text = Talo on vanha
1	Talo	_	NOUN	_	_	3	nsubj	_	_
2	on	_	AUX	_	_	3	cop	_	_
3	vanha	_	ADJ	_	_	0	root	_	_

"""


def test_the_example_of_the_docstring():
    assert doctest.testmod(language_models).failed == 0


@pytest.mark.parametrize("minutes", [0, 30])
def test_every_step_reads_what_an_earlier_one_wrote_and_none_reads_trees(tmp_path, minutes):
    data, work = tmp_path / "data", tmp_path / "work"
    made = set()
    for output, command in steps(data, work, "finnish", "fi", minutes):
        inputs = [word for word in command[1:] if word.startswith(str(work)) and word != str(output)]
        assert set(inputs) <= made, command
        assert command[-2:] == ["--output", str(output)]
        assert "conllu" not in "".join(command)
        made.add(str(output))
    assert output == work / "finnish"


@pytest.mark.parametrize("minutes", [0, 30])
def test_all_options_are_those_of_the_command_line(tmp_path, capsys, minutes):
    for _, command in steps(tmp_path, tmp_path, "finnish", "fi", minutes):
        if command[1] == "synparse":
            # --help ends a command before anything runs, but not before its options have been read.
            assert run_command([*command[2:], "--help"]) == 0, capsys.readouterr().err


def test_every_model_that_is_made_has_its_weaknesses_named():
    assert models_of_languages().keys() == WEAKNESSES.keys()


@pytest.fixture
def program(tmp_path, monkeypatch, tiny_grammar):
    """A function that runs the program; its exit code, and the rows of its table. Training copies tiny grammars."""
    data = tmp_path / "data" / "fi"
    data.mkdir(parents=True)
    for name, text in {"text.txt.gz": "Talo on vanha .\n" * 20, "dev.conllu.gz": GOLD}.items():
        with gzip.open(data / name, "wt", encoding="utf-8") as out:
            out.write(text)

    def run(*command):
        output = tmp_path / "work" / command[-1].rpartition("/")[2]
        ran.append(command[1] if command[1] != "synparse" else command[2])
        if output.suffix == ".txt":
            output.write_text("Talo on vanha .\n", encoding="utf-8")
        else:
            shutil.copytree(tiny_grammar, output)

    def synparse(*arguments):
        if run_command(list(arguments)):
            raise StepError(f"{arguments[0]} failed")

    ran = []
    monkeypatch.setattr(language_models, "run", run)
    monkeypatch.setattr(language_models, "synparse", synparse)

    def program(*arguments):
        common = ("--data", data.parent, "--work", tmp_path / "work", "--table", tmp_path / "table.tsv")
        monkeypatch.setattr(sys, "argv", ["language_models", *map(str, (*common, *arguments))])
        ran.clear()
        with pytest.raises(SystemExit) as ended:
            language_models.main()
        return ended.value.code, list(ran), read_table(tmp_path / "table.tsv")

    return program


def test_a_model_is_made_scored_described_and_copied(program, tmp_path):
    code, ran, [row] = program("--models", "finnish", "--into", tmp_path / "models")
    assert (code, ran) == (0, ["benchmarks.language_text", "train"])
    assert (row["language"], row["settings"]) == ("Finnish", "--model finnish")
    assert row["ceiling UAS"] == "100.0"
    assert float(row["UUAS"]) >= float(row["UAS"])
    written = (tmp_path / "models" / "finnish" / "README.md").read_text(encoding="utf-8")
    assert "CC BY-SA 3.0" in written
    assert "weights are distributed under CC BY-SA 4.0" in written
    assert "<!-- table: language model: finnish -->\n\n<!-- end of table -->" in written
    assert not (tmp_path / "models" / "finnish" / "last.safetensors").exists()
    assert program("--models", "finnish")[:2] == (0, [])  # all of it was there


def test_what_fails_is_told_and_the_rest_goes_on(program, capsys):
    code, _, rows = program("--models", "yoruba,finnish")
    assert (code, len(rows)) == (1, 1)
    assert "yoruba: " in capsys.readouterr().err
    assert program("--models", "klingon")[0] == 2
    assert "no model klingon; there are german" in capsys.readouterr().err


def test_the_card_names_how_it_was_made(tiny_grammar, tmp_path):
    german = Language("de", (), tmp_path, None)
    alone, student = (card("german", german, tiny_grammar, minutes) for minutes in (0, 30))
    assert ": grammars on word classes" in alone
    assert "a student of grammars, and grammars that it has taught on" in student
    assert "--models german --minutes 30 --work RUNS" in student
    assert "UD_German-GSD" in alone
    assert "weights are distributed under CC BY 4.0" in alone
