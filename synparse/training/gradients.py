"""The gradient of a batch, computed whole, in parts one after the other, or by several processes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from synparse.inducers.batch import IGNORED, Loss, mapped, on_device, predictions_of, rows_of
from synparse.training.distribution import Workers


class BatchLoss(NamedTuple):
    """Loss of this process' rows of a batch, in nats, and the state at their end; ``predictions`` counts all rows."""

    total: float
    predictions: int
    state: Any


def add_gradients(
    loss_of: Callable[[Any], Loss],
    batch: Any,
    workers: Workers,
    device: torch.device,
    parts: int = 1,
    precision: Callable[[], Any] = contextlib.nullcontext,
) -> BatchLoss:
    """Add the gradient of total / predictions + penalty of this process' rows of a batch to the parameters; summed over
    the processes, it is that of the batch computed at once.

    ``batch`` is the whole one, the same in all processes, but for its state, which is of this process' rows: a `Batch`,
    or another named tuple with ``words`` [B, …], ``targets`` and ``state``. Each process takes every
    ``workers.size``-th row: batches are sorted by length, so every process gets about as many words. ``parts``:
    into how many parts it divides its rows; less memory, the same gradient. A batch without predictions adds
    nothing.
    """
    predictions = predictions_of(batch)
    is_whole = workers.size == parts == 1
    has_rows = workers.rank < len(batch.words)
    total, states = 0.0, []
    for piece in [batch] if is_whole else _parts(_own_rows(batch, workers), parts):
        with precision():
            loss = loss_of(on_device(piece, device))
        if predictions:
            fraction = len(piece.words) / len(batch.words) if has_rows else 0.0
            (loss.total / predictions + loss.penalty * fraction).backward()  # type: ignore[no-untyped-call]
        total += float(loss.total.detach())
        states.append(loss.state)
    return BatchLoss(total, predictions, states[0] if is_whole else _interleaved(states))


def _parts(batch: Any, parts: int) -> list[Any]:
    return [rows_of(batch, slice(k, None, parts)) for k in range(min(parts, len(batch.words)))]


def _own_rows(batch: Any, workers: Workers) -> Any:
    """The rows of this process. A process without rows computes one row without predictions."""
    whole = batch._replace(state=None)
    if workers.rank < len(batch.words):
        return rows_of(whole, slice(workers.rank, None, workers.size))._replace(state=batch.state)
    first = rows_of(whole, slice(0, 1))
    ignored = {
        name: torch.full_like(getattr(first, name), IGNORED)
        for name in ("targets", "brackets")
        if getattr(first, name, None) is not None
    }
    return first._replace(state=batch.state, **ignored)


def _interleaved(states: Sequence[Any]) -> Any:
    """The state of all rows from those of the parts, row k of it being in part k modulo their number."""

    def joined(tensors: Sequence[Tensor]) -> Tensor:
        whole = tensors[0].new_empty(sum(len(tensor) for tensor in tensors), *tensors[0].shape[1:])
        for k, tensor in enumerate(tensors):
            whole[k :: len(tensors)] = tensor
        return whole

    return mapped(joined, states)
