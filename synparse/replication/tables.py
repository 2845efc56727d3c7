"""Replications as tables to print, as plain values, and as points to draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from synparse.drawing.plot import Scatter
from synparse.replication.measures import Settings
from synparse.replication.papers import MeasuredTable, Paper, PaperTable, Published, figure
from synparse.replication.replicate import Cell, FilledRow, FilledTable, Replication
from synparse.scoring.tables import Table, described
from synparse.trees.errors import SettingError

NOTHING = "–"
OURS = "ours: "
"""How the names of our rows begin; the other rows are the paper's."""

SEEDS, MINUTES = "seeds", "minutes"

PUBLISHED = "published figures as the paper has them, on its data; ± is the standard deviation over its runs"
PROTOCOL = (
    f"{PUBLISHED}; ours on the data above, ± over seeds; our trees as the network scores them, without grammars and "
    "punctuation cues; minutes: all training behind a row, of one seed, on one core"
)
"""Without rows of this call, and with them."""

PER_CENT = 100

LISTED = 10
"""Missing steps that are named."""


def as_tables(replication: Replication, between: str = "\n") -> Iterator[Table]:
    """A table for each of the paper's. Its title has its source and its protocol, with ``between`` before each. Where
    no row of ours is of this call, those that have been measured stand there."""
    for filled in replication.tables:
        table, measured = filled.table, _measured_of(replication, filled)
        about = {"source": table.source, "protocol": table.protocol, "no row of ours": table.note}
        about["ours"] = "; ".join(dict.fromkeys(f"{row.data} ({row.date})" for row in measured.values()))
        if not filled.ours:
            about |= {f"claim: {claim} Ours": verdict for claim, verdict in table.claims.items()}
        head = [f"{name_of_table(filled.number)}: {table.title}"]
        title = between.join(head + [f"{name}: {value}" for name, value in about.items() if value])
        lines = [
            [name, *(NOTHING if cell is None else str(cell) for cell in cells), NOTHING, NOTHING]
            for name, cells in table.published.items()
        ]
        for name, row in filled.ours.items():
            lines.append([OURS + name, *(_ours(cell, table) for cell in row.cells.values()), *_cost(row)])
        for name, past in measured.items():
            cells = (past.cells.get(column, NOTHING) for column in table.columns)
            lines.append([OURS + name, *cells, past.seeds, past.minutes])
        rows = [["", *table.columns, SEEDS, MINUTES], *lines]
        if not filled.ours and not measured:
            rows = [row[:-2] for row in rows]
        if table.turned:
            rows = [list(row) for row in zip(*rows, strict=True)]
        yield Table(title, rows[0], rows[1:])


def _measured_of(replication: Replication, filled: FilledTable) -> MeasuredTable:
    """Our rows that have been measured, where none is of this call."""
    return {} if filled.ours else replication.paper.measured.get(filled.number, {})


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
        "protocol": PROTOCOL if has_ours(replication) else PUBLISHED,
        "tables": [
            {
                **_values(filled),
                "measured": [{"row": name, **row._asdict()} for name, row in _measured_of(replication, filled).items()],
            }
            for filled in replication.tables
        ],
        "missing": [step.title for step in progress.missing],
        "failed": [{"step": step.title, "error": error} for step, error in progress.failed.items()],
    }


def scatters(replication: Replication) -> list[Scatter]:
    """The points of tables whose rows are numbers: for each column, the published ones and ours."""
    plots = []
    for filled in replication.tables:
        table = filled.table
        for position, column in enumerate(table.columns if table.axis else ()):
            published = [(row, figure(cells[position])) for row, cells in table.published.items()]
            cells = ((name, row.cells[column]) for name, row in filled.ours.items())
            ours = [(name, cell.mean) for name, cell in cells if cell is not None and cell.mean is not None]
            past = ((name, figure(row.cells.get(column))) for name, row in _measured_of(replication, filled).items())
            ours += [(name, cell[0]) for name, cell in past if cell is not None]
            paper_points = [("", float(row), cell[0]) for row, cell in published if cell is not None]
            our_points = [("", float(row), value) for row, value in ours]
            for title, points in (("the paper", paper_points), ("ours", our_points)):
                if points:
                    plots.append(Scatter(f"{name_of_table(filled.number)}: {title}", table.axis, column, points))
    return plots


def _plain(cell: Published) -> Published:
    """A figure as a number, also where the table keeps a 0 at its end."""
    try:
        return float(cell) if isinstance(cell, str) else cell
    except ValueError:
        return cell


def _ours(cell: Cell | None, table: PaperTable) -> str:
    if cell is None or cell.mean is None:
        return NOTHING
    scale = PER_CENT if table.in_fractions else 1
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
        "note": table.note,
        "claims": {} if filled.ours else table.claims,
        "columns": list(table.columns),
        "published": [{"row": name, "cells": list(map(_plain, cells))} for name, cells in table.published.items()],
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


def with_head(replication: Replication, shared: Mapping[str, str], between: str = "\n") -> list[Table]:
    """The paper and what our rows have in common, then `as_tables`."""
    head = {"paper": replication.paper.citation}
    if has_ours(replication):
        head |= {name: value for name, value in shared.items() if value}
    return [described(head), *as_tables(replication, between)]


def has_ours(replication: Replication) -> bool:
    """Whether any table has rows of ours."""
    return any(filled.ours for filled in replication.tables)


def shared_by_rows(settings: Settings, seeds: int) -> dict[str, str]:
    """What our rows have in common, by name; empty where it was not given."""
    data, minutes = settings.data, settings.minutes
    if data.dependencies is not None:
        scheme = f"{data.dependencies}, as they are"
    else:
        scheme = f"{data.brackets}, converted to Stanford Dependencies" if data.brackets else ""
    files = ("valid", "test", "brackets", "channels", "pairs", "similarity", "sentiment", "logic")
    return {
        "text": ", ".join(data.texts),
        **{name: getattr(data, name) or "" for name in files},
        "dependencies": scheme,
        "listops": f"{data.listops} expressions" if data.listops else "",
        "craft": f"{data.demonstrations} demonstrations of each task" if data.demonstrations else "",
        "recipes": settings.size,
        "minutes a model": "as the recipe takes" if minutes is None else f"{minutes:g} at most",
        "seeds": f"1 to {seeds}" if seeds > 1 else "1",
    }


def still_needed(replication: Replication, work: str) -> Iterator[str]:
    """What our rows still need, a line for each: data, or time."""
    for filled in replication.tables:
        if filled.needs:
            yield f"{name_of_table(filled.number)}: for rows on your data, give {', '.join(filled.needs)}"
    missing = replication.progress.missing
    yield from (f"missing: {step.title}" for step in missing[:LISTED])
    if missing:
        more = f"{len(missing)} commands are missing; " if len(missing) > LISTED else ""
        yield f"{more}the same command goes on from {work}"


def contents(papers: Iterable[Paper]) -> list[dict[str, Any]]:
    """The tables of papers, as plain values."""
    return [
        {
            "paper": paper.name,
            "citation": paper.citation,
            "tables": [
                {"table": number, "title": table.title, "source": table.source}
                for number, table in paper.tables.items()
            ],
        }
        for paper in papers
    ]


def contents_text(papers: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of `contents`, to be read."""
    for paper in papers:
        yield f"{paper['paper']:<18} {paper['citation']}\n"
        yield from (f"  {table['table']:<16} {table['title']}\n" for table in paper["tables"])


def refuse_undrawn(paper: Paper, names: Sequence[str]) -> None:
    """Raises SettingError where none of these tables can be drawn."""
    if not any(table.axis for table in paper.chosen(names).values()):
        known = ", ".join(name for name, table in paper.tables.items() if table.axis)
        raise SettingError(
            f"--svg: only tables by mask rate or number of options are drawn; of {paper.name}: {known or 'none'}"
        )
