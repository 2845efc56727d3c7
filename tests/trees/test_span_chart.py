"""The best trees against all trees of short sentences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.span_chart import best_binary_spans, several_best_trees
from tests.trees.binary_trees import all_binary

pytestmark = pytest.mark.usefixtures("charts")


@given(T=st.integers(2, 7), seed=st.integers(0, 999))
def test_the_tree_is_the_best_of_all_binary_trees(T, seed):
    span_scores = np.random.default_rng(seed).normal(size=(T + 1, T + 1))
    best = max(all_binary(0, T), key=lambda spans: sum(span_scores[span] for span in spans))
    assert best_binary_spans(span_scores[None]) == [list(best)]


@given(T=st.integers(1, 9), count=st.integers(0, 5), seed=st.integers(0, 999))
def test_sentences_of_a_batch_do_not_affect_each_other(T, count, seed):
    span_scores = np.random.default_rng(seed).integers(-2, 3, (count, T + 1, T + 1))
    assert best_binary_spans(span_scores) == [best_binary_spans(sentence[None])[0] for sentence in span_scores]


@pytest.mark.parametrize("T", [1, 2, 5])
def test_ties_split_further_left(T):
    expected = [(start, T) for start in range(T - 1)] or [(0, 1)]
    assert best_binary_spans(np.zeros((2, T + 1, T + 1))) == [expected] * 2


@pytest.mark.parametrize("T", range(1, 8))
@pytest.mark.parametrize("count", [1, 2, 7, 40])
def test_they_are_the_best_of_all(T, count):
    scores = np.random.default_rng(T + count).standard_normal((T + 1, T + 1))
    every = sorted(((sum(scores[span] for span in tree), tree) for tree in all_binary(0, T)), reverse=True)[:count]
    trees = several_best_trees(scores, count)
    assert [tree.score for tree in trees] == pytest.approx([score for score, _ in every])
    if T > 1:
        assert [tuple(tree.spans) for tree in trees] == [tree for _, tree in every]


def test_one_word_has_one_tree():
    assert several_best_trees(np.zeros((2, 2)), 5) == [([(0, 1)], 0.0)]


@pytest.mark.parametrize("T", [3, 6])
def test_equal_trees_are_distinct_and_the_first_is_that_of_the_chart(T):
    """Whole numbers have many ties."""
    for seed in range(20):
        scores = np.random.default_rng(seed).integers(0, 2, (T + 1, T + 1)).astype(float)
        trees = several_best_trees(scores, 100)
        assert trees[0].spans == best_binary_spans(scores[None])[0]
        assert len({tuple(tree.spans) for tree in trees}) == len(all_binary(0, T))
        assert [tree.score for tree in trees] == sorted((tree.score for tree in trees), reverse=True)
