"""How many threads training computes with: as many as make it faster.

The threads of an operation wait for each other at its end. If operations are short, waiting takes as long as the
time saved; and if another process uses one of the cores, all threads wait for that core. Both depend on the model, the
machine and its load, so small updates are timed. Results differ in their last digits with the
number of threads.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import statistics
import time
from collections.abc import Callable, Iterator

import torch

from synparse.files.cores import asked_threads, available_cores

LARGE = 1e11
"""Floating-point operations (a second of a core, or more) of an update from which on all threads pay, untimed: threads
wait little compared with what they compute."""

LEAST_GAIN = 1.05
"""How many times as fast more threads must be."""

ROUNDS = 3
"""How often each number of threads is timed, at least; small updates more often, for `SECONDS`."""

SECONDS = 0.5

HOPELESS = 3.0
"""A number of threads that is this many times as slow as another one is dropped after two timings."""


@contextlib.contextmanager
def own_threads() -> Iterator[None]:
    """Within, the number of threads may be changed; afterwards it is what it was."""
    before = torch.get_num_threads()
    try:
        yield
    finally:
        torch.set_num_threads(before)


def most_threads(processes: int = 1) -> int:
    """What each of ``processes`` on this machine may use: what OMP_NUM_THREADS says, else an equal part of the cores,
    but no more threads than PyTorch would start."""
    asked = asked_threads(os.environ)
    threads: int = torch.get_num_threads()
    return asked or max(1, min(available_cores() // processes, threads))


def threads_to_use(
    before: int | None, rehearsed: Callable[[], tuple[Callable[[], object], float]], processes: int
) -> int:
    """How many threads a run of ``processes`` on this machine computes with: what OMP_NUM_THREADS says; else as many as
    it had ``before``; in a new run of one process, the fewest with which an update takes about the least time.

    ``rehearsed``: called where updates are timed, gives an update and its floating-point operations, roughly; from
    `LARGE` on, all threads pay. Leaves PyTorch with the last number tried.
    """
    most = most_threads(processes)
    if asked_threads(os.environ) is not None:
        return most
    if before is not None:
        return min(before, most)
    if processes > 1 or most == 1:
        return most
    update, operations = rehearsed()
    return most if operations >= LARGE else fewest_within_gain(most, lambda threads: _seconds(update, threads))


def fewest_within_gain(most: int, seconds: Callable[[int], float]) -> int:
    """The fewest of 1, 2, 4 … ``most`` threads for which more are not `LEAST_GAIN` times as fast.

    ``most``: 2 or more; ``seconds``: times an update with a number of threads; the median counts.
    """
    counts = [*itertools.takewhile(lambda count: count < most, (2**n for n in itertools.count())), most]
    for count in counts:
        seconds(count)  # the first time, PyTorch and its libraries prepare what they keep
    times: dict[int, list[float]] = {count: [] for count in counts}
    rounds, spent = 0, 0.0
    while len(times) > 1 and (rounds < ROUNDS or spent < SECONDS):
        for count, measured in times.items():  # in turns, so that a machine whose load changes is fair to all
            measured.append(seconds(count))
            spent += measured[-1]
        rounds += 1
        fastest = min(map(min, times.values()))
        times = {
            count: measured for count, measured in times.items() if rounds < 2 or min(measured) < HOPELESS * fastest
        }
    medians = {count: statistics.median(measured) for count, measured in times.items()}
    return next(count for count in times if medians[count] < LEAST_GAIN * min(medians.values()))


def _seconds(update: Callable[[], object], threads: int) -> float:
    torch.set_num_threads(threads)
    start = time.perf_counter()
    update()
    return time.perf_counter() - start
