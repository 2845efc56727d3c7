"""Which demonstrations are trained on, how validation counts, and what the log observes."""

import contextlib
from itertools import chain

import pytest
import torch

from synparse.scoring.segmentation import score_segmentations
from synparse.tasks.craft.imitation import Imitation
from synparse.tasks.craft.imitator import Imitator
from synparse.tasks.craft.recipe import load_craft_recipe
from synparse.tasks.craft.segmentation import compared, segmentations

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
