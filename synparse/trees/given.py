"""Given parts of trees, as a term of scores: `FORBIDDEN` for every arc and span that contradicts them.

Given heads and constituents are kept. Decoders find the best of the remaining trees, and probabilities are conditional
on what is given:

- A word whose head is given has no other arc, and a given root is the only one.
- No constituent crosses a given one.
- Where heads are those of constituents, each constituent has one head, the only one of its words with an arc to a word
  outside. So no constituent has two words with given arcs to words outside, in either direction, and none whose head
  would depend on a word inside. For a projective tree this is enough: every binary tree of the constituents that are
  left can have the given heads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from synparse.trees.dependency import columns_of, cycles, fault_of_heads
from synparse.trees.span_chart import best_binary_spans
from synparse.trees.spanning_tree import maximum_spanning_heads
from synparse.trees.spans import kept_before

Span: TypeAlias = tuple[int, int]

FORBIDDEN = -1e9
"""Added to the score of what contradicts: less than the score of any tree, and finite, so that sums stay numbers."""

FLAT = "-FLAT"
"""The end of the label of a constituent that stays flat."""


class Given(NamedTuple):
    """What is known of the trees of T words: ``heads`` [T] (from 1, 0 = root, None: not known; empty: none is known),
    and ``spans`` of constituents; ``flat``: those of them that have no constituents inside but given ones."""

    heads: tuple[int | None, ...] = ()
    spans: tuple[Span, ...] = ()
    flat: frozenset[Span] = frozenset()

    @property
    def arcs(self) -> list[tuple[int, int]]:
        """The known dependents and their heads, from 0; that of the root is −1."""
        return [(word, head - 1) for word, head in enumerate(self.heads) if head is not None]


class GivenScores(NamedTuple):
    """The term of what is given, 0 or `FORBIDDEN`: of arcs [T, T] (row = dependent, column = head, diagonal = root) and
    of spans [T + 1, T + 1]."""

    arcs: NDArray[np.float64]
    spans: NDArray[np.float64]


def contradiction(given: Given) -> str | None:
    """Why no tree contains all that is given; None if there is one."""
    count = len(given.heads)
    for word, head in enumerate(given.heads, 1):
        if head is not None and not 0 <= head <= count:
            return f"word {word} has head {head}, but the sentence has {count} words"
    roots = [word for word, head in enumerate(given.heads, 1) if head == 0]
    if len(roots) > 1:
        return f"words {roots[0]} and {roots[1]} both have head 0, but a tree has one root"
    # A word without a known head ends a path, as the root does.
    if cycle := next(iter(cycles([head or 0 for head in given.heads])), None):
        numbers = ", ".join(map(str, sorted(cycle)))
        return f"the heads of the words {numbers} are a cycle" if len(cycle) > 1 else f"word {numbers} is its own head"
    for first, second in combinations(sorted(set(given.spans)), 2):
        if _cross(first, second):
            return f"the constituents of words {first[0] + 1} to {first[1]} and {second[0] + 1} to {second[1]} cross"
    return None


def given_scores(given: Given, count: int) -> GivenScores:
    """The term of what is given of ``count`` words. Where no tree of constituents fits the heads, which are not
    projective or not those of the given constituents, spans follow the constituents alone. Time O(T³)."""
    spans = _allowed_spans(given, count)
    with_heads = spans & _with_one_head(given, count)
    if not _has_tree(with_heads):
        with_heads = spans
    return GivenScores(_scores(_allowed_arcs(given, count)), _scores(with_heads))


def _scores(allowed: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.where(allowed, 0.0, FORBIDDEN)


def _allowed_arcs(given: Given, count: int) -> NDArray[np.bool_]:
    allowed = np.ones((count, count), bool)
    for dependent, head in given.arcs:
        if head < 0:
            np.fill_diagonal(allowed, np.arange(count) == dependent)
    for dependent, head in given.arcs:
        allowed[dependent] = False
        allowed[dependent, head if head >= 0 else dependent] = True
    return allowed


def _allowed_spans(given: Given, count: int) -> NDArray[np.bool_]:
    """Those that cross no given constituent, [T + 1, T + 1] at [start, end]."""
    starts, ends = np.arange(count + 1)[:, None], np.arange(count + 1)
    allowed = np.ones((count + 1, count + 1), bool)
    for first, last in given.spans:
        allowed &= ~((starts < first) & (first < ends) & (ends < last))
        allowed &= ~((first < starts) & (starts < last) & (last < ends))
    return allowed


def _with_one_head(given: Given, count: int) -> NDArray[np.bool_]:
    """The spans that may have one head, [T + 1, T + 1]. Time O(T² · given heads)."""
    starts, ends = np.arange(count + 1)[:, None], np.arange(count + 1)
    allowed = np.ones((count + 1, count + 1), bool)
    partners: dict[int, list[int]] = {}
    for dependent, head in given.arcs:
        partners.setdefault(dependent, []).append(head if head >= 0 else count)  # the root is outside of all
        if head >= 0:
            partners.setdefault(head, []).append(dependent)
    head_of = dict(given.arcs)
    heads = np.zeros((count + 1, count + 1), np.int64)
    for word, others in partners.items():
        is_inside = (starts <= word) & (word < ends)
        is_head = is_inside & ((min(others) < starts) | (max(others) >= ends))
        heads += is_head
        head = head_of.get(word, -1)
        if head >= 0:
            allowed &= ~(is_head & (starts <= head) & (head < ends))
    return allowed & (heads <= 1)


def _has_tree(allowed: NDArray[np.bool_]) -> bool:
    """Whether a binary tree has only these constituents. O(T³)."""
    [spans] = best_binary_spans(_scores(allowed)[None])
    return all(allowed[span] for span in spans)


def given_of_kept(given: Given, kept: Sequence[bool]) -> Given:
    """What is given of the tree over the kept tokens. A head that is not kept is not known, and a constituent of one
    kept token is none."""
    before = kept_before(kept)
    heads = tuple(
        head if not head else before[head] if kept[head - 1] else None
        for head, is_kept in zip(given.heads, kept, strict=bool(given.heads))
        if is_kept
    )
    return _with_spans(given, heads, {span: (before[span[0]], before[span[1]]) for span in given.spans})


def given_within(given: Given, start: int, end: int) -> Given:
    """What is given of the words from ``start`` to ``end``; a head outside of them is not known, and of a constituent
    there is the part inside."""
    heads = tuple(
        head if not head else head - start if start < head <= end else None for head in given.heads[start:end]
    )
    parts = {span: (max(span[0], start) - start, min(span[1], end) - start) for span in given.spans}
    return _with_spans(given, heads, parts)


def _with_spans(given: Given, heads: tuple[int | None, ...], new: dict[Span, Span]) -> Given:
    wide = {span: wide_span for span, wide_span in new.items() if wide_span[1] - wide_span[0] > 1}
    return Given(
        heads, tuple(dict.fromkeys(wide.values())), frozenset(wide[span] for span in given.flat if span in wide)
    )


def best_heads(heads: tuple[int, ...], scores: NDArray[Any], given: GivenScores) -> tuple[int, ...]:
    """These heads, if they are as given; else the tree with the highest scores [T, T] that has the given ones, which
    may not be projective. The scores include those of what is given."""
    if given.arcs[range(len(heads)), columns_of(heads)].any():
        return maximum_spanning_heads(scores)
    return heads


def best_spans(spans: list[Span], given: GivenScores) -> list[Span]:
    """These constituents, if all of them may be; else the binary tree with the most of them that may."""
    starts, ends = zip(*spans, strict=True)
    if not given.spans[starts, ends].any():
        return spans
    votes = given.spans.copy()
    votes[starts, ends] += 1
    [best] = best_binary_spans(votes[None])
    return best


def with_given_heads(heads: tuple[int, ...], given: Given) -> tuple[int, ...]:
    """A tree with the given heads, and as many of the others as it can have: those that would be in a cycle change."""
    known = given.heads or (None,) * len(heads)
    merged = tuple(head if given_head is None else given_head for head, given_head in zip(heads, known, strict=True))
    if not fault_of_heads(merged):
        return merged
    scores = _scores(_allowed_arcs(given, len(heads)))
    scores[range(len(heads)), columns_of(heads)] += 1
    return maximum_spanning_heads(scores)


def with_given_spans(spans: Iterable[Span], given: Given, kept: Sequence[bool]) -> list[Span | None]:
    """Where each constituent of all tokens is when the given ones are there, too: None for what is one of them, but for
    tokens that are not kept, is inside one that stays flat, or crosses one, as chunks of a long sentence do. One that
    crosses a given one in tokens that are not kept alone is stretched over it. That of the whole sentence stays, beside
    a given one of all kept tokens."""
    before = kept_before(kept)
    words_of_given = {(before[start], before[end]) for start, end in given.spans}
    places: list[Span | None] = []
    for span in spans:
        start, end = span
        words = before[start], before[end]
        while crossed := next((other for other in given.spans if _cross(other, (start, end))), None):
            start, end = min(start, crossed[0]), max(end, crossed[1])
        is_inside = any(first <= start and end <= last for first, last in given.flat)
        is_given = words in words_of_given and (start, end) != (0, len(kept))
        crosses = (start, end) != span and any(_cross(words, others) for others in words_of_given)
        places.append(None if is_inside or is_given or crosses or (start, end) in places else (start, end))
    return places


def _cross(first: Span, second: Span) -> bool:
    return first[0] < second[0] < first[1] < second[1] or second[0] < first[0] < second[1] < first[1]
