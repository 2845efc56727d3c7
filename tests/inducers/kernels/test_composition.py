"""The candidates of all slots at once against the cell, slot by slot."""

import pytest
import torch
from torch import nn

from synparse.inducers.ordered_memory import GatedCell

K, B, D = 3, 2, 4


def arguments(seed=0):
    torch.manual_seed(seed)
    word, memory = torch.randn(B, D), torch.randn(K, B, D)
    given = [word, memory, torch.rand(K, B)]
    return [tensor.double().requires_grad_() for tensor in given]


@pytest.fixture
def cell():
    torch.manual_seed(0)
    return GatedCell(D, dropout=0.0).double()


@pytest.fixture
def norm():
    norm = nn.LayerNorm(D).double()
    with torch.no_grad():
        norm.weight.uniform_(0.5, 2)
        norm.bias.normal_()
    return norm


def slot_by_slot(cell, word, memory, occupied, norm):
    candidates, candidate = [], word
    for left, weight in zip(memory, occupied[..., None], strict=True):
        candidate = word * (1 - weight) + cell(left, candidate, norm) * weight
        candidates.append(candidate)
    return torch.stack(candidates)


def test_values_and_gradients_are_those_of_the_cell(cell, norm):
    given = arguments()
    ours, plain = cell.candidates(*given, norm), slot_by_slot(cell, *given, norm)
    torch.testing.assert_close(ours, plain)
    weight = torch.randn_like(plain)
    wanted = [*given, *cell.parameters(), *norm.parameters()]
    gradients = [torch.autograd.grad((out * weight).sum(), wanted) for out in (ours, plain)]
    for gradient, expected in zip(*gradients, strict=True):
        torch.testing.assert_close(gradient, expected)


def test_gradients_with_dropout_are_those_of_its_mask(norm):
    """Dropout scales what it keeps; the backward pass reads from the result what was kept."""
    torch.manual_seed(0)
    cell = GatedCell(D, dropout=0.5).double()

    def candidates(*given):
        torch.manual_seed(1)
        return cell.candidates(*given, norm)

    assert torch.autograd.gradcheck(candidates, arguments())


def test_two_constituents_are_composed_as_by_the_cell(cell, norm):
    left, right = torch.randn(2, 5, D, dtype=torch.float64)
    torch.testing.assert_close(cell.compose(left, right, norm), cell(left, right, norm))
