"""Replications as tables to print, as plain values, and as points to draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from synparse.drawing.plot import Scatter
from synparse.replication.papers import PaperTable, Published, figure
from synparse.replication.replicate import Cell, FilledRow, FilledTable, Replication
from synparse.scoring.tables import Table

NOTHING = "–"
OURS = "ours: "
"""How the names of our rows begin; the other rows are the paper's."""

SEEDS, MINUTES = "seeds", "minutes"

PUBLISHED = "published figures as the paper has them, on its data; ± is the standard deviation over its runs"
PROTOCOL = (
    f"{PUBLISHED}; ours on the data above, ± over seeds; our trees as the network scores them, without grammars and "
    "punctuation cues; minutes: all training behind a row, of one seed, on one core"
)
"""Beside published rows alone, and beside ours."""

PER_CENT = 100


def as_tables(replication: Replication, between: str = "\n") -> Iterator[Table]:
    """A table for each of the paper's. Its title has its source and its protocol, with ``between`` before each."""
    for filled in replication.tables:
        table = filled.table
        about = f"{name_of_table(filled.number)}: {table.title}"
        title = between.join([about, f"source: {table.source}", f"protocol: {table.protocol}"])
        lines = [
            *([name, *(_published(cell) for cell in cells)] for name, cells in table.published.items()),
            *([OURS + name, *(_ours(cell, table) for cell in row.cells.values())] for name, row in filled.ours.items()),
        ]
        costs = [[NOTHING, NOTHING]] * len(table.published) + [_cost(row) for row in filled.ours.values()]
        rows = [["", *table.columns, SEEDS, MINUTES]]
        rows += [[*line, *cost] for line, cost in zip(lines, costs, strict=True)]
        if not filled.ours:
            rows = [row[:-2] for row in rows]
        if table.turned:
            rows = [list(row) for row in zip(*rows, strict=True)]
        yield Table(title, rows[0], rows[1:])


def name_of_table(number: str) -> str:
    """As it is cited; what is no number is a name.

    >>> name_of_table("4.4"), name_of_table("figure 4.5"), name_of_table("similarity")
    ('table 4.4', 'figure 4.5', 'similarity')
    """
    return f"table {number}" if number[:1].isdigit() else number


def as_values(replication: Replication) -> dict[str, Any]:
    """The tables as plain values, numbers unrounded."""
    paper, progress = replication.paper, replication.progress
    return {
        "paper": paper.name,
        "citation": paper.citation,
        "protocol": PROTOCOL,
        "tables": [_values(filled) for filled in replication.tables],
        "missing": [step.title for step in progress.missing],
        "failed": [{"step": step.title, "error": error} for step, error in progress.failed.items()],
    }


def scatters(replication: Replication) -> list[Scatter]:
    """The points of tables whose rows are numbers: for each column, the published ones and ours."""
    found = []
    for filled in replication.tables:
        table = filled.table
        for position, column in enumerate(table.columns if table.axis else ()):
            published = [(row, figure(cells[position])) for row, cells in table.published.items()]
            ours = [(name, row.cells[column]) for name, row in filled.ours.items()]
            of_paper = [("", float(row), cell[0]) for row, cell in published if cell is not None]
            of_ours = [("", float(row), cell.mean) for row, cell in ours if cell is not None and cell.mean is not None]
            for title, points in (("the paper", of_paper), ("ours", of_ours)):
                if points:
                    found.append(Scatter(f"{name_of_table(filled.number)}: {title}", table.axis, column, points))
    return found


def _published(cell: Published) -> str:
    return NOTHING if cell is None else str(cell)


def _ours(cell: Cell | None, table: PaperTable) -> str:
    if cell is None or cell.mean is None:
        return NOTHING
    scale = PER_CENT if table.is_share else 1
    shown = [value / scale for value in (cell.mean, cell.deviation) if value is not None]
    return " ± ".join(f"{value:.{table.decimals}f}" for value in shown)


def _cost(row: FilledRow) -> list[str]:
    done = f"{row.least}–{row.most}" if row.least < row.most else f"{row.most}"
    seeds = done if row.least == row.seeds else f"{done} of {row.seeds}"
    return [seeds, NOTHING if row.minutes is None else f"{row.minutes:.1f}"]


def _values(filled: FilledTable) -> dict[str, Any]:
    table = filled.table
    return {
        "table": filled.number,
        "title": table.title,
        "source": table.source,
        "protocol": table.protocol,
        "columns": list(table.columns),
        "published": [{"row": name, "cells": list(cells)} for name, cells in table.published.items()],
        "ours": [
            {
                "row": name,
                "cells": [_cell(cell, table) for cell in row.cells.values()],
                "seeds": row.most,
                "minutes": row.minutes,
            }
            for name, row in filled.ours.items()
        ],
        "needs": list(filled.needs),
    }


def _cell(cell: Cell | None, table: PaperTable) -> dict[str, Any] | None:
    if cell is None:
        return None
    numbers = {"mean": cell.mean, "deviation": cell.deviation, "values": list(cell.values)}
    return {"text": _ours(cell, table), **numbers}


def described(rows: Sequence[tuple[str, str]]) -> Table:
    """What all tables share, to be printed above them."""
    return Table("", (), [list(row) for row in rows if row[1]])
