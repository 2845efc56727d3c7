"""Correlations of channels with relations as heat maps, in a terminal, as SVG or as a page.

The values are those of `synparse channels --json --all`. A map has a row for each relation and a column for each
channel, layer by layer. Warm cells are positive correlations, cold ones negative; the best of a row is marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synparse.drawing.canvas import FAINT, INK, svg, svg_file
from synparse.drawing.cells import width_of
from synparse.drawing.markup import escaped
from synparse.drawing.page import page, picture, table
from synparse.scoring.tables import Table
from synparse.trees.printable import printable

if TYPE_CHECKING:
    from rich.console import Console

CELL, CHARACTER, HEADING, GAP, KEY = 30, 7.3, 64, 12, 66
"""Pixels: the side of a cell, a character at 12 px, what is above the cells, and between layers and around the map; the
height of the key."""

COLOURS = {"warm": "#b2182b", "cold": "#2166ac"}
"""ColorBrewer's RdBu; the same in light and dark."""

STRONG = 0.75
"""Correlations farther from 0 than this are written in white."""

KEY_TEXT = "correlations in hundredths: cold below 0, warm above"
KEY_VALUES = (-100, -50, 0, 50, 100)
KEY_WIDTH = CHARACTER * len(KEY_TEXT) + 2 * GAP

PLAIN = 0.1
"""Correlations nearer to 0 than this have no colour in a terminal."""


def heat_map_text(model: Mapping[str, Any], console: Console | None = None) -> Iterator[str]:
    """For a terminal: correlations in hundredths, coloured if it has colours; as many layers beside each other as there
    is room for, at least one."""
    from rich.console import Console
    from rich.text import Text

    console = console or Console()
    relations = {printable(name): rows for name, rows in model["matrix"].items()}
    layers, channels = model["layers"], model["channels"]
    room = max(width_of(name) for name in ("channel", *relations))
    beside = max(1, (console.width - room) // (3 * channels + 2))
    lines = [Text(f"\n{printable(model['model'])}: correlations of channels, in hundredths")]
    for first in range(0, layers, beside):
        shown = range(first, min(first + beside, layers))
        lines.append(Text("layer".ljust(room) + "".join(f"  {layer + 1:<{3 * channels}}" for layer in shown).rstrip()))
        numbers = "".join(f"{channel + 1:>3}" for channel in range(channels))
        lines.append(Text("channel".ljust(room) + f"  {numbers}" * len(shown)))
        for name, rows in relations.items():
            line = Text(name + " " * (room - width_of(name)))
            for layer in shown:
                line.append("  ")
                for value in rows[layer]:
                    line.append(f"{'-' if value is None else round(100 * value):>3}", _colour(value))
            lines.append(line)
    for line in lines:
        with console.capture() as capture:
            console.print(line, no_wrap=True, overflow="ignore", crop=False)
        yield capture.get()


def _colour(value: float | None) -> str:
    if value is None or abs(value) < PLAIN:
        return ""
    strength = 110 + round(140 * abs(value))
    return f"white on rgb({strength},20,30)" if value > 0 else f"white on rgb(20,40,{strength})"


def heat_maps_svg(models: Sequence[Mapping[str, Any]]) -> str:
    """One file: the maps of all models below each other."""
    sizes = [_size(model) for model in models]
    width, height = max(KEY_WIDTH, *(width for width, _ in sizes)), KEY + sum(height for _, height in sizes)
    parts = [f'<g class="key">\n{_key()}</g>\n']
    top = KEY
    for model, (_, height_of_map) in zip(models, sizes, strict=True):
        parts.append(f'<g transform="translate(0 {top})">\n{"".join(_cells(model))}</g>\n')
        top += height_of_map
    return svg_file("heat", width, height, "Channels and relations", parts)


def heat_maps_page(gold: str, protocol: str, tables: Sequence[Table], models: Sequence[Mapping[str, Any]]) -> str:
    """An HTML page, ready to be written to a file and opened without a network."""
    return page(f"Channels and relations of {Path(gold).name}", _body(protocol, tables, models))


def _body(protocol: str, tables: Sequence[Table], models: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield f"<p>Protocol: {escaped(protocol)}.</p>\n"
    yield from map(table, tables)
    yield picture(svg("heat", KEY_WIDTH, KEY, "Key of the colours", [_key()]))
    for model in models:
        yield picture(svg("heat", *_size(model), model["model"], _cells(model)))


def _key() -> str:
    """What the colours and the frame of the maps are."""
    parts = [f'<text x="{GAP}" y="18">{KEY_TEXT}</text>\n']
    for number, hundredths in enumerate(KEY_VALUES):
        parts.append(_cell(GAP + CELL * number, KEY - CELL - GAP, hundredths / 100))
    x = 2 * GAP + CELL * len(KEY_VALUES)
    parts.append(_frame(x, KEY - CELL - GAP))
    parts.append(f'<text x="{x + CELL + GAP}" y="{KEY - CELL / 2 - GAP + 4:.1f}">the best of a relation</text>\n')
    return "".join(parts)


def _cell(x: float, y: float, value: float) -> str:
    """The colour of a value, and the value in hundredths."""
    kind, ink = "cold" if value < 0 else "warm", "#ffffff" if abs(value) > STRONG else INK
    square = f'x="{x:.1f}" y="{y}" width="{CELL}" height="{CELL}"'
    middle = f'x="{x + CELL / 2:.1f}" y="{y + CELL / 2 + 4:.1f}" text-anchor="middle"'
    return (
        f'<rect class="{kind}" fill="{COLOURS[kind]}" {square} fill-opacity="{abs(value):.2f}"/>'
        f'<text class="cell" font-size="10" fill="{ink}" {middle}>{round(100 * value)}</text>\n'
    )


def _frame(x: float, y: float) -> str:
    square = f'x="{x:.1f}" y="{y}" width="{CELL}" height="{CELL}"'
    return f'<rect class="best" fill="none" stroke="{INK}" stroke-width="2" {square}/>\n'


def _size(model: Mapping[str, Any]) -> tuple[float, int]:
    layers: int = model["layers"]
    channels: int = model["channels"]
    width = _left(model) + layers * (channels * CELL + GAP)
    return max(width, CHARACTER * width_of(_title(model)) + 2 * GAP), HEADING + CELL * len(model["matrix"]) + GAP


def _left(model: Mapping[str, Any]) -> float:
    """What stands left of the cells: the names of relations."""
    return CHARACTER * max(width_of(name) for name in model["matrix"]) + 2 * GAP


def _title(model: Mapping[str, Any]) -> str:
    return f"{model['model']} ({model['kind']}), {model['arcs']} arcs"


def _cells(model: Mapping[str, Any]) -> Iterator[str]:
    """The title, the numbers of layers and channels, the names of relations, and the cells with their values in
    hundredths."""
    layers: int = model["layers"]
    channels: int = model["channels"]
    left = _left(model)

    def x_of(layer: int, channel: float) -> float:
        return left + layer * (channels * CELL + GAP) + channel * CELL

    axis = f'class="axis" fill="{FAINT}" text-anchor="middle"'
    yield f'<text x="{GAP}" y="18">{escaped(_title(model))}</text>\n'
    for layer in range(layers):
        yield f'<text {axis} x="{x_of(layer, channels / 2):.1f}" y="38">layer {layer + 1}</text>\n'
        for channel in range(channels):
            x = x_of(layer, channel + 0.5)
            yield f'<text {axis} x="{x:.1f}" y="{HEADING - 8}">{channel + 1}</text>\n'
    best = {relation["relation"]: (relation["layer"], relation["channel"]) for relation in model["relations"]}
    for number, (name, rows) in enumerate(model["matrix"].items()):
        y = HEADING + CELL * number
        end = f'x="{left - 6:.1f}" y="{y + CELL / 2 + 4:.1f}" text-anchor="end"'
        yield f'<text class="name" {end}>{escaped(name)}</text>\n'
        for layer, row in enumerate(rows):
            for channel, value in enumerate(row):
                if value is None:
                    continue
                x = x_of(layer, channel)
                yield _cell(x, y, value)
                if best[name] == (layer + 1, channel + 1):
                    yield _frame(x, y)
