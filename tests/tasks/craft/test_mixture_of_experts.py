"""A mixture of experts is an Option-Controller Network whose options are always done."""

import pytest
import torch

from synparse.tasks.craft.mixture_of_experts import MixtureOfExperts, MixtureOfExpertsConfig
from synparse.tasks.craft.option_controller import OptionController, OptionControllerConfig

LENGTHS = [5, 4, 4, 1]


@pytest.fixture(scope="module")
def models():
    torch.manual_seed(0)
    network = OptionController(6, 2, OptionControllerConfig(3, 4, 1.0, 50.0)).double()
    mixture = MixtureOfExperts(6, 2, MixtureOfExpertsConfig(3, 4, 1.0)).double()
    weights = {name: 2 * value for name, value in network.state_dict().items()}
    network.load_state_dict(weights)
    mixture.load_state_dict(weights)
    return network, mixture


@pytest.fixture(scope="module")
def readings(models):
    observations = torch.randn(5, 4, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    return [model(observations, LENGTHS, torch.tensor([0, 1, 1, 0])) for model in models]


def test_its_actions_and_options_are_those_of_a_network_that_is_always_done(readings):
    network, mixture = readings
    for b, length in enumerate(LENGTHS):
        assert network.boundary[:length, b].tolist() == pytest.approx([1.0] * length)
        torch.testing.assert_close(
            network.action_log_probabilities[:length, b], mixture.action_log_probabilities[:length, b]
        )
        torch.testing.assert_close(network.options[:length, b], mixture.options[:length, b])


def test_a_subtask_begins_as_far_as_the_choice_changes(readings):
    _, mixture = readings
    assert mixture.boundary[0].tolist() == [1.0] * 4
    for t in range(1, 5):
        before, now = mixture.options[t - 1, 0].tolist(), mixture.options[t, 0].tolist()
        moved = sum(max(0.0, after - earlier) for after, earlier in zip(now, before, strict=True))
        assert mixture.boundary[t, 0].item() == pytest.approx(moved)
    assert 0 < mixture.boundary[1:, 0].max() <= 1
