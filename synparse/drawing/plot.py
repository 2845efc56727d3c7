"""Numbers as bars, and pairs of numbers as points, in SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from synparse.drawing.canvas import ACCENT, FAINT, RULE, svg, svg_file
from synparse.drawing.cells import width_of
from synparse.drawing.markup import escaped

ROW, BAR, LENGTH, GAP, CELL = 22, 14, 320, 8, 7.3
"""Pixels: a row and the bar in it, the longest bar, the room around text, a character at 12 px."""

SIDE, MARGIN, DOT = 240, 48, 3.5
"""Pixels: the side of the square in which points lie, the room around it, the radius of a point."""

AXIS = f'class="axis" fill="{FAINT}"'
"""Of what is written at an axis."""


class Plot(NamedTuple):
    """Bars: one for each point, a name and a value (0 or more). ``x_label`` says what the names are."""

    title: str
    x_label: str
    y_label: str
    points: Sequence[tuple[str, float]]


def plot_svg(plot: Plot) -> str:
    """The bars below each other, so that long names are read like short ones, each with its value in digits.

    The longest bar is the largest value.
    """
    largest = max((value for _, value in plot.points), default=0.0) or 1.0
    left = max(width_of(name) for name in ("", plot.x_label, *(name for name, _ in plot.points))) * CELL + GAP
    width = left + LENGTH + GAP + CELL * 8
    height = ROW * (len(plot.points) + 1)
    parts = [
        f'<text {AXIS} x="{left - GAP:.1f}" y="{BAR}" text-anchor="end">{escaped(plot.x_label)}</text>\n',
        f'<text {AXIS} x="{left:.1f}" y="{BAR}">{escaped(plot.y_label)}</text>\n',
    ]
    for number, (name, value) in enumerate(plot.points, 1):
        top, length = ROW * number, LENGTH * max(value, 0.0) / largest
        parts.append(
            f'<text x="{left - GAP:.1f}" y="{top + BAR - 2}" text-anchor="end">{escaped(name)}</text>'
            f'<rect class="bar" fill="{ACCENT}" x="{left:.1f}" y="{top}" width="{length:.1f}" height="{BAR}"/>'
            f'<text x="{left + length + GAP:.1f}" y="{top + BAR - 2}">{value:.1f}</text>\n'
        )
    return svg("plot", width, height, plot.title, parts)


class Scatter(NamedTuple):
    """Points: each with a name, and how far it is to the right and up. ``x_label``, ``y_label`` say what these are."""

    title: str
    x_label: str
    y_label: str
    points: Sequence[tuple[str, float, float]]


def scatters_svg(name: str, scatters: Sequence[Scatter], columns: int = 3) -> str:
    """One file: squares of points, ``columns`` of them beside each other. ``name`` is what a screen reader calls it.

    The axes of a square begin and end at round numbers around its points.
    """
    cell = SIDE + 2 * MARGIN
    width, height = cell * min(columns, max(1, len(scatters))), cell * math.ceil(len(scatters) / columns)
    parts = []
    for number, scatter in enumerate(scatters):
        x, y = cell * (number % columns) + MARGIN, cell * (number // columns) + MARGIN
        parts.append(f'<g transform="translate({x} {y})">\n{_square(scatter)}</g>\n')
    return svg_file("scatter", width, height, name, parts)


def _square(scatter: Scatter) -> str:
    x_first, x_last = round_ends([right for _, right, _ in scatter.points])
    y_first, y_last = round_ends([up for _, _, up in scatter.points])
    bottom = SIDE + 16
    parts = [
        f'<path fill="none" stroke="{RULE}" d="M0 0V{SIDE}H{SIDE}"/>\n',
        f'<text x="{SIDE / 2}" y="-30" text-anchor="middle">{escaped(scatter.title)}</text>\n',
        f'<text {AXIS} x="0" y="-10">{escaped(scatter.y_label)}</text>\n',
        f'<text {AXIS} x="{SIDE / 2}" y="{bottom + 16}" text-anchor="middle">{escaped(scatter.x_label)}</text>\n',
        f'<text {AXIS} x="0" y="{bottom}">{x_first:g}</text>'
        f'<text {AXIS} x="{SIDE}" y="{bottom}" text-anchor="end">{x_last:g}</text>\n',
        f'<text {AXIS} x="-6" y="{SIDE}" text-anchor="end">{y_first:g}</text>'
        f'<text {AXIS} x="-6" y="12" text-anchor="end">{y_last:g}</text>\n',
    ]
    for name, right, up in scatter.points:
        x = SIDE * (right - x_first) / (x_last - x_first)
        y = SIDE * (1 - (up - y_first) / (y_last - y_first))
        at, anchor = (x + 6, "start") if x < SIDE * 0.7 else (x - 6, "end")
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DOT}" fill="{ACCENT}"/>'
            f'<text x="{at:.1f}" y="{y - 4:.1f}" text-anchor="{anchor}">{escaped(name)}</text>\n'
        )
    return "".join(parts)


def round_ends(values: Sequence[float]) -> tuple[float, float]:
    """Two multiples of one, two or five times a power of ten, around all values, not one number; few steps apart.

    >>> round_ends([41.6, 50.1]), round_ends([604.2, 2430.6]), round_ends([7.0])
    ((40.0, 55.0), (500.0, 2500.0), (6.8, 7.2))
    """
    first, *_, last = round_numbers(values)
    return first, last


def round_numbers(values: Sequence[float]) -> list[float]:
    """Those ends, and the multiples between them.

    >>> round_numbers([0.02, 0.97])
    [0.0, 0.5, 1.0]
    """
    least, most = min(values, default=0.0), max(values, default=0.0)
    step = _step((most - least) / 4 or 0.2)
    first, last = math.floor(least / step), math.ceil(most / step)
    if first == last:
        first, last = first - 1, last + 1
    return [round(step * number, 6) for number in range(first, last + 1)]


def _step(about: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is no less."""
    power = 10.0 ** math.floor(math.log10(about))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= about * (1 - 1e-9))
