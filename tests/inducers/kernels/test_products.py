import pytest
import torch
from torch.nn import functional

from synparse.inducers.kernels import products
from synparse.inducers.kernels.products import (
    ONEDNN,
    PYTORCH,
    Linear,
    fastest_library,
    library_in_use,
    linear,
    product_with,
    using_library,
    weight_gradient,
)


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


@pytest.mark.parametrize(
    ("onednn", "pytorch", "expected"),
    [(1.0, 1.0, ONEDNN), (1.05, 1.0, ONEDNN), (1.2, 1.0, PYTORCH), (0.5, 1.0, ONEDNN)],
)
def test_the_faster_library_is_chosen_and_among_equals_onednn(onednn, pytorch, expected, monkeypatch):
    durations = iter([9.0, 9.0, *[onednn, pytorch] * products.TIMED_ROUNDS])  # the first ones do not count
    monkeypatch.setattr(products, "_seconds", lambda work: work() is None or next(durations))
    monkeypatch.setattr(products, "_is_served", lambda *_: True)
    assert fastest_library.__wrapped__() == expected
    assert next(durations, None) is None


def test_without_onednn_products_are_pytorchs(monkeypatch):
    monkeypatch.setattr(products, "_is_served", lambda *_: False)
    assert fastest_library.__wrapped__() == PYTORCH


def test_a_library_is_in_use_within_a_context_alone(monkeypatch):
    monkeypatch.setattr(products, "LEAST_ROWS", 1)
    monkeypatch.setattr(products, "LEAST_WEIGHTS", 1)
    torch.manual_seed(0)
    rows, weight = torch.randn(64, 48), torch.randn(32, 48)
    with using_library(PYTORCH):
        assert library_in_use() == PYTORCH
        assert torch.equal(linear(rows, weight), functional.linear(rows, weight))
        assert torch.equal(weight_gradient(rows[:, :32], rows), rows[:, :32].t() @ rows)
    assert library_in_use() == ONEDNN
    torch.testing.assert_close(linear(rows, weight), functional.linear(rows, weight))
