"""What is restored is what was saved, bit for bit."""

import json

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel

from synparse.config.training import MaskedTraining
from synparse.training.checkpoint import restore, tensors_of, values_of
from synparse.training.state import fresh_state

CARRIED = (torch.arange(6.0).reshape(2, 3), (torch.ones(2, 1), torch.zeros(2, 4)))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 2)
        self.unused = nn.Parameter(torch.ones(4))  # no batch gives it a gradient

    def forward(self, inputs):
        return self.layer(functional.dropout(inputs, 0.5))


def update(state):
    """One update, of random inputs with dropout."""
    state.optimizer.zero_grad()
    state.model(torch.randn(5, 3)).square().sum().backward()
    state.optimizer.step()
    if state.average is not None:
        state.average.update_parameters(state.model)
    state.step += 1


def begun(config, averages=False):
    """A state after some updates, with everything that a state can have."""
    torch.manual_seed(1)
    state = fresh_state(Model(), config)
    for _ in range(3):
        update(state)
    if averages:
        state.average = AveragedModel(state.model)
        state.schedule.is_averaging = True
    for _ in range(2):
        update(state)
    state.epoch, state.batch_index, state.words, state.seconds, state.loss, state.rate = 2, 7, 99, 1.5, 0.25, 1e-3
    state.schedule.scores, state.schedule.stalled = [9.5, 8.25, 8.5], 1
    state.log, state.kept = ['{"step": 3}'], 8.25
    state.carried, state.is_validation_due = CARRIED, True
    return state


def assert_equal(state, other):
    assert values_of(state) == values_of(other)
    tensors, others = tensors_of(state), tensors_of(other)
    assert tensors.keys() == others.keys()
    assert all(torch.equal(tensor, others[name]) for name, tensor in tensors.items())


@pytest.mark.parametrize("optimizer", ["adam", "adamw", "sgd"])
@pytest.mark.parametrize("averages", [False, True])
def test_a_restored_state_is_the_saved_one_and_goes_on_alike(optimizer, averages):
    config = MaskedTraining(optimizer=optimizer, learning_rate=0.1, schedule="average" if averages else "constant")
    saved = begun(config, averages=averages)
    values, tensors = json.loads(json.dumps(values_of(saved))), tensors_of(saved)
    torch.manual_seed(2)
    restored = fresh_state(Model(), config)
    restore(restored, values, tensors)
    assert_equal(restored, saved)
    assert (restored.average is None) != averages
    assert torch.equal(restored.carried[1][1], CARRIED[1][1])
    restored.carried = saved.carried = None
    for state in (saved, restored):
        torch.set_rng_state(tensors["random.cpu"])
        update(state)
    assert_equal(restored, saved)


def test_a_state_is_saved_by_value():
    state = begun(MaskedTraining())
    tensors = tensors_of(state)
    before = tensors["model.layer.weight"].clone()
    update(state)
    assert torch.equal(tensors["model.layer.weight"], before)


def test_a_plateau_stays_where_the_rate_changes():
    config = MaskedTraining(learning_rate=0.8)
    saved = fresh_state(Model(), config)
    saved.schedule.base = 0.2
    restored = fresh_state(Model(), MaskedTraining(learning_rate=0.4))
    restore(restored, values_of(saved), tensors_of(saved))
    assert restored.schedule.base == pytest.approx(0.1)


def test_what_a_process_carries_is_of_its_own_rows(monkeypatch):
    saved, config = begun(MaskedTraining()), MaskedTraining()
    tensors = tensors_of(saved)
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert {name for name in tensors if name not in tensors_of(saved)} == {
        name for name in tensors if name.startswith("carried.")
    }
    restored = fresh_state(Model(), config)
    restore(restored, values_of(saved), tensors)
    assert restored.carried is None
    assert torch.equal(restored.model.layer.weight, saved.model.layer.weight)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("step", -1),
        ("step", 2**53 + 1),
        ("step", "many"),
        ("step", 1.5),
        ("seconds", float("nan")),
        ("loss", None),
        ("base_fraction", "half"),
        ("is_validation_due", 1),
    ],
)
def test_values_that_describe_no_state_are_refused(name, value):
    state = begun(MaskedTraining())
    values = {**values_of(state), name: value}
    with pytest.raises((ValueError, TypeError)):
        restore(fresh_state(Model(), MaskedTraining()), values, tensors_of(state))


@pytest.mark.parametrize(
    ("name", "tensor"),
    [
        ("optimizer.0.exp_avg", torch.zeros(7)),
        ("optimizer.9.exp_avg", torch.zeros(2)),
        ("optimizer.0.other", torch.zeros(2, 3)),
        ("model.layer.weight", torch.zeros(9, 9)),
        ("random.cpu", torch.zeros(3, dtype=torch.uint8)),
    ],
)
def test_tensors_that_do_not_fit_are_refused(name, tensor):
    state = begun(MaskedTraining())
    with pytest.raises((ValueError, RuntimeError)):
        restore(fresh_state(Model(), MaskedTraining()), values_of(state), {**tensors_of(state), name: tensor})


def test_the_average_is_validated_once_there_is_one():
    state = fresh_state(Model(), MaskedTraining())
    assert state.validated_model is state.model
    state.average = AveragedModel(state.model)
    assert state.validated_model is state.average.module
