"""The tables of a paper, from models/papers/: published rows with their source; how our rows are measured; and our rows
that have been measured (`MEASURED`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

from synparse.config.plain_yaml import read_plain_yaml
from synparse.config.recipe import recipe_folder
from synparse.config.settings import refuse_unknown, settings_of
from synparse.files.tables import read_table
from synparse.trees.errors import DataError, SettingError

Published: TypeAlias = int | float | str | None
"""A published cell: a number, text such as ``60.4 ± 0.8``, or None where the paper has none."""

MEASURED = "measured.tsv"
"""The file of our rows that have been measured; `benchmarks.paper_tables` writes it."""

_FIGURE = re.compile(r"(\d+(?:\.\d+)?)(?: ± (\d+(?:\.\d+)?))?\*?")


@dataclass(frozen=True)
class OurRow:
    """What one of our rows is trained as; the measures of the columns say which of these they use.

    - ``recipe``: of a language model, without its size: ``udgn`` is udgn-small or udgn-ptb;
    - ``set``: changes of the recipe's settings; ``every``: 4 trains on each fourth line of the text, or on a fourth of
      the expressions;
    - ``vocabulary``: ``whole`` is that of the whole text, where a part of it is read;
    - ``layer``: whose distances give the trees; ``decoder``: of brackets, instead of the column's;
    - ``freeze_parser``: in tuning for sentence similarity;
    - ``encoder``: of a formal task, of sentences or of Craft, where there is no language model;
    - ``agent``: of Craft, by what it chooses: ``options``, ``one-step`` or ``flat``; ``option``: the one that was
      assigned to this subtask;
    - ``parser``: one that learns nothing, such as right-branching.
    """

    recipe: str = ""
    set: tuple[str, ...] = ()
    every: int = 1
    vocabulary: str = ""
    layer: int | None = None
    decoder: str = ""
    freeze_parser: bool = False
    encoder: str = ""
    agent: str = ""
    option: str = ""
    parser: str = ""


@dataclass(frozen=True)
class PaperTable:
    """A table: columns by title, each with its measure and the arguments of this (none: only the paper has it).

    - ``source``: the number of the table, and its section; ``protocol``: what is measured how, ours included;
    - ``note``: why no row of ours is planned; empty where some are;
    - ``claims``: of the paper, each with what our measured rows say of it: ``agrees``, ``disagrees`` or
      ``not decided``, and why;
    - ``decimals``: of our figures; ``in_fractions``: the paper has fractions of 1 where our commands have per cent;
    - ``turned``: print a column for each row; ``axis``: rows are numbers, of this quantity: the table can be drawn.
    """

    title: str = ""
    source: str = ""
    protocol: str = ""
    note: str = ""
    claims: dict[str, str] = field(default_factory=dict)
    columns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    published: dict[str, tuple[Published, ...]] = field(default_factory=dict)
    ours: dict[str, OurRow] = field(default_factory=dict)
    decimals: int = 1
    in_fractions: bool = False
    turned: bool = False
    axis: str = ""


class MeasuredRow(NamedTuple):
    """A row of ours as it was measured: its figures by column; how, from what and when."""

    cells: Mapping[str, str]
    seeds: str
    minutes: str
    data: str
    commit: str
    date: str
    command: str


MeasuredTable: TypeAlias = Mapping[str, MeasuredRow]
"""Our rows of a table by title."""


@dataclass(frozen=True)
class Paper:
    """Tables by their numbers, and likewise our rows that have been measured."""

    name: str
    citation: str
    tables: Mapping[str, PaperTable]
    measured: Mapping[str, MeasuredTable] = field(default_factory=dict)

    def chosen(self, names: Sequence[str]) -> Mapping[str, PaperTable]:
        """The tables of these numbers, all where none is named. Raises SettingError for one that there is not."""
        for name in names:
            if name not in self.tables:
                raise SettingError(f"--table: {self.name} has no table {name!r}; there are {', '.join(self.tables)}")
        return {name: table for name, table in self.tables.items() if not names or name in names}


def paper_folder() -> Path:
    """The folder of shipped papers."""
    return recipe_folder() / "papers"


def paper_names(folder: Path | None = None) -> list[str]:
    """The papers that can be printed."""
    return sorted(path.stem for path in (folder or paper_folder()).glob("*.yaml"))


def load_paper(name: str, folder: Path | None = None) -> Paper:
    """A paper by its name. Raises SettingError for an unknown one, DataError for a file that is none."""
    folder = folder or paper_folder()
    if name not in paper_names(folder):
        raise SettingError(f"unknown paper {name!r}; there are {', '.join(paper_names(folder))}")
    path = folder / f"{name}.yaml"
    try:
        return _paper(name, read_plain_yaml(path), _measured(name, folder / MEASURED))
    except SettingError as error:
        raise DataError(str(error), str(path)) from None


def _measured(paper: str, path: Path) -> Mapping[str, MeasuredTable]:
    """The rows of a paper in the file of what has been measured; none where there is no such file."""
    tables: dict[str, dict[str, MeasuredRow]] = {}
    for cell in read_table(path):
        if cell["paper"] == paper:
            rows = tables.setdefault(cell["table"], {})
            cells = rows[cell["row"]].cells if cell["row"] in rows else {}
            facts = (cell[fact] for fact in MeasuredRow._fields[1:])
            rows[cell["row"]] = MeasuredRow({**cells, cell["column"]: cell["value"]}, *facts)
    return tables


def _paper(name: str, values: object, measured: Mapping[str, MeasuredTable]) -> Paper:
    if not isinstance(values, dict) or not isinstance(values.get("tables"), dict):
        raise SettingError("a paper is a mapping with the keys citation and tables")
    refuse_unknown(values, ("citation", "tables"), "")
    tables = {number: _table(f"tables.{number}", table) for number, table in values["tables"].items()}
    return Paper(name, str(values.get("citation", "")), tables, measured)


def _table(section: str, values: object) -> PaperTable:
    table = settings_of(PaperTable, values, section)
    for row, cells in table.published.items():
        if len(cells) != len(table.columns):
            raise SettingError(f"{section}.published: {row} has {len(cells)} cells for {len(table.columns)} columns")
    assert isinstance(values, dict)
    for row, settings in (values.get("ours") or {}).items():
        settings_of(OurRow, settings, f"{section}.ours.{row}")  # refuses unknown names, which a nested value may have
    return table


def figure(cell: Published) -> tuple[float, float | None] | None:
    """The number in a published cell and its deviation, None where there is no number.

    >>> figure("60.4 ± 0.8"), figure(49.5), figure("64.4*"), figure(None)
    ((60.4, 0.8), (49.5, None), (64.4, None), None)
    """
    match = _FIGURE.fullmatch(str(cell))
    return match and (float(match[1]), None if match[2] is None else float(match[2]))
