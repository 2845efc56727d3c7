"""Punctuation cues: how the punctuation between words changes a model's distances and head scores.

Models do not read punctuation, but writers set it where constituents begin and end. The rules, over the words that the
model reads:

- A gap between two words has strong punctuation (semicolon, colon, dash, full stop), weak punctuation (comma, bracket)
  or none. Strong gaps split before weak gaps, and weak gaps before the others; among equal gaps the model decides.
- The words inside a pair of brackets or quotes split after everything around them, so they are a constituent (except
  with the published split, which adds the words that follow). Quotes do not split the gaps beside them: they also stand
  within the smallest phrases (the `` big bang '' theory).
- An arc has a cost for every gap with punctuation that it crosses, and for every pair of brackets or quotes that it
  leaves or enters.

Some punctuation is no cue: marks before the first word or after the last one, a bracket or quote without its partner,
an apostrophe, a single hyphen (well - known), and all other marks. Nothing here was fitted to trees.
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
"""Opening mark → closing mark. A mark that closes an open pair does not open another; ' and ’ alone are apostrophes."""

WEAK, STRONG = 1, 2
COMMAS = frozenset(",，、،")
STOPS = frozenset(";:.?!…-–—―；：。？！؛؟")
"""A mark is strong if all its characters are in `STOPS`, weak if all are in `COMMAS`; -- and ?! are marks too."""

HYPHEN = "-"

CROSSING = 1.0
"""Cost of an arc for each gap with punctuation that it crosses, in nats. The mean number of arcs over a gap equals the
mean arc length, 2.5 words in English (Liu, 2008, "Dependency distance as a metric of language comprehension
difficulty"); where a constituent ends, one arc is enough. So arcs are about e times as rare there."""

PAIR_CROSSINGS = 2
"""Cost of an arc for each pair that it leaves or enters, in gaps: the two marks of a pair agree, and they are surer
cues than commas, which also stand within lists."""

BROKEN = 1e6
"""Cost in nats of a span that the punctuation cues rule out: larger than the score of any tree."""

_PAIRS = BRACKETS | QUOTES
_CLOSING_BRACKETS = frozenset(BRACKETS.values())


class Cues(NamedTuple):
    """The punctuation cues of a sentence of T words.

    levels: for each of the T − 1 gaps, its strongest punctuation: 0 (none), `WEAK` or `STRONG`. enclosed: the span
    (start, end) of words inside each pair of brackets or quotes, of two words or more but not all T. Spans never cross.
    """

    levels: tuple[int, ...]
    enclosed: tuple[tuple[int, int], ...]


def cues_of(tokens: Sequence[str], read: Sequence[bool]) -> Cues:
    """The cues in a sentence's tokens, of which the model reads those where ``read`` is true. O(tokens).

    A closing mark matches the last open mark of its kind; marks opened after that one have no partner.
    """
    count = sum(read)
    levels = [0] * (count + 1)  # by the number of words before
    enclosed = []
    opened: list[tuple[str, int]] = []  # the mark that closes it, and the number of words before it
    expected: Counter[str] = Counter()  # how many of `opened` a closing mark matches
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
    """The cues of the words ``start … end − 1`` (a chunk of the sentence), counted from ``start``."""
    clipped = ((max(first, start) - start, min(last, end) - start) for first, last in cues.enclosed)
    enclosed = (pair for pair in clipped if 1 < pair[1] - pair[0] < end - start)
    return Cues(cues.levels[start : max(start, end - 1)], tuple(enclosed))


def distances_with_cues(distances: Sequence[float], cues: Cues) -> list[float]:
    """Distances [T − 1] raised so that gaps split by their rank first (`split_ranks`), then by the model's distance.

    Raising by rank × (range + 1) puts every distance of one rank above all distances of the rank below. O(T).
    """
    step = max(distances, default=0.0) - min(distances, default=0.0) + 1.0
    return [distance + step * rank for distance, rank in zip(distances, split_ranks(cues), strict=True)]


def arc_costs(cues: Cues, T: int) -> NDArray[np.float32]:
    """The cost of every arc in nats, [T, T]: row = dependent, column = head, diagonal = root.

    The arc from the root comes from outside all pairs and crosses no gap. Time O(T² · pairs), memory O(T²).
    """
    before = np.cumsum([0, *(level > 0 for level in cues.levels)], dtype=np.float32)[
        :T
    ]  # gaps with punctuation before each word
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
    """The rank of each gap, [T − 1]; larger ranks split first: gaps outside pairs before those inside, then by level.

    A rank is a whole number, 0 for a gap without punctuation that is in no pair.
    """
    changes = [0] * (len(cues.levels) + 1)
    for start, end in cues.enclosed:
        changes[start] += 1
        changes[end - 1] -= 1
    depths = accumulate(changes[:-1])
    return [level - (STRONG + 1) * depth for level, depth in zip(cues.levels, depths, strict=True)]


def broken_costs(cues: Cues) -> NDArray[np.float64]:
    """The cost in nats of each span, [T + 1, T + 1], at [start, end]: `BROKEN` or 0. O(T²).

    Cues rule out a span with a gap inside that splits before a gap at one of its boundaries (`split_ranks`).
    """
    ranks = np.array(split_ranks(cues), np.float64)
    T = len(ranks) + 1
    if not ranks.any():
        return np.zeros((T + 1, T + 1))
    around = np.concatenate([[np.inf], ranks, [np.inf]])
    position = np.arange(T + 1)
    is_inside = (position[:, None] < position) & (position < T)
    # The largest rank among the gaps after position s, up to position e (a running maximum along each row s).
    largest = np.maximum.accumulate(np.where(is_inside, around, -np.inf), axis=1)
    inside = np.full((T + 1, T + 1), -np.inf)
    inside[:, 1:] = largest[:, :-1]
    return np.where(inside > np.minimum(around[:, None], around), BROKEN, 0.0)


def _strength(mark: str) -> int:
    if mark == HYPHEN:
        return 0
    return STRONG * STOPS.issuperset(mark) or WEAK * COMMAS.issuperset(mark)
