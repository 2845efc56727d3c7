"""Matrix products by the faster of PyTorch's two CPU libraries.

In float32 on a CPU PyTorch multiplies with MKL. It also contains oneDNN, which is faster for the products of the
papers' sizes: by a tenth with AVX2 and twice with AVX-512 (on an AMD Zen 5; `benchmarks/kernels.py`), and for a few
dozen rows by a factor of two if it may lay out the weights first. Which of them computes a product depends on its size
alone, so that results do. PyTorch's compiler has operators for oneDNN, which these functions call. Elsewhere (another
device or type, a build without oneDNN, mixed precision) they compute PyTorch's own product.

oneDNN compiles a product for each shape it meets and keeps the last thousand: milliseconds and half a megabyte each.
Batches of sentences differ in their number of words, so small products stay with MKL.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

LEAST_ROWS, LEAST_WEIGHTS = 1024, 2**18
"""Least size of a product, with a number of rows that may change from batch to batch, for which compiling pays."""


def _is_large(rows: int, weights: int) -> bool:
    return rows >= LEAST_ROWS and weights >= LEAST_WEIGHTS


def _is_served(*tensors: Tensor) -> bool:
    """Whether oneDNN can multiply these."""
    return (
        torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
        and bool(torch.backends.mkldnn.enabled)
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
        and not torch.is_autocast_enabled("cpu")
        and all(tensor.device.type == "cpu" and tensor.dtype == torch.float32 for tensor in tensors)
    )


def _product(rows: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    out: Tensor = torch.ops.mkldnn._linear_pointwise(rows, weight, bias, "none", [], "")
    return out


def product_with(weight: Tensor, rows: int) -> Callable[[Tensor], Tensor]:
    """The function states [rows, K] → states weightᵀ [rows, N], for many calls with one weight [N, K].

    It has no gradient, and keeps a copy of the weight at the time of this call.
    """
    if not _is_served(weight):
        return lambda states: states @ weight.t()
    packed = torch.ops.mkldnn._reorder_linear_weight(weight.detach().contiguous(), rows)
    return lambda states: _product(states, packed, None)


def linear(states: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """states [..., K] · weight [N, K]ᵀ + bias [N] → [..., N]; differentiable, as `torch.nn.functional.linear`."""
    rows = states.numel() // max(1, states.shape[-1])
    if not (_is_large(rows, weight.numel()) and _is_served(states, weight)):
        return functional.linear(states, weight, bias)
    out: Tensor = _Linear.apply(states, weight, bias)  # type: ignore[no-untyped-call]
    return out


def weight_gradient(d_rows: Tensor, rows: Tensor) -> Tensor:
    """d_rows [M, N]ᵀ · rows [M, K] → [N, K]: the gradient of the weight in ``linear``."""
    is_large = _is_large(len(rows), d_rows.shape[1] * rows.shape[1])
    if not (is_large and _is_served(d_rows, rows)):
        return d_rows.t() @ rows
    # oneDNN is at its best with the larger side as its weight.
    if d_rows.shape[1] >= rows.shape[1]:
        return _product(rows.t(), d_rows.t(), None).t()
    return _product(d_rows.t(), rows.t(), None)


class _Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, states: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(states, weight)
        rows = states.reshape(-1, states.shape[-1])
        return _product(rows, weight, bias).view(*states.shape[:-1], len(weight))

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, d_out: Tensor) -> tuple[Tensor | None, ...]:
        states, weight = ctx.saved_tensors
        d_rows = d_out.reshape(-1, len(weight))
        needs_states, needs_weight, needs_bias = ctx.needs_input_grad
        return (
            _product(d_rows, weight.t().contiguous(), None).view_as(states) if needs_states else None,
            weight_gradient(d_rows, states.reshape(-1, states.shape[-1])) if needs_weight else None,
            d_rows.sum(0) if needs_bias else None,
        )


class Linear(nn.Linear):
    """`torch.nn.Linear`, computed by `linear`."""

    def forward(self, states: Tensor) -> Tensor:
        return linear(states, self.weight, self.bias)
