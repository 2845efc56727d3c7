"""Demonstrations: a task, what an agent did, and the grid that it began in. They do not tell where subtasks end.

As a line of a file: the task, the letters of the actions, and the rows of the grid with slashes between them, separated
by tabs. In a grid, ``#`` is a wall, ``.`` is empty, a letter is the thing of that subtask, and the agent is ``^``,
``v``, ``<`` or ``>``, as it faces. What the agent saw follows from these: `replay` does the actions again.

The true ends of the subtasks are written to a file of their own, a line for each demonstration: the task, a tab, and
the numbers of actions after which each subtask was done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from synparse.files.streams import read_lines
from synparse.tasks.craft.demonstrator import demonstrate
from synparse.tasks.craft.subtasks import ACTIONS, SUBTASKS, parse_task
from synparse.tasks.craft.worlds import (
    LARGEST,
    MARGIN,
    SMALLEST,
    THINGS,
    VIEW,
    Numbers,
    View,
    Worlds,
    generate,
    observe,
    step,
)
from synparse.trees.errors import DataError, SettingError

SYMBOLS = "." + SUBTASKS + "#"
"""Of each code of a cell."""

AGENT = "^v<>"
"""The agent, by where it faces."""

NUMBER = re.compile(r"[0-9]{1,9}\Z")
"""A number in a file. Nine digits are more than any needs, and Python refuses to convert thousands of them."""

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


def generated_lines(
    tasks: Sequence[str], count: int, size: int, things: int, walls: int, seed: int
) -> Iterator[tuple[str, str]]:
    """The lines of the `demonstrations` of several tasks, each with the line of its true ends. Raises SettingError for
    an unknown task before the first."""
    for task in tasks:
        parse_task(task)
    for task in tasks:
        for demonstration, ends in demonstrations(task, count, size, things, walls, seed):
            yield format_demonstration(demonstration), format_ends(task, ends)


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
    actions, offsets = _coded_actions(given)
    observations = np.empty((offsets[-1], view.size), np.uint8)
    for t, worlds, acting, which in _replayed(given):
        at = offsets[which] + t
        observations[at] = observe(worlds, view)[acting]
        step(worlds, actions[at], acting)
    return Steps(observations, actions, offsets)


def _coded_actions(given: Sequence[Demonstration]) -> tuple[Numbers, Numbers]:
    """The actions of all demonstrations [S], and where those of each one begin, and the end [B + 1]."""
    offsets = np.concatenate([[0], np.cumsum([len(demonstration.actions) for demonstration in given])])
    letters = np.frombuffer("".join(demonstration.actions for demonstration in given).encode(), np.uint8)
    return np.array([ACTIONS.find(chr(n)) for n in range(128)])[letters], offsets


def _replayed(given: Sequence[Demonstration]) -> Iterator[tuple[int, Worlds, Numbers, Numbers]]:
    """Each step of some of the demonstrations at a time, for the caller to do: its number, their worlds, the indices of
    those worlds in which there is such a step, and of their demonstrations."""
    lengths = np.array([len(demonstration.actions) for demonstration in given])
    sizes = np.array([len(demonstration.grid) for demonstration in given])
    for size in np.unique(sizes):
        same_size = np.flatnonzero(sizes == size)
        for start in range(0, len(same_size), PART):
            chosen = same_size[start : start + PART]
            chosen = chosen[np.argsort(-lengths[chosen], kind="stable")]  # the longest first
            worlds = worlds_of([given[n].grid for n in chosen])
            for t in range(lengths[chosen[0]]):
                acting = np.arange(np.searchsorted(-lengths[chosen], -t))
                yield t, worlds, acting, chosen[acting]


def all_subtask_ends(given: Sequence[Demonstration]) -> list[tuple[int, ...]]:
    """Of each demonstration, the numbers of actions after which each subtask of its task was done; fewer where it was
    not all done."""
    actions, offsets = _coded_actions(given)
    tasks = [parse_task(demonstration.task) for demonstration in given]
    due = np.zeros((len(given), max(map(len, tasks), default=0) + 1), int)  # 0 follows the last: nothing is due
    for n, task in enumerate(tasks):
        due[n, : len(task)] = task
    done = np.zeros(len(given), int)
    ends = np.zeros_like(due)
    for t, worlds, acting, which in _replayed(given):
        taken = step(worlds, actions[offsets[which] + t], acting)
        right = which[(taken == due[which, done[which]]) & (taken > 0)]
        ends[right, done[right]] = t + 1
        done[right] += 1
    return [tuple(row[:count]) for row, count in zip(ends.tolist(), done.tolist(), strict=True)]


def format_demonstration(demonstration: Demonstration) -> str:
    """The line of a demonstration."""
    return f"{demonstration.task}\t{demonstration.actions}\t{'/'.join(demonstration.grid)}\n"


def format_ends(task: str, ends: Sequence[int]) -> str:
    """The line of the true ends of a demonstration's subtasks."""
    return f"{task}\t{' '.join(map(str, ends))}\n"


def read_demonstrations(paths: Iterable[str]) -> Iterator[Demonstration]:
    """The demonstrations of files. Blank lines mean nothing. Streams, some lines at a time.

    Raises DataError (file:line) for a line that is no demonstration, or that ends before its task is done; for a file
    without any.
    """
    for path in paths:
        count = 0
        lines = ((number, line) for number, line in enumerate(read_lines(path), 1) if line.strip())
        while part := list(islice(lines, PART)):
            count += len(part)
            yield from _parsed(path, part)
        if not count:
            raise DataError("there are no demonstrations", path)


def _parsed(path: str, lines: Sequence[tuple[int, str]]) -> Iterator[Demonstration]:
    """The demonstrations of numbered lines, all of which end as their task is done. Raises DataError at the first line
    for which this does not hold."""
    parsed: list[Demonstration] = []
    problem = ""
    for _, line in lines:
        try:
            parsed.append(parse_demonstration(line))
        except (ValueError, SettingError) as error:
            problem = str(error)
            break
    for (number, _), demonstration, ends in zip(lines, parsed, all_subtask_ends(parsed), strict=False):
        if ends[len(demonstration.task) - 1 :] != (len(demonstration.actions),):
            raise DataError(
                f"the actions end before task {demonstration.task} is done, or go on after it; is the file cut short?",
                path,
                number,
            )
        yield demonstration
    if problem:
        raise DataError(problem, path, lines[len(parsed)][0])


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
    out = []
    for number, demonstration, fields in lines_beside(path, given):
        out.append(parse_ends(fields[1], demonstration, path, number))
        if len(out[-1]) != len(demonstration.task):
            raise DataError(
                f"task {demonstration.task} has {len(demonstration.task)} ends, not {len(out[-1])}", path, number
            )
    return out


def lines_beside(path: str, given: Sequence[Demonstration]) -> Iterator[tuple[int, Demonstration, list[str]]]:
    """The lines of a file that belong to these demonstrations, as their numbers and fields, of which the first is the
    task. Raises DataError where they do not fit."""
    count = 0
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        if count == len(given):
            raise DataError(f"more lines than the {len(given)} demonstrations", path, number)
        demonstration, fields = given[count], line.rstrip("\r\n").split("\t")
        if fields[0] != demonstration.task or len(fields) < 2:
            raise DataError(f"not the task of its demonstration, {demonstration.task}, a tab, and ends", path, number)
        yield number, demonstration, fields
        count += 1
    if count < len(given):
        raise DataError(f"{count} lines, but there are {len(given)} demonstrations; is the file cut short?", path)


def parse_ends(text: str, demonstration: Demonstration, path: str, line: int) -> tuple[int, ...]:
    """The numbers of actions after which the segments of a demonstration end. Raises DataError."""
    words = text.split()
    ends = tuple(int(word) for word in words if NUMBER.match(word))
    if len(ends) < max(1, len(words)) or any(later <= end for end, later in pairwise((0, *ends))):
        raise DataError(f"not rising numbers of actions: {text!r}", path, line)
    if ends[-1] != len(demonstration.actions):
        raise DataError(f"the last end is not {len(demonstration.actions)}, the number of actions", path, line)
    return ends
