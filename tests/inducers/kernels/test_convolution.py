import pytest
import torch
from torch.nn import functional

from synparse.inducers.kernels.convolution import SentenceConvolution, _fourier
from synparse.trees.errors import SettingError


def direct(layer: SentenceConvolution, states: torch.Tensor) -> torch.Tensor:
    """The same convolution by PyTorch's own, sentence by sentence."""
    weight = layer.weight.permute(2, 1, 0)
    out = functional.conv1d(states.transpose(1, 2), weight, layer.bias, padding=layer.width // 2)
    return out.transpose(1, 2)


@pytest.mark.parametrize("width", [1, 3, 9])
@pytest.mark.parametrize("shape", [(1, 1), (1, 24), (3, 25), (5, 7), (2, 100)])
def test_equals_the_direct_convolution(width, shape):
    torch.manual_seed(0)
    layer = SentenceConvolution(6, width).double()
    states = torch.randn(*shape, 6, dtype=torch.float64)
    assert torch.allclose(layer(states), direct(layer, states), atol=1e-12)


def test_gradients_equal_those_of_the_direct_convolution():
    torch.manual_seed(0)
    layer = SentenceConvolution(4, 9).double()
    states = torch.randn(3, 11, 4, dtype=torch.float64, requires_grad=True)
    weights = torch.randn(3, 11, 4, dtype=torch.float64)
    inputs = (states, layer.weight, layer.bias)
    fast = torch.autograd.grad((layer(states) * weights).sum(), inputs)
    slow = torch.autograd.grad((direct(layer, states) * weights).sum(), inputs)
    for gradient, expected in zip(fast, slow, strict=True):
        assert torch.allclose(gradient, expected, atol=1e-10)


def test_weights_that_a_fused_optimizer_changed_are_seen_at_the_next_validation():
    torch.manual_seed(0)
    layer = SentenceConvolution(4, 3)
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.1, fused=True)
    states = torch.randn(1, 5, 4)
    for _ in range(3):
        with torch.no_grad():
            assert torch.allclose(layer(states), direct(layer, states), atol=1e-5)
        layer(states).sum().backward()
        optimizer.step()


def test_parsing_keeps_the_spectrum_and_training_drops_it():
    torch.manual_seed(0)
    layer = SentenceConvolution(4, 3)
    states = torch.randn(1, 5, 4)
    with torch.inference_mode():
        first = layer(states)
        assert layer._kept_spectrum is not None
        assert torch.equal(layer(states), first)
    layer(states)
    assert layer._kept_spectrum is None


def test_an_even_width_is_refused():
    with pytest.raises(SettingError, match="odd"):
        SentenceConvolution(4, 2)


def test_parsing_leaves_nothing_that_training_cannot_use():
    _fourier.cache_clear()
    convolution = SentenceConvolution(4, 3)
    states = torch.randn(1, 5, 4)
    with torch.inference_mode():
        convolution(states)
    convolution(states).sum().backward()
    assert convolution.weight.grad is not None
