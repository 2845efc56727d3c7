"""What options do by themselves, with options that do what the test says."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.tasks.craft.demonstrations import worlds_of
from synparse.tasks.craft.option_success import correspondence, option_success
from synparse.tasks.craft.worlds import VIEW
from tests.tasks.craft.scripted import scripted

UP, DOWN, LEFT, RIGHT, USE = range(5)

# Wood is above the agent, gold is on its right.
NEAR = ("######", "#.A..#", "#.^B.#", "#....#", "#CD..#", "######")
# Wood is three cells above, gold is on the right.
FARTHER = ("######", "#.A..#", "#....#", "#C...#", "#D^B.#", "######")


def tried(*options, grids=(NEAR,), limit=20):
    return option_success(scripted(*options, inputs=VIEW.size), worlds_of(list(grids)), limit)


def test_the_first_thing_that_is_taken_counts():
    success = tried((UP, USE, False), (RIGHT, USE, False), (LEFT, LEFT, False))
    assert success.rates == ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0))
    assert success.worlds == 1


def test_what_is_taken_after_an_option_is_done_does_not_count():
    never = tried((UP, USE, False), grids=(NEAR, FARTHER))  # in the second world, the fourth action takes it
    assert never.rates == ((1, 0, 0, 0),)
    assert tried((UP, USE, True)).rates == ((0, 0, 0, 0),)  # done before its second action
    assert tried((USE, UP, True)).rates == ((1, 0, 0, 0),)  # it takes the wood first


def test_the_limit_ends_an_option_and_worlds_are_left_alone():
    worlds = worlds_of([NEAR, FARTHER])
    before = worlds.cells.copy()
    options = scripted((UP, USE, False), inputs=VIEW.size)
    rates = [option_success(options, worlds, limit).rates[0][0] for limit in (1, 2, 3, 4)]
    assert rates == [0, 0.5, 0.5, 1]
    np.testing.assert_array_equal(worlds.cells, before)


def test_the_best_assignment_by_hand():
    assignment = correspondence([[0.9, 0.0, 0.1, 0.3], [0.8, 0.0, 0.7, 0.0]], [0, 2, 3])
    assert assignment == ((0, 2), pytest.approx(0.8), 0.8)
    spare = correspondence([[0.1, 0, 0, 0], [0.9, 0, 0, 0], [0, 0, 0.4, 0]], [0, 2])
    assert spare == ((None, 0, 2), pytest.approx(0.65), 0.1)


RATES = st.lists(st.lists(st.floats(0, 1), min_size=4, max_size=4), min_size=1, max_size=4)


@given(RATES, st.sets(st.integers(0, 3), min_size=1))
def test_no_other_assignment_is_better(rates, subtasks):
    assignment = correspondence(rates, sorted(subtasks))
    pairs = min(len(rates), len(subtasks))
    best = max(
        sum(rates[option][subtask] for option, subtask in zip(options, chosen, strict=True))
        for options in permutations(range(len(rates)), pairs)
        for chosen in permutations(subtasks, pairs)
    )
    assert assignment.diagonal == pytest.approx(best / pairs)
    assigned = [place for place in assignment.subtask_of if place is not None]
    assert len(set(assigned)) == len(assigned) == pairs
