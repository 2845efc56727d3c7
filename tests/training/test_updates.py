"""One update of a run: what it computes, and what becomes of it where memory or time does not suffice."""

import copy
from types import SimpleNamespace

import pytest
import torch
from torch.nn.utils import clip_grad_norm_

from synparse.config.recipe import load_recipe
from synparse.corpora.sentences import Sentence
from synparse.inducers.table import build
from synparse.training import updates
from synparse.training.checkpoint import tensors_of, values_of
from synparse.training.objectives import objective_of
from synparse.training.state import fresh_state, make_optimizer
from synparse.training.updates import Updates
from synparse.trees.errors import TrainingError
from tests.texts import build_corpus

CPU = torch.device("cpu")


@pytest.fixture
def prepared(tmp_path, tiny_recipe, sample_text):
    """A function from a recipe and overrides to the recipe, its objective on the sample and a fresh model."""

    def prepare(path=tiny_recipe, *overrides):
        [recipe] = load_recipe(str(path), overrides).networks
        corpus = build_corpus([Sentence(tuple(line.split())) for line in sample_text], recipe.text, tmp_path)
        torch.manual_seed(0)
        model = build(recipe.model, len(corpus.vocabulary), recipe.architecture)
        return recipe, objective_of(recipe.training, corpus), model

    return prepare


@pytest.mark.parametrize("optimizer", ["adam", "adamw", "sgd"])
def test_an_update_is_a_step_of_the_optimizer_along_the_clipped_gradient(prepared, tiny_recipe, optimizer):
    recipe, objective, model = prepared(
        tiny_recipe, f"training.optimizer={optimizer}", "training.gradient_clip=0.01", "training.schedule=linear"
    )
    training_batch = next(next(objective.epochs(1, 1)))
    reference = copy.deepcopy(model)
    ours = Updates(fresh_state(model, recipe.training), recipe.training, CPU)
    torch.manual_seed(3)
    assert ours.update(training_batch, 0.25)
    torch.manual_seed(3)
    stepped = make_optimizer(reference, recipe.training)
    loss = reference.loss(training_batch.batch)
    (loss.total / loss.predictions + loss.penalty).backward()
    clip_grad_norm_(reference.parameters(), 0.01)
    stepped.param_groups[0]["lr"] = rate = 0.75 * recipe.training.learning_rate
    stepped.step()
    for parameter, other in zip(model.parameters(), reference.parameters(), strict=True):
        torch.testing.assert_close(parameter, other, rtol=1e-6, atol=1e-7)
    state = ours.state
    assert (state.step, state.words) == (1, training_batch.words)
    assert state.rate == pytest.approx(rate)
    assert state.loss == pytest.approx(float(loss.total.detach()) / loss.predictions, rel=1e-6)


def test_an_update_that_is_abandoned_changes_nothing(prepared):
    recipe, objective, model = prepared()
    ours = Updates(fresh_state(model, recipe.training), recipe.training, CPU)
    before, random = (values_of(ours.state), tensors_of(ours.state)), torch.get_rng_state()
    ours.stop.signal = 15
    assert not ours.update(next(next(objective.epochs(1, 1))), 0.5)
    assert values_of(ours.state) == before[0]
    assert all(torch.equal(tensor, before[1][name]) for name, tensor in tensors_of(ours.state).items())
    assert torch.equal(torch.get_rng_state(), random)


def test_a_validation_that_is_abandoned_has_no_score(prepared):
    recipe, objective, model = prepared()
    ours = Updates(fresh_state(model, recipe.training), recipe.training, CPU)
    assert ours.validation(objective) == objective.score(model.eval(), CPU, ours.precision)
    ours.stop.signal = 15
    assert ours.validation(objective) is None
    assert model.training


def test_want_of_memory_on_a_gpu_computes_the_batch_in_more_parts(prepared, monkeypatch):
    """The first attempts fail as a GPU's allocator does; the update that succeeds is the one of the whole batch."""
    recipe, objective, model = prepared()
    training_batch = next(next(objective.epochs(1, 1)))
    model.eval().double()  # no dropout; Adam enlarges what rounding leaves of a gradient that is 0
    reference = copy.deepcopy(model)
    add_gradients, tried = updates.add_gradients, []

    def scarce(loss_of, batch, workers, _, parts, precision):
        tried.append(parts)
        if parts < 4:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return add_gradients(loss_of, batch, workers, CPU, parts, precision)

    for network, is_scarce in ((model, True), (reference, False)):
        ours = Updates(fresh_state(network, recipe.training), recipe.training, CPU)
        if is_scarce:
            monkeypatch.setattr(updates, "add_gradients", scarce)
            ours.device = SimpleNamespace(type="cuda")
        assert ours.update(training_batch, 0.5)
        monkeypatch.undo()
        assert ours.state.parts == (4 if is_scarce else 1)
    assert tried == [1, 2, 4]
    for parameter, other in zip(model.parameters(), reference.parameters(), strict=True):
        torch.testing.assert_close(parameter, other, rtol=1e-6, atol=1e-6)


def test_want_of_memory_that_parts_do_not_mend_is_told(prepared, monkeypatch):
    recipe, objective, model = prepared()
    training_batch = next(next(objective.epochs(1, 1)))

    def scarce(*_):
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(updates, "add_gradients", scarce)
    ours = Updates(fresh_state(model, recipe.training), recipe.training, CPU)
    ours.device = SimpleNamespace(type="cuda")
    with pytest.raises(
        TrainingError, match=r"out of memory at step 1, on a batch of \d+ × \d+ words .* lower training"
    ):
        ours.update(training_batch, 0.5)
