"""Training one network into a folder of a run."""

import signal

import numpy as np
import pytest
from safetensors.numpy import load_file

from synparse.config.recipe import load_recipe
from synparse.store.model_directory import load
from synparse.store.models import open_model
from synparse.training.network import train_network
from synparse.training.reading import RunSettings
from synparse.training.save_every import TEN_MINUTES
from synparse.training.trainer import Job
from synparse.trees.errors import DataError
from tests.stopping import stop_when


@pytest.fixture
def trained(tiny_model, tiny_recipe, tmp_path):
    """A function that trains a StructFormer on the text of the fixtures."""

    def train(*changes, folder=tmp_path / "structformer-1", report=lambda _: None, saved=lambda: None, **options):
        recipe = load_recipe(str(tiny_recipe), changes)
        settings = RunSettings((str(tiny_model.parents[1] / "corpus.txt"),))
        of_model = recipe.model_recipe(recipe.networks[0])
        job = Job(of_model, settings, folder, None, "cpu", TEN_MINUTES, report)
        return train_network(job, saved=saved, read=lambda _: None, **options)

    return train


def test_a_folder_is_a_whole_model_directory(trained, tiny_model):
    result = trained()
    assert sorted(path.name for path in result.directory.iterdir()) == sorted(
        path.name for path in tiny_model.iterdir()
    )
    for name in ("weights.safetensors", "vocabulary.txt"):
        assert (result.directory / name).read_bytes() == (tiny_model / name).read_bytes()
    provenance = open_model(result.directory).description.provenance
    assert provenance["corpus"] == open_model(tiny_model).description.provenance["corpus"]
    assert provenance["held_out_perplexity"] == pytest.approx(result.score, abs=0.001)


def test_it_says_when_a_better_model_has_been_saved(trained, tmp_path):
    best, saved = [], []
    trained(
        *("training.validate_every=4", "training.epochs=2"),
        report=lambda event: best.append(event.step) if getattr(event, "is_best", False) else None,
        saved=lambda: saved.append(open_model(tmp_path / "structformer-1").description.provenance["steps"]),
    )
    assert best == saved != []


def test_it_starts_from_the_weights_and_the_vocabulary_of_another_one(trained, tiny_model):
    [member] = open_model(tiny_model).members.values()
    result = trained("training.learning_rate=1e-30", start=load(member))
    before, after = (load_file(folder / "weights.safetensors") for folder in (tiny_model, result.directory))
    assert all(np.allclose(before[name], array, atol=1e-20) for name, array in after.items())
    assert (result.directory / "vocabulary.txt").read_bytes() == (tiny_model / "vocabulary.txt").read_bytes()


def test_another_corpus_than_that_of_the_run_is_refused(trained, tiny_model, tmp_path):
    known = open_model(tiny_model).description.provenance["corpus"]["sha256"]
    with pytest.raises(DataError, match="has changed since this run began"):
        trained(fingerprint="another")
    assert list(tmp_path.iterdir()) == []
    assert trained(fingerprint=known).signal is None


def test_what_was_begun_there_goes_on(trained, tiny_model):
    first = trained(report=stop_when(lambda event: getattr(event, "step", 0) == 5))
    assert (first.signal, first.steps, first.is_resumable) == (signal.SIGTERM, 5, True)
    steps = []
    again = trained(report=lambda event: steps.append(getattr(event, "step", None)))
    assert min(step for step in steps if step is not None) == 6
    assert (again.signal, again.is_resumable) == (None, False)
    assert (again.directory / "weights.safetensors").read_bytes() == (tiny_model / "weights.safetensors").read_bytes()
