"""Ensembles: one tree from the trees or head scores of several parsers.

Constituents: the tree with the most spans in common with all their trees. Heads: log-probabilities that add up, for any
decoder of head scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from synparse.trees.dependency import columns_of
from synparse.trees.spanning_tree import LEAST

Spans: TypeAlias = Sequence[tuple[int, int]]
"""The constituents of a tree: (start, end), of two words or more, in pre-order, the whole sentence first."""


def averaged_spans(trees: Sequence[Spans]) -> list[tuple[int, int]]:
    """The tree with the highest sum of span scores, where the score of a span is the number of ``trees`` that have it.

    Tree averaging (Shayegh et al., 2024, "Ensemble Distillation for Unsupervised Constituency Parsing", section 2.2):
    among binary trees, the one with the most spans in common with all the trees has the best mean F1. Spans in none of
    the trees score 0 and are left out; `synparse.trees.distances.binary_spans` adds them. Ties:
    the tree with the most spans of the first of ``trees``; then the one whose parts, from right to left, are shorter.
    All ``trees`` (one or more) are over the same T words, and need not be binary. Returns spans in pre-order.

    A CKY chart compares T³/6 splits, but only S ≤ len(trees) · T spans have a score. For each word s at which one of
    them starts, from right to left, best[e] is the highest score of a row of spans between s and e:
    best[e] = max(best[e − 1], max over spans (i, e), i ≥ s, of best[i] + score of (i, e) and the spans inside it).
    Time O(T · S), memory O(T²).
    """
    T = trees[0][0][1]
    span_scores = Counter(span for tree in trees for span in tree)
    for span in span_scores:
        span_scores[span] *= T
    span_scores.update(trees[0])  # fewer than T spans, so this only breaks ties
    last_end: dict[int, int] = {}
    for start, end in span_scores:
        last_end[start] = max(end, last_end.get(start, 0))
    ending: list[list[tuple[int, int]]] = [[] for _ in range(T + 1)]  # spans by end: start, total score
    choices: dict[int, list[int]] = {}  # by start: for each end, the start of the row's last span (−1: a word)
    for start in sorted(last_end, reverse=True):
        best, choice = [0], [-1]
        for end in range(start + 1, last_end[start] + 1):
            value, chosen = best[-1], -1
            for inner, total in ending[end]:
                if best[inner - start] + total > value:
                    value, chosen = best[inner - start] + total, inner
            choice.append(chosen)
            if (start, end) in span_scores:
                value += span_scores[start, end]
                ending[end].append((start, value))
            best.append(value)
        choices[start] = choice
    return _taken(choices, span_scores, T)


def _taken(choices: dict[int, list[int]], span_scores: Counter[tuple[int, int]], T: int) -> list[tuple[int, int]]:
    """The spans that were chosen, in pre-order."""
    spans = []
    waiting = [(0, T)]
    while waiting:
        start, end = waiting.pop()
        spans.append((start, end))
        at = end
        while at > start:
            inner = start if at < end and (start, at) in span_scores else choices[start][at - start]
            if inner >= 0:
                waiting.append((inner, at))
            at = inner if inner >= 0 else at - 1
    return spans


def softmax(scores: NDArray[Any]) -> NDArray[Any]:
    """The probabilities along the last axis that are proportional to exp (the scores)."""
    powers: NDArray[Any] = np.exp(scores - scores.max(-1, keepdims=True))
    powers /= powers.sum(-1, keepdims=True)
    return powers


def normalized_scores(scores: NDArray[Any]) -> NDArray[Any]:
    """Head scores [..., T, T] → log-probabilities in nats, so that all models have the same weight in a sum.

    Row = dependent, column = head, diagonal = root; the probabilities of a row add up to 1. Scores under `LEAST` count
    as that.
    """
    log_probabilities: NDArray[Any] = np.maximum(scores, LEAST)
    log_probabilities -= log_probabilities.max(axis=-1, keepdims=True)
    log_probabilities -= np.log(np.exp(log_probabilities).sum(axis=-1, keepdims=True))
    return log_probabilities


def vote_scores(heads: Iterable[int]) -> NDArray[np.float32]:
    """Log-probabilities [T, T] like `normalized_scores`, for a parser with heads (from 1; 0 = root) but no scores.

    Each word's head gets half of its probability; the other half is spread evenly over all words, because certainty
    would overrule the other models.
    """
    columns = np.array(columns_of(heads))
    T = len(columns)
    probabilities = np.full((T, T), 0.5 / T, np.float32)
    probabilities[np.arange(T), columns] += 0.5
    return np.log(probabilities)
