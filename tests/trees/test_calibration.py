import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.calibration import GROUPS, CalibrationMap, fitted_map
from synparse.trees.errors import SettingError


def test_points_are_means_of_groups():
    raw = [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9]
    right = [False, False, True, False, True, False, True, True]
    assert fitted_map(raw, right, groups=2) == CalibrationMap((0.25, 0.75), (0.25, 0.75))
    assert fitted_map(raw[::-1], right[::-1], groups=2) == fitted_map(raw, right, groups=2)
    # Of the four groups, the third is as often right as the second, so they are joined.
    assert fitted_map(raw, right, groups=4) == CalibrationMap((0.15, 0.5, 0.85), (0.0, 0.5, 1.0))
    assert fitted_map([0.3], [True]) == CalibrationMap((0.3,), (1.0,))


def test_between_points_are_lines_and_beyond_them_is_nothing_new():
    line = CalibrationMap((0.2, 0.4), (0.5, 0.9))
    assert line.of([0.0, 0.2, 0.25, 0.4, 1.0]) == pytest.approx([0.5, 0.5, 0.6, 0.9, 0.9])
    assert line.of_known([None, 0.25, 1]) == (None, pytest.approx(0.6), 0.9)


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]) | st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_a_map_never_falls_and_keeps_the_fraction_that_is_right(items):
    raw, right = zip(*items, strict=True)
    found = fitted_map(raw, right)
    assert len(found.raw) <= GROUPS
    assert (np.diff(found.of(np.linspace(0, 1, 50))) >= 0).all()
    assert min(found.fitted) - 1e-5 <= np.mean(right) <= max(found.fitted) + 1e-5


def test_groups_that_fall_share_their_mean():
    """Isotonic regression: of all values that never fall, the nearest to the fractions of the groups."""
    rng = np.random.default_rng(1)
    grid = np.linspace(0, 1, 13)  # fractions of one to four groups of four are near these or on them
    for _ in range(30):
        raw, right = np.linspace(0.1, 0.9, 12), rng.random(12) < 0.5
        fractions = right.reshape(3, 4).mean(1)
        found = fitted_map(raw, right, groups=3)
        # A pool lies in the middle of its groups, whose centres are 0.209…, 0.5 and 0.791….
        centres = raw.reshape(3, 4).mean(1)
        pools = {1: [[0, 1, 2]], 2: [[0, 1], [2]] if found.raw[0] > centres[0] + 1e-3 else [[0], [1, 2]]}
        groups = pools.get(len(found.raw), [[0], [1], [2]])
        ours = np.repeat(found.fitted, [len(pool) for pool in groups])
        best = min(itertools.combinations_with_replacement(grid, 3), key=lambda one: ((one - fractions) ** 2).sum())
        assert ((ours - fractions) ** 2).sum() <= ((best - fractions) ** 2).sum() + 1e-6


@pytest.mark.parametrize(
    ("raw", "fitted", "reason"),
    [
        ((), (), "one at least"),
        ((0.1, 0.2), (0.5,), "same number"),
        ((0.1,), (1.5,), "probabilities"),
        ((float("nan"),), (0.5,), "probabilities"),
        ((0.2, 0.2), (0.1, 0.2), "must rise"),
        ((0.1, 0.2), (0.3, 0.2), "must not fall"),
    ],
)
def test_points_out_of_order_are_refused(raw, fitted, reason):
    with pytest.raises(SettingError, match=reason):
        CalibrationMap(raw, fitted)
