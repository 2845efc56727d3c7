"""Probabilities of spans against all trees of short sentences."""

import math
from collections import defaultdict

import numpy as np
import pytest

from synparse.trees.distances import published_spans, unbiased_spans
from synparse.trees.span_probabilities import (
    published_span_probabilities,
    scored_span_probabilities,
    unbiased_span_probabilities,
)
from tests.trees.binary_trees import all_binary

pytestmark = pytest.mark.usefixtures("charts")

LENGTHS = range(1, 8)


def summed(trees, T):
    """The probability of each span from (probability, spans) of all trees."""
    sums = defaultdict(float)
    for probability, spans in trees:
        for span in {*spans, (0, T)}:
            sums[span] += probability
    return sums


def assert_equal(chart, expected, T):
    for start in range(T):
        for end in range(start + 1 + (T > 1), T + 1):
            assert chart[start, end] == pytest.approx(expected[start, end], abs=1e-12)


@pytest.mark.parametrize("T", LENGTHS)
def test_scores_of_spans(T):
    scores = 3 * np.random.default_rng(T).standard_normal((T + 1, T + 1))
    weights = [(math.exp(sum(scores[span] for span in tree)), tree) for tree in all_binary(0, T)]
    total = sum(weight for weight, _ in weights)
    expected = summed([(weight / total, tree) for weight, tree in weights], T)
    assert_equal(scored_span_probabilities(scores), expected, T)


def test_large_scores_neither_overflow_nor_vanish():
    scores = np.zeros((5, 5))
    scores[1, 3] = scores[1, 4] = 900.0
    chart = scored_span_probabilities(scores)
    assert (chart[1, 3], chart[1, 4], chart[0, 2]) == pytest.approx((1.0, 1.0, 0.0))
    assert scored_span_probabilities(-scores)[0, 2] == pytest.approx(1.0)


def splits(start, end, distances):
    """The probability and spans of every tree over the words of a constituent, by equation 2 of the student."""
    if end - start == 1:
        return [(1.0, ())]
    total = sum(math.exp(distances[gap - 1]) for gap in range(start + 1, end))
    return [
        (math.exp(distances[gap - 1]) / total * p * q, ((start, end), *left, *right))
        for gap in range(start + 1, end)
        for p, left in splits(start, gap, distances)
        for q, right in splits(gap, end, distances)
    ]


@pytest.mark.parametrize("T", LENGTHS)
def test_distances(T):
    distances = np.random.default_rng(T).standard_normal(T - 1).tolist()
    assert_equal(unbiased_span_probabilities(distances), summed(splits(0, T, distances), T), T)


def test_distances_may_differ_by_any_amount():
    with np.errstate(all="raise", under="ignore"):
        probabilities = unbiased_span_probabilities([0.0, 2000.0, 0.0], np.zeros((5, 5)))
    assert probabilities[0, 2] == probabilities[2, 4] == 1


def published(start, end, values):
    """The same for (x_<i (x_i x_>i)), with the distance before each word."""
    if end - start < 2:
        return [(1.0, ())]
    total = sum(map(math.exp, values[start:end]))
    return [
        (math.exp(values[word]) / total * p * q, tuple({(start, end), (word, end)}) + left + right)
        for word in range(start, end)
        for p, left in published(start, word, values)
        for q, right in published(word + 1, end, values)
    ]


@pytest.mark.parametrize("T", LENGTHS)
@pytest.mark.parametrize("first", [-math.inf, 0.5])
def test_published_splits(T, first):
    distances = np.random.default_rng(T).standard_normal(T - 1).tolist()
    assert_equal(published_span_probabilities(distances, first), summed(published(0, T, [first, *distances]), T), T)


def test_far_distances_leave_the_trees_of_the_decoders():
    distances = [100.0 * distance for distance in (3, 1, 4, 2, 0)]
    for chart, spans in [
        (unbiased_span_probabilities(distances), unbiased_spans(distances)),
        (published_span_probabilities(distances), published_spans(distances)),
    ]:
        probable = {(start, end) for start in range(6) for end in range(start + 2, 7) if chart[start, end] > 0.5}
        assert probable == set(spans)
