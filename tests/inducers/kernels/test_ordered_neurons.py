"""The kernel against the paper's equations, one word at a time under automatic differentiation."""

import pytest
import torch

from synparse.inducers.kernels.ordered_neurons import ordered_neurons
from synparse.inducers.on_lstm import on_lstm_layer

T, B, D, C = 5, 3, 6, 2
NAMES = ("inputs", "hidden", "cell", "recurrent")


def arguments(dtype=torch.float64, seed=0):
    torch.manual_seed(seed)
    G = 4 * D + 2 * (D // C)
    shapes = (T, B, G), (B, D), (B, D), (G, D)
    return [torch.randn(shape, dtype=dtype, requires_grad=True) for shape in shapes]


@pytest.mark.parametrize("seed", [0, 1])
def test_forward_and_gradients_are_those_of_the_paper(seed):
    given = arguments(seed=seed)
    ours, plain = ordered_neurons(*given), on_lstm_layer(*given)
    for value, expected in zip(ours, plain, strict=True):
        torch.testing.assert_close(value, expected, atol=1e-12, rtol=0)
    weights = [torch.randn_like(output) for output in plain[:3]]
    gradients = [
        torch.autograd.grad(sum((out * weight).sum() for out, weight in zip(outputs[:3], weights, strict=True)), given)
        for outputs in (ours, plain)
    ]
    for name, gradient, expected in zip(NAMES, *gradients, strict=True):
        torch.testing.assert_close(gradient, expected, atol=1e-11, rtol=0, msg=name)


def test_without_gradients_it_computes_the_same():
    given = arguments()
    with torch.no_grad():
        for value, expected in zip(ordered_neurons(*given), on_lstm_layer(*given), strict=True):
            torch.testing.assert_close(value, expected, atol=1e-12, rtol=0)


def test_single_precision_is_close():
    given = arguments(torch.float32)
    for value, expected in zip(ordered_neurons(*given), on_lstm_layer(*given), strict=True):
        torch.testing.assert_close(value, expected, atol=1e-5, rtol=0)
    gradients = [
        torch.autograd.grad(layer(*given)[0].square().sum(), given) for layer in (ordered_neurons, on_lstm_layer)
    ]
    for gradient, expected in zip(*gradients, strict=True):
        torch.testing.assert_close(gradient, expected, atol=1e-4, rtol=1e-4)


def test_one_word_and_one_sentence():
    torch.manual_seed(0)
    given = [torch.randn(shape) for shape in ((1, 1, 30), (1, 6), (1, 6), (30, 6))]
    for value, expected in zip(ordered_neurons(*given), on_lstm_layer(*given), strict=True):
        torch.testing.assert_close(value, expected)
