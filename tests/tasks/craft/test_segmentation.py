"""A model's segments: of a batch and of each demonstration, by the threshold and by number."""

import pytest
import torch

from synparse.tasks.craft import segmentation
from synparse.tasks.craft.demonstrations import demonstrations
from synparse.tasks.craft.directory import load_imitator
from synparse.tasks.craft.imitator import coded
from synparse.tasks.craft.segmentation import boundaries_of, compared, segment_files, segmented
from synparse.trees.errors import DataError, SettingError

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def models(trained_models):
    """Trained models whose options end often enough."""
    loaded = {path.name: load_imitator(path, CPU) for path in trained_models.iterdir()}
    with torch.no_grad():
        loaded["option-controller"].model.options.last.mul_(20)
    return loaded


@pytest.fixture(scope="module")
def given(made):
    return [demonstration for demonstration, _ in made]


@pytest.mark.parametrize("name", ["option-controller", "ompn"])
def test_many_are_cut_as_each_alone(models, given, name, monkeypatch):
    monkeypatch.setattr(segmentation, "BATCH", 16)
    trained = models[name]
    whole = segmented(trained, given)
    for demonstration, together in list(zip(given, whole, strict=True))[::7]:
        [alone] = segmented(trained, [demonstration])
        assert (together.boundaries, together.options, together.right) == (alone.boundaries, alone.options, alone.right)
        assert together.scores == pytest.approx(alone.scores, abs=1e-5)
        assert together.log_likelihood == pytest.approx(alone.log_likelihood, rel=1e-4)


def test_what_a_segmentation_says_is_in_the_reading(models, given):
    trained = models["option-controller"]
    [segmentation] = segmented(trained, given[:1])
    batch = coded(given[:1], trained.tasks, trained.recipe.view).batch([0])
    reading = trained.model.read(batch)
    assert segmentation.scores == tuple(reading.boundary[:, 0].tolist())
    assert segmentation.boundaries == tuple(t for t, score in enumerate(segmentation.scores) if t and score > 0.5) != ()
    assert segmentation.options == tuple(reading.options[:, 0].argmax(1).tolist())
    best = reading.action_log_probabilities[:, 0].argmax(1)
    assert segmentation.right == int((best == batch.targets[0]).sum())


def test_boundaries_by_number_are_as_many_as_the_task_needs(models, given):
    for name in models:
        assert all(len(segmentation.boundaries) == 1 for segmentation in segmented(models[name], given, "known"))
    assert boundaries_of(models["mixture-of-experts"].model, None) == "threshold"
    assert boundaries_of(models["ompn"].model, None) == "known"
    with pytest.raises(SettingError, match="use --boundaries known"):
        boundaries_of(models["ompn"].model, "threshold")


def test_files_are_cut_in_parts(trained_models, craft_files, given, monkeypatch):
    monkeypatch.setattr(segmentation, "PART", 15)
    segmentations = list(segment_files(str(trained_models / "ompn"), [craft_files[0]]))
    assert [demonstration for demonstration, _ in segmentations] == given
    assert all(cut.options is None for _, cut in segmentations)


def test_a_task_that_the_model_does_not_know_is_told(models):
    [(other, _)] = demonstrations("CD", 1, 7, 1, 1, seed=1)
    with pytest.raises(DataError, match="the model knows the tasks AC, DA, not CD"):
        segmented(models["ompn"], [other])


def test_a_segmentation_is_compared_with_the_true_one(models, made):
    demonstration, ends = made[0]
    [segmentation] = segmented(models["option-controller"], [demonstration])
    both = compared(demonstration, segmentation, ends)
    assert (both.length, both.subtasks, both.gold) == (ends[-1], (4, 1), ends[:1])
    assert (both.predicted, both.options) == (segmentation.boundaries, segmentation.options)
