"""Reliability diagrams: probabilities beside the fractions that are right, as text or as a page.

The values are those of `synparse calibrate --json`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from synparse.drawing.canvas import ACCENT, FAINT, RULE, svg
from synparse.drawing.markup import escaped
from synparse.drawing.page import page, picture, sections, table
from synparse.scoring.tables import Table

BAR = 30
"""Cells of a bar of 100 per cent."""

SIZE, MARGIN = 320, 44
"""Pixels: the side of a diagram, and the room around it."""

KINDS = {"raw": FAINT, "fitted": ACCENT}
"""Of probabilities, with their colours."""

_COLUMNS = ("number", "raw", "right", "fitted", "right")


def reliability_text(report: Mapping[str, Any]) -> Iterator[str]:
    """Lines of text. Of the groups by fitted probability, a bar shows the fraction that is right, and a line in it the
    probability."""
    yield f"probabilities of {report['model']}, supervised: fitted on odd sentences, measured on even ones\n"
    for name, scores in _parts(report):
        yield f"\n{name} of {', '.join(scores['gold'])}: {scores['number']}\n"
        for label, value in _scores(scores):
            yield f"{label:<34}{value:>7}\n"
        yield "\n" + "".join(f"{column:>8}" for column in _COLUMNS) + "\n"
        for row, group in zip(_rows(scores), scores["fitted"], strict=True):
            bar = list(("█" * round(BAR * group["right"])).ljust(BAR + 1))
            bar[round(BAR * group["probability"])] = "│"
            yield "".join(f"{cell:>8}" for cell in row) + "  " + "".join(bar).rstrip() + "\n"


def reliability_page(report: Mapping[str, Any]) -> str:
    """An HTML page, ready to be written to a file and opened without a network."""
    note = "<p>Supervised: fitted on the odd sentences of the gold files, measured on the even ones. Per cent.</p>\n"
    parts = [(name.capitalize(), _body(name, scores)) for name, scores in _parts(report)]
    return page(f"Probabilities of {Path(report['model']).name}", [note, *sections(parts)])


def _body(name: str, scores: Mapping[str, Any]) -> Iterator[str]:
    yield f"<p>{scores['number']} {name} of {escaped(', '.join(scores['gold']))}</p>\n"
    yield table(Table("", (), list(_scores(scores))))
    yield picture(reliability_svg(scores, name), f"Probability of {name}, and the fraction that is right")
    yield table(Table("", _COLUMNS, list(_rows(scores))))


def reliability_svg(scores: Mapping[str, Any], title: str) -> str:
    """Probabilities from left to right, the fraction that is right from below; on the diagonal both are equal."""
    side = SIZE + 2 * MARGIN
    axes = f"M{MARGIN} {MARGIN}v{SIZE}h{SIZE}M{MARGIN} {MARGIN + SIZE}l{SIZE} {-SIZE}"
    parts = [f'<path fill="none" stroke="{RULE}" d="{axes}"/>\n']
    for value in (0, 50, 100):
        at = SIZE * value / 100
        parts.append(
            f'<text x="{MARGIN + at:.1f}" y="{MARGIN + SIZE + 16}" text-anchor="middle">{value}</text>'
            f'<text x="{MARGIN - 6}" y="{MARGIN + SIZE - at + 4:.1f}" text-anchor="end">{value}</text>\n'
        )
    parts.append(
        f'<text fill="{FAINT}" x="{MARGIN}" y="{MARGIN - 12}">right, per cent</text>'
        f'<text fill="{FAINT}" x="{side / 2:.1f}" y="{side - 8}" text-anchor="middle">probability, per cent</text>\n'
    )
    for number, (kind, colour) in enumerate(KINDS.items()):
        points = [(MARGIN + SIZE * row["probability"], MARGIN + SIZE * (1 - row["right"])) for row in scores[kind]]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline class="{kind}" fill="none" stroke="{colour}" stroke-width="2" points="{line}"/>\n')
        parts += [f'<circle class="{kind}" fill="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>\n' for x, y in points]
        y = MARGIN + 16 + 16 * number
        parts.append(f'<circle class="{kind}" fill="{colour}" cx="{MARGIN + 12}" cy="{y - 4}" r="3"/>')
        parts.append(f'<text x="{MARGIN + 20}" y="{y}">{kind}</text>\n')
    return svg("plot", side, side, title, parts)


def _parts(report: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name in ("arcs", "spans"):
        if name in report:
            yield name, report[name]


def _scores(scores: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "right, all", _per_cent(scores["precision"])
    yield "right, most confident half", _per_cent(scores["precision_of_half"])
    yield "expected calibration error, raw", _per_cent(scores["raw_error"])
    yield "expected calibration error, fitted", _per_cent(scores["fitted_error"])


def _rows(scores: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for raw, fitted in zip(scores["raw"], scores["fitted"], strict=True):
        numbers = (raw["probability"], raw["right"], fitted["probability"], fitted["right"])
        yield str(raw["number"]), *map(_per_cent, numbers)


def _per_cent(value: float) -> str:
    return f"{100 * value:.2f}"
