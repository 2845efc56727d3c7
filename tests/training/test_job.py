"""A run as it is asked for: what it begins with, and what of that may be said anew."""

from pathlib import Path

import pytest
import torch

from synparse.config.recipe import load_recipe, model_recipe_from
from synparse.inducers.table import build
from synparse.training.checkpoint import LAST, checkpoint_file
from synparse.training.job import Job, begin, in_silence, read_unfinished
from synparse.training.reading import RunSettings
from synparse.training.save_every import TEN_MINUTES
from synparse.training.state import fresh_state
from synparse.trees.errors import DataError, SettingError


@pytest.fixture
def recipe(tiny_recipe):
    recipe = load_recipe(str(tiny_recipe))
    return recipe.model_recipe(recipe.networks[0])


def new(recipe, output, settings=RunSettings(("corpus.txt",)), force=False):  # noqa: B008 - a value
    return begin(Job(recipe, settings, output, None, "cpu", TEN_MINUTES, in_silence), model_recipe_from, force)


@pytest.fixture
def unfinished(tmp_path, recipe):
    """The directory of an unfinished run of that recipe."""
    job = new(recipe, tmp_path / "model")
    job.output.mkdir()
    torch.manual_seed(1)
    state = fresh_state(build(recipe.model, 9, recipe.architecture), recipe.training)
    checkpoint_file(state, recipe, job.settings, "fingerprint", [], None)(job.output / LAST)
    (job.output / "config.yaml").touch()
    return job.output


def resumed(directory, corpus=(), minutes=None, allow_changed_corpus=False):
    return read_unfinished(directory, model_recipe_from, corpus, minutes, allow_changed_corpus)


def test_the_files_of_a_run_are_the_same_from_any_folder(tmp_path, recipe, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = RunSettings(("a.txt", "-", "/b.txt"), valid="c.txt", seed=3)
    job = new(recipe, Path("model"), settings)
    assert job.settings == RunSettings((f"{tmp_path}/a.txt", "-", "/b.txt"), valid=f"{tmp_path}/c.txt", seed=3)
    assert (job.recipe, job.checkpoint, job.device) == (recipe, None, "cpu")


def test_a_new_run_does_not_replace_an_unfinished_one_unasked(unfinished, recipe):
    with pytest.raises(SettingError, match="holds an unfinished run"):
        new(recipe, unfinished)
    assert new(recipe, unfinished, force=True).checkpoint is None


def test_a_run_that_a_launcher_starts_anew_goes_on(unfinished, recipe, monkeypatch):
    monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", "1")
    assert new(recipe, unfinished).checkpoint.recipe == recipe
    assert new(recipe, unfinished, RunSettings(("corpus.txt",), seed=2)).checkpoint is None
    assert new(recipe, unfinished, RunSettings(("other.txt",))).checkpoint is None


def test_a_resumed_run_is_the_one_that_was_stopped(unfinished, recipe):
    settings, checkpoint = resumed(unfinished)
    assert (checkpoint.recipe, settings) == (recipe, checkpoint.settings)
    assert checkpoint.fingerprint == "fingerprint"


def test_a_resumed_run_may_have_its_corpus_elsewhere_and_more_minutes(unfinished, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings, checkpoint = resumed(unfinished, corpus=["moved.txt"], minutes=5.0)
    assert (settings.corpus, settings.minutes) == ((f"{tmp_path}/moved.txt",), 5.0)
    assert checkpoint.fingerprint == "fingerprint"  # it is still the same corpus
    assert resumed(unfinished, minutes=0.0)[0].minutes == 0.0
    assert resumed(unfinished, allow_changed_corpus=True)[1].fingerprint is None


def test_there_must_be_a_run_to_resume(tmp_path):
    with pytest.raises(DataError, match="there is nothing to resume"):
        resumed(tmp_path)
