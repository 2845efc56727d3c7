"""Rows by hand."""

import numpy as np

from synparse.tasks.craft.learning_log import FinishedEpisodes, row


def test_a_row_tells_means_of_the_episodes_that_ended_and_nothing_where_there_are_none():
    finished = FinishedEpisodes(np.array([2.0, 0.0]), np.array([True, False]), np.array([4, 12]), np.array([2, 5]))
    assert row(100, 7, finished, 0.5) == (100, 9, 1.0, 0.5, 8.0, 3.5, 0.5)
    assert row(100, 7, FinishedEpisodes(*(column[:0] for column in finished)), 0.5) == (
        100,
        7,
        None,
        None,
        None,
        None,
        0.5,
    )
