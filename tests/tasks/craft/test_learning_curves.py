"""Rows and curves by hand."""

import numpy as np
import pytest

from synparse.tasks.craft.learning_curves import Finished, Row, learning_curve, row


def test_a_row_tells_means_of_the_episodes_that_ended_and_nothing_where_there_are_none():
    finished = Finished(np.array([2.0, 0.0]), np.array([True, False]), np.array([4, 12]), np.array([2, 5]))
    assert row(100, 7, finished, 0.5) == (100, 9, 1.0, 0.5, 8.0, 3.5, 0.5)
    assert row(100, 7, Finished(*(column[:0] for column in finished)), 0.5) == (100, 7, None, None, None, None, 0.5)


def log_of(*rows):
    return [Row(steps, episodes, mean_return, None, None, None, 0.0) for steps, episodes, mean_return in rows]


def test_a_point_is_the_mean_of_the_runs_of_the_mean_of_the_episodes_of_a_window():
    first = log_of((60, 1, 1.0), (100, 4, 0.0), (101, 4, None), (160, 6, 0.5))
    second = log_of((90, 2, 0.75), (180, 2, None))
    (early, late) = learning_curve([first, second], window=100)
    assert early == (100, 2, 0.5, pytest.approx(np.std([0.25, 0.75], ddof=1)))
    assert late == (200, 1, 0.5, None)


def test_runs_without_episodes_have_no_curve():
    assert learning_curve([log_of((60, 0, None))], window=50) == []
    assert learning_curve([], window=50) == []
