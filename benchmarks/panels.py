"""Curves as SVG: a line for each series, a band of its deviations, and several panels beside each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from synparse.drawing.canvas import LINE, RULE, svg_file
from synparse.drawing.cells import width_of
from synparse.drawing.markup import escaped
from synparse.drawing.plot import AXIS, round_numbers

WIDTH, HEIGHT, DOT = 220, 150, 2.5
"""Pixels: of the axes of a panel; and the radius of a point that stands for a series of one."""

LEFT, RIGHT, ABOVE, BELOW = 52, 18, 42, 44
"""Pixels: the room around a panel's axes, for its numbers, labels and title."""

KEY, SAMPLE, CHARACTER, ROW = 10, 26, 7.3, 20
"""Pixels: the room around the key, the line that stands for a series in it, a character at 12 px, a row of the key."""

COLUMNS = 3
"""Panels beside each other."""

COLOURS = (
    *(("#0b68b8", ""), ("#c2410c", "7 3"), ("#2b7a3b", "2 3"), ("#7d3cb5", "9 3 2 3"), ("#8a6a00", "4 2")),
    ("#60646c", "12 4"),
)
"""Of each series, by number: its colour, and its dashes, which tell it without."""


_Place: TypeAlias = Callable[[float, float], tuple[float, float]]


class CurvePoint(NamedTuple):
    """The mean of several values at ``x``, and their standard deviation, None of a single one."""

    x: float
    mean: float
    deviation: float | None = None


class Series(NamedTuple):
    """A line: its name and its points, from the left. Series of one name have one colour in all panels."""

    name: str
    points: Sequence[CurvePoint]


class Panel(NamedTuple):
    """The axes of some series. ``y_values``: numbers that the vertical axis shows in any case, such as 0 and 1.

    is_logarithmic: the horizontal axis is, and shows the numbers of the points, which are positive.
    """

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    y_values: Sequence[float] = ()
    is_logarithmic: bool = False


def curves_svg(name: str, panels: Sequence[Panel]) -> str:
    """One file: panels, `COLUMNS` of them beside each other, over one key for all. ``name`` is what a screen reader
    calls it. A band is as wide as the mean plus and minus the deviation.

    Raises ValueError for more series than there are colours.
    """
    names = list(dict.fromkeys(series.name for panel in panels for series in panel.series))
    if len(names) > len(COLOURS):
        raise ValueError(f"{len(names)} series, and colours for {len(COLOURS)}")
    cell = LEFT + WIDTH + RIGHT, ABOVE + HEIGHT + BELOW
    width = cell[0] * min(COLUMNS, max(1, len(panels)))
    height = cell[1] * math.ceil(len(panels) / COLUMNS)
    key, key_height = _key(names, width)
    parts = []
    for number, panel in enumerate(panels):
        x, y = cell[0] * (number % COLUMNS) + LEFT, cell[1] * (number // COLUMNS) + ABOVE
        parts.append(f'<g transform="translate({x} {y})">\n{_panel(panel, names)}</g>\n')
    parts.append(f'<g transform="translate(0 {height})">\n{key}</g>\n')
    return svg_file("curves", width, height + key_height, name, parts)


def short(value: float) -> str:
    """A number on an axis.

    >>> short(0.5), short(20_000), short(1_500_000)
    ('0.5', '20k', '1.5M')
    """
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def _panel(panel: Panel, names: Sequence[str]) -> str:
    points = [point for series in panel.series for point in series.points]
    xs = sorted({point.x for point in points})
    is_logarithmic = panel.is_logarithmic and len(xs) > 1
    x_numbers = xs if is_logarithmic else round_numbers(xs)
    y_numbers = round_numbers([*panel.y_values, *(point.mean for point in points)])

    def place(x: float, y: float) -> tuple[float, float]:
        """In pixels; what is above or below the axis lies on its end."""
        ends_and_x = (x_numbers[0], x, x_numbers[-1])
        first, at, last = map(math.log, ends_and_x) if is_logarithmic else ends_and_x
        right = (at - first) / (last - first)
        up = (min(max(y, y_numbers[0]), y_numbers[-1]) - y_numbers[0]) / (y_numbers[-1] - y_numbers[0])
        return WIDTH * right, HEIGHT * (1 - up)

    parts = [
        f'<text x="{WIDTH / 2:g}" y="-26" text-anchor="middle">{escaped(panel.title)}</text>\n'
        f'<text {AXIS} x="-6" y="-9">{escaped(panel.y_label)}</text>\n'
        f'<text {AXIS} x="{WIDTH / 2:g}" y="{HEIGHT + 34}" text-anchor="middle">{escaped(panel.x_label)}</text>\n'
    ]
    for number in y_numbers:
        y = place(x_numbers[0], number)[1]
        parts.append(f'<path class="grid" fill="none" stroke="{RULE}" d="M0 {y:.1f}H{WIDTH}"/>')
        parts.append(f'<text {AXIS} x="-6" y="{y:.1f}" dy="0.35em" text-anchor="end">{short(number)}</text>\n')
    for number in x_numbers:
        x = place(number, y_numbers[0])[0]
        parts.append(f'<path class="axes" fill="none" stroke="{LINE}" d="M{x:.1f} {HEIGHT}v4"/>')
        parts.append(f'<text {AXIS} x="{x:.1f}" y="{HEIGHT + 17}" text-anchor="middle">{short(number)}</text>\n')
    parts.append(f'<path class="axes" fill="none" stroke="{LINE}" d="M0 0V{HEIGHT}H{WIDTH}"/>\n')
    for series in panel.series:
        number = names.index(series.name)
        parts.append(
            f'<g class="series-{number}"><title>{escaped(series.name)}</title>'
            f"{_band(series, number, place)}{_line(series, number, place)}</g>\n"
        )
    return "".join(parts)


def _line(series: Series, number: int, place: _Place) -> str:
    places = [place(point.x, point.mean) for point in series.points]
    if len(places) == 1:
        return f'<circle cx="{places[0][0]:.1f}" cy="{places[0][1]:.1f}" r="{DOT}" fill="{COLOURS[number][0]}"/>'
    return f'<path {_stroke(number)} d="M{_joined(places)}"/>' if places else ""


def _stroke(number: int) -> str:
    """How the line of a series is drawn, in a panel and in the key."""
    colour, dashes = COLOURS[number]
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'class="line" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"{dashed}'


def _band(series: Series, number: int, place: _Place) -> str:
    known = [(point.x, point.mean, point.deviation) for point in series.points if point.deviation is not None]
    if len(known) < 2:
        return ""
    above = [place(x, mean + deviation) for x, mean, deviation in known]
    below = [place(x, mean - deviation) for x, mean, deviation in reversed(known)]
    return f'<path class="band" fill="{COLOURS[number][0]}" opacity="0.18" d="M{_joined(above)}L{_joined(below)}Z"/>'


def _joined(places: Sequence[tuple[float, float]]) -> str:
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def _key(names: Sequence[str], width: float) -> tuple[str, int]:
    """The lines of the series with their names, in as many rows as they need, and the height of these."""
    parts, x, row = [], float(LEFT), 0
    for number, name in enumerate(names):
        room = SAMPLE + KEY + CHARACTER * width_of(name) + 2 * KEY
        if x > LEFT and x + room > width:
            x, row = float(LEFT), row + 1
        y = ROW * row + ROW / 2
        parts.append(
            f'<path {_stroke(number)} d="M{x:.1f} {y:g}h{SAMPLE}"/>'
            f'<text x="{x + SAMPLE + KEY:.1f}" y="{y:g}" dy="0.35em">{escaped(name)}</text>\n'
        )
        x += room
    return "".join(parts), ROW * (row + 1) + KEY if names else 0
