"""Trivial parsers: the baselines for every induced tree.

Each gives distances and heights like a trained model, so the same decoders make its trees.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

RANDOM = "random"
"""The parser whose trees come from one stream of random numbers: with several processes, only one of them draws."""


class TrivialScores(NamedTuple):
    """Distances of the T − 1 split points and heights of the T words."""

    distances: tuple[float, ...]
    heights: tuple[float, ...]


def right_branching(count: int, _: Random) -> TrivialScores:
    """(a (b (c d))); the head of every word is the word before it."""
    return TrivialScores(_falling(count - 1), _falling(count))


def left_branching(count: int, _: Random) -> TrivialScores:
    """(((a b) c) d); the head of every word is the word after it."""
    return TrivialScores(_rising(count - 1), _rising(count))


def balanced(count: int, _: Random) -> TrivialScores:
    """((a b) (c d)): split in the middle, the left half larger; the head of a constituent is its first word."""
    distances = [0.0] * max(0, count - 1)
    halves = [(0, count, 0)]
    while halves:
        start, end, depth = halves.pop()
        if end - start > 1:
            middle = (start + end + 1) // 2
            distances[middle - 1] = -float(depth)
            halves += [(start, middle, depth + 1), (middle, end, depth + 1)]
    return TrivialScores(tuple(distances), _falling(count))


def random(count: int, source: Random) -> TrivialScores:
    """Every split point of a constituent has the same probability, and so has every word of it as its head."""
    distances = tuple(source.random() for _ in range(count - 1))
    return TrivialScores(distances, tuple(source.random() for _ in range(count)))


def chain(count: int, source: Random) -> TrivialScores:
    """The head of every word is the next word, the last word is the root; brackets are the spans of this chain."""
    return left_branching(count, source)


def _falling(count: int) -> tuple[float, ...]:
    return tuple(float(value) for value in range(count, 0, -1))


def _rising(count: int) -> tuple[float, ...]:
    return tuple(float(value) for value in range(1, count + 1))


TRIVIAL_PARSERS: dict[str, Callable[[int, Random], TrivialScores]] = {
    "right-branching": right_branching,
    "left-branching": left_branching,
    "balanced": balanced,
    RANDOM: random,
    "chain": chain,
}
