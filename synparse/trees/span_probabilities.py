"""The probability of each span: under scores of spans, or under distances that say where constituents split.

Both models build a binary tree from the top: each constituent splits at one of the gaps between its words. They differ
in the probability of a gap:

    scores of spans   p(k | i, j) ∝ exp (inside(i, k) + inside(k, j)), where inside(i, j) is the logarithm of the sum
                      over all trees of words i … j − 1 of exp (the sum of their span scores). So the probability of a
                      tree is proportional to exp (the sum of its span scores): a CRF over binary trees
    distances         p(k | i, j) ∝ exp d_k, as in equation 2 of `synparse.inducers.student`

A span is as probable as all the splits that make it: p(i, j) = Σ_k p(i, k) p(j | i, k) + Σ_k p(k, j) p(i | k, j). Each
function takes T words and returns [T + 1, T + 1], at [start, end], for spans of two words or more and the sentence.
Time O(T³), memory O(T²).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from synparse import compiled
from synparse.trees.averaging import softmax
from synparse.trees.span_chart import SUM, Array, Splits, inside, splits_of


def scored_span_probabilities(span_scores: Array) -> Array:
    """The probability of each span in a binary tree whose probability is proportional to exp (the sum of its span
    scores). span_scores [T + 1, T + 1], in nats. The inside-outside algorithm (Baker, 1979)."""
    T = len(span_scores) - 1
    if T == 1 or compiled.CHARTS is None:
        return _with_splits(span_scores, None)
    # A class grammar of one rule, for all words and constituents alike: trees differ by their spans alone.
    grammar, words = (np.ones((1, 1)), *np.ones((2, 1, 1, 2))), np.zeros((1, T), np.int64)
    weights = np.array(span_scores, np.float64)[None, None]
    probabilities: Array = np.zeros((1, T + 1, T + 1))
    compiled.CHARTS.class_grammar(*grammar, words, weights, np.empty((1, 1)), probabilities, None, None, None)
    return np.asarray(probabilities[0])


def unbiased_span_probabilities(distances: Sequence[float], span_scores: Array | None = None) -> Array:
    """The probability of each span where a constituent splits at one of its T − 1 distances, each as probable as their
    softmax says. The most probable choice each time is `synparse.trees.distances.unbiased_spans`.

    span_scores [T + 1, T + 1]: log-weights of spans, by which the probabilities of trees are multiplied; None for none.
    """
    distance_of_gap = np.array([0.0, *distances])
    if span_scores is None:
        return _split_from_the_top(len(distance_of_gap), lambda splits: distance_of_gap[splits[1]])
    least = np.finfo(float).tiny
    return _with_splits(span_scores, lambda splits: np.log(np.maximum(softmax(distance_of_gap[splits[1]]), least)))


def _with_splits(span_scores: Array, split_scores: Callable[[Splits], Array] | None) -> Array:
    """The probability of each span in a binary tree whose probability is proportional to exp (the sum of the scores of
    its spans and of its splits)."""
    values = inside(span_scores[None], SUM, split_scores)[0][0, ..., 0]

    def weights(splits: Splits) -> Array:
        starts, gaps, ends = splits
        both = values[starts, gaps] + values[gaps, ends]
        return np.asarray(both if split_scores is None else both + split_scores(splits))

    return _split_from_the_top(len(span_scores) - 1, weights)


def published_span_probabilities(distances: Sequence[float], first: float = -math.inf) -> Array:
    """The same for `synparse.trees.distances.published_spans`, which splits words s … e − 1 at a word i, chosen by the
    softmax of the distances before these words, into the words before i and (i, (the words after i))."""
    values = np.array([first, *distances])
    T = len(values)
    free, closed = np.zeros((T + 1, T + 1)), np.zeros((T + 1, T + 1))  # yet to be split by distances; word i and after
    free[0, T] = 1.0
    for width in range(T, 1, -1):
        starts = np.arange(T - width + 1)[:, None]
        ends = starts + width
        words = starts + np.arange(width)
        chosen = free[starts, ends] * softmax(values[words])
        free[starts, words] += chosen
        free[words + 1, ends] += chosen
        closed[words[:, 1:], ends] += chosen[:, 1:]
    return free + closed


def _split_from_the_top(T: int, log_weights: Callable[[Splits], Array]) -> Array:
    """log_weights: of the splits of all spans of a width, [S, width − 1]."""
    probabilities = np.zeros((T + 1, T + 1))
    probabilities[0, T] = 1.0
    for width in range(T, 1, -1):
        starts, gaps, ends = splits = splits_of(width, T)
        chosen = probabilities[starts, ends] * softmax(log_weights(splits))
        probabilities[starts, gaps] += chosen
        probabilities[gaps, ends] += chosen
    return probabilities
