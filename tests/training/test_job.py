"""A run as it is asked for: what it begins with, and what of that may be said anew."""

from pathlib import Path

import pytest
import torch

from synparse.config.recipe import load_recipe, recipe_from
from synparse.inducers.table import build
from synparse.training.checkpoint import LAST, RunSettings, checkpoint_file
from synparse.training.job import in_silence, new_job, resumed_job
from synparse.training.save_every import TEN_MINUTES
from synparse.training.state import fresh_state
from synparse.trees.errors import DataError, SettingError


@pytest.fixture
def recipe(tiny_recipe):
    return load_recipe(str(tiny_recipe))


def new(recipe, output, settings=RunSettings(("corpus.txt",)), force=False):  # noqa: B008 - a value
    return new_job(recipe, settings, output, recipe_from, force, "cpu", TEN_MINUTES, in_silence)


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


def resumed(directory, changed=lambda recipe: recipe, corpus=(), minutes=None, allow_changed_corpus=False):
    return resumed_job(
        directory, recipe_from, changed, corpus, minutes, allow_changed_corpus, "cpu", TEN_MINUTES, in_silence
    )


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
    job = resumed(unfinished)
    assert (job.recipe, job.settings) == (recipe, job.checkpoint.settings)
    assert job.checkpoint.fingerprint == "fingerprint"
    assert job.output == unfinished


def test_a_resumed_run_may_have_its_corpus_elsewhere_and_more_minutes(unfinished, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    job = resumed(unfinished, corpus=["moved.txt"], minutes=5.0)
    assert (job.settings.corpus, job.settings.minutes) == ((f"{tmp_path}/moved.txt",), 5.0)
    assert job.checkpoint.fingerprint == "fingerprint"  # it is still the same corpus
    assert resumed(unfinished, minutes=0.0).settings.minutes == 0.0
    assert resumed(unfinished, allow_changed_corpus=True).checkpoint.fingerprint is None


def test_the_recipe_of_a_resumed_run_is_changed(unfinished):
    assert resumed(unfinished, changed=lambda recipe: ("changed", recipe.name)).recipe == ("changed", "tiny")


def test_there_must_be_a_run_to_resume(tmp_path):
    with pytest.raises(DataError, match="there is nothing to resume"):
        resumed(tmp_path)
