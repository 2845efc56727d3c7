"""Trivial parsers: the baselines for every induced tree.

Each gives distances and heights like a trained model, so the same decoders make its trees. All of them take
``is_function`` [T], which says of the T words of a sentence which ones are function words, and a source of random
numbers; most need only T. Which words of a text are function words: `synparse.trees.function_words`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

RANDOM = "random"
"""The parser whose trees come from one stream of random numbers: with several processes, only one of them draws."""


class TrivialScores(NamedTuple):
    """Distances of the T − 1 split points and heights of the T words."""

    distances: tuple[float, ...]
    heights: tuple[float, ...]


def right_branching(is_function: Sequence[bool], _: Random) -> TrivialScores:
    """(a (b (c d))); the head of every word is the word before it."""
    count = len(is_function)
    return TrivialScores(_falling(count - 1), _falling(count))


def left_branching(is_function: Sequence[bool], _: Random) -> TrivialScores:
    """(((a b) c) d), the spans of the chain in which the head of every word is the next word."""
    count = len(is_function)
    return TrivialScores(_rising(count - 1), _rising(count))


def balanced(is_function: Sequence[bool], _: Random) -> TrivialScores:
    """((a b) (c d)): split in the middle, the left half larger; the head of a constituent is its first word."""
    count = len(is_function)
    distances = [0.0] * max(0, count - 1)
    halves = [(0, count, 0)]
    while halves:
        start, end, depth = halves.pop()
        if end - start > 1:
            middle = (start + end + 1) // 2
            distances[middle - 1] = -float(depth)
            halves += [(start, middle, depth + 1), (middle, end, depth + 1)]
    return TrivialScores(tuple(distances), _falling(count))


def random(is_function: Sequence[bool], source: Random) -> TrivialScores:
    """Every split point of a constituent has the same probability, and so has every word of it as its head."""
    distances = tuple(source.random() for _ in is_function[1:])
    return TrivialScores(distances, tuple(source.random() for _ in is_function))


def content_chain(is_function: Sequence[bool], source: Random) -> TrivialScores:
    """The head of every word is the next content word, that is, the next word that is no function word. The last
    content word is the root, and function words after it depend on it. Without content words: the chain of all words.

    Brackets are those of the binary tree in which content words take what is on their left first, the nearest first.
    """
    if all(is_function):
        return left_branching(is_function, source)
    last = len(is_function) - 1 - is_function[::-1].index(False)
    places = [place if place > last or not function else -place for place, function in enumerate(is_function, 1)]
    heights = [-place if function else place for place, function in enumerate(is_function, 1)]
    return TrivialScores(tuple(map(float, places[:-1])), tuple(map(float, heights)))


def content_chain_back(is_function: Sequence[bool], source: Random) -> TrivialScores:
    """`content_chain` from right to left: the head of every word is the previous content word, the first content word
    is the root, and function words before it depend on it."""
    scores = content_chain(is_function[::-1], source)
    return TrivialScores(scores.distances[::-1], scores.heights[::-1])


def _falling(count: int) -> tuple[float, ...]:
    return tuple(map(float, range(count, 0, -1)))


def _rising(count: int) -> tuple[float, ...]:
    return tuple(map(float, range(1, count + 1)))


TRIVIAL_PARSERS: dict[str, Callable[[Sequence[bool], Random], TrivialScores]] = {
    "right-branching": right_branching,
    "left-branching": left_branching,
    "balanced": balanced,
    RANDOM: random,
    "chain": left_branching,
    "content-chain": content_chain,
    "content-chain-back": content_chain_back,
}

CONTENT_CHAINS = ("content-chain", "content-chain-back")
"""The parsers that ask which words are function words."""
