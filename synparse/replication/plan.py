"""The plan of a replication: for each cell of our rows and each seed, the step that gives its figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from synparse.replication.data import TEXT, Needs
from synparse.replication.measures import Case, DoesNotApply, Measurement, Settings, measurement
from synparse.replication.papers import OurRow, PaperTable
from synparse.replication.steps import Step, with_needs


class Place(NamedTuple):
    """Where a figure belongs: number of the table, titles of row and column, seed."""

    table: str
    row: str
    column: str
    seed: int


class Plan(NamedTuple):
    """The measurements by their places, and what the user would have to give for the figures without one, by table."""

    measurements: Mapping[Place, Measurement]
    needs: Mapping[str, tuple[str, ...]]

    def steps(self) -> list[Step]:
        """All steps in the order in which they are run: all rows with the first seed, then with the next; and what a
        step needs comes before it."""
        places = sorted(self.measurements, key=lambda place: place.seed)  # stable: else as in the paper
        return list(with_needs(self.measurements[place].step for place in places))


def plan(tables: Mapping[str, PaperTable], settings: Settings, seeds: int) -> Plan:
    """The plan of these tables with seeds 1 to ``seeds``. Raises SettingError for what cannot be planned."""
    measurements: dict[Place, Measurement] = {}
    needs: dict[str, dict[str, None]] = {}
    for place, row, measure in _cells(tables, seeds):
        try:
            measurements[place] = measurement(Case(settings, row, place.seed), measure)
        except Needs as missing:
            known = [TEXT] if row.recipe and not settings.data.texts else []
            needs.setdefault(place.table, {}).update(dict.fromkeys([*known, str(missing)]))
        except DoesNotApply:
            continue
    for names in needs.values():  # brackets that a column needs serve another one that would take CoNLL-U as well
        for name in [name for name in names if name.partition(" (or ")[0] in names.keys() - {name}]:
            del names[name]
    return Plan(measurements, {table: tuple(sorted(names, key=TEXT.__ne__)) for table, names in needs.items()})


def _cells(tables: Mapping[str, PaperTable], seeds: int) -> Iterator[tuple[Place, OurRow, tuple[str, ...]]]:
    for number, table in tables.items():
        for name, row in table.ours.items():
            for seed in range(1, 1 + (1 if row.parser else seeds)):  # without learning, every seed is the same
                for column, measure in table.columns.items():
                    if measure:
                        yield Place(number, name, column, seed), row, measure
