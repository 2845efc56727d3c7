"""The examples of an update: batches of about one length, in which short examples may be over-represented.

Some operations are learned only from short examples. The sum modulo 10 is one: its value depends on every word, and so
a long expression says nothing about any step until the others are known. But different short expressions are few: of a
hundred thousand lists four hundred have two digits. So a fraction of the examples is drawn by rank in length, such that
the ranks 1 to 10, 10 to 100, 100 to 1000, … come equally often. The others are passes over all: from short examples
alone, an encoder may learn trees that long ones do not have.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from synparse.trees.errors import DataError

Item = TypeVar("Item")

POOL_BATCHES = 50
"""Batches' worth of random examples that are sorted by length together."""


def held_out_parts(examples: Sequence[Item], most: int) -> tuple[list[Item], list[Item]]:
    """Training and held-out examples: the same ones for every run, spread over the data; held out are at most
    ``most`` and at most a tenth.

    Raises DataError where there are fewer than two.
    """
    if len(examples) < 2:
        raise DataError("training needs at least two examples, one of them held out")
    count = max(1, min(most, len(examples) // 10))
    order = np.random.default_rng(0).permutation(len(examples)).tolist()
    return [examples[n] for n in order[count:]], [examples[n] for n in order[:count]]


def epochs_of(lengths: Any, size: int, short_fraction: float, seed: int, first: int) -> Iterator[Iterator[list[int]]]:
    """The batches of each epoch, without end, from epoch ``first`` on (counted from 1); see `training_batches`. An
    epoch reads as many examples as there are. Read each to its end before the next one."""
    chosen = training_batches(lengths, size, short_fraction, np.random.default_rng(seed))
    batches = math.ceil(len(lengths) / size)
    for _ in islice(chosen, (first - 1) * batches):
        pass
    while True:
        yield islice(chosen, batches)


def training_batches(
    lengths: Any, size: int, short_fraction: float, random: np.random.Generator
) -> Iterator[list[int]]:
    """Endless batches of indices of examples with these lengths; the fraction 0 ≤ ``short_fraction`` < 1 of them is
    drawn by rank in length, the rest are passes over all."""
    shortest = np.argsort(lengths, kind="stable")
    pass_size = max(1, round(POOL_BATCHES * size * (1 - short_fraction)))
    while True:
        order = random.permutation(len(lengths))
        for start in range(0, len(order), pass_size):
            chosen = order[start : start + pass_size]
            short = round(len(chosen) * short_fraction / (1 - short_fraction))
            rank = np.floor(len(order) ** random.random(short)).astype(int)
            yield from batches_of_pool(np.concatenate([chosen, shortest[rank - 1]]), lengths, size, random)


def batches_of_pool(pool: Any, lengths: Any, size: int, random: np.random.Generator) -> Iterator[list[int]]:
    """The examples of a pool, each once: sorted by length, the batches in random order."""
    pool = pool[np.argsort(lengths[pool], kind="stable")]
    starts = range(0, len(pool), size)
    for at in random.permutation(len(starts)):
        yield pool[starts[at] : starts[at] + size].tolist()


def batches_in_order(lengths: Any, size: int) -> Iterator[list[int]]:
    """The indices of all examples, the shortest first, in batches of that size."""
    order = np.argsort(lengths, kind="stable").tolist()
    return (order[start : start + size] for start in range(0, len(order), size))
