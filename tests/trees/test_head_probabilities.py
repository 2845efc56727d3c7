"""Probabilities of arcs against all trees of short sentences."""

import itertools
import math

import numpy as np
import pytest

from synparse.trees.dependency import columns_of, with_fixed_expressions
from synparse.trees.head_probabilities import (
    entropy_of_heads,
    head_probabilities_with_fixed_expressions,
    log_probability_of_heads,
    phrase_head_probabilities,
    word_head_probabilities,
)
from synparse.trees.heads import phrase_heads
from tests.trees.binary_trees import all_binary


def trees_of_phrases(spans, start, end):
    """Each choice of heads in a constituent: its head, its arcs, and the sizes of the parts with dependents."""
    if end - start == 1:
        return [(start, (), ())]
    inner = [(a, b) for a, b in spans if start <= a and b <= end and (a, b) != (start, end)]
    middle = next(gap for gap in range(start + 1, end) if not any(a < gap < b for a, b in inner))
    trees = []
    for left, right in itertools.product(trees_of_phrases(spans, start, middle), trees_of_phrases(spans, middle, end)):
        arcs, sizes = left[1] + right[1], left[2] + right[2]
        trees.append((left[0], (*arcs, (right[0], left[0])), (*sizes, end - middle)))
        trees.append((right[0], (*arcs, (left[0], right[0])), (*sizes, middle - start)))
    return trees


@pytest.mark.parametrize("T", range(1, 6))
@pytest.mark.parametrize("with_prior", [False, True])
def test_heads_of_phrases_are_weighed_by_their_scores(T, with_prior):
    rng = np.random.default_rng(T)
    for spans in all_binary(0, T):
        scores = 3 * rng.standard_normal((T, T))
        expected, total, best = np.zeros((T, T)), 0.0, (-math.inf, None)
        for root, arcs, sizes in trees_of_phrases(spans, 0, T):
            arcs = [*arcs, (root, root)]
            score = sum(scores[arc] for arc in arcs) + with_prior * sum(map(math.log, sizes))
            total += math.exp(score)
            for arc in arcs:
                expected[arc] += math.exp(score)
            best = max(best, (score, arcs))
        spans = spans or [(0, 1)]
        probabilities = phrase_head_probabilities(scores, spans, with_prior)
        assert probabilities == pytest.approx(expected / total)
        assert probabilities.sum(1) == pytest.approx(np.ones(T))
        # The same choices as the decoder's.
        heads = phrase_heads(scores, spans, with_prior)
        assert {(word, head - 1 if head else word) for word, head in enumerate(heads)} == set(best[1])


@pytest.mark.parametrize("T", range(1, 6))
@pytest.mark.parametrize("with_prior", [False, True])
def test_the_probability_of_heads_is_that_of_their_tree_among_all_trees_of_the_phrases(T, with_prior):
    rng = np.random.default_rng(T)
    for spans in all_binary(0, T):
        scores = 3 * rng.standard_normal((T, T))
        weights = {}
        for root, arcs, sizes in trees_of_phrases(spans, 0, T):
            score = sum(scores[arc] for arc in (*arcs, (root, root))) + with_prior * sum(map(math.log, sizes))
            heads = dict(arcs)
            weights[tuple(heads[word] + 1 if word in heads else 0 for word in range(T))] = math.exp(score)
        probabilities = phrase_head_probabilities(scores, spans or [(0, 1)], with_prior)
        for heads, weight in weights.items():
            expected = math.log(weight / sum(weights.values()))
            assert log_probability_of_heads(probabilities, heads, spans or [(0, 1)]) == pytest.approx(expected)


def test_words_alone_choose_for_themselves():
    probabilities = np.array([[0.25, 0.75], [0.0, 1.0]])
    assert log_probability_of_heads(probabilities, (2, 0), None) == pytest.approx(math.log(0.75))
    assert log_probability_of_heads(probabilities, (0, 1), None) < -100
    assert entropy_of_heads(probabilities) == pytest.approx(-0.25 * math.log(0.25) - 0.75 * math.log(0.75))
    assert entropy_of_heads(np.full((4, 4), 0.25)) == pytest.approx(4 * math.log(4))


def test_words_alone_have_the_softmax_of_their_heads():
    scores = np.array([[0.0, math.log(3)], [-math.inf, 5.0]])
    assert word_head_probabilities(scores) == pytest.approx(np.array([[0.25, 0.75], [0.0, 1.0]]), abs=1e-6)


def test_scores_far_apart_neither_overflow_nor_vanish():
    scores = np.full((3, 3), -1e9)
    scores[0, 1] = scores[2, 1] = scores[1, 1] = 0.0
    probabilities = phrase_head_probabilities(scores, [(0, 3), (1, 3)])
    assert probabilities[[0, 1, 2], [1, 1, 1]] == pytest.approx([1.0, 1.0, 1.0])


@pytest.mark.parametrize("T", range(2, 6))
def test_probabilities_follow_what_fixed_expressions_make_of_all_trees_of_the_phrases(T):
    rng = np.random.default_rng(T)
    for spans in all_binary(0, T):
        scores = 3 * rng.standard_normal((T, T))
        before = phrase_head_probabilities(scores, spans, False)
        for start, end in spans:
            are_fixed = [start < word < end for word in range(T)]
            expected, total = np.zeros((T, T)), 0.0
            for root, arcs, _ in trees_of_phrases(spans, 0, T):
                heads = [0] * T
                for dependent, head in arcs:
                    heads[dependent] = head + 1
                weight = math.exp(sum(scores[arc] for arc in [*arcs, (root, root)]))
                total += weight
                expected[range(T), columns_of(with_fixed_expressions(heads, are_fixed))] += weight
            assert head_probabilities_with_fixed_expressions(before, are_fixed) == pytest.approx(expected / total)
