"""The grid world: small grids by hand, and what must hold of random ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.tasks.craft.demonstrations import grids_of, worlds_of
from synparse.tasks.craft.subtasks import ACTIONS, WALL
from synparse.tasks.craft.worlds import MARGIN, VIEW, View, generate, joined, observe, reachable, step
from synparse.trees.errors import SettingError

GRID = ("#####", "#.AC#", "#..D#", "#>.B#", "#####")


def done(grid, actions):
    """The grids after each action, what each took, and the inventory at the end."""
    worlds, grids, taken = worlds_of([grid]), [], []
    for letter in actions:
        taken.append(int(step(worlds, np.array([ACTIONS.index(letter)]))[0]))
        grids.append(grids_of(worlds)[0][1:4])
    return grids, taken, worlds.inventory[0].tolist()


def test_a_move_turns_and_goes_where_the_next_cell_is_empty():
    grids, taken, _ = done(GRID, "rruul")
    assert grids == [
        ("#.AC#", "#..D#", "#.>B#"),
        ("#.AC#", "#..D#", "#.>B#"),  # gold is in the way
        ("#.AC#", "#.^D#", "#..B#"),
        ("#.AC#", "#.^D#", "#..B#"),  # wood is
        ("#.AC#", "#<.D#", "#..B#"),
    ]
    assert taken == [0] * 5


def test_use_takes_the_thing_ahead_and_nothing_else():
    grids, taken, inventory = done(GRID, "xrxxrldxux")
    assert taken == [0, 0, 2, 0, 0, 0, 0, 0, 0, 1]  # not the wall below
    assert grids[3][2] == "#.>.#"
    assert inventory == [1, 1, 0, 0]


def test_some_worlds_act_and_the_others_stay():
    worlds = worlds_of([GRID, GRID, GRID])
    before = grids_of(worlds)
    step(worlds, np.array([ACTIONS.index("u")]), np.array([1]))
    after = grids_of(worlds)
    assert [after[0], after[2]] == [before[0], before[2]]
    assert after[1][2:4] == ("#^.D#", "#..B#")


def test_an_observation_by_hand():
    """Three cells around the agent, one block of three around it."""
    view = View(3, 1)
    assert view.size == (9 + 1) * 5 + 4 + 4 == observe(worlds_of([GRID]), view).shape[1]
    worlds = worlds_of([GRID])
    for letter in "rux":  # to the middle, facing wood, and takes it
        step(worlds, np.array([ACTIONS.index(letter)]))
    seen = observe(worlds, view)[0]
    kinds = [[], [], [3], [], [], [4], [], [], [2]]  # iron, grass and gold on the right
    expected = [int(code in here) for here in [*kinds, [2, 3, 4]] for code in range(1, WALL + 1)]
    assert seen.tolist() == [*expected, 1, 0, 0, 0, 1, 0, 0, 0]


def test_walls_are_seen_beyond_the_edge():
    seen = observe(worlds_of([GRID]), View(15, 0))[0, : 15 * 15 * WALL].reshape(15, 15, WALL)
    outside = np.ones((15, 15), bool)
    outside[5:8, 7:10] = False  # the agent, in the middle, is in the lower left corner
    assert (seen[..., WALL - 1].astype(bool) == outside).all()


def test_the_far_window_is_the_near_one_in_blocks():
    worlds = generate(20, 10, 2, 4, np.random.default_rng(0))
    near = observe(worlds, View(15, 0))[:, : 15 * 15 * WALL].reshape(20, 5, 3, 5, 3, WALL)
    far = observe(worlds, View(1, 5))[:, WALL : WALL + 25 * WALL].reshape(20, 5, 5, WALL)
    np.testing.assert_array_equal(near.max((2, 4)), far)


@given(st.integers(6, 12), st.integers(1, 2), st.integers(0, 5), st.integers(0, 9))
def test_random_worlds_have_what_was_asked_for_within_reach(size, things, walls, seed):
    if walls + 4 * things + 1 > (size - 2) ** 2 // 2:
        return
    worlds = generate(10, size, things, walls, np.random.default_rng(seed))
    inner = [[row[1:-1] for row in grid[1:-1]] for grid in grids_of(worlds)]
    for rows in inner:
        cells = "".join(rows)
        assert [cells.count(letter) for letter in "ABCD#"] == [things] * 4 + [walls]
        assert sum(cells.count(agent) for agent in "^v<>") == 1
    assert reachable(worlds).all()
    assert worlds.rows == size + 2 * MARGIN
    assert not worlds.inventory.any()


def test_what_cannot_be_reached():
    closed = ("######", "#A#..#", "##.CD#", "#..B.#", "#>...#", "######")
    opened = ("######", "#A...#", "##.CD#", "#..B.#", "#>...#", "######")
    assert reachable(worlds_of([closed, opened])).tolist() == [False, True]


def test_the_same_seed_gives_the_same_worlds():
    first, again, other = (grids_of(generate(5, 8, 1, 2, np.random.default_rng(seed))) for seed in (1, 1, 2))
    assert first == again != other


def test_parts_are_joined_and_chosen_as_copies():
    worlds = generate(4, 8, 1, 2, np.random.default_rng(0))
    both = joined([worlds.chosen(np.array([2])), worlds.chosen(np.array([0, 1]))])
    assert grids_of(both) == [grids_of(worlds)[n] for n in (2, 0, 1)]
    before = worlds.cells.copy()
    both.cells[:] = 0
    np.testing.assert_array_equal(worlds.cells, before)


@pytest.mark.parametrize(
    ("size", "things", "walls", "message"),
    [
        (3, 1, 0, "has 4 to 64 rows"),
        (65, 1, 0, "not 65"),
        (6, 2, 0, "too many for a grid of 6 rows"),
        (10, 7, 3, "3 walls and 7 of each thing leave no way to some of them"),
    ],
)
def test_more_than_fits_is_told(size, things, walls, message):
    with pytest.raises(SettingError, match=message):
        generate(1, size, things, walls, np.random.default_rng(0))


def test_the_default_view():
    assert VIEW.size == 258
