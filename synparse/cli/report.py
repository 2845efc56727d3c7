"""``synparse eval --report``: a comparison as a page to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synparse.cli.scores import title_of
from synparse.cli.tables import Table
from synparse.drawing import report
from synparse.drawing.plot import Plot
from synparse.scoring.comparison import Comparison

PLOTTED = {
    "sentence_length": ("uf1_sentence", "fmeasure", "uas"),
    "label": ("recall",),
    "relation": ("uas",),
    "length": ("uas",),
}
"""The breakdowns that are drawn, by which of their scores: the first that is there."""

MOST_BARS = 20


def page_of(comparison: Comparison, tables: Sequence[Table], gold: str) -> str:
    """One HTML page: the tables, the breakdowns as bars, and the sentences with the lowest scores side by side."""
    names = [system.name for system in comparison.systems]
    titled = [report.Table(table.title or "scores", table.columns, table.rows) for table in tables]
    pairs = [
        report.Pair(one.number, 100 * one.score, one.gold, one.predicted)  #
        for one in comparison.worst
    ]
    notes = [f"Gold: {gold}. Predictions: {', '.join(names)}.", f"Protocol: {comparison.protocol}."]
    if pairs:
        notes.append(f"Drawn: the {len(pairs)} sentences in which {names[0]} scores lowest.")
    return report.report_page(f"{names[0]} against {gold}", notes, titled, list(_plots(comparison)), pairs)


def _plots(comparison: Comparison) -> Iterator[Plot]:
    for system in comparison.systems:
        for table in system.breakdowns:
            measures = [key for key in PLOTTED.get(table.name, ()) if any(key in row for row in table.rows.values())]
            for measure in measures[:1]:
                points = [(name, row[measure]) for name, row in table.rows.items()][:MOST_BARS]
                yield Plot(
                    f"{system.name}: {title_of(measure).strip()} by {table.key}",
                    table.key,
                    f"{title_of(measure).strip()}, per cent",
                    [(name, 100.0 * value) for name, value in points if value is not None],
                )
