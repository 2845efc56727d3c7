"""Trees of phrases that begin and end as phrases do, and hold together.

Writers set marks where phrases end and begin, so from raw text it can be learned which words begin and end them
(`synparse.corpora.phrase_boundaries`): *the* begins many and ends none. A span of words is then worth

    log p(a phrase begins | its first word) + log p(a phrase ends | its last word)

where a sentence surely begins at its first word and ends at its last one, and other phrases do so at marks, where those
are evidence. With the scores of heads, a span is worth a nat less for every arc that it lacks: a phrase of n words has
n − 1 arcs between them, and expected are as many as the head probabilities of its words, within it, add up to. The tree
is the binary one whose spans are worth most; to several models together, the sum of what they are worth to each.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.trees.averaging import normalized_scores
from synparse.trees.punctuation_cues import Cues, split_ranks
from synparse.trees.span_chart import best_binary_spans

BROKEN = 1e6
"""Nats that a span pays for a gap in it that is to be split before one at its edge: more than any tree is worth."""


class BoundaryScores(NamedTuple):
    """Of each of the T words, log p(a phrase of two words or more begins at it) and log p(one ends at it), in nats."""

    starts: NDArray[Any]
    ends: NDArray[Any]


def boundary_spans(
    boundaries: BoundaryScores, cues: Cues | None = None, head_scores: NDArray[Any] | None = None
) -> list[tuple[int, int]]:
    """The best binary tree, as above, of a sentence of T words. Returns spans in pre-order. Time O(T³)."""
    return best_binary_spans(phrase_scores(boundaries, cues, head_scores)[None])[0]


def phrase_scores(
    boundaries: BoundaryScores, cues: Cues | None = None, head_scores: NDArray[Any] | None = None
) -> NDArray[np.float64]:
    """What each span is worth, as above, at [start, end] of [T + 1, T + 1].

    ``cues``: the punctuation between the words, where it is evidence; head_scores [T, T]: row = dependent, column =
    head, diagonal = root.
    """
    span_scores = unbroken_phrase_scores(boundaries, cues, head_scores)
    return span_scores if cues is None else span_scores - broken_costs(cues)


def unbroken_phrase_scores(
    boundaries: BoundaryScores, cues: Cues | None = None, head_scores: NDArray[Any] | None = None
) -> NDArray[np.float64]:
    """As `phrase_scores`, before `broken_costs`, which are the same to all models."""
    span_scores = _boundary_span_scores(boundaries, cues)
    return span_scores if head_scores is None else span_scores - missing_arcs(head_scores)


def boundary_span_scores(boundaries: BoundaryScores, cues: Cues | None = None) -> NDArray[np.float64]:
    """What the edges of each span are worth, at [start, end] of [T + 1, T + 1]."""
    span_scores = _boundary_span_scores(boundaries, cues)
    return span_scores if cues is None else span_scores - broken_costs(cues)


def _boundary_span_scores(boundaries: BoundaryScores, cues: Cues | None) -> NDArray[np.float64]:
    T = len(boundaries.starts)
    starts, ends = np.zeros(T + 1), np.zeros(T + 1)  # by place: the number of words before
    starts[1:T], ends[1:T] = boundaries.starts[1:], boundaries.ends[:-1]
    if cues is not None:
        marked = np.flatnonzero(cues.levels) + 1
        starts[marked] = ends[marked] = 0.0
    return starts[:, None] + ends


def missing_arcs(head_scores: NDArray[Any]) -> NDArray[np.float64]:
    """How many arcs each span of n words is expected to lack of its n − 1, at [start, end] of [T + 1, T + 1]."""
    arcs = np.exp(normalized_scores(head_scores.astype(np.float64)))
    np.fill_diagonal(arcs, 0.0)
    T = len(arcs)
    before = np.zeros((T + 1, T + 1))  # arcs from words before one place to heads before another
    before[1:, 1:] = arcs.cumsum(0).cumsum(1)
    up_to = before.diagonal()
    within = up_to - before - before.T + up_to[:, None]
    position = np.arange(T + 1)
    missing: NDArray[np.float64] = np.where(
        position - position[:, None] > 1, position - position[:, None] - 1 - within, 0.0
    )
    return missing


def broken_costs(cues: Cues) -> NDArray[np.float64]:
    """What each span pays, at [start, end] of [T + 1, T + 1], for a gap within it that is to be split before one at its
    edge."""
    ranks = np.array(split_ranks(cues), np.float64)
    T = len(ranks) + 1
    if not ranks.any():
        return np.zeros((T + 1, T + 1))
    around = np.concatenate([[np.inf], ranks, [np.inf]])
    position = np.arange(T + 1)
    is_inside = (position[:, None] < position) & (position < T)
    # The largest rank among the gaps from one place on, up to the one before another.
    largest = np.maximum.accumulate(np.where(is_inside, around, -np.inf), axis=1)
    inside = np.full((T + 1, T + 1), -np.inf)
    inside[:, 1:] = largest[:, :-1]
    return np.where(inside > np.minimum(around[:, None], around), BROKEN, 0.0)
