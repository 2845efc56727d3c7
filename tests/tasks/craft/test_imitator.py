"""Batches are their demonstrations, and the loss is the likelihood of their actions."""

import math

import numpy as np
import pytest
import torch

from synparse.inducers.batch import IGNORED, predictions_of
from synparse.tasks.craft import MODELS
from synparse.tasks.craft.demonstrations import replay
from synparse.tasks.craft.imitator import Imitator, coded, imbalance, mean_end
from synparse.tasks.craft.recipe import load_craft_recipe
from synparse.tasks.craft.subtasks import ACTIONS

TASKS = ["AC", "DA"]


@pytest.fixture(scope="module")
def recipe(tiny_craft_recipe):
    return load_craft_recipe(tiny_craft_recipe, "option-controller")


@pytest.fixture(scope="module")
def given(made):
    return [demonstration for demonstration, _ in made]


@pytest.fixture(scope="module")
def data(given, recipe):
    return coded(given, TASKS, recipe.view)


def built(recipe):
    torch.manual_seed(0)
    return Imitator(recipe, TASKS).double()


def test_a_batch_is_its_demonstrations_the_longest_first(data, given, recipe):
    batch = data.batch([3, 25, 7])
    chosen = sorted((3, 25, 7), key=lambda n: -len(given[n].actions))
    assert batch.lengths.tolist() == [len(given[n].actions) for n in chosen]
    assert batch.tasks.tolist() == [TASKS.index(given[n].task) for n in chosen]
    assert predictions_of(batch) == sum(batch.lengths.tolist())
    assert batch.observations.dtype == torch.uint8
    for row, n in enumerate(chosen):
        length = len(given[n].actions)
        alone = replay([given[n]], recipe.view)
        np.testing.assert_array_equal(batch.observations[row, :length], alone.observations)
        assert "".join(ACTIONS[a] for a in batch.targets[row, :length]) == given[n].actions
        assert (batch.targets[row, length:] == IGNORED).all()


@pytest.mark.parametrize("name", MODELS)
def test_the_loss_adds_up_over_demonstrations(data, tiny_craft_recipe, name):
    model = built(load_craft_recipe(tiny_craft_recipe, name, ["training.balance=0", "training.end_cost=0"]))
    result = model.loss(data.batch([0, 1, 21]))
    alone = [model.loss(data.batch([n])) for n in (0, 1, 21)]
    assert result.total.item() == pytest.approx(sum(single.total.item() for single in alone))
    assert result.predictions == sum(single.predictions for single in alone)
    batch = data.batch([0, 1, 21])
    likelihoods = model.read(batch).log_likelihoods(batch.targets.t(), batch.lengths.tolist())
    assert result.total.item() == pytest.approx(-likelihoods.sum().item())
    assert result.penalty == 0.0


def test_imbalance_is_the_divergence_of_the_mean_choice_from_all_alike():
    options = torch.tensor([[[0.75, 0.25], [0.25, 0.75]], [[1.0, 0.0], [0.3, 0.7]]], dtype=torch.float64)
    present = torch.tensor([[True, True], [True, False]])
    mean = (0.75 + 0.25 + 1.0) / 3
    expected = mean * math.log(2 * mean) + (1 - mean) * math.log(2 * (1 - mean))
    assert imbalance(options, present).item() == pytest.approx(expected)
    assert imbalance(options[:, :, [0, 0]] * 0 + 0.5, present).item() == 0
    assert imbalance(torch.tensor([[[1.0, 0.0]]]), torch.tensor([[True]])).item() == pytest.approx(math.log(2))


def test_the_penalty_counts_steps_and_no_padding(data, recipe):
    model, batch = built(recipe), data.batch([0, 1, 21])
    options = model.read(batch).options
    steps = torch.cat([options[:length, b] for b, length in enumerate(batch.lengths.tolist())])
    mean = steps.mean(0)
    expected = 0.1 * (mean * (2 * mean).log()).sum().item()
    assert model.loss(batch).penalty.item() == pytest.approx(expected)


def test_only_ompn_has_no_penalty(data, tiny_craft_recipe):
    for name in MODELS:
        model = built(load_craft_recipe(tiny_craft_recipe, name))
        assert isinstance(model.loss(data.batch([0])).penalty, float) == (name == "ompn")
        assert model.matrix_parameters() > 0


def test_the_cost_of_ends_counts_the_steps_at_which_an_option_may_be_done():
    boundary = torch.tensor([[1.0, 1.0], [0.25, 0.5], [0.125, 9.0]])
    present = torch.tensor([[True, True], [True, True], [True, False]])
    assert mean_end(boundary, present).item() == pytest.approx((0.25 + 0.5 + 0.125) / 3)
    assert mean_end(boundary[:1], present[:1]).item() == 0


def test_only_options_that_end_have_a_cost(data, tiny_craft_recipe):
    batch, overrides = data.batch([0, 1, 21], end_cost=2.0), ["training.balance=0", "training.end_cost=2"]
    for name in MODELS:
        model = built(load_craft_recipe(tiny_craft_recipe, name, overrides))
        present = torch.arange(batch.targets.shape[1])[:, None] < batch.lengths
        expected = 2 * mean_end(model.read(batch).boundary, present).item() if name == "option-controller" else 0.0
        assert torch.as_tensor(model.loss(batch).penalty).item() == pytest.approx(expected)
