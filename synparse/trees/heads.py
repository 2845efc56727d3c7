"""Decoding heights or head scores to the heads of a dependency tree with one root.

Head scores are [T, T] NumPy arrays of log-probabilities: row = dependent, column = head, diagonal = the word is the
root. Heads are counted from 1; 0 is the root.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synparse import compiled
from synparse.trees.dependency import cycles
from synparse.trees.spanning_tree import LEAST
from synparse.trees.spans import spans_of_gaps


def joint_heads(spans: Sequence[tuple[int, int]], heights: Sequence[float]) -> tuple[int, ...]:
    """The word of each constituent with the largest height is its head (ties: the rightmost).

    StructFormer Algorithms 2 and 3 (Shen et al., 2021). ``spans`` are a tree's constituents in pre-order, the whole
    sentence first; heights [T]. The heads of a constituent's other parts depend on its head, so the result is
    projective. O(T).
    """
    count = len(heights)
    heads = [0] * count
    # The largest part found so far that starts at each word: its head and where it ends.
    head_of, end_of = list(range(count)), list(range(1, count + 1))
    for start, end in reversed(spans):
        parts = []
        at = start
        while at < end:
            parts.append(head_of[at])
            at = end_of[at]
        highest = max(reversed(parts), key=heights.__getitem__)
        for part in parts:
            if part != highest:
                heads[part] = highest + 1
        head_of[start], end_of[start] = highest, end
    return tuple(heads)


def phrase_heads(scores: NDArray[Any], spans: Sequence[tuple[int, int]], with_prior: bool = True) -> tuple[int, ...]:
    """The best heads by which every constituent of a binary tree has one head: the only one of its words that depends
    on a word outside it, and the only one on which words outside depend.

    The score of a tree is the sum of its arcs' scores and, ``with_prior``, for each constituent of two parts A and B,
    of a log-prior on the part with its head: P(head in A) ∝ |B|, which adds log |B|, because heads are words and
    dependents are phrases. (Raw text shows little about direction, and the loss of a UDGN does not depend on it:
    without the prior, verbs depend on their objects. The prior is the same for left and right. A model that predicts
    directions needs none.)

    scores [T, T] as in this module; ``spans`` are the constituents in pre-order, the whole sentence first. Bottom-up,
    each word of a constituent keeps the best score of the constituent with that word as its head. Projective, with one
    root. Time O(T²), memory O(T · depth). (Lists, because NumPy is half as fast on constituents of few words.)
    """
    log_probabilities = np.maximum(scores.astype(np.float64), LEAST)
    count = len(log_probabilities)
    if count < 2:
        return (0,) * count
    if compiled.CHARTS is not None:  # synparse/compiled/binary_trees.h
        best_heads = np.empty(count, np.int64)
        compiled.CHARTS.phrase_heads(
            np.ascontiguousarray(log_probabilities),
            np.array(spans, np.int64),
            np.array(with_prior, np.int64),
            best_heads,
        )
        return tuple(best_heads.tolist())
    # The split point of each constituent: a binary tree has one constituent for each gap between words.
    split_of = {span: gap for gap, span in enumerate(spans_of_gaps(spans, count), 1)}
    scores_of_head = log_probabilities.T.tolist()
    best = [0.0] * count  # of each word as the head of the largest constituent so far that contains it
    chosen: dict[tuple[int, int], list[int]] = {}  # by head: the head of the other part, its dependent
    for start, end in reversed(spans):
        middle = split_of[start, end]
        left, right = best[start:middle], best[middle:end]
        dependents = []
        for head in range(start, end):
            first, last, others = (middle, end, right) if head < middle else (start, middle, left)
            totals = list(map(operator.add, scores_of_head[head][first:last], others))
            highest = max(totals)
            dependents.append(first + totals.index(highest))
            best[head] += highest + (math.log(last - first) if with_prior else 0.0)
        chosen[start, end] = dependents
    totals = list(map(operator.add, best, log_probabilities.diagonal().tolist()))
    heads = [0] * count
    waiting = [(0, count, totals.index(max(totals)))]
    while waiting:
        start, end, head = waiting.pop()
        if end - start == 1:
            continue
        middle, other = split_of[start, end], chosen[start, end][head - start]
        heads[other] = head + 1
        waiting += [(start, middle, min(head, other)), (middle, end, max(head, other))]
    return tuple(heads)


def argmax_heads(scores: NDArray[Any]) -> tuple[int, ...]:
    """The best head of each word, repaired to a tree.

    The word with the best root score is the root; every other word takes its head with the best score. In each cycle,
    the word with the best root score then depends on the root instead. O(T²).
    """
    count = len(scores)
    if count == 0:
        return ()
    root_scores = scores.diagonal()
    root = int(root_scores.argmax())
    log_probabilities = scores.astype(np.float64)
    np.fill_diagonal(log_probabilities, -np.inf)
    # A row of −∞ alone would choose its first column, which may be the word itself.
    hopeless = np.isneginf(log_probabilities).all(axis=1)
    heads = (np.where(hopeless, root, log_probabilities.argmax(axis=1)) + 1).tolist()
    heads[root] = 0
    for cycle in cycles(heads):
        best = max(cycle, key=lambda word: root_scores[word - 1])
        heads[best - 1] = root + 1
    return tuple(heads)
