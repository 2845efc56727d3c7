"""Models of imitation in the training loop that inducers have too."""

import contextlib
import json
from itertools import chain
from pathlib import Path

import pytest
import torch

from synparse.scoring.segmentation import score_segmentations
from synparse.tasks.craft.imitator import Imitator
from synparse.tasks.craft.recipe import load_craft_recipe
from synparse.tasks.craft.run import IMITATION, Imitation
from synparse.tasks.craft.segmentation import compared, segmentations
from synparse.training.checkpoint import is_unfinished
from synparse.training.trainer import resume, train
from synparse.trees.errors import DataError
from tests.stopping import Watch

pytestmark = pytest.mark.usefixtures("ctrl_c_is_heard")


@pytest.fixture
def run(tmp_path, craft_files, tiny_craft_recipe):
    """A function to the losses of a run, whose directory is ``model``."""

    def losses(*overrides, stop_at=None, **settings):
        watch = Watch(stop_at)
        recipe = load_craft_recipe(tiny_craft_recipe, "option-controller", ["training.epochs=3", *overrides])
        train(
            IMITATION, [craft_files[0]], recipe, tmp_path / "model", device="cpu", report=watch, force=True, **settings
        )
        return watch.losses

    return losses


def rows(path):
    return [json.loads(line) for line in (path / "model" / "log.jsonl").read_text().splitlines()]


def weights(path):
    return (path / "model" / "weights.safetensors").read_bytes()


def test_a_stopped_run_goes_on_bit_for_bit(run, tmp_path):
    whole = run()
    assert len(whole) == 9  # 36 demonstrations, 16 a batch
    expected, log = weights(tmp_path), rows(tmp_path)
    first = run(stop_at=5)
    assert is_unfinished(tmp_path / "model")
    torch.manual_seed(12345)
    rest = Watch()
    result = resume(IMITATION, tmp_path / "model", device="cpu", report=rest)
    assert first + rest.losses == whole
    assert not result.interrupted
    assert weights(tmp_path) == expected
    assert [row | {"seconds": 0} for row in rows(tmp_path)] == [row | {"seconds": 0} for row in log]


def test_the_log_scores_segments_and_nothing_depends_on_them(run, tmp_path, monkeypatch):
    run()
    expected, log = weights(tmp_path), rows(tmp_path)
    assert all({"log_likelihood", "nmi", "alignment_accuracy", "boundary_f1", "action_accuracy"} <= set(r) for r in log)
    assert [row["step"] for row in log] == [2, 4, 6, 8, 9]
    monkeypatch.setattr(Imitation, "observed", lambda *_: {"nmi": None})
    run()
    assert weights(tmp_path) == expected
    assert [row["log_likelihood"] for row in rows(tmp_path)] == [row["log_likelihood"] for row in log]
    assert {row["nmi"] for row in rows(tmp_path)} == {None}


def test_the_balance_counts(run):
    assert run("training.balance=0")[1:] != run("training.balance=5")[1:]


def test_other_data_are_told(run, tmp_path, craft_files):
    run(stop_at=2)
    other = tmp_path / "other.tsv"
    lines = Path(craft_files[0]).read_text().splitlines(keepends=True)
    other.write_text("".join(lines[:-1]))
    with pytest.raises(DataError, match="has changed since this run began"):
        resume(IMITATION, tmp_path / "model", data=[str(other)], device="cpu")
    other.write_text(lines[0])
    with pytest.raises(DataError, match="at least two"):
        train(IMITATION, [str(other)], load_craft_recipe("craft-small", "ompn"), tmp_path / "two", device="cpu")


CPU = torch.device("cpu")
TASKS = ["AC", "DA"]


@pytest.fixture(scope="module")
def objective(tiny_craft_recipe, made):
    given = [demonstration for demonstration, _ in made]
    return Imitation(load_craft_recipe(tiny_craft_recipe, "option-controller"), TASKS, given[:30], given[30:])


@pytest.fixture(scope="module")
def model(tiny_craft_recipe):
    torch.manual_seed(0)
    return Imitator(load_craft_recipe(tiny_craft_recipe, "option-controller"), TASKS).eval()


def lengths(batches):
    return [batch.batch.lengths.tolist() for batch in batches]


def test_an_epoch_has_every_demonstration_once_and_a_later_one_is_the_one_that_would_have_come(objective):
    epochs = objective.epochs(seed=1, first=1)
    first, second = list(next(epochs)), list(next(epochs))
    assert len(first) == objective.batches_per_epoch == 2  # 30 demonstrations, 16 a batch
    for batches in (first, second):
        assert sorted(chain(*lengths(batches))) == sorted(objective.training.steps.lengths.tolist())
        assert sum(batch.words for batch in batches) == len(objective.training.steps.actions)
    again = next(objective.epochs(seed=1, first=2))
    for batch, repeated in zip(second, again, strict=True):
        torch.testing.assert_close(batch.batch.observations, repeated.batch.observations)


def test_the_score_is_the_log_likelihood_of_an_action(objective, model):
    mean = objective.score(model, CPU, contextlib.nullcontext)
    alone = [model.loss(objective.held_out.batch([n])).total.item() for n in range(10)]
    assert mean == pytest.approx(-sum(alone) / len(objective.held_out.steps.actions), rel=1e-5)


def test_what_is_observed_are_the_scores_against_the_true_subtasks(objective, model, made):
    held_out = made[30:]
    predicted = segmentations(model, [demonstration for demonstration, _ in held_out], objective.held_out)
    scores = score_segmentations(
        compared(demonstration, cut, ends) for (demonstration, ends), cut in zip(held_out, predicted, strict=True)
    )
    observed = objective.observed(model)
    assert observed["nmi"] == scores.nmi
    assert observed["alignment_accuracy"] == scores.alignment_accuracy
    assert observed["boundary_f1"] == scores.f1
    assert 0 < observed["action_accuracy"] < 1


def test_ends_cost_something_from_an_epoch_on_and_never_in_validation(tiny_craft_recipe, made):
    given = [demonstration for demonstration, _ in made]
    overrides = ["training.end_cost=0.5", "training.end_cost_from=2"]
    costly = Imitation(
        load_craft_recipe(tiny_craft_recipe, "option-controller", overrides), TASKS, given[:30], given[30:]
    )
    for first in (1, 2):
        epochs = costly.epochs(seed=1, first=first)
        for epoch in range(first, 4):
            assert {cost for batch in next(epochs) for cost in batch.batch.end_costs.tolist()} == {0.5 * (epoch >= 2)}
    assert costly.held_out.batch([0]).end_costs.tolist() == [0.0]
