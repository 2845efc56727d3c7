"""Matrix products by the faster of PyTorch's two CPU libraries.

In float32 on a CPU PyTorch multiplies with MKL. It also contains oneDNN, which is mostly faster: for large products by
a tenth with AVX2 and by half with AVX-512 (on an AMD Zen 5; a training run times both, `fastest_library`), and for a
few dozen rows by a factor of two if it may lay out the weights first. PyTorch's compiler has operators for it, which
these functions call. Elsewhere (another device or type, a build without oneDNN, mixed precision) they compute PyTorch's
own product.

oneDNN compiles a product for each shape it meets and keeps the last thousand: milliseconds and half a megabyte each.
Batches of sentences differ in their number of words, so small products stay with MKL.
"""

from __future__ import annotations

import contextlib
import functools
import statistics
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

LEAST_ROWS, LEAST_WEIGHTS = 1024, 2**18
"""Least size of a product, with a number of rows that may change from batch to batch, for which compiling pays."""

ONEDNN, PYTORCH = LIBRARIES = ("onednn", "pytorch")
"""What multiplies large matrices: oneDNN, or what PyTorch chooses by itself."""

LEAST_GAIN = 1.1
"""PyTorch is chosen where it is more than this many times as fast as oneDNN: timings vary by as much."""

TIMED_SIZE, TIMED_ROUNDS = 512, 3

_in_use = ContextVar("_in_use", default=ONEDNN)


@contextlib.contextmanager
def using_library(name: str) -> Iterator[None]:
    """Within, that one of `LIBRARIES` computes large products. Results differ in their last digits."""
    token = _in_use.set(name)
    try:
        yield
    finally:
        _in_use.reset(token)


def library_in_use() -> str:
    """The one of `LIBRARIES` that computes large products."""
    return _in_use.get()


@functools.cache
def fastest_library() -> str:
    """The one of `LIBRARIES` that multiplies faster on this processor, timed once, in less than 0.1 s."""
    rows, weight = torch.rand(2, TIMED_SIZE, TIMED_SIZE, generator=torch.Generator().manual_seed(1))
    if not _is_served(rows, weight):
        return PYTORCH
    ways = {ONEDNN: lambda: _product(rows, weight, None), PYTORCH: lambda: functional.linear(rows, weight)}
    times: dict[str, list[float]] = {name: [] for name in ways}
    with torch.inference_mode():
        for _ in range(1 + TIMED_ROUNDS):  # in turns; the first time, each prepares what it keeps
            for name, product in ways.items():
                times[name].append(_seconds(product))
    onednn, pytorch = (statistics.median(times[name][1:]) for name in LIBRARIES)
    return PYTORCH if onednn > LEAST_GAIN * pytorch else ONEDNN


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


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
    if not (_is_large(rows, weight.numel()) and _is_served(states, weight) and library_in_use() == ONEDNN):
        return functional.linear(states, weight, bias)
    out: Tensor = _Linear.apply(states, weight, bias)  # type: ignore[no-untyped-call]
    return out


def weight_gradient(d_rows: Tensor, rows: Tensor) -> Tensor:
    """d_rows [M, N]ᵀ · rows [M, K] → [N, K]: the gradient of the weight in ``linear``."""
    is_large = _is_large(len(rows), d_rows.shape[1] * rows.shape[1])
    if not (is_large and _is_served(d_rows, rows) and library_in_use() == ONEDNN):
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
