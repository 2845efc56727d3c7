import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.calibration import GROUPS, CalibrationMap, fitted_map
from synparse.trees.errors import SettingError


def p(*log_odds):
    return (1 / (1 + np.exp(-np.array(log_odds)))).tolist()


def test_points_are_means_of_groups():
    raw = p(-4, -3, -2, -1, 1, 2, 3, 4)
    right = [False, False, True, False, True, False, True, True]
    assert fitted_map(raw, right, groups=2) == CalibrationMap((-2.5, 2.5), (0.25, 0.75))
    assert fitted_map(raw[::-1], right[::-1], groups=2) == fitted_map(raw, right, groups=2)
    assert fitted_map(raw, right, groups=4) == CalibrationMap((-3.5, -1.5, 1.5, 3.5), (0.0, 0.5, 0.5, 1.0))
    # The second group is more often right than the third, so they share a fraction.
    other = [False, False, True, True, True, False, True, True]
    assert fitted_map(raw, other, groups=4) == CalibrationMap((-3.5, -1.5, 1.5, 3.5), (0.0, 0.75, 0.75, 1.0))
    assert fitted_map(p(-1), [True]) == CalibrationMap((-1.0,), (1.0,))


def test_between_points_are_lines_and_beyond_them_is_nothing_new():
    line = CalibrationMap((-2.0, 2.0), (0.5, 0.9))
    assert line.of([0.0, *p(-2, -1, 2), 1.0]) == pytest.approx([0.5, 0.5, 0.6, 0.9, 0.9])
    assert line.calibrated([None, *p(-1), 1]) == (None, pytest.approx(0.6), 0.9)


def test_probabilities_near_one_are_told_apart():
    raw = 1 - np.array([1e-9, 1e-8, 1e-7, 1e-6])
    assert fitted_map(raw, [True, True, False, False]).of(raw) == pytest.approx([1, 1, 0, 0], abs=1e-3)
    assert fitted_map([1.0, 0.0], [True, False]).of([0.0, 0.5, 1.0]) == pytest.approx([0, 0.5, 1], abs=1e-4)


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]) | st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_a_map_never_falls_and_keeps_the_fraction_that_is_right(items):
    raw, right = zip(*items, strict=True)
    fitted = fitted_map(raw, right)
    assert len(fitted.fitted) <= GROUPS
    assert (np.diff(fitted.of(np.linspace(0, 1, 50))) >= 0).all()
    assert min(fitted.fitted) - 1e-3 <= np.mean(right) <= max(fitted.fitted) + 1e-3


def test_groups_that_fall_share_their_mean():
    """Isotonic regression: of all values that never fall, the nearest to the fractions of the groups."""
    rng = np.random.default_rng(1)
    grid = np.linspace(0, 1, 25)  # fractions of one to three groups of four are on it
    raw = p(*range(12))
    for _ in range(50):
        right = rng.random(12) < 0.5
        fractions = right.reshape(3, 4).mean(1)
        fitted = fitted_map(raw, right, groups=3)
        ours = np.array(fitted.fitted)
        least = min(((values - fractions) ** 2).sum() for values in itertools.combinations_with_replacement(grid, 3))
        assert ((ours - fractions) ** 2).sum() == pytest.approx(least, abs=1e-3)


@pytest.mark.parametrize(
    ("log_odds", "fitted", "reason"),
    [
        ((), (), "one at least"),
        ((0.1, 0.2), (0.5,), "same number"),
        ((0.1,), (1.5,), "probabilities"),
        ((float("nan"),), (0.5,), "probabilities"),
        ((0.2, 0.2), (0.1, 0.2), "must rise"),
        ((0.1, 0.2), (0.3, 0.2), "must not fall"),
    ],
)
def test_points_out_of_order_are_refused(log_odds, fitted, reason):
    with pytest.raises(SettingError, match=reason):
        CalibrationMap(log_odds, fitted)
