import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.span_chart import best_binary_spans


def all_trees(start, end):
    """The spans of two words or more of every binary tree, in pre-order."""
    if end - start == 1:
        yield ()
        return
    for middle in range(start + 1, end):
        for left, right in itertools.product(all_trees(start, middle), all_trees(middle, end)):
            yield ((start, end), *left, *right)


@given(T=st.integers(2, 7), seed=st.integers(0, 999))
def test_the_tree_is_the_best_of_all_binary_trees(T, seed):
    span_scores = np.random.default_rng(seed).normal(size=(T + 1, T + 1))
    best = max(all_trees(0, T), key=lambda spans: sum(span_scores[span] for span in spans))
    assert best_binary_spans(span_scores[None]) == [list(best)]


@given(T=st.integers(1, 9), count=st.integers(0, 5), seed=st.integers(0, 999))
def test_sentences_of_a_batch_do_not_affect_each_other(T, count, seed):
    span_scores = np.random.default_rng(seed).integers(-2, 3, (count, T + 1, T + 1))
    assert best_binary_spans(span_scores) == [best_binary_spans(one[None])[0] for one in span_scores]


@pytest.mark.parametrize("T", [1, 2, 5])
def test_ties_split_further_left(T):
    expected = [(start, T) for start in range(T - 1)] or [(0, 1)]
    assert best_binary_spans(np.zeros((2, T + 1, T + 1))) == [expected] * 2
