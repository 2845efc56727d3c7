import functools
import json
import shutil
from pathlib import Path

import pytest

from synparse.cli.app import run
from synparse.store.models import open_model
from tests.cli.commands import synparse


@pytest.fixture
def command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return functools.partial(synparse, "pack")


def test_the_command_packs_and_says_what_became_of_it(command, tiny_on_lstm, tiny_udgn, tmp_path):
    (tmp_path / "text").write_text("the dog barks\n\nthe cat sees the dog\n")
    out = command("--brackets", tiny_on_lstm, "--heads", tiny_udgn, "--check", "text", "-o", "english", "--json")
    report = json.loads(out)
    assert (report["model"], report["brackets"], report["heads"]) == ("english", ["on-lstm-1"], ["udgn-1"])
    assert (report["sentences"], report["other brackets"], report["other heads"]) == (2, 0, 0)
    assert run(["parse", "text", "--model", "english", "-f", "brackets"]) == 0
    assert run(["info", "english"]) == 0


def test_a_file_without_sentences_checks_nothing(command, tiny_udgn):
    Path("blank").write_text("\n \n")
    error = command(tiny_udgn, "--check", "blank", "-o", "small", code=1)
    assert error == "synparse: blank: no sentences to parse before and after packing\n"
    assert not Path("small").exists()


def test_the_command_replaces_only_a_model_and_only_if_it_is_told(command, tiny_udgn, tmp_path):
    assert "name the models" in command("-o", "small", code=2)
    command(tiny_udgn, "-o", "small")
    assert "--force replaces it" in command(tiny_udgn, "-o", "small", code=2)
    assert "storage" in command(tiny_udgn, "-o", "small", "--force", "--storage", "int4", code=2)
    assert "megabytes" in command(tiny_udgn, "-o", "small", "--force", "--storage", "int8")
    assert open_model(tmp_path / "small").description.packed.storage == "int8"
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "own.txt").touch()
    assert "not a model directory" in command(tiny_udgn, "-o", "notes", "--force", code=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes", "small"]


def test_models_that_do_not_go_together_are_wrong_usage(command, tiny_on_lstm, tiny_udgn):
    assert "gives no heads" in command("--heads", tiny_on_lstm, code=2)
    assert "no such model" in command("nothing", code=1)
    shutil.copytree(tiny_udgn, "copy")
    assert "none of these models has layers" in command(tiny_udgn, "copy", "--layer", 1, code=2)
