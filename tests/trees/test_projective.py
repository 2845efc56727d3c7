import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.dependency import is_projective
from synparse.trees.projective import projective_heads
from synparse.trees.spanning_tree import maximum_spanning_heads
from tests.trees.dependency_trees import is_tree, score_of


@given(st.integers(1, 25), st.integers(0, 2**32 - 1))
def test_heads_are_a_projective_tree_and_score_at_most_the_maximum_spanning_tree(count, seed):
    scores = np.random.default_rng(seed).normal(size=(count, count))
    heads, best = projective_heads(scores), maximum_spanning_heads(scores)
    assert is_tree(heads)
    assert is_projective(heads)
    assert score_of(heads, scores) <= score_of(best, scores) + 1e-9
    if is_projective(best):
        assert score_of(heads, scores) == pytest.approx(score_of(best, scores))


def test_a_planted_projective_tree_is_found():
    heads = (2, 5, 4, 2, 0, 5, 6)
    scores = np.full((7, 7), -3.0)
    for word, head in enumerate(heads):
        scores[word, head - 1 if head else word] = -0.1
    assert projective_heads(scores) == heads


def test_impossible_heads_and_no_words():
    assert is_tree(projective_heads(np.full((5, 5), -np.inf)))
    assert projective_heads(np.zeros((0, 0))) == ()


def test_tables_are_filled_one_width_at_a_time(lines_run):
    short, long = (np.random.default_rng(0).normal(size=(count, count)) for count in (100, 200))
    assert is_projective(projective_heads(long))
    assert lines_run(lambda: projective_heads(long)) < 2.2 * lines_run(lambda: projective_heads(short))
