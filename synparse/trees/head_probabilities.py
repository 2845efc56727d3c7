"""The probability of each arc, under the softmax of its word's head scores alone, or among the heads of phrases; and,
from these, that of a tree, and the entropy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synparse.trees.averaging import normalized_scores
from synparse.trees.dependency import columns_of
from synparse.trees.spanning_tree import LEAST
from synparse.trees.spans import spans_of_gaps

TINY = 1e-300
"""Probabilities are not below it where they become logarithms."""


def word_head_probabilities(scores: NDArray[Any]) -> NDArray[np.float64]:
    """The softmax over the heads of each word, whatever the other words do. scores and result [T, T]: row = dependent,
    column = head, diagonal = root. O(T²)."""
    probabilities: NDArray[np.float64] = np.exp(normalized_scores(scores.astype(np.float64)))
    return probabilities


def phrase_head_probabilities(
    scores: NDArray[Any], spans: Sequence[tuple[int, int]], with_prior: bool = True
) -> NDArray[np.float64]:
    """The probability of each arc among the trees that `synparse.trees.heads.phrase_heads` chooses from: those by which
    each constituent has one head. The probability of a tree is proportional to exp (its score).

    scores and result [T, T]; ``spans``, ``with_prior``: as there. Bottom-up, each word has the logarithm of the sum
    over all trees of a constituent with that word as its head; top-down, the probability that it is the head. O(T²).
    """
    log_probabilities = np.maximum(scores.astype(np.float64), LEAST)
    count = len(log_probabilities)
    split_of = {span: gap for gap, span in enumerate(spans_of_gaps(spans, count), 1)}
    inside = np.zeros(count)  # of each word as the head of the largest constituent so far that contains it
    joined = []  # of each constituent: p(head of the other part | its head), for heads on the left and on the right
    for start, end in reversed(spans):
        if end - start == 1:
            continue
        left, right = slice(start, split_of[start, end]), slice(split_of[start, end], end)
        halves = []
        for part, other in ((left, right), (right, left)):  # the head's part, and the dependent's
            prior = np.log(other.stop - other.start) if with_prior else 0.0
            totals = log_probabilities[other, part] + inside[other, None] + prior
            halves.append((part, other, totals, np.logaddexp.reduce(totals, 0)))
        for part, _, _, summed in halves:
            inside[part] += summed
        joined.append([(part, other, np.exp(totals - summed)) for part, other, totals, summed in halves])
    totals = inside + log_probabilities.diagonal()
    is_head = np.exp(totals - np.logaddexp.reduce(totals))  # of the smallest constituent so far
    probabilities = np.diag(is_head)
    for halves in reversed(joined):
        for part, other, conditional in halves:
            probabilities[other, part] = conditional * is_head[part]
        for part, other, _ in halves:
            is_head[other] += probabilities[other, part].sum(1)
    return probabilities


def head_probabilities_with_fixed_expressions(
    probabilities: NDArray[np.float64], are_fixed: Sequence[bool]
) -> NDArray[np.float64]:
    """The probability of each arc [T, T] after `synparse.trees.dependency.with_fixed_expressions`: the other words of
    a fixed expression surely depend on its first word, which takes the head of the one that it was below.

    Exact where each fixed expression is a subtree: then only one of its words has a head outside of it. are_fixed [T]:
    which words belong to the word before them.
    """
    changed: NDArray[np.float64] = probabilities.copy()
    firsts = [word for word, is_fixed in enumerate(are_fixed) if not is_fixed]
    for first, end in pairwise([*firsts, len(are_fixed)]):
        others = slice(first + 1, end)
        if end > first + 1:
            outside = probabilities[others].sum(axis=0)
            outside[first] = probabilities[others, others].trace()  # they are roots
            outside[others] = 0
            changed[first, others] = 0
            changed[first] += probabilities[first, others].sum() / max(outside.sum(), TINY) * outside
            changed[others] = 0
            changed[others, first] = 1
    return changed


def log_probability_of_heads(
    probabilities: NDArray[np.float64], heads: Sequence[int], phrases: Sequence[tuple[int, int]] | None
) -> float:
    """log p of heads (from 1; 0 = root), in nats, from the probabilities of all arcs [T, T]. O(T²).

    Without ``phrases``, those of `word_head_probabilities`: each word has chosen for itself. With them, those of
    `phrase_head_probabilities`, top-down: p(root) times, for each constituent C with the head j and the head i of its
    other part, p(i | j heads C) = p(arc) / p(j heads C), and j heads C where it is the root or its head is not in C.
    """
    columns = columns_of(heads)
    logarithm = float(np.log(np.maximum(probabilities[range(len(heads)), columns], TINY)).sum())
    if phrases is None:
        return logarithm
    inner_first = sorted(phrases, key=lambda span: span[1] - span[0])
    for word, head in enumerate(columns):
        if word != head:
            low, high = min(word, head), max(word, head)
            start, end = next(span for span in inner_first if span[0] <= low and high < span[1])
            outside = [head, *range(start), *range(end, len(heads))]
            logarithm -= float(np.log(max(probabilities[head, outside].sum(), TINY)))
    return logarithm


def entropy_of_heads(probabilities: NDArray[np.float64]) -> float:
    """The sum over words of the entropy of the probabilities of their heads [T, T], in nats."""
    values = np.maximum(probabilities, TINY)
    return float(-(values * np.log(values)).sum())
