import shutil
from pathlib import Path

import pytest

from synparse.cli.app import run
from synparse.parsing.cluster import _shared
from synparse.parsing.jobs import ModelChoice
from synparse.parsing.parser import Parser
from synparse.store import shipped
from synparse.store.shipped import default_model, model_folder, shipped_models
from synparse.trees.trivial import TRIVIAL_PARSERS

TEXT = "the old dog sees the cat ."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """In place of the shipped models: one folder that is none."""
    (tmp_path / "models" / "tasks").mkdir(parents=True)
    (tmp_path / "here").mkdir()
    monkeypatch.setattr(shipped, "recipe_folder", lambda: tmp_path / "models")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "models"


@pytest.fixture
def english(folder, tiny_udgn):
    return shutil.copytree(tiny_udgn, folder / "english")


def test_a_shipped_model_is_found_by_name(english, tiny_udgn):
    assert shipped_models() == ["english"]
    assert model_folder("english") == english
    assert Parser.load("english", device="cpu").parse([TEXT]) == Parser.load(tiny_udgn, device="cpu").parse([TEXT])


@pytest.mark.usefixtures("english")
def test_a_directory_goes_before_a_shipped_name(tiny_model):
    shutil.copytree(tiny_model, "english")
    assert model_folder("english") == Path("english")
    assert Parser.load("english", device="cpu").model == "structformer"


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize("name", ["tasks", "other", "./english", "../models/other", ""])
def test_other_names_stay_paths(name):
    assert model_folder(name) == Path(name)


def test_english_parses_where_nothing_is_named_if_it_is_shipped(english, capfd, tmp_path):
    assert default_model() == "english"
    (tmp_path / "text").write_text(f"{TEXT}\n")
    assert run(["parse", str(tmp_path / "text")]) == 0
    unnamed = capfd.readouterr().out
    assert run(["parse", str(tmp_path / "text"), "--model", str(english)]) == 0
    assert capfd.readouterr().out == unnamed


@pytest.mark.usefixtures("folder")
def test_the_model_that_train_writes_parses_where_none_is_shipped(tiny_udgn, capfd, tmp_path):
    assert default_model() == "model"
    (tmp_path / "text").write_text(f"{TEXT}\n")
    assert run(["parse", str(tmp_path / "text")]) == 1
    assert "model: no such model: neither a directory nor one of right-branching" in capfd.readouterr().err
    shutil.copytree(tiny_udgn, "model")
    assert run(["parse", str(tmp_path / "text")]) == 0


@pytest.mark.usefixtures("english")
def test_models_that_have_a_name_are_listed(capfd):
    assert run(["info"]) == 0
    first, *others = capfd.readouterr().out.splitlines()
    assert first.split() == ["english", "brackets", "and", "heads", "(udgn)"]
    assert [line.split()[0] for line in others] == list(TRIVIAL_PARSERS)
    assert run(["info", "english", "--json"]) == 0
    assert '"kind": "udgn"' in capfd.readouterr().out
    assert run(["parse", "--model", "englisch", "x"]) == 1
    assert "nor one of english, right-branching" in capfd.readouterr().err


def test_workers_of_a_cluster_get_the_folder(english):
    assert _shared(ModelChoice(("english", "chain"))).names == (str(english), "chain")


def test_what_is_shipped_is_whole():
    for name in shipped_models():
        [parse] = Parser.load(name, device="cpu").parse([TEXT])
        assert len(parse.tokens) == 7
