"""The likelihood of demonstrations of different lengths."""

import pytest
import torch

from synparse.tasks.craft.policy_output import PolicyOutput


@pytest.fixture
def reading():
    torch.manual_seed(0)
    return PolicyOutput(torch.randn(4, 3, 5, dtype=torch.float64).log_softmax(2), torch.zeros(4, 3))


def test_the_log_likelihood_is_the_sum_over_the_steps_of_each_demonstration(reading):
    actions, lengths = torch.randint(5, (4, 3)), [4, 2, 1]
    expected = [
        sum(reading.action_log_probabilities[t, b, actions[t, b]].item() for t in range(length))
        for b, length in enumerate(lengths)
    ]
    assert reading.log_likelihoods(actions, lengths).tolist() == pytest.approx(expected)


def test_padding_has_neither_a_likelihood_nor_a_gradient(reading):
    actions, lengths = torch.randint(5, (4, 3)), [4, 2, 1]
    padding = torch.arange(4)[:, None] >= torch.tensor(lengths)
    spoilt = reading.action_log_probabilities.masked_fill(padding[..., None], float("nan")).requires_grad_()
    likelihoods = reading._replace(action_log_probabilities=spoilt).log_likelihoods(
        actions.masked_fill(padding, -100), lengths
    )
    torch.testing.assert_close(likelihoods, reading.log_likelihoods(actions, lengths))
    likelihoods.sum().backward()
    taken = torch.nn.functional.one_hot(actions, 5) * ~padding[..., None]
    torch.testing.assert_close(spoilt.grad, taken.double())
