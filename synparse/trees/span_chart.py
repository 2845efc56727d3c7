"""Span scores → the binary tree with the highest sum of span scores, by CKY (Kasami, 1966; Younger, 1967)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synparse.trees.lengths import equal_lengths

AT_ONCE = 4_000_000
"""Numbers in the charts of the sentences that are decoded at once, with T³ for a sentence of T words."""


def best_trees(charts: Sequence[NDArray[Any]]) -> list[list[tuple[int, int]]]:
    """The best binary tree of each sentence by its span scores [T + 1, T + 1].

    Sentences of one length are decoded together, which is several times as fast for short ones.
    """
    trees: list[list[tuple[int, int]]] = [[] for _ in charts]
    for group in equal_lengths([len(chart) for chart in charts], lambda size: AT_ONCE // size**3):
        best = best_binary_spans(np.stack([charts[number] for number in group]))
        for number, tree in zip(group, best, strict=True):
            trees[number] = tree
    return trees


def best_binary_spans(span_scores: NDArray[Any]) -> list[list[tuple[int, int]]]:
    """For each of B sentences of T words (T ≥ 1), the binary tree with the highest sum over its spans.

    span_scores [B, T + 1, T + 1]: the score of each span of two words or more at [start, end]. Ties: the split further
    left, the outermost span first. Returns spans in pre-order, the whole sentence first; for one word, that word's
    span. Time O(B · T³), memory O(B · T²).
    """
    B, size, _ = span_scores.shape
    T = size - 1
    best = np.zeros((B, size, size))
    split = np.zeros((B, size, size), np.int64)
    rows = np.arange(B)[:, None]
    for width in range(2, T + 1):
        starts = np.arange(T - width + 1)
        ends = starts + width
        inner = starts[:, None] + np.arange(1, width)
        totals = best[:, starts[:, None], inner] + best[:, inner, ends[:, None]]
        chosen = totals.argmax(2)
        split[:, starts, ends] = starts + 1 + chosen
        best[:, starts, ends] = totals[rows, starts, chosen] + span_scores[:, starts, ends]
    return [_taken(of_sentence.tolist(), T) for of_sentence in split]


def _taken(split: list[list[int]], T: int) -> list[tuple[int, int]]:
    """The spans of the tree with these splits, in pre-order."""
    spans = []
    waiting = [(0, T)]
    while waiting:
        start, end = waiting.pop()
        spans.append((start, end))
        if end - start > 1:
            middle = split[start][end]
            waiting += [part for part in ((middle, end), (start, middle)) if part[1] - part[0] > 1]
    return spans
