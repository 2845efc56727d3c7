"""Tables for a terminal (framed by rich), a pipe, a spreadsheet or a paper.

The last three are written here: tabulate would strip the indents of the first column, and pad every cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from synparse.trees.printable import one_cell, printable


class Table(NamedTuple):
    """A title ("" where there is none), the names of the columns (empty: no head line), and rows of cells as they are
    to be read. The first column holds names, the others values."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    @property
    def lines(self) -> Sequence[Sequence[str]]:
        """The head line, where there is one, and the rows."""
        return [self.columns, *self.rows] if self.columns else self.rows


def described(values: Mapping[str, Any]) -> Table:
    """Names and values. The names of values in a mapping, or in a list of mappings, come after its own.

    >>> described({"a": 1, "b": {"c": [2, 3]}, "d": [{"e": 4}]}).rows
    [('a', '1'), ('b.c', '2, 3'), ('d.1.e', '4')]
    """
    return Table("", (), list(_named_cells(values)))


def _named_cells(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        if isinstance(value, list) and any(isinstance(item, dict) for item in value):
            value = {str(number): item for number, item in enumerate(value, 1)}
        if isinstance(value, dict):
            yield from _named_cells(value, f"{prefix}{key}.")
        else:
            yield prefix + key, ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def as_text(tables: Iterable[Table], protocol: str = "") -> Iterator[str]:
    """Cells under each other, the first column 18 wide or more; the protocol, if there is one, is under the first
    table.

    >>> print("".join(as_text([Table("", ("score", "a", "b"), [("UAS", "1.00", "2.00")])], "a rule")), end="")
    score              a    b
    UAS                1.00 2.00
    protocol           a rule
    """
    for number, table in enumerate(map(_printable, tables)):
        if number:
            yield f"\n{table.title}\n"
        positions = enumerate(zip(*table.lines, strict=True))
        widths = [max(18 * (not position), *map(len, cells)) for position, cells in positions]
        for cells in table.lines:
            yield " ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() + "\n"
        if protocol and not number:
            yield f"{'protocol':<18} {printable(protocol)}\n"


def as_tsv(tables: Iterable[Table], protocol: str = "") -> Iterator[str]:
    """Tab-separated lines, first cells without indents; titles and the protocol are comment lines, a blank line is
    between tables."""
    for number, table in enumerate(map(_with_cells, tables)):
        if number:
            yield f"\n# {one_cell(table.title)}\n"
        for cells in table.lines:
            yield "\t".join(cells).lstrip(" ") + "\n"
        if protocol and not number:
            yield f"# protocol: {protocol}\n"


def as_latex(tables: Iterable[Table], protocol: str = "") -> Iterator[str]:
    """A tabular for each table, without packages; titles and the protocol are comments."""
    if protocol:
        yield f"% protocol: {protocol}\n"
    for table in map(_with_cells, tables):
        if table.title:
            yield f"\n% {one_cell(table.title)}\n"
        width = max(map(len, [table.columns, *table.rows]))
        yield f"\\begin{{tabular}}{{l{'r' * (width - 1)}}}\n\\hline\n"
        if table.columns:
            yield _latex_row(table.columns) + "\\hline\n"
        yield from map(_latex_row, table.rows)
        yield "\\hline\n\\end{tabular}\n"


def _latex_row(cells: Iterable[str]) -> str:
    row = " & ".join(cell.translate(_LATEX) for cell in cells)
    before = "{}" if row.startswith(("[", "*")) else ""  # after the end of a row, they would be an argument
    return f"{before}{row} \\\\\n"


_LATEX = str.maketrans(
    {
        **{character: f"\\{character}" for character in "&%$#_{}"},
        "\\": "\\textbackslash{}",
        "~": "\\textasciitilde{}",
        "^": "\\textasciicircum{}",
        "|": "\\textbar{}",
        "<": "$<$",
        ">": "$>$",
    }
)


_WORD = re.compile(r"[^\W\d_]{4}")


def as_frames(tables: Iterable[Table], protocol: str = "") -> Iterator[str]:
    """For a terminal: framed and folded to its width, the protocol under the first table. A table of systems that is
    too wide has them in its rows instead, where that is narrower."""
    from rich.console import Console
    from rich.table import Table as Framed
    from rich.text import Text

    console = Console()
    for number, table in enumerate(map(_printable, tables)):
        shown = table if _width(table) <= console.width else min(table, _turned(table), key=_width)
        framed = Framed(title=Text(table.title) if table.title else None, title_justify="left")
        framed.show_header = bool(shown.columns)
        for position in range(max(map(len, [shown.columns, *shown.rows]))):
            name = shown.columns[position] if shown.columns else ""
            has_words = not position or any(map(_WORD.search, (cells[position] for cells in shown.rows)))
            framed.add_column(Text(name), justify="left" if has_words else "right", overflow="fold")
        for cells in shown.rows:
            bold = cells[0].startswith(("UF1", "UAS", "UUAS", "F-measure"))
            framed.add_row(*map(Text, cells), style="bold" if bold else "")
        with console.capture() as capture:
            console.print(framed)
            if protocol and not number:
                console.print(Text(printable(protocol)))
        yield capture.get()


def _with_cells(table: Table, change: Callable[[str], str] = one_cell) -> Table:
    """The table with names of files, which may have any character, in one cell each."""
    rows = [tuple(map(change, cells)) for cells in table.rows]
    return table._replace(columns=tuple(map(change, table.columns)), rows=rows)


def _printable(table: Table) -> Table:
    """To be shown to people; its title may have several lines."""
    return _with_cells(table, lambda cell: printable(one_cell(cell)))._replace(title=printable(table.title))


def _width(table: Table) -> int:
    """Columns of a terminal that a framed table takes without folding."""
    return 1 + sum(3 + max(map(len, cells)) for cells in zip(*table.lines, strict=True))


def _turned(table: Table) -> Table:
    """Rows for columns, where the head line begins with an empty cell: the names in it are then row names."""
    if not table.columns or table.columns[0]:
        return table
    (_, *names), *rows = zip(*table.lines, strict=True)
    return Table(table.title, ("", *(name.strip() for name in names)), rows)
