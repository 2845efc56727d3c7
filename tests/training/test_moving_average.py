import torch
from torch import nn

from synparse.training.moving_average import moving_average


def averages(decay, values):
    """The average after each update, the one weight of a model having these values after it."""
    model = nn.Linear(1, 1, bias=False)
    average = moving_average(model, decay)
    found = []
    for value in values:
        nn.init.constant_(model.weight, value)
        average.update_parameters(model)
        found.append(float(average.module.weight.detach()))
    assert float(model.weight.detach()) == values[-1]
    return torch.tensor(found)


def test_the_average_moves_by_what_decay_leaves():
    first = 3.0
    second = 0.1 * first + 0.9 * 5.0
    third = 0.1 * second + 0.9 * -1.0
    torch.testing.assert_close(averages(0.1, [3.0, 5.0, -1.0]), torch.tensor([first, second, third]))


def test_a_large_decay_is_reached_little_by_little():
    first = 3.0
    second = 2 / 11 * first + 9 / 11 * 5.0
    third = 3 / 12 * second + 9 / 12 * -1.0
    torch.testing.assert_close(averages(0.999, [3.0, 5.0, -1.0]), torch.tensor([first, second, third]))
    steps = averages(0.5, [1.0] * 20 + [0.0] * 3)[-3:]
    torch.testing.assert_close(steps, torch.tensor([0.5, 0.25, 0.125]))
