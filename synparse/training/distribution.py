"""Several processes that train one model, as PyTorch's launcher starts them.

    torchrun --nproc-per-node 2 -m synparse train corpus.txt --recipe udgn-ptb --set grammar.parts=none

Every process reads the whole corpus and makes the same global batches; each computes its own rows of them. So the
batches do not depend on the number of processes, and the updates differ by rounding only.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import NamedTuple

import torch
from torch import distributed, nn
from torch.distributed.distributed_c10d import PrefixStore
from torch.distributed.rendezvous import rendezvous

from synparse.training.launcher import is_launched, restarts

PATIENCE = timedelta(hours=2)
"""How long a process waits for the others; the first one also validates and saves in that time."""

_NETWORKS = itertools.count()
"""The numbers of the networks that are trained, the same in all processes of a run."""


class Workers(NamedTuple):
    """The processes of a run. rank: the number of this one; size: how many there are.

    The first one (rank 0) validates, saves and reports.
    """

    rank: int = 0
    size: int = 1
    device: torch.device = torch.device("cpu")

    @property
    def is_first(self) -> bool:
        return self.rank == 0

    def sums(self, values: Sequence[float]) -> list[float]:
        """Each value summed over the processes."""
        if self.size == 1:
            return list(values)
        tensor = torch.tensor(values, dtype=torch.float64, device=self.device)
        distributed.all_reduce(tensor)
        return [float(value) for value in tensor]

    def of_first(self, value: float) -> float:
        """The value of the first process."""
        return self.sums([value if self.is_first else 0.0])[0]

    def sum_gradients(self, model: nn.Module) -> None:
        """Sum the gradients of a model's parameters over the processes. Batches may leave a parameter without a
        gradient, in some processes or in all."""
        parameters = list(model.parameters())
        gradients = [torch.zeros_like(weights) if weights.grad is None else weights.grad for weights in parameters]
        has_gradient = gradients[0].new_tensor([parameter.grad is not None for parameter in parameters])
        together = torch.cat([*(gradient.flatten() for gradient in gradients), has_gradient])
        distributed.all_reduce(together)
        *sums, present = torch.split(together, [*(parameter.numel() for parameter in parameters), len(parameters)])
        for parameter, total, is_there in zip(parameters, sums, present.tolist(), strict=True):
            parameter.grad = total.view_as(parameter) if is_there else None

    def take_first(self, model: nn.Module) -> None:
        """Copy the weights of the first process to every process."""
        for parameter in model.parameters():
            distributed.broadcast(parameter.data, 0)

    def agree(self, text: str) -> bool:
        """Whether this text is the same in all processes."""
        if self.size == 1:
            return True
        texts: list[str | None] = [None] * self.size
        distributed.all_gather_object(texts, text)
        return len(set(texts)) == 1


def own_device(name: str) -> str:
    """The device of this process: on a machine with several GPUs, ``auto`` and ``cuda`` give each
    process its own."""
    if is_launched() and name in ("auto", "cuda") and torch.cuda.is_available():
        return f"cuda:{int(os.environ['LOCAL_RANK']) % torch.cuda.device_count()}"
    return name


@contextlib.contextmanager
def joined_workers(device: torch.device) -> Iterator[Workers]:
    """The processes of this run, connected; only this one if the launcher did not start it."""
    if not is_launched():
        yield Workers()
        return
    store, rank, size = next(rendezvous("env://", timeout=PATIENCE))
    # Or the processes of a second network, or of a restart, would find the addresses that those before had.
    own = PrefixStore(f"restart-{restarts()}-network-{next(_NETWORKS)}", store)
    backend = "nccl" if device.type == "cuda" else "gloo"
    distributed.init_process_group(backend, store=own, rank=rank, world_size=size, timeout=PATIENCE)
    try:
        yield Workers(rank, size, device)
    finally:
        distributed.destroy_process_group()
