"""The page of `synparse eval --report`: tables, plots, and the sentences where prediction and gold differ most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from synparse.drawing.markup import escaped
from synparse.drawing.page import page
from synparse.drawing.plot import Plot, plot_svg
from synparse.trees.constituency import ConstituencyTree
from synparse.trees.dependency import DependencyTree

__all__ = ["Pair", "Plot", "Table", "report_page"]

Structure: TypeAlias = ConstituencyTree | DependencyTree


class Table(NamedTuple):
    """A table: its title, the names of its columns, and rows of cells as they are to be read."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


class Pair(NamedTuple):
    """A sentence by its number (from 1), its score in per cent, and the two structures that were compared."""

    number: int
    score: float
    gold: Structure
    predicted: Structure


def report_page(
    title: str, notes: Sequence[str], tables: Sequence[Table], plots: Sequence[Plot], pairs: Sequence[Pair]
) -> str:
    """One HTML page, ready to be written to a file and opened without a network.

    notes: paragraphs under the title (files, protocol). pairs: drawn in the order given, gold beside prediction.
    """
    return page(title, _body(notes, tables, plots, pairs))


def _body(notes: Sequence[str], tables: Sequence[Table], plots: Sequence[Plot], pairs: Sequence[Pair]) -> Iterator[str]:
    for note in notes:
        yield f"<p>{escaped(note)}</p>\n"
    for table in tables:
        yield from _table(table)
    for plot in plots:
        yield f"<figure>\n<figcaption>{escaped(plot.title)}</figcaption>\n{plot_svg(plot)}</figure>\n"
    for pair in pairs:
        words = escaped(" ".join(pair.gold.words))
        yield f"<article>\n<h3>Sentence {pair.number}</h3>\n<p>{pair.score:.1f}: {words}</p>\n</article>\n"


def _table(table: Table) -> Iterator[str]:
    yield f"<table>\n<caption>{escaped(table.title)}</caption>\n<thead><tr>"
    yield from (f'<th scope="col">{escaped(name)}</th>' for name in table.columns)
    yield "</tr></thead>\n<tbody>\n"
    for row in table.rows:
        yield "<tr>" + "".join(f"<td>{escaped(cell)}</td>" for cell in row) + "</tr>\n"
    yield "</tbody>\n</table>\n"
