"""The number of threads of training: one for a small network, all cores for a large one.

The threads of an operation wait for each other at its end. If operations are short, waiting takes as long as the time
saved; and if another process uses one of the cores, all threads wait for that core, many times as long. The last digits
of results depend on the number of threads, so it is not chosen by timing.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import torch

from synparse.files.cores import asked_threads, available_cores

LARGE = 10_000_000
"""Number of weights in matrices from which all cores are used: threads then wait little compared with what they
compute."""


@contextlib.contextmanager
def own_threads() -> Iterator[None]:
    """Within, the number of threads may be changed; afterwards it is what it was."""
    before = torch.get_num_threads()
    try:
        yield
    finally:
        torch.set_num_threads(before)


def threads_to_use(before: int | None, matrix_parameters: int, processes: int) -> int:
    """How many threads each of a run's ``processes`` on this machine computes with: what OMP_NUM_THREADS says; else as
    many as it had ``before``; in a new run, what the size of the network says. At most an equal part of the cores, and
    no more threads than PyTorch would start."""
    if (asked := asked_threads(os.environ)) is not None:
        return asked
    most: int = max(1, min(available_cores() // processes, torch.get_num_threads()))
    if before is not None:
        return min(before, most)
    return most if matrix_parameters >= LARGE else 1
