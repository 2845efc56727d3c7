"""Numbers as bars, in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from synparse.drawing.cells import width_of
from synparse.drawing.markup import escaped

ROW, BAR, LENGTH, GAP, CELL = 22, 14, 320, 8, 7.3
"""Pixels: a row and the bar in it, the longest bar, the room around text, a character at 12 px."""


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
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" viewBox="0 0 {width:.1f} {height}" '
        f'width="{width:.1f}" height="{height}">\n<title>{escaped(plot.title)}</title>\n',
        f'<text class="axis" x="{left - GAP:.1f}" y="{BAR}" text-anchor="end">{escaped(plot.x_label)}</text>\n',
        f'<text class="axis" x="{left:.1f}" y="{BAR}">{escaped(plot.y_label)}</text>\n',
    ]
    for number, (name, value) in enumerate(plot.points, 1):
        top, length = ROW * number, LENGTH * max(value, 0.0) / largest
        parts.append(
            f'<text x="{left - GAP:.1f}" y="{top + BAR - 2}" text-anchor="end">{escaped(name)}</text>'
            f'<rect class="bar" x="{left:.1f}" y="{top}" width="{length:.1f}" height="{BAR}"/>'
            f'<text x="{left + length + GAP:.1f}" y="{top + BAR - 2}">{value:.1f}</text>\n'
        )
    parts.append("</svg>\n")
    return "".join(parts)
