"""The gradient of a batch, computed whole, in parts one after the other, or by several processes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from synparse.inducers.batch import IGNORED, Batch, Candidates, Loss
from synparse.inducers.devices import compiled
from synparse.training.distribution import Workers


class BatchLoss(NamedTuple):
    """Of this process' rows of a batch: nats and the state that its rows end in; ``predictions`` is of all rows."""

    total: float
    predictions: int
    state: Any


class LossModule(nn.Module):
    """The loss of an inducer as the forward pass of a module, which is what PyTorch distributes."""

    def __init__(self, inducer: Any, device: torch.device) -> None:
        super().__init__()
        self.inducer = inducer
        self._loss = compiled(inducer.loss, device)

    def forward(self, batch: Batch) -> Loss:
        return self._loss(batch)  # type: ignore[no-any-return]


def loss_module(inducer: Any, device: torch.device, workers: Workers) -> nn.Module:
    """The loss of an inducer; where there are several processes, one whose gradients are averaged over them."""
    module = LossModule(inducer, device)
    if workers.size == 1:
        return module
    # A batch of one-word sentences leaves parameters without a gradient.
    return DistributedDataParallel(module, broadcast_buffers=False, find_unused_parameters=True)


def add_gradients(
    module: nn.Module,
    batch: Batch,
    workers: Workers,
    device: torch.device,
    parts: int = 1,
    precision: Callable[[], Any] = contextlib.nullcontext,
) -> BatchLoss:
    """Add the gradient of total / predictions + penalty of a batch, as if computed at once, to the parameters.

    ``batch`` is the whole one, the same in all processes, but for its state, which is of this process' rows. Each
    process takes every ``workers.size``-th row: batches are sorted by length, so the words are balanced as cards are
    that one deals. ``parts``: in how many portions it computes its rows; less memory, the same gradient. A batch
    without predictions adds nothing.
    """
    predictions = batch.predictions
    mine = _own_rows(batch, workers)
    pieces = [rows_of(mine, slice(k, None, parts)) for k in range(min(parts, len(mine.words)))]
    total, states = 0.0, []
    for k, piece in enumerate(pieces):
        is_last = k == len(pieces) - 1
        # Processes exchange their gradients once per batch.
        is_kept_back = isinstance(module, DistributedDataParallel) and not is_last
        with module.no_sync() if is_kept_back else contextlib.nullcontext():  # type: ignore[operator]
            with precision():
                loss = module(on_device(piece, device))
            if predictions:
                # Processes are averaged, so each counts as many times as there are.
                fraction = workers.size * len(piece.words) / len(batch.words)
                (loss.total / (predictions / workers.size) + loss.penalty * fraction).backward()
        total += float(loss.total.detach())
        states.append(loss.state)
    return BatchLoss(total, predictions, _dealt_back(states))


def _own_rows(batch: Batch, workers: Workers) -> Batch:
    """The rows of this process. One that gets none computes a row that it has nothing to predict in."""
    if workers.size == 1:
        return batch
    state = batch.state
    if workers.rank < len(batch.words):
        return rows_of(batch._replace(state=None), slice(workers.rank, None, workers.size))._replace(state=state)
    first = rows_of(batch._replace(state=None), slice(0, 1))
    assert first.targets is not None
    brackets = None if first.brackets is None else torch.full_like(first.brackets, IGNORED)
    return first._replace(targets=torch.full_like(first.targets, IGNORED), state=state, brackets=brackets)


def on_device(batch: Batch, device: torch.device) -> Batch:
    """The batch with its words there; its state is where the model left it."""
    targets = None if batch.targets is None else batch.targets.to(device)
    brackets = None if batch.brackets is None else batch.brackets.to(device)
    candidates = None if batch.candidates is None else Candidates(*(tensor.to(device) for tensor in batch.candidates))
    return batch._replace(
        words=batch.words.to(device),
        lengths=batch.lengths.to(device),
        targets=targets,
        candidates=candidates,
        brackets=brackets,
    )


def rows_of(batch: Batch, rows: slice) -> Batch:
    """Some rows of a batch and of its state, among the candidates of the whole one."""
    if rows == slice(0, None, 1):
        return batch
    return Batch(
        batch.words[rows],
        batch.lengths[rows],
        None if batch.targets is None else batch.targets[rows],
        _mapped(lambda tensors: tensors[0][rows], [batch.state]),
        batch.candidates,
        None if batch.brackets is None else batch.brackets[rows],
    )


def _dealt_back(states: Sequence[Any]) -> Any:
    """The state of all rows from those of the parts that they were dealt to."""
    if len(states) == 1:
        return states[0]

    def joined(tensors: Sequence[Tensor]) -> Tensor:
        whole = tensors[0].new_empty(sum(len(tensor) for tensor in tensors), *tensors[0].shape[1:])
        for k, tensor in enumerate(tensors):
            whole[k :: len(tensors)] = tensor
        return whole

    return _mapped(joined, states)


def _mapped(function: Callable[[Sequence[Tensor]], Tensor], states: Sequence[Any]) -> Any:
    """``function`` of the tensors that stand in the same place of several states: None, or nested tuples of tensors
    [B, …]."""
    first = states[0]
    if first is None:
        return None
    if isinstance(first, Tensor):
        return function(states)
    return tuple(_mapped(function, together) for together in zip(*states, strict=True))
