"""Probabilities of arcs against all trees of short sentences."""

import itertools
import math

import numpy as np
import pytest

from synparse.trees.head_probabilities import phrase_head_probabilities, word_head_probabilities
from synparse.trees.heads import phrase_heads
from tests.trees.binary_trees import all_binary


def of_phrases(spans, start, end):
    """Each choice of heads in a constituent: its head, its arcs, and the sizes of the parts with dependents."""
    if end - start == 1:
        return [(start, (), ())]
    inner = [(one, other) for one, other in spans if start <= one and other <= end and (one, other) != (start, end)]
    middle = next(gap for gap in range(start + 1, end) if not any(one < gap < other for one, other in inner))
    found = []
    for one, other in itertools.product(of_phrases(spans, start, middle), of_phrases(spans, middle, end)):
        arcs, sizes = one[1] + other[1], one[2] + other[2]
        found.append((one[0], (*arcs, (other[0], one[0])), (*sizes, end - middle)))
        found.append((other[0], (*arcs, (one[0], other[0])), (*sizes, middle - start)))
    return found


@pytest.mark.parametrize("T", range(1, 6))
@pytest.mark.parametrize("with_prior", [False, True])
def test_heads_of_phrases_are_weighed_by_their_scores(T, with_prior):
    rng = np.random.default_rng(T)
    for spans in all_binary(0, T):
        scores = 3 * rng.standard_normal((T, T))
        expected, total, best = np.zeros((T, T)), 0.0, (-math.inf, None)
        for root, arcs, sizes in of_phrases(spans, 0, T):
            arcs = [*arcs, (root, root)]
            score = sum(scores[arc] for arc in arcs) + with_prior * sum(map(math.log, sizes))
            total += math.exp(score)
            for arc in arcs:
                expected[arc] += math.exp(score)
            best = max(best, (score, arcs))
        spans = spans or [(0, 1)]
        found = phrase_head_probabilities(scores, spans, with_prior)
        assert found == pytest.approx(expected / total)
        assert found.sum(1) == pytest.approx(np.ones(T))
        # The same choices as the decoder's.
        heads = phrase_heads(scores, spans, with_prior)
        assert {(word, head - 1 if head else word) for word, head in enumerate(heads)} == set(best[1])


def test_words_alone_have_the_softmax_of_their_heads():
    scores = np.array([[0.0, math.log(3)], [-math.inf, 5.0]])
    assert word_head_probabilities(scores) == pytest.approx(np.array([[0.25, 0.75], [0.0, 1.0]]), abs=1e-6)


def test_scores_far_apart_neither_overflow_nor_vanish():
    scores = np.full((3, 3), -1e9)
    scores[0, 1] = scores[2, 1] = scores[1, 1] = 0.0
    found = phrase_head_probabilities(scores, [(0, 3), (1, 3)])
    assert found[[0, 1, 2], [1, 1, 1]] == pytest.approx([1.0, 1.0, 1.0])
