"""The steps that make the shipped models of languages."""

import gzip
import shutil
import sys

import pytest

from benchmarks import commands, language_models
from benchmarks.language_models import card
from benchmarks.languages.data import Language
from synparse.cli.app import run as run_command
from synparse.config.recipe import load_recipe, stages_of
from synparse.files.tables import read_table
from synparse.trees.errors import DataError

GOLD = """\
# text = Talo on vanha
1	Talo	_	NOUN	_	_	3	nsubj	_	_
2	on	_	AUX	_	_	3	cop	_	_
3	vanha	_	ADJ	_	_	0	root	_	_

"""


@pytest.fixture
def program(tmp_path, monkeypatch, tiny_grammar):
    """A function that runs the program; its exit code, and the rows of its table. Training copies tiny grammars."""
    data = tmp_path / "data" / "fi"
    data.mkdir(parents=True)
    for name, text in {"text.txt.gz": "Talo on vanha .\n" * 20, "dev.conllu.gz": GOLD}.items():
        with gzip.open(data / name, "wt", encoding="utf-8") as out:
            out.write(text)

    def run(*arguments, **_):
        words = [str(argument) for argument in arguments]
        ran.append(" ".join(words[:2] if words[0] != "parse" else words[:1]))
        if words[0] != "parse":
            shutil.copytree(tiny_grammar, words[-1])
        elif run_command(words):
            raise commands.CommandError("parse failed")

    def sentences_of(code, *_):
        if code == "yo":
            raise DataError("no text of", code)
        return ["Talo on vanha .\n"]

    ran = []
    monkeypatch.setattr(commands, "run", run)
    monkeypatch.setattr(language_models, "run", run)
    monkeypatch.setattr(language_models, "sentences_of", sentences_of)

    def program(*arguments):
        common = ("--data", data.parent, "--work", tmp_path / "work", "--table", tmp_path / "table.tsv")
        monkeypatch.setattr(sys, "argv", ["language_models", *map(str, (*common, *arguments))])
        ran.clear()
        with pytest.raises(SystemExit) as ended:
            language_models.main()
        return ended.value.code, list(ran), read_table(tmp_path / "table.tsv")

    return program


def test_a_model_is_trained_packed_scored_described_and_copied(program, tmp_path):
    code, ran, [row] = program("--models", "finnish", "--into", tmp_path / "models")
    text = tmp_path / "work" / "finnish.txt"
    assert (code, ran) == (0, [f"train {text}", f"pack {tmp_path / 'work' / 'finnish-whole'}", "parse"])
    stages = stages_of(load_recipe(str(language_models.RECIPE)))
    assert stages == ["grammars", "grammars", "trees", "udgn", "grammars", "trees", "student", "grammars"]
    assert text.read_text(encoding="utf-8") == "Talo on vanha .\n"
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
    assert "no model klingon; there are czech" in capsys.readouterr().err


def test_the_card_names_how_it_was_made(tiny_grammar, tmp_path):
    german = Language("de", (), tmp_path, None)
    text = card("german", german, tiny_grammar)
    assert "--models german --work RUNS" in text
    assert "UD_German-GSD" in text
    assert "weights are distributed under CC BY 4.0" in text


def test_the_card_of_another_language_names_what_its_text_is(tiny_grammar, tmp_path):
    polish = card("polish", Language("pl", (), tmp_path, None), tiny_grammar)
    assert "- It has read novels 1900–1920, news, professional translation from English; words of other" in polish
    assert "COST-ELTeC/ELTeC-pol" in polish
    assert "wikineural" not in polish
