"""A demonstrator that does a task by shortest paths: to each thing in turn, the nearest of its kind.

It goes straight on where that is a shortest path too, so that what it does can be foreseen from what it sees.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from synparse.tasks.craft.subtasks import USE
from synparse.tasks.craft.worlds import MARGIN, Numbers, Worlds, beside, offsets, step

FAR = 1 << 20
"""More actions than any path has."""


class DemonstratorActions(NamedTuple):
    """What was done in each of N worlds: actions [N, T], −1 after the last; ends [N, subtasks]: the number of actions
    after which each subtask was done."""

    actions: Numbers
    ends: Numbers


def demonstrate(worlds: Worlds, task: tuple[int, ...]) -> DemonstratorActions:
    """Do ``task``, the codes of the things to take, in each world. The worlds are left as they were."""
    worlds = worlds.chosen(np.arange(len(worlds)))
    N = len(worlds)
    done = np.zeros(N, int)
    rounds: list[tuple[Numbers, Numbers, Numbers]] = []  # which worlds, at which of their steps, did what
    ends = []
    for thing in task:
        away = distances(worlds, thing)
        acting = np.arange(N)
        while len(acting):
            actions = next_actions(worlds, thing, away, acting)
            rounds.append((acting, done[acting], actions))
            done[acting] += 1
            acting = acting[step(worlds, actions, acting) != thing]
        ends.append(done.copy())
    out = np.full((N, done.max()), -1)
    for acting, at, actions in rounds:
        out[acting, at] = actions
    return DemonstratorActions(out, np.stack(ends, 1))


def distances(worlds: Worlds, thing: int) -> Numbers:
    """Of each cell [N, R · R], the fewest actions until the agent has taken a thing of this kind, if it is in this cell
    and does not face one; `FAR` where it cannot."""
    N, R = len(worlds), worlds.rows
    grid = slice(MARGIN, R - MARGIN)
    cells = worlds.cells.reshape(N, R, R)[:, grid, grid]
    inner = slice(1, -1)
    sides = [(slice(None, -2), inner), (slice(2, None), inner), (inner, slice(None, -2)), (inner, slice(2, None))]
    target, empty = cells == thing, cells == 0
    away = np.where(beside(target) & empty, 2, FAR)  # turn to it, and take it
    while True:
        nearer = away.copy()
        for direction, (rows, columns) in enumerate(sides):
            # having moved there, it takes one action less where it faces the thing
            there = np.where(_faces(target, direction), 1, away)[:, rows, columns]
            np.minimum(nearer[:, inner, inner], there + 1, out=nearer[:, inner, inner], where=empty[:, rows, columns])
        nearer[~empty] = FAR
        if np.array_equal(nearer, away):
            out = np.full((N, R, R), FAR)
            out[:, grid, grid] = away
            return out.reshape(N, -1)
        away = nearer


def _faces(target: Numbers, direction: int) -> Numbers:
    """Whether the cell ahead in a direction is a target [N, R, R]. The edge is wall, so what wraps is none."""
    axis, shift = ((1, 1), (1, -1), (2, 1), (2, -1))[direction]
    return np.roll(target, shift, axis)


def next_actions(worlds: Worlds, thing: int, away: Numbers, acting: Numbers) -> Numbers:
    """The next action of each of the ``acting`` agents on a shortest path to a thing of this kind."""
    position, facing = worlds.position[acting], worlds.facing[acting]
    ahead = position[:, None] + offsets(worlds.rows)  # [N, 4]
    who = acting[:, None]
    contents = worlds.cells[who, ahead]
    beyond = worlds.cells[who, ahead + offsets(worlds.rows)]
    after_move = np.where(beyond == thing, 1, away[who, ahead])
    cost = np.where(contents == 0, after_move, np.where(contents == thing, 1, FAR)) * 2
    cost[np.arange(len(acting)), facing] -= 1  # of equal ones, straight on
    return np.where(contents[np.arange(len(acting)), facing] == thing, USE, cost.argmin(1))
