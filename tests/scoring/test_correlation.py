import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from synparse.scoring.correlation import correlation_matrix, mean_ranks, spearman

paired = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=30).filter(
    lambda pairs: all(len(set(values)) > 1 for values in zip(*pairs, strict=True))
)


def test_by_hand():
    # One swap among four: ρ = 1 − 6 · 2 / (4 · 15).
    assert spearman([1, 2, 3, 4], [10, 30, 20, 40]) == pytest.approx(0.8)
    assert mean_ranks([7, 7, 7, 1]) == [3, 3, 3, 1]


@given(paired)
def test_both_are_those_of_scipy(pairs):
    first, second = zip(*pairs, strict=True)
    assert spearman(first, second) == pytest.approx(scipy.stats.spearmanr(first, second)[0], abs=1e-12)
    assert mean_ranks(first) == scipy.stats.rankdata(first).tolist()


@given(paired, st.integers(-3, 3).filter(bool), st.integers(-50, 50))
def test_a_line_through_the_values_changes_the_sign_alone(pairs, slope, shift):
    first, second = zip(*pairs, strict=True)
    moved = [slope * value + shift for value in first]
    sign = 1 if slope > 0 else -1
    assert spearman(moved, second) == pytest.approx(sign * spearman(first, second), abs=1e-12)


def test_a_single_value_has_no_correlation_and_other_lengths_are_no_pairs():
    assert spearman([1, 1, 1], [1, 2, 3]) is spearman([1, 2], [3, 3]) is spearman([], []) is spearman([1], [2]) is None
    with pytest.raises(ValueError, match="2 and 3 values make no pairs"):
        spearman([1, 2], [1, 2, 3])


def test_the_matrix_has_the_correlation_of_every_two_columns():
    source = np.random.default_rng(1)
    rows, columns = source.integers(0, 2, (40, 3)), source.random((40, 4), dtype=np.float32)
    columns[:, 2] = 0.1
    matrix = correlation_matrix(rows, columns)
    for r in range(3):
        for k in range(4):
            if k != 2:
                assert matrix[r, k] == pytest.approx(scipy.stats.pearsonr(rows[:, r], columns[:, k])[0])
    assert np.isnan(matrix[:, 2]).all()
    assert np.isnan(correlation_matrix(rows[:0], columns[:0])).all()
