"""Span scores → the several best binary trees, by CKY that keeps the best parts of each span (Huang and Chiang, 2005,
"Better k-best Parsing", algorithm 1)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class ScoredTree(NamedTuple):
    """The spans of two words or more of a binary tree in pre-order (for one word, that word's span), and the sum of
    their scores."""

    spans: list[tuple[int, int]]
    score: float


def several_best_trees(span_scores: NDArray[Any], count: int) -> list[ScoredTree]:
    """The ``count`` binary trees over T words (T ≥ 1) with the highest sums of span scores, the best first; all of them
    if there are fewer.

    span_scores [T + 1, T + 1]: the score of each span of two words or more at [start, end]. No tree appears twice. The
    first tree is that of `synparse.trees.span_chart.best_binary_spans`, and among equal ones, those whose outermost
    split is further left come first. The a-th best left part with the b-th best right part is among the N best trees of
    a span only if a · b ≤ N. Time O(T³ N log N), memory O(T² N log N).
    """
    T = len(span_scores) - 1
    pairs = [(a, b) for a in range(count) for b in range(count) if (a + 1) * (b + 1) <= count]
    lefts, rights = np.array(pairs).T
    best = np.full((T + 1, T + 1, count), -np.inf)
    words = np.arange(T)
    best[words, words + 1, 0] = 0.0
    chosen = np.zeros((T + 1, T + 1, count), np.int64)  # which split and pair of parts
    for width in range(2, T + 1):
        starts = np.arange(T - width + 1)
        ends = starts + width
        gaps = starts[:, None] + np.arange(1, width)
        parts = best[starts[:, None], gaps][:, :, lefts] + best[gaps, ends[:, None]][:, :, rights]
        totals = parts.reshape(len(starts), -1)
        order = np.argsort(-totals, axis=1, kind="stable")[:, :count]
        found = order.shape[1]
        chosen[starts, ends, :found] = order
        scores = span_scores[starts, ends][:, None]
        best[starts, ends, :found] = np.take_along_axis(totals, order, 1) + scores
    scored = best[0, T].tolist()
    return [ScoredTree(_taken(chosen, pairs, T, rank), score) for rank, score in enumerate(scored) if score > -np.inf]


def _taken(chosen: NDArray[np.int64], pairs: list[tuple[int, int]], T: int, rank: int) -> list[tuple[int, int]]:
    """The spans of the tree of this rank, in pre-order."""
    spans = []
    waiting = [(0, T, rank)]
    while waiting:
        start, end, rank = waiting.pop()
        if end - start > 1 or T == 1:
            spans.append((start, end))
        if end - start > 1:
            split, pair = divmod(int(chosen[start, end, rank]), len(pairs))
            middle = start + 1 + split
            left, right = pairs[pair]
            waiting += [(middle, end, right), (start, middle, left)]
    return spans
