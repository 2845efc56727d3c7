"""The grid world of Craft, many grids at once (Andreas, Klein, Levine: Modular Multitask Reinforcement Learning with
Policy Sketches, 2017).

An agent goes about between walls and takes things. An action in a direction turns the agent that way, and moves it
where the cell ahead is empty; ``use`` takes the thing in the cell ahead, which is empty from then on.

Glossary
    N grids; R rows of a grid, with `MARGIN` rows of wall on each side, so that no window leaves it
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeAlias

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from synparse.tasks.craft.subtasks import SUBTASKS, USE, WALL
from synparse.trees.errors import SettingError

Numbers: TypeAlias = NDArray[Any]

THINGS = len(SUBTASKS)

BLOCK = 3
"""Rows and columns of a block of the far window."""

WIDEST = BLOCK * 5
"""Cells across the widest window."""

MARGIN = WIDEST // 2 - 1
"""Rows of wall outside of the outer walls: with these, as many as the widest window reaches."""

SMALLEST, LARGEST = 4, 64
"""Rows that a grid may have, its outer walls included."""

REPEATS = 20_000
"""After this many worlds in a row in which some thing is out of reach, there is assumed to be no other."""

FLAGS = np.array([0] + [1 << kind for kind in range(WALL)], np.uint8)
"""A bit for each kind, by code: what is in a block is the sum of its cells."""


@dataclass(frozen=True)
class Worlds:
    """N grids, which `step` changes in place.

    cells [N, R · R]: codes of what is there; position [N]: of the agent, an index into the cells; facing [N]: one of
    the first four actions; inventory [N, things]: how many it has taken.
    """

    cells: Numbers
    position: Numbers
    facing: Numbers
    inventory: Numbers

    def __len__(self) -> int:
        return len(self.position)

    @property
    def rows(self) -> int:
        """R."""
        return int(self.cells.shape[1] ** 0.5 + 0.5)

    def chosen(self, indices: Numbers) -> Worlds:
        """A copy of some of them."""
        return Worlds(*(array[indices] for array in vars(self).values()))

    def put(self, indices: Numbers, others: Worlds) -> None:
        """Put others in the places of some of them."""
        for array, new in zip(vars(self).values(), vars(others).values(), strict=True):
            array[indices] = new


@dataclass(frozen=True)
class View:
    """What an agent sees: the ``near`` × ``near`` cells around it, each with its thing or wall; and of the ``far`` ×
    ``far`` blocks around it, of 3 × 3 cells each, which kinds are in them; 0 blocks are none.

    Neither window is more than `WIDEST` cells wide. Raises SettingError where the agent is not in the middle of both.
    """

    near: Annotated[int, Meta(ge=1, le=WIDEST)] = 5
    far: Annotated[int, Meta(ge=0, le=WIDEST // BLOCK)] = 5

    def __post_init__(self) -> None:
        if self.near % 2 == 0 or (self.far and self.far % 2 == 0):
            raise SettingError(f"near and far are odd, so that the agent is in the middle; not {self.near}, {self.far}")

    @property
    def size(self) -> int:
        """Numbers of an observation: the two windows, the directions that it may face, and its inventory."""
        return (self.near**2 + self.far**2) * WALL + 4 + THINGS


VIEW = View()


def offsets(rows: int) -> Numbers:
    """How a position changes with each of the four directions."""
    return np.array([-rows, rows, -1, 1])


def step(worlds: Worlds, actions: Numbers, chosen: Numbers | None = None) -> Numbers:
    """Do an action [N] in each world, or in the ``chosen`` ones, and return what each took [N]: a code, or 0."""
    who = np.arange(len(worlds)) if chosen is None else chosen
    moves = actions != USE
    facing = np.where(moves, actions, worlds.facing[who])
    position = worlds.position[who]
    ahead = position + offsets(worlds.rows)[facing]
    contents = worlds.cells[who, ahead]
    worlds.facing[who] = facing
    worlds.position[who] = np.where(moves & (contents == 0), ahead, position)
    taken = np.where(moves | (contents == WALL), 0, contents)
    takers = np.flatnonzero(taken)
    worlds.cells[who[takers], ahead[takers]] = 0
    worlds.inventory[who[takers], taken[takers] - 1] += 1
    return taken


def observe(worlds: Worlds, view: View = VIEW) -> Numbers:
    """What each agent sees [N, `View.size`]: of the near cells, then of the far blocks, row by row, whether each kind
    is there; where the agent faces; its inventory."""
    window, blocks = _windows(worlds.rows, view)
    N = len(worlds)
    base = (np.arange(N) * worlds.cells.shape[1] + worlds.position)[:, None]
    flags = FLAGS[worlds.cells.ravel()[base + window]]  # [N, near²]
    if view.far:
        seen = FLAGS[worlds.cells.ravel()[base + blocks]].reshape(N, view.far**2, BLOCK**2)
        flags = np.concatenate([flags, np.bitwise_or.reduce(seen, 2)], 1)
    kinds = np.unpackbits(flags[..., None], axis=2, count=WALL, bitorder="little").reshape(N, flags.shape[1] * WALL)
    return np.concatenate([kinds, np.eye(4, dtype=np.uint8)[worlds.facing], worlds.inventory], 1)


@cache
def _windows(rows: int, view: View) -> tuple[Numbers, Numbers]:
    """Offsets of the near cells [near²], and of the cells of the far blocks, block by block [far² · 9]."""
    near = np.arange(view.near) - view.near // 2
    far = np.arange(view.far * BLOCK) - view.far * BLOCK // 2
    cells = (far[:, None] * rows + far).reshape(view.far, BLOCK, view.far, BLOCK)
    return (near[:, None] * rows + near).ravel(), cells.swapaxes(1, 2).ravel()


def generate(count: int, size: int, things: int, walls: int, random: np.random.Generator) -> Worlds:
    """Random worlds of ``size`` × ``size`` cells, the outer walls included, with so many things of each kind and inner
    walls; every thing can be reached. Raises SettingError for more than fits, or so much that no way is left."""
    inner = (size - 2) ** 2
    if not SMALLEST <= size <= LARGEST:
        raise SettingError(f"a grid has {SMALLEST} to {LARGEST} rows, its outer walls included; not {size}")
    if walls + things * THINGS + 1 > inner // 2:
        raise SettingError(
            f"{walls} walls and {things} of each of {THINGS} things are too many for a grid of {size} rows:"
            f" they may fill half of its {inner} inner cells"
        )
    codes = np.zeros(inner, np.uint8)
    codes[:walls] = WALL
    codes[walls : walls + things * THINGS] = np.repeat(np.arange(1, WALL), things)
    R = size + 2 * MARGIN
    parts, left, repeats = [], count, 0
    while left:
        order = random.permuted(np.broadcast_to(np.arange(inner), (left, inner)), axis=1)
        contents = np.empty((left, inner), np.uint8)
        np.put_along_axis(contents, order, np.broadcast_to(codes, order.shape), 1)
        facing = random.integers(0, 4, left)
        start = order[:, -1]  # an empty cell: things and walls fill at most half
        cells = np.full((left, R, R), WALL, np.uint8)
        edge = MARGIN + 1
        cells[:, edge:-edge, edge:-edge] = contents.reshape(left, size - 2, size - 2)
        position = (start // (size - 2) + edge) * R + start % (size - 2) + edge
        inventory = np.zeros((left, THINGS), np.uint8)
        drawn = Worlds(cells.reshape(left, -1), position, facing, inventory)
        parts.append(drawn.chosen(np.flatnonzero(reachable(drawn))))
        repeats = 0 if len(parts[-1]) else repeats + left
        if repeats >= REPEATS:
            raise SettingError(f"{walls} walls and {things} of each thing leave no way to some of them: place fewer")
        left -= len(parts[-1])
    return joined(parts)


def joined(parts: list[Worlds]) -> Worlds:
    """All the worlds of several parts, of one size."""
    return Worlds(*map(np.concatenate, zip(*(vars(part).values() for part in parts), strict=True)))


def reachable(worlds: Worlds) -> Numbers:
    """Whether each agent can take every thing of its world [N], the others being in the way."""
    N, R = len(worlds), worlds.rows
    cells = worlds.cells.reshape(N, R, R)
    reached = np.zeros((N, R, R), bool)
    reached.reshape(N, -1)[np.arange(N), worlds.position] = True
    empty = cells == 0
    while True:
        wider = beside(reached) & empty | reached
        if np.array_equal(wider, reached):
            out: Numbers = (beside(reached) | (cells == 0) | (cells == WALL)).all((1, 2))
            return out
        reached = wider


def beside(cells: Numbers) -> Numbers:
    """Which cells have a neighbour in ``cells`` [N, R, R], of those that are not on the edge."""
    out = np.zeros_like(cells)
    inner = slice(1, -1)
    out[:, inner, inner] = cells[:, :-2, inner] | cells[:, 2:, inner] | cells[:, inner, :-2] | cells[:, inner, 2:]
    return out
