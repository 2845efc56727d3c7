"""Demonstrations: a task, what an agent did, and the grid that it began in. They do not tell where subtasks end.

As a line of a file: the task, the letters of the actions, and the rows of the grid with slashes between them, separated
by tabs. In a grid, ``#`` is a wall, ``.`` is empty, a letter is the thing of that subtask, and the agent is ``^``,
``v``, ``<`` or ``>``, as it faces. What the agent saw follows from these: `replay` does the actions again.

The true ends of the subtasks are written to a file of their own, a line for each demonstration: the task, a tab, and
the numbers of actions after which each subtask was done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.files.streams import read_lines
from synparse.tasks.craft.demonstrator import demonstrate
from synparse.tasks.craft.subtasks import ACTIONS, SUBTASKS, USE, parse_task
from synparse.tasks.craft.worlds import LARGEST, MARGIN, SMALLEST, THINGS, VIEW, View, Worlds, generate, observe, step
from synparse.trees.errors import DataError, SettingError

Numbers = NDArray[Any]

SYMBOLS = "." + SUBTASKS + "#"
"""Of each code of a cell."""

AGENT = "^v<>"
"""The agent, by where it faces."""

PART = 2000
"""Demonstrations that are made at once."""


class Demonstration(NamedTuple):
    """A task, the letters of its actions, and the rows of the grid at its beginning."""

    task: str
    actions: str
    grid: tuple[str, ...]


class Steps(NamedTuple):
    """What was seen and done at each step of all demonstrations, one after the other: observations [S, `View.size`],
    actions [S]; offsets [B + 1]: where each demonstration begins, and the end."""

    observations: Numbers
    actions: Numbers
    offsets: Numbers

    @property
    def lengths(self) -> Numbers:
        """Actions of each demonstration [B]."""
        return np.diff(self.offsets)


def demonstrations(
    task: str, count: int, size: int, things: int, walls: int, seed: int
) -> Iterator[tuple[Demonstration, tuple[int, ...]]]:
    """So many demonstrations of a task in random worlds (`generate`), each with the true ends of its subtasks. Those of
    a task are the same whatever others are made. Raises SettingError for a task that takes more than there is."""
    codes = parse_task(task)
    for code in set(codes):
        if codes.count(code) > things:
            raise SettingError(
                f"task {task} takes {codes.count(code)} of {SUBTASKS[code - 1]}, but there are {things} of each thing"
            )
    random = np.random.default_rng((seed, *codes))
    for start in range(0, count, PART):
        worlds = generate(min(PART, count - start), size, things, walls, random)
        grids = grids_of(worlds)
        done = demonstrate(worlds, codes)
        for grid, actions, ends in zip(grids, done.actions, done.ends.tolist(), strict=True):
            yield Demonstration(task, "".join(ACTIONS[a] for a in actions[: ends[-1]]), grid), tuple(ends)


def grids_of(worlds: Worlds) -> list[tuple[str, ...]]:
    """The rows of each grid as they are written."""
    R = worlds.rows
    symbols = np.array(list(SYMBOLS))[worlds.cells]
    symbols[np.arange(len(worlds)), worlds.position] = np.array(list(AGENT))[worlds.facing]
    inner = slice(MARGIN, R - MARGIN)
    return [tuple(map("".join, grid)) for grid in symbols.reshape(-1, R, R)[:, inner, inner].tolist()]


def worlds_of(grids: Sequence[Sequence[str]]) -> Worlds:
    """The worlds of grids of one size, nothing being in the inventories."""
    N, size = len(grids), len(grids[0])
    R = size + 2 * MARGIN
    symbols = np.array([list("".join(grid)) for grid in grids]).reshape(N, size, size)
    cells = np.full((N, R, R), SYMBOLS.index("#"), np.uint8)
    inner = slice(MARGIN, R - MARGIN)
    for code, symbol in enumerate(SYMBOLS):
        cells[:, inner, inner][symbols == symbol] = code
    agents = [symbols == symbol for symbol in AGENT]
    cells[:, inner, inner][np.any(agents, 0)] = 0
    at, row, column = np.nonzero(np.any(agents, 0))
    facing = np.argmax([agent[at, row, column] for agent in agents], 0)
    position = (row + MARGIN) * R + column + MARGIN
    return Worlds(cells.reshape(N, -1), position, facing, np.zeros((N, THINGS), np.uint8))


def replay(given: Sequence[Demonstration], view: View = VIEW) -> Steps:
    """Do the actions of demonstrations again."""
    lengths = np.array([len(one.actions) for one in given])
    offsets = np.concatenate([[0], lengths.cumsum()])
    observations = np.empty((offsets[-1], view.size), np.uint8)
    letters = np.frombuffer("".join(one.actions for one in given).encode(), np.uint8)
    actions = np.array([ACTIONS.find(chr(n)) for n in range(128)])[letters]
    sizes = np.array([len(one.grid) for one in given])
    for size in np.unique(sizes):
        of_size = np.flatnonzero(sizes == size)
        for start in range(0, len(of_size), PART):
            chosen = of_size[start : start + PART]
            chosen = chosen[np.argsort(-lengths[chosen], kind="stable")]
            worlds = worlds_of([given[n].grid for n in chosen])
            for t in range(lengths[chosen[0]]):
                acting = np.arange(np.searchsorted(-lengths[chosen], -t))
                at = offsets[chosen[acting]] + t
                observations[at] = observe(worlds, view)[acting]
                step(worlds, actions[at], acting)
    return Steps(observations, actions, offsets)


def subtask_ends(one: Demonstration) -> tuple[int, ...]:
    """The numbers of actions after which each subtask of the task was done; fewer where it was not all done."""
    worlds, codes = worlds_of([one.grid]), parse_task(one.task)
    ends: list[int] = []
    for number, letter in enumerate(one.actions, 1):
        taken = step(worlds, np.array([ACTIONS.index(letter)]))[0]
        if len(ends) < len(codes) and taken == codes[len(ends)]:
            ends.append(number)
    return tuple(ends)


def format_demonstration(one: Demonstration) -> str:
    """The line of a demonstration."""
    return f"{one.task}\t{one.actions}\t{'/'.join(one.grid)}\n"


def format_ends(task: str, ends: Sequence[int]) -> str:
    """The line of the true ends of a demonstration's subtasks."""
    return f"{task}\t{' '.join(map(str, ends))}\n"


def read_demonstrations(paths: Iterable[str]) -> Iterator[Demonstration]:
    """The demonstrations of files. Blank lines mean nothing. Streams.

    Raises DataError (file:line) for a line that is no demonstration, or that ends before its task is done; for a file
    without any.
    """
    for path in paths:
        found = 0
        for number, line in enumerate(read_lines(path), 1):
            if not line.strip():
                continue
            found += 1
            try:
                one = parse_demonstration(line)
                if not one.actions.endswith(ACTIONS[USE]) or not is_done(one):
                    raise ValueError(f"the actions end before task {one.task} is done; is the file cut short?")
            except (ValueError, SettingError) as error:
                raise DataError(str(error), path, number) from None
            yield one
        if not found:
            raise DataError("there are no demonstrations", path)


def is_done(one: Demonstration) -> bool:
    """Whether the last action ends the task, as following the agent through the letters of its grid tells."""
    return subtask_ends(one)[len(one.task) - 1 :] == (len(one.actions),)


def parse_demonstration(line: str) -> Demonstration:
    """A demonstration from its line. Raises ValueError, or SettingError for the task, saying what is wrong."""
    fields = line.rstrip("\r\n").split("\t")
    if len(fields) != 3:
        raise ValueError(
            f"a demonstration is a task, its actions and its grid, separated by tabs; there are {len(fields)} fields"
        )
    task, actions, rows = fields
    parse_task(task)
    if unknown := set(actions) - set(ACTIONS):
        raise ValueError(f"there is no action {min(unknown)!r}; the actions are {', '.join(ACTIONS)}")
    grid = tuple(rows.split("/"))
    _check_grid(grid)
    return Demonstration(task, actions, grid)


def _check_grid(grid: Sequence[str]) -> None:
    """Raise ValueError unless it is a square with walls around and one agent."""
    cells = "".join(grid)
    if unknown := set(cells) - set(SYMBOLS + AGENT):
        raise ValueError(f"there is no {min(unknown)!r} in a grid, but {SYMBOLS} and the agent as one of {AGENT}")
    if not SMALLEST <= len(grid) <= LARGEST or {len(row) for row in grid} != {len(grid)}:
        raise ValueError(f"a grid is a square of {SMALLEST} to {LARGEST} rows; is the file cut short?")
    edges = [grid[0], grid[-1], *(row[0] + row[-1] for row in grid)]
    if set("".join(edges)) != {"#"}:
        raise ValueError("a grid has walls around it")
    if sum(cells.count(agent) for agent in AGENT) != 1:
        raise ValueError(f"a grid has one agent, {', '.join(AGENT)}")


def read_ends(path: str, given: Sequence[Demonstration]) -> list[tuple[int, ...]]:
    """The true ends of the subtasks of these demonstrations, from their file.

    Raises DataError (file:line) for a line that does not fit its demonstration, and for another number of lines.
    """
    out: list[tuple[int, ...]] = []
    lines = ((number, line) for number, line in enumerate(read_lines(path), 1) if line.strip())
    for number, line in lines:
        if len(out) == len(given):
            raise DataError(f"more lines than the {len(given)} demonstrations", path, number)
        one = given[len(out)]
        task, _, numbers = line.rstrip("\r\n").partition("\t")
        words = numbers.split()
        if task != one.task or len(words) != len(task) or not all(word.isdecimal() for word in words):
            raise DataError(f"not the task {one.task} of its demonstration, and {len(one.task)} ends", path, number)
        ends = tuple(map(int, words))
        if ends[-1] != len(one.actions) or any(later <= end for end, later in pairwise((0, *ends))):
            raise DataError(f"the ends do not rise to {len(one.actions)}, the number of actions", path, number)
        out.append(ends)
    if len(out) < len(given):
        raise DataError(f"{len(out)} lines, but there are {len(given)} demonstrations; is the file cut short?", path)
    return out
