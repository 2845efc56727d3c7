"""Heights and head scores → heads that form a dependency tree with one root.

Score matrices are [T, T] NumPy arrays: row = dependent, column = head, log-probabilities; the diagonal holds the score
of the word being the root. Heads are counted from 1; 0 is the root.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synparse.trees.spanning_tree import LEAST
from synparse.trees.spans import spans_of_gaps


def joint_heads(spans: Sequence[tuple[int, int]], heights: Sequence[float]) -> tuple[int, ...]:
    """The highest word of each constituent heads it, the leftmost of equal ones; StructFormer Algorithms 2 and 3.

    ``spans`` are a tree's constituents in pre-order, the whole sentence first. The heads of a constituent's other
    parts depend on its head, so the result is projective. O(T).
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
        highest = max(parts, key=heights.__getitem__)
        for part in parts:
            if part != highest:
                heads[part] = highest + 1
        head_of[start], end_of[start] = highest, end
    return tuple(heads)


def phrase_heads(scores: NDArray[Any], spans: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The best heads by which every constituent of a binary tree has one head: of its words, that one alone depends on
    a word outside, and on that one alone words outside depend.

    A head is a word, and what depends on it are phrases, so the odds that the head of a constituent is in the one or
    the other of its parts are taken to be inverse to their lengths: beside the scores of its arcs, a constituent is
    worth the logarithm of the length of the part that its head is not in. (Raw text says little of direction, which the
    loss of a UDGN does not depend on: verbs were hung from their objects. Nothing here knows left from right.)

    ``spans`` are the constituents in pre-order, the whole sentence first. Of each, from the small to the large, the
    best score of all that is within it is kept for each of its words as the head. Projective, with one root. Time
    O(T²), memory O(T · depth). (On lists: most constituents are of a few words, for which NumPy takes twice as long.)
    """
    log_probabilities = np.maximum(scores.astype(np.float64), LEAST)
    count = len(log_probabilities)
    if count < 2:
        return (0,) * count
    # Where each constituent splits: a binary tree has one for each gap between words.
    split_of = {span: gap for gap, span in enumerate(spans_of_gaps(spans, count), 1)}
    of_head = log_probabilities.T.tolist()
    best = [0.0] * count  # of each word as the head of the largest constituent so far that holds it
    chosen: dict[tuple[int, int], list[int]] = {}  # by head: the head of the other part, its dependent
    for start, end in reversed(spans):
        middle = split_of[start, end]
        left, right = best[start:middle], best[middle:end]
        found = []
        for head in range(start, end):
            first, last, others = (middle, end, right) if head < middle else (start, middle, left)
            totals = list(map(operator.add, of_head[head][first:last], others))
            highest = max(totals)
            found.append(first + totals.index(highest))
            best[head] += highest + math.log(last - first)
        chosen[start, end] = found
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
    """The best head of each word, made a tree.

    The word with the best root score is the root. Every other word takes the head it likes best. Words that so end
    in a cycle are freed by attaching one word of each cycle, that with the best root score, to the root. O(T²).
    """
    count = len(scores)
    if count == 0:
        return ()
    root_scores = scores.diagonal()
    root = int(root_scores.argmax())
    log_probabilities = scores.astype(np.float64)
    np.fill_diagonal(log_probabilities, -np.inf)
    # A row of nothing but −∞ would choose its first column, which may be the word itself.
    hopeless = np.isneginf(log_probabilities).all(axis=1)
    heads = (np.where(hopeless, root, log_probabilities.argmax(axis=1)) + 1).tolist()
    heads[root] = 0
    for cycle in cycles(heads):
        best = max(cycle, key=lambda word: root_scores[word - 1])
        heads[best - 1] = root + 1
    return tuple(heads)


def cycles(heads: Sequence[int]) -> list[list[int]]:
    """The cycles among heads counted from 1, each as its words from some word on, along the heads. O(T)."""
    found = []
    seen = [0] * (len(heads) + 1)
    for word in range(1, len(heads) + 1):
        node = word
        while node and not seen[node]:
            seen[node] = word
            node = heads[node - 1]
        if node and seen[node] == word:
            cycle = [node]
            while heads[cycle[-1] - 1] != node:
                cycle.append(heads[cycle[-1] - 1])
            found.append(cycle)
    return found
