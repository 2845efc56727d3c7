"""The best projective dependency tree with a single root: Eisner (1996), a bilexical dynamic programme over spans."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from synparse.trees.spanning_tree import LEAST


def projective_heads(scores: NDArray[Any]) -> tuple[int, ...]:
    """Heads of the best projective dependency tree with exactly one root. Time O(T³), memory O(T²).

    scores [T, T]: row = dependent, column = head, diagonal = root; the score of a tree is the sum over its words.
    Log-probabilities under `LEAST` count as that.

    Four tables of spans s … t, each filled for all spans of one width at a time: complete spans with the head s or t,
    and incomplete spans, in which t depends on s or s on t.
    """
    T = len(scores)
    if T == 0:
        return ()
    log_probabilities = np.maximum(scores.astype(np.float64), LEAST)
    # left: the head is the right end t, its dependents to the left; right: the head is the left end s.
    left, right, left_split, right_split, arc_split = _fill(log_probabilities)
    root = int((left[0] + right[:, T - 1] + log_probabilities.diagonal()).argmax())
    heads = [0] * T
    # Complete spans still to be split: start, end, and whether the head is at the end.
    waiting = [(0, root, True), (root, T - 1, False)]
    while waiting:
        start, end, head_at_end = waiting.pop()
        if start == end:
            continue
        if head_at_end:
            middle = int(left_split[start, end])  # end heads middle
            waiting.append((start, middle, True))
            start = middle
            heads[middle] = end + 1
        else:
            middle = int(right_split[start, end])  # start heads middle
            waiting.append((middle, end, False))
            end = middle
            heads[middle] = start + 1
        between = int(arc_split[start, end])
        waiting += [(start, between, False), (between + 1, end, True)]
    return tuple(heads)


def _fill(log_probabilities: NDArray[np.float64]) -> tuple[NDArray[Any], ...]:
    """The best scores of complete spans [start, end] with the head at the end and at the start, and their splits."""
    T = len(log_probabilities)
    left, right = np.zeros((T, T)), np.zeros((T, T))
    left_arc, right_arc = np.zeros((T, T)), np.zeros((T, T))  # end heads start, start heads end
    left_split, right_split, arc_split = (np.zeros((T, T), np.int64) for _ in range(3))
    words = np.arange(T)
    for width in range(1, T):
        starts = words[: T - width]
        ends = starts + width
        splits = starts[:, None] + np.arange(width)  # the words at which each span may split
        row, column = starts[:, None], ends[:, None]
        inner = right[row, splits] + left[splits + 1, column]
        best = inner.argmax(1)
        arc_split[starts, ends] = starts + best
        inside = inner[starts, best]
        left_arc[starts, ends] = inside + log_probabilities[starts, ends]
        right_arc[starts, ends] = inside + log_probabilities[ends, starts]
        whole = left[row, splits] + left_arc[splits, column]
        best = whole.argmax(1)
        left_split[starts, ends] = starts + best
        left[starts, ends] = whole[starts, best]
        whole = right_arc[row, splits + 1] + right[splits + 1, column]
        best = whole.argmax(1)
        right_split[starts, ends] = starts + best + 1
        right[starts, ends] = whole[starts, best]
    return left, right, left_split, right_split, arc_split
