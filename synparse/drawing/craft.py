"""Pictures of Craft, a grid world: a grid as text, as SVG and as pixels, and an episode as text.

A grid is its rows, in the characters of files of demonstrations: ``#`` wall, ``.`` empty, ``A B C D`` things, and one
of ``^ v < >``, the agent, by where it faces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.drawing.canvas import INK, LINE, MARK, RULE, svg_file

THINGS = {"A": "wood", "B": "gold", "C": "iron", "D": "grass"}

COLOURS = {"A": "#8c4a1f", "B": "#e0a800", "C": "#3f6fb5", "D": "#2e7d32"}
"""Of the things, and of the subtasks that take them; the same in light and dark."""

INKS = {"A": "#ffffff", "B": "#000", "C": "#ffffff", "D": "#ffffff"}
"""Of the letters on them, likewise: this white is none of the colours that a dark page changes."""

PALETTE = ("#8dd3c7", "#fb8072", "#80b1d3", "#fdb462", "#b3de69", "#bebada", "#fccde5", "#ffed6f")
"""Of options, by number; with black letters. ColorBrewer's Set3."""

TURNS = {"^": 0, ">": 90, "v": 180, "<": 270}
"""Degrees by which the agent's triangle is turned, clockwise."""

ARROWS = str.maketrans("udlr", "↑↓←→")

CELL, GAP = 24, 10
"""Pixels: the side of a cell, and the room around the grid."""

LEGEND_ROW, LEGEND_WIDTH, LEGEND_COUNT = 24, 110, 72
"""Pixels: a line of the legend, its width, and where in it the number of things is."""

TRIANGLE = "M0 -9L8 8L0 4L-8 8Z"

Pixels = NDArray[np.uint8]


class Frame(NamedTuple):
    """A grid at one time: its rows, and how many of each thing the agent has taken."""

    rows: Sequence[str]
    inventory: Sequence[int]


class EpisodeSegmentation(NamedTuple):
    """An episode cut into subtasks: ``name`` says by whom; ``ends``: after how many steps each segment ends;
    ``labels``: what each is, a subtask's letter, an option's number, or nothing. The last one ends with the episode."""

    name: str
    ends: Sequence[int]
    labels: Sequence[str]


class Episode(NamedTuple):
    """What an agent did: ``actions``, a letter each of ``u d l r x``; ``frames``: before the first action and after
    each; ``segmentations``: any number of them, the last of which gives the agent its colour."""

    title: str
    actions: str
    frames: Sequence[Frame]
    segmentations: Sequence[EpisodeSegmentation] = ()


def segments(segmentation: EpisodeSegmentation) -> list[tuple[int, int, str]]:
    """The steps start … end − 1 of each segment, and its label."""
    starts = [0, *segmentation.ends[:-1]]
    return list(zip(starts, segmentation.ends, segmentation.labels, strict=True))


def label_in_charge(segmentation: EpisodeSegmentation, step: int) -> str:
    """The label of the segment that holds a step (from 0)."""
    return next(label for start, end, label in segments(segmentation) if start <= step < end)


def colour_of(label: str) -> str:
    """The colour of a subtask's letter, of an option's number, or of neither, where the label is empty."""
    if not label:
        return RULE
    return COLOURS[label] if label in COLOURS else PALETTE[(int(label) - 1) % len(PALETTE)]


def ink_of(label: str) -> str:
    """The colour of text on that colour."""
    return INKS.get(label, "#000")


def grid_text(frame: Frame) -> str:
    """The rows of a grid, and what the agent has.

    >>> print(grid_text(Frame(("####", "#>A#", "#.C#", "####"), (0, 1, 0, 2))), end="")
    ####
    #>A#
    #.C#
    ####
    gold 1, grass 2
    """
    return "".join(f"{row}\n" for row in frame.rows) + f"{inventory_text(frame)}\n"


def inventory_text(frame: Frame) -> str:
    """What the agent has taken."""
    taken = zip(THINGS.values(), frame.inventory, strict=True)
    return ", ".join(f"{name} {count}" for name, count in taken if count) or "nothing taken"


def episode_text(episode: Episode) -> Iterator[str]:
    """The lines of an episode: its grid at the start and after each segment of the first segmentation (without one, at
    the end), then its actions and segmentations step by step.

    >>> frames = [Frame(("####", "#>A#", "####"), (0, 0, 0, 0)), Frame(("####", "#>.#", "####"), (1, 0, 0, 0))]
    >>> print(*episode_text(Episode("task A", "x", frames, [EpisodeSegmentation("subtasks", [1], ["A"])])), sep="\\n")
    task A
    start            A, after 1 step
    ####             ####
    #>A#             #>.#
    ####             ####
    nothing taken    wood 1
    <BLANKLINE>
    actions   x
    subtasks  A
    """
    yield episode.title
    steps = len(episode.actions)
    whole = EpisodeSegmentation("", [steps], [""])
    shown = [("start", 0)] + [
        (", ".join(filter(None, (label, f"after {end} step{'s' * (end != 1)}"))), end)
        for _, end, label in segments(episode.segmentations[0] if episode.segmentations else whole)
    ]
    blocks = [[caption, *grid_text(episode.frames[step]).splitlines()] for caption, step in shown]
    column = max(len(line) for block in blocks for line in block) + 2
    yield from ("".join(cell.ljust(column) for cell in line).rstrip() for line in zip(*blocks, strict=True))
    yield ""
    lines = [("actions", episode.actions)]
    for segmentation in episode.segmentations:
        lengths = ((label or "|", end - start) for start, end, label in segments(segmentation))
        lines.append((segmentation.name, "".join(label[:length].ljust(length, "-") for label, length in lengths)))
    room = max(len(name) for name, _ in lines) + 2
    yield from ((name.ljust(room) + text).rstrip() for name, text in lines)


def grid_svg(frame: Frame) -> str:
    """One file: a grid with its legend, in which is how many of each thing the agent has."""
    width, height = size_of_grid(frame)
    parts = [*walls(frame), *(thing(*values) for values in things(frame))]
    row, column, turn = agent(frame)
    turned = f"{place(row, column)} rotate({turn})"
    parts.append(f'<g transform="{turned}">{triangle()}</g>\n')
    for number, count in enumerate(frame.inventory):
        parts += [legend(frame, number), taken(frame, number, count)]
    return svg_file("craft", width, height, "Craft", parts)


def size_of_grid(frame: Frame) -> tuple[int, int]:
    """The width and height of a grid with its legend, in pixels."""
    rows, columns = len(frame.rows), len(frame.rows[0])
    return CELL * columns + LEGEND_WIDTH + 3 * GAP, max(CELL * rows, LEGEND_ROW * len(THINGS)) + 2 * GAP


def walls(frame: Frame) -> Iterator[str]:
    """The floor's lines, and a path of all walls."""
    rows, columns = len(frame.rows), len(frame.rows[0])
    right, bottom = GAP + CELL * columns, GAP + CELL * rows
    across = "".join(f"M{GAP} {GAP + CELL * row}H{right}" for row in range(rows + 1))
    down = "".join(f"M{GAP + CELL * column} {GAP}V{bottom}" for column in range(columns + 1))
    yield f'<path class="floor" fill="none" stroke="{RULE}" d="{across}{down}"/>\n'
    squares = "".join(
        f"M{GAP + CELL * column} {GAP + CELL * row}h{CELL}v{CELL}h-{CELL}z"
        for row, column, character in cells(frame)
        if character == "#"
    )
    yield f'<path class="wall" fill="{LINE}" d="{squares}"/>\n'


def cells(frame: Frame) -> Iterator[tuple[int, int, str]]:
    """The row, column and character of each cell."""
    for row, line in enumerate(frame.rows):
        for column, character in enumerate(line):
            yield row, column, character


def things(frame: Frame) -> list[tuple[int, int, str]]:
    """The row, column and letter of each thing."""
    return [cell for cell in cells(frame) if cell[2] in THINGS]


def triangle(colour: str = MARK, inside: str = "") -> str:
    """The agent, who faces up; ``inside`` is markup that changes its colour."""
    return f'<path class="agent" fill="{colour}" stroke="{INK}" stroke-linejoin="round" d="{TRIANGLE}">{inside}</path>'


def agent(frame: Frame) -> tuple[int, int, int]:
    """The row and column of the agent, and by how many degrees it is turned."""
    for row, column, character in cells(frame):
        if character in TURNS:
            return row, column, TURNS[character]
    raise ValueError("a grid without an agent")


def place(row: int, column: int) -> str:
    """The shift to the middle of a cell, as an attribute's value."""
    return f"translate({centre(row, column)})"


def centre(row: int, column: int) -> str:
    """The middle of a cell: x and y."""
    return f"{GAP + CELL * column + CELL // 2} {GAP + CELL * row + CELL // 2}"


def thing(row: int, column: int, letter: str, inside: str = "") -> str:
    """A thing in its cell; ``inside`` is markup that moves it."""
    return f'<g class="thing" transform="{place(row, column)}">{inside}{_block(letter)}</g>\n'


def legend(frame: Frame, number: int) -> str:
    """A line of the legend, to the right of the grid: a thing, by its number from 0 on, and its name."""
    x, y = _legend_place(frame, number)
    letter, name = list(THINGS.items())[number]
    block = f'<g class="thing" transform="translate({x} {y})">{_block(letter)}</g>'
    return f'{block}<text x="{x + CELL}" y="{y}" dy="0.35em">{name}</text>\n'


def taken(frame: Frame, number: int, count: int, visibility: str = "visible", inside: str = "") -> str:
    """How many of a thing the agent has, in its line of the legend; ``inside`` is markup that shows and hides it."""
    x, y = _legend_place(frame, number)
    return f'<text x="{x + LEGEND_COUNT}" y="{y}" dy="0.35em" visibility="{visibility}">{count}{inside}</text>\n'


def _legend_place(frame: Frame, number: int) -> tuple[int, int]:
    return 2 * GAP + CELL * len(frame.rows[0]) + CELL // 2, GAP + LEGEND_ROW * number + CELL // 2


def _block(letter: str) -> str:
    return (
        f'<rect x="-9" y="-9" width="18" height="18" rx="3" fill="{COLOURS[letter]}"/>'
        f'<text dy="0.35em" text-anchor="middle" font-weight="bold" fill="{INKS[letter]}">{letter}</text>'
    )


def grid_pixels(frame: Frame, side: int = 16) -> Pixels:
    """A grid as colours [rows · side, columns · side, 3], for videos; each cell is ``side`` × ``side``."""
    codes: NDArray[Any] = np.array([[ord(character) for character in row] for row in frame.rows])
    colours = np.full((128, 3), 255, np.uint8)
    colours[ord("#")] = _rgb(LINE)
    for letter, colour in COLOURS.items():
        colours[ord(letter)] = _rgb(colour)
    pixels: Pixels = colours[codes].repeat(side, 0).repeat(side, 1)
    row, column, turn = agent(frame)
    across = np.abs(np.arange(side) - (side - 1) / 2)
    pointing_up = np.rot90(across[None, :] <= np.arange(side)[:, None] / 2, -turn // 90)
    pixels[row * side : (row + 1) * side, column * side : (column + 1) * side][pointing_up] = _rgb(MARK)
    return pixels


def _rgb(colour: str) -> list[int]:
    return list(bytes.fromhex(colour.removeprefix("#")))
