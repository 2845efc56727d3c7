"""The best trees against all trees of short sentences."""

import numpy as np
import pytest

from synparse.trees.several_best import several_best_trees
from synparse.trees.span_chart import best_binary_spans
from tests.trees.binary_trees import all_binary


@pytest.mark.parametrize("T", range(1, 8))
@pytest.mark.parametrize("count", [1, 2, 7, 40])
def test_they_are_the_best_of_all(T, count):
    scores = np.random.default_rng(T + count).standard_normal((T + 1, T + 1))
    every = sorted(((sum(scores[span] for span in tree), tree) for tree in all_binary(0, T)), reverse=True)[:count]
    found = several_best_trees(scores, count)
    assert [tree.score for tree in found] == pytest.approx([score for score, _ in every])
    if T > 1:
        assert [tuple(tree.spans) for tree in found] == [tree for _, tree in every]


def test_one_word_has_one_tree():
    assert several_best_trees(np.zeros((2, 2)), 5) == [([(0, 1)], 0.0)]


@pytest.mark.parametrize("T", [3, 6])
def test_equal_trees_are_distinct_and_the_first_is_that_of_the_chart(T):
    """Whole numbers have many ties."""
    for seed in range(20):
        scores = np.random.default_rng(seed).integers(0, 2, (T + 1, T + 1)).astype(float)
        found = several_best_trees(scores, 100)
        assert found[0].spans == best_binary_spans(scores[None])[0]
        assert len({tuple(tree.spans) for tree in found}) == len(all_binary(0, T))
        assert [tree.score for tree in found] == sorted((tree.score for tree in found), reverse=True)
