"""The Option-Controller Network against a literal transcription of its equations, one demonstration at a time."""

import pytest
import torch

from synparse.tasks.craft.option_controller import OptionController, OptionControllerConfig

OBSERVATION, TASKS, K, H = 7, 2, 3, 4


@pytest.fixture(scope="module")
def model():
    """With large random weights, so that options differ and sometimes end."""
    torch.manual_seed(0)
    built = OptionController(OBSERVATION, TASKS, OptionControllerConfig(K, H, 2.0, -1.0)).double()
    with torch.no_grad():
        for parameter in built.parameters():
            parameter.copy_(torch.randn_like(parameter) * 1.5)
    return built


def cell(cells, i, x, h, temperature=1.0):
    """(5.2.3) to (5.2.7) of one cell: p, the next h, e."""
    inner = torch.tanh(cells.of_input[i].T @ x + cells.of_hidden[i].T @ h + cells.first_bias[i, 0])
    features = torch.tanh(cells.second[i].T @ inner + cells.second_bias[i, 0])
    act, end, hide = cells.last[i].split([cells.outputs, 1, len(h)], 1)
    p = torch.softmax(act.T @ features / temperature, 0)
    return p, torch.tanh(hide.T @ features), torch.sigmoid(end[:, 0] @ features + cells.end_bias[i, 0])


def mixture(weights, values):
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def literal(model, observations, task):
    """(5.2.8) to (5.2.17) for one demonstration [T, D]: p^a [T, A], e [T], p^c [T, K]."""
    T, above = model.config.temperature, model.task_start[task]
    start = list(model.options.start)
    steps = []
    for t, x in enumerate(observations):
        anew_p, anew_h = zip(*(cell(model.options, i, x, start[i])[:2] for i in range(K)), strict=True)
        new_choice, new_above, _ = cell(model.controller, 0, x, above, T)
        new_actions = mixture(new_choice, anew_p)
        if t == 0:  # (5.2.8) to (5.2.10)
            e, actions, choice, above, hidden = torch.ones(()).double(), new_actions, new_choice, new_above, anew_h
        else:
            on_p, on_h, ends = zip(*(cell(model.options, i, x, hidden[i]) for i in range(K)), strict=True)  # (5.2.11)
            e = mixture(choice, ends)  # (5.2.12)
            actions = (1 - e) * mixture(choice, on_p) + e * new_actions  # (5.2.13), (5.2.16), (5.2.17)
            choice = (1 - e) * choice + e * new_choice
            above = (1 - e) * above + e * new_above
            hidden = [(1 - e) * going + e * anew for going, anew in zip(on_h, anew_h, strict=True)]
        steps.append((actions, e, choice))
    return tuple(map(torch.stack, zip(*steps, strict=True)))


def test_it_computes_the_equations(model, batch):
    observations, lengths, tasks = batch
    reading = model(*batch)
    for b, length in enumerate(lengths):
        actions, ends, choices = literal(model, observations[:length, b], tasks[b])
        torch.testing.assert_close(reading.action_log_probabilities[:length, b].exp(), actions)
        torch.testing.assert_close(reading.boundary[:length, b], ends)
        torch.testing.assert_close(reading.options[:length, b], choices)
    assert 0.05 < reading.boundary[1:, 0].mean() < 0.95  # both branches count


def test_gradients(model, batch):
    observations, _, tasks = batch

    def likelihood(*parameters):
        names = [name for name, _ in model.named_parameters()]
        given = dict(zip(names, parameters, strict=True))
        reading = torch.func.functional_call(model, given, (observations[:3, 2:], [3, 1], tasks[2:]))
        return reading.log_likelihoods(torch.tensor([[0, 1], [3, 4], [1, 2]]), [3, 1])

    parameters = tuple(p.detach().clone().requires_grad_() for p in model.parameters())
    assert torch.autograd.gradcheck(likelihood, parameters, fast_mode=True)


def test_options_go_on_at_first_where_the_bias_says_so(batch):
    observations, lengths, tasks = batch
    torch.manual_seed(0)
    boundaries = [
        OptionController(OBSERVATION, TASKS, OptionControllerConfig(K, H, end_bias=bias))
        .double()(observations, lengths, tasks)
        .boundary[1:3, :3]
        for bias in (-30.0, 30.0)
    ]
    assert boundaries[0].max() < 1e-9
    assert boundaries[1].min() > 1 - 1e-9
