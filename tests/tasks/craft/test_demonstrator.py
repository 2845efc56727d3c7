"""Demonstrations are shortest paths: a search over positions and directions is the oracle."""

from collections import deque

import numpy as np
import pytest

from synparse.tasks.craft.demonstrations import worlds_of
from synparse.tasks.craft.demonstrator import FAR, demonstrate, distances
from synparse.tasks.craft.subtasks import ACTIONS, USE, WALL
from synparse.tasks.craft.worlds import generate, offsets, step

GRID = ("######", "#....#", "#..#A#", "#C.>.#", "#..D.#", "######")


def fewest(worlds, index, thing, facing):
    """Actions until the agent has taken a thing of this kind, by breadth-first search."""
    cells, moves = worlds.cells[index], offsets(worlds.rows)
    start = (int(worlds.position[index]), facing)
    depths = {start: 0}
    queue = deque([start])
    while queue:
        position, facing = queue.popleft()
        depth = depths[position, facing]
        if facing is not None and cells[position + moves[facing]] == thing:
            return depth + 1
        for direction, move in enumerate(moves.tolist()):
            state = (position + move if cells[position + move] == 0 else position, direction)
            if state not in depths:
                depths[state] = depth + 1
                queue.append(state)
    raise AssertionError("out of reach")


def test_a_demonstration_by_hand():
    done = demonstrate(worlds_of([GRID]), (1, 3))
    assert "".join(ACTIONS[action] for action in done.actions[0]) == "ruxllx"
    assert done.ends.tolist() == [[3, 6]]


def test_it_goes_straight_on_where_that_is_as_short():
    grid = ("######", "#>...#", "#....#", "#....#", "#...A#", "######")
    [actions] = demonstrate(worlds_of([grid]), (1,)).actions
    assert "".join(ACTIONS[action] for action in actions) == "rrrddx"


@pytest.mark.parametrize(("task", "things"), [((1, 3), 1), ((4, 3, 1), 2), ((2, 2), 2)])
def test_each_subtask_is_done_by_a_shortest_path(task, things):
    worlds = generate(30, 8, things, 4, np.random.default_rng(sum(task)))
    before = worlds.cells.copy()
    done = demonstrate(worlds, task)
    np.testing.assert_array_equal(worlds.cells, before)
    for index in range(30):
        world, at = worlds.chosen(np.array([index])), 0
        for thing, end in zip(task, done.ends[index], strict=True):
            assert end - at == fewest(world, 0, thing, int(world.facing[0]))
            took = [int(step(world, done.actions[index, t : t + 1])[0]) for t in range(at, end)]
            assert took == [0] * (end - at - 1) + [thing]
            at = end
        assert (done.actions[index, at:] == -1).all()
        assert done.actions[index, at - 1] == USE


def test_distances_are_those_of_the_search_from_every_cell():
    worlds = generate(6, 7, 1, 3, np.random.default_rng(3))
    for thing in (1, 4):
        away = distances(worlds, thing)
        for index in range(6):
            for cell in np.flatnonzero(worlds.cells[index] == 0)[::3]:
                moved = worlds.chosen(np.array([index]))
                moved.position[0] = cell
                if away[index, cell] < FAR:
                    assert away[index, cell] == fewest(moved, 0, thing, None)
            assert (away[index][worlds.cells[index] == WALL] == FAR).all()
