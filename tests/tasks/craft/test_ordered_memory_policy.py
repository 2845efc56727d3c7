"""OMPN against a literal transcription of its equations, and what must hold of any reading."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from synparse.tasks.craft.ordered_memory_policy import OrderedMemoryPolicy, OrderedMemoryPolicyConfig, stick_breaking

OBSERVATION, TASKS = 7, 2


def built(slots=3, size=4, dropout=0.0, factor=3.0):
    """A policy with large random weights, whose slots differ."""
    torch.manual_seed(0)
    policy = OrderedMemoryPolicy(OBSERVATION, TASKS, OrderedMemoryPolicyConfig(size, slots, dropout)).double()
    with torch.no_grad():
        for parameter in policy.parameters():
            parameter.mul_(factor)
    return policy


@pytest.fixture(scope="module")
def policy():
    return built()


def layer_norm(x):
    centred = x - x.mean()
    return centred / (centred.square().mean() + 1e-5).sqrt()


def gated(cell, condition, inputs, values):
    """LN(σ(gates) · values + σ(c) n) of one demonstration."""
    inner = torch.relu(cell.of_states.weight @ inputs + condition)
    *gates, new = (cell.gates.weight @ inner + cell.gates.bias).view(len(values) + 2, -1)
    total = torch.sigmoid(gates[-1]) * new
    for gate, value in zip(gates[:-1], values, strict=True):
        total = total + torch.sigmoid(gate) * value
    return layer_norm(total)


def literal(policy, observations, task):
    """(a–g) for one demonstration [T, D_in], slots from 1: the log-probabilities [T, A] and the expected positions."""
    N = policy.slots
    u = policy.task.weight[task]
    memory = {i: torch.zeros_like(u) for i in range(1, N)} | {N: layer_norm(u)}
    log_probabilities, levels = [], []
    for t, observation in enumerate(observations):
        x = policy.observation.weight @ observation + policy.observation.bias
        made_of_c = policy.condition.weight @ torch.cat([x, u]) + policy.condition.bias
        D = len(x)
        bottom_up_parts = {i: made_of_c[4 * D * (i - 1) : 4 * D * i] for i in range(1, N + 1)}
        expansion_part = made_of_c[4 * D * N : 4 * D * N + D]
        top_down_parts = {i: made_of_c[4 * D * N + D :][4 * D * (i - 1) : 4 * D * i] for i in range(1, N)}
        candidate, pi = {0: x}, {}
        left = 1.0
        for i in range(1, N + 1):
            below, slot = candidate[i - 1], memory[i]
            candidate[i] = gated(policy.bottom_up[i - 1], bottom_up_parts[i], torch.cat([below, slot]), [below, slot])
            hidden = torch.nn.functional.leaky_relu(
                policy.expansion.of_slot.weight @ torch.cat([slot, candidate[i]]) + expansion_part
            )
            beta = torch.sigmoid(policy.expansion.score.weight[0] @ hidden + policy.expansion.score.bias[0])
            pi[i] = left * (beta if i < N else 1)
            left = left * (1 - beta)
        if t == 0:
            candidate, pi = memory, {i: float(i == N) for i in range(1, N + 1)}
        expansion = {N: torch.zeros_like(u)}
        for i in range(N - 1, 0, -1):
            below = sum(pi[j] for j in range(1, i + 2))
            parent = below * candidate[i + 1] + (1 - below) * expansion[i + 1]
            expansion[i] = gated(policy.top_down[i - 1], top_down_parts[i], parent, [parent])
        memory = {
            i: sum(pi[j] for j in range(1, i)) * memory[i]
            + pi[i] * candidate[i]
            + sum(pi[j] for j in range(i + 1, N + 1)) * expansion[i]
            for i in range(1, N + 1)
        }
        scores = torch.exp(policy.action.weight @ torch.cat([memory[1], u, x]) + policy.action.bias)
        log_probabilities.append(torch.log(scores / scores.sum()))
        levels.append(sum(i * pi[i] for i in pi))
    return torch.stack(log_probabilities), torch.tensor([float(level) for level in levels], dtype=u.dtype)


@pytest.mark.parametrize("slots", [2, 3, 4])
def test_a_reading_is_the_transcription(slots, batch):
    policy, (observations, lengths, tasks) = built(slots), batch
    with torch.no_grad():
        reading = policy(*batch)
        for row, length in enumerate(lengths):
            expected, levels = literal(policy, observations[:length, row], tasks[row])
            torch.testing.assert_close(reading.action_log_probabilities[:length, row], expected)
            torch.testing.assert_close(reading.boundary[:length, row], (levels - 1) / (slots - 1))
    assert reading.options is None


def test_positions_are_probabilities_and_the_first_step_starts_a_subtask(policy, batch):
    reading = policy(*batch)
    boundary = reading.boundary[:, 0].detach()
    assert reading.boundary[0].tolist() == [1, 1, 1, 1]
    assert ((boundary[1:] > 0) & (boundary[1:] < 1)).all()
    assert boundary[1:].std() > 0.05  # these weights do choose
    torch.testing.assert_close(reading.action_log_probabilities[:3, :3].exp().sum(2), torch.ones(3, 3).double())


def test_padding_changes_neither_results_nor_gradients(policy, batch):
    observations, lengths, tasks = batch
    padding = torch.arange(len(observations))[:, None] >= torch.tensor(lengths)
    spoilt = observations.masked_fill(padding[..., None], float("nan"))
    longer = torch.cat([spoilt, torch.full_like(spoilt[:2], float("nan"))])
    actions = torch.ones(8, 4, dtype=torch.long)

    def likelihoods_and_gradients(observations, lengths, tasks):
        policy.zero_grad()
        likelihoods = policy(observations, lengths, tasks).log_likelihoods(
            actions[: len(observations), : len(tasks)], lengths
        )
        likelihoods.sum().backward()
        return likelihoods.detach(), [parameter.grad for parameter in policy.parameters()]

    likelihoods, gradients = likelihoods_and_gradients(longer, lengths, tasks)
    alone = [
        likelihoods_and_gradients(observations[:length, [row]], [length], tasks[[row]])
        for row, length in enumerate(lengths)
    ]
    torch.testing.assert_close(likelihoods, torch.cat([likelihood for likelihood, _ in alone]))
    for gradient, *parts in zip(gradients, *(each for _, each in alone), strict=True):
        torch.testing.assert_close(gradient, sum(part for part in parts if part is not None))


def test_gradients_are_those_of_differences():
    policy = built(size=2, factor=1.5)
    observations = torch.randn(3, 2, OBSERVATION, dtype=torch.float64, requires_grad=True)
    names, values = zip(*policy.named_parameters(), strict=True)

    def outputs(observations, *values):
        inputs = observations, [3, 2], torch.tensor([0, 1])
        return torch.func.functional_call(policy, dict(zip(names, values, strict=True)), inputs)[:2]

    assert torch.autograd.gradcheck(outputs, (observations, *values), fast_mode=True)


@pytest.fixture
def positions():
    """A policy's memory, candidates and conditions of the top-down recurrence, for one demonstration."""
    torch.manual_seed(2)
    return [
        [torch.randn(1, size, dtype=torch.float64) for _ in range(count)] for size, count in ((4, 3), (4, 3), (16, 2))
    ]


@pytest.mark.parametrize("chosen", [0, 1, 2])
def test_what_is_above_the_expanded_slot_stays_and_what_is_below_is_made_of_it(policy, positions, chosen):
    memory, candidates, conditions = positions
    position = torch.eye(3, dtype=torch.float64)[:, [chosen]]
    new = policy.expanded(conditions, memory, candidates, position)
    parent = candidates[chosen]
    for slot in range(2, -1, -1):
        if slot > chosen:
            expected = memory[slot]
        elif slot == chosen:
            expected = parent
        else:
            expected = parent = policy.top_down[slot](conditions[slot], parent)
        torch.testing.assert_close(new[slot], expected)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_a_slot_is_expanded_where_none_below_it_is(opened):
    position = stick_breaking(torch.tensor(opened, dtype=torch.float64)[:, None])[:, 0].tolist()
    left = 1.0
    for probability, beta in zip(position, [*opened, 1.0], strict=True):
        assert probability == pytest.approx(left * beta)
        left *= 1 - beta
    assert sum(position) == pytest.approx(1)


def test_dropout_is_of_training_alone(batch):
    policy = built(dropout=0.5)
    first, second = policy(*batch), policy(*batch)
    assert not torch.allclose(first.boundary, second.boundary)
    policy.eval()
    torch.testing.assert_close(policy(*batch).boundary, policy(*batch).boundary)


def test_demonstrations_that_are_not_in_order_are_refused(policy, batch):
    observations, lengths, tasks = batch
    with pytest.raises(RuntimeError, match="sorted in decreasing order"):
        policy(observations, lengths[::-1], tasks)
