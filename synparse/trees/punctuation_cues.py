"""Punctuation as evidence: what marks between the words say of the trees, told to the scores of a model.

Models do not read marks, but writers set them where constituents begin and end. The rule, over the words that are read:

- Between two words stand strong marks (semicolon, colon, dash, full stop), weak ones (comma, bracket), or none. Strong
  gaps are split before weak ones, weak ones before those without marks, and among equals the model decides.
- What a pair of brackets or quotes encloses is split after everything around it, so it is a constituent (but for the
  published split, which takes in what follows). Quotes say no more than that: they also stand within the smallest
  phrases (the `` big bang '' theory).
- An arc pays for every marked gap that it crosses, and for every pair of brackets or quotes that it leaves or enters.

A mark before the first or after the last word says nothing; nor does a bracket or quote without its other half, an
apostrophe, a single hyphen (well - known) or any other mark. Nothing here was fitted to trees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BRACKETS = {"(": ")", "[": "]", "{": "}", "-LRB-": "-RRB-", "-LSB-": "-RSB-", "-LCB-": "-RCB-"}
QUOTES = {"``": "''", '"': '"', "“": "”", "„": "“", "«": "»", "‹": "›", "‘": "’", "`": "'"}
"""Opening mark → closing mark. What closes an open pair does not open one; ' and ’ alone are apostrophes."""

WEAK, STRONG = 1, 2
COMMAS = frozenset(",，、،")
STOPS = frozenset(";:.?!…-–—―；：。？！؛؟")
"""A mark is strong if all its characters are of these, weak if they are commas (-- and ?! are marks as well)."""

HYPHEN = "-"

CROSSING = 1.0
"""What an arc pays for a marked gap, in nats. Over an average gap of an English sentence pass as many arcs as an arc is
words long on average, 2.5 (Liu, 2008, "Dependency distance as a metric of language comprehension difficulty"); where a
constituent ends, one would do. So arcs there are about e times as rare."""

PAIR_CROSSINGS = 2
"""An arc that leaves a pair pays as for so many gaps: both its marks say the same, and more surely than commas, which
are also set within lists."""

_PAIRS = BRACKETS | QUOTES
_CLOSING_BRACKETS = frozenset(BRACKETS.values())


class Cues(NamedTuple):
    """The marks between the T words of a sentence.

    levels: how strong the marks between word k and k + 1 are (T − 1 of 0, `WEAK`, `STRONG`); enclosed: the words
    (start, end), two or more and not all, within each pair of brackets or quotes. No two of these cross.
    """

    levels: tuple[int, ...]
    enclosed: tuple[tuple[int, int], ...]


def cues_of(tokens: Sequence[str], read: Sequence[bool]) -> Cues:
    """The marks among the tokens that are not read. O(tokens).

    A closing mark goes with the last open one of its kind; those opened since then have no other half.
    """
    count = sum(read)
    levels = [0] * (count + 1)  # by the number of words before
    enclosed = []
    opened: list[tuple[str, int]] = []  # what closes it, and the number of words before
    expected: Counter[str] = Counter()  # how many of `opened` a mark would close
    position = 0
    for token, is_read in zip(tokens, read, strict=True):
        if is_read:
            position += 1
        elif expected[token]:
            closing, start = opened.pop()
            while closing != token:
                expected[closing] -= 1
                closing, start = opened.pop()
            expected[token] -= 1
            enclosed.append((start, position))
            if token in _CLOSING_BRACKETS:
                levels[start], levels[position] = max(levels[start], WEAK), max(levels[position], WEAK)
        elif token in _PAIRS:
            opened.append((_PAIRS[token], position))
            expected[_PAIRS[token]] += 1
        else:
            levels[position] = max(levels[position], _strength(token))
    return cues_within(Cues(tuple(levels[1:count]), tuple(enclosed)), 0, count)


def cues_within(cues: Cues, start: int, end: int) -> Cues:
    """The marks between the words ``start … end − 1``, counted from there."""
    clipped = ((max(first, start) - start, min(last, end) - start) for first, last in cues.enclosed)
    enclosed = (pair for pair in clipped if 1 < pair[1] - pair[0] < end - start)
    return Cues(cues.levels[start : max(start, end - 1)], tuple(enclosed))


def distances_with_cues(distances: Sequence[float], cues: Cues) -> list[float]:
    """Distances (T − 1) that split where the marks say, and in the model's own order among equals. O(T).

    Ranks are whole numbers, 0 for a gap without marks; the distances of one rank lie above all those of the rank below.
    """
    step = max(distances, default=0.0) - min(distances, default=0.0) + 1.0
    return [distance + step * rank for distance, rank in zip(distances, split_ranks(cues), strict=True)]


def arc_costs(cues: Cues, T: int) -> NDArray[np.float32]:
    """What the arc of each word (row) from each head (column) pays, in nats; the root's (the diagonal) comes from
    outside all pairs. Time O(T² · pairs), memory O(T²)."""
    before = np.cumsum([0, *(level > 0 for level in cues.levels)], dtype=np.float32)[:T]  # marked gaps before each word
    costs: NDArray[np.float32] = CROSSING * np.abs(before[:, None] - before)
    if not cues.enclosed:
        return costs
    inside = np.zeros((len(cues.enclosed), T), np.float32)
    for row, (start, end) in zip(inside, cues.enclosed, strict=True):
        row[start:end] = 1
    depths = inside.sum(0)
    left = depths[:, None] + depths - 2 * inside.T @ inside
    np.fill_diagonal(left, depths)
    costs += CROSSING * PAIR_CROSSINGS * left
    return costs


def split_ranks(cues: Cues) -> list[int]:
    """The order in which gaps are split, the largest first: from the outside to the inside of pairs, then by level."""
    changes = [0] * (len(cues.levels) + 1)
    for start, end in cues.enclosed:
        changes[start] += 1
        changes[end - 1] -= 1
    depths = accumulate(changes[:-1])
    return [level - (STRONG + 1) * depth for level, depth in zip(cues.levels, depths, strict=True)]


def _strength(mark: str) -> int:
    if mark == HYPHEN:
        return 0
    return STRONG * STOPS.issuperset(mark) or WEAK * COMMAS.issuperset(mark)
