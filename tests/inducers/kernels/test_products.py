import pytest
import torch
from torch.nn import functional

from synparse.inducers.kernels import products
from synparse.inducers.kernels.products import Linear, linear, product_with, weight_gradient


@pytest.fixture(params=["large", "small"], autouse=True)
def kind(request, monkeypatch):
    """Whether the products of these tests are taken for large ones, which another library computes."""
    if request.param == "large":
        monkeypatch.setattr(products, "LEAST_ROWS", 1)
        monkeypatch.setattr(products, "LEAST_WEIGHTS", 1)


@pytest.mark.parametrize("shape", [(7, 5), (2, 3, 5), (1, 5), (0, 5)])
@pytest.mark.parametrize("outputs", [3, 9])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_linear_is_pytorchs_with_its_gradients(shape, outputs, dtype):
    torch.manual_seed(0)
    given = [torch.randn(size, dtype=dtype, requires_grad=True) for size in (shape, (outputs, 5), (outputs,))]
    ours, theirs = linear(*given), functional.linear(*given)
    torch.testing.assert_close(ours, theirs)
    weight = torch.randn_like(theirs)
    gradients = [torch.autograd.grad((out * weight).sum(), given) for out in (ours, theirs)]
    for gradient, expected in zip(*gradients, strict=True):
        torch.testing.assert_close(gradient, expected, atol=1e-5, rtol=1e-5)


def test_linear_without_bias_and_with_strided_rows():
    rows, weight = torch.randn(4, 6).t(), torch.randn(3, 4, requires_grad=True)
    torch.testing.assert_close(linear(rows, weight), functional.linear(rows, weight))
    (gradient,) = torch.autograd.grad(linear(rows, weight).sum(), weight)
    torch.testing.assert_close(gradient, torch.ones(3, 6) @ rows)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_product_with_a_weight_that_stays(dtype):
    weight = torch.randn(6, 4, dtype=dtype)
    product = product_with(weight, 3)
    for _ in range(2):
        rows = torch.randn(3, 4, dtype=dtype)
        torch.testing.assert_close(product(rows), rows @ weight.t())
    torch.testing.assert_close(product_with(weight.t(), 3)(rows @ weight.t()), rows @ weight.t() @ weight)


@pytest.mark.parametrize(("N", "K"), [(3, 8), (8, 3)])
def test_weight_gradient(N, K):
    d_rows, rows = torch.randn(5, N), torch.randn(5, K)
    torch.testing.assert_close(weight_gradient(d_rows, rows), d_rows.t() @ rows)


def test_the_plain_product_serves_where_onednn_is_off(monkeypatch):
    layer, rows = Linear(4, 3), torch.randn(2, 4)
    fast = layer(rows)
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    torch.testing.assert_close(layer(rows), fast)
    torch.testing.assert_close(product_with(layer.weight, 2)(rows) + layer.bias, fast)


def test_mixed_precision_is_pytorchs():
    layer, rows = Linear(4, 3), torch.randn(2, 4)
    with torch.autocast("cpu", torch.bfloat16):
        assert layer(rows).dtype == torch.bfloat16


def test_a_product_of_many_shapes_is_compiled_only_where_it_is_large(monkeypatch):
    called = []
    monkeypatch.setattr(products, "_product", lambda rows, weight, bias: called.append(1) or rows @ weight.t() + bias)
    linear(torch.randn(8, 4), torch.randn(3, 4), torch.zeros(3))
    assert bool(called) == (products.LEAST_ROWS == 1 and products._is_served(torch.zeros(1)))
