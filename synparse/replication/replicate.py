"""Our rows of a paper's tables: for each cell and seed, the step that gives its figure; what is missing is run, what
there is fills the cells."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from synparse.replication.data import TEXT, Needs
from synparse.replication.measures import Case, DoesNotApply, Measurement, Settings, measurement
from synparse.replication.papers import OurRow, Paper, PaperTable
from synparse.replication.runs import ReplicationProgress
from synparse.replication.steps import Step, with_needs
from synparse.trees.errors import DataError


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


class Cell(NamedTuple):
    """The figures of seeds, in order, and how many seeds are done: a result may lack the figure, such as the recall of
    a label that no gold tree has."""

    values: tuple[float, ...]
    done: int

    @property
    def mean(self) -> float | None:
        return statistics.fmean(self.values) if self.values else None

    @property
    def deviation(self) -> float | None:
        """Sample standard deviation; None of fewer than two seeds."""
        return statistics.stdev(self.values) if len(self.values) > 1 else None


class FilledRow(NamedTuple):
    """One of our rows.

    - ``cells``: by column; None where the row has no such figure;
    - ``least``, ``most``: the seeds that are done, of the cell with the fewest and of that with the most, of ``seeds``;
    - ``minutes``: of one training, with its tuning: the mean over seeds; None if there is none.
    """

    cells: Mapping[str, Cell | None]
    least: int
    most: int
    seeds: int
    minutes: float | None


class FilledTable(NamedTuple):
    """A table of a paper with our rows by title. ``needs``: what the user would have to give for more figures."""

    number: str
    table: PaperTable
    ours: Mapping[str, FilledRow]
    needs: tuple[str, ...]


class Replication(NamedTuple):
    """The tables of a paper, and what was run for them."""

    paper: Paper
    tables: Sequence[FilledTable]
    progress: ReplicationProgress


def replicate(
    paper: Paper,
    names: Sequence[str],
    settings: Settings,
    seeds: int,
    run: Callable[[Sequence[Step]], ReplicationProgress],
) -> Replication:
    """The tables of a paper of these numbers (none: all) with our rows.

    run: runs what is missing of the steps, as `synparse.replication.runs.run` does. Raises SettingError for an unknown
    table, DataError where given files or stored results cannot be read.
    """
    tables = paper.chosen(names)
    planned = plan(tables, settings, seeds)
    progress = run(planned.steps())
    return Replication(paper, [_filled(number, table, planned, progress) for number, table in tables.items()], progress)


def _filled(number: str, table: PaperTable, planned: Plan, progress: ReplicationProgress) -> FilledTable:
    rows = {}
    for name in table.ours:
        places = [place for place in planned.measurements if (place.table, place.row) == (number, name)]
        if places:
            rows[name] = _row(table, places, planned, progress)
    return FilledTable(number, table, rows, planned.needs.get(number, ()))


def _row(table: PaperTable, places: Sequence[Place], planned: Plan, progress: ReplicationProgress) -> FilledRow:
    cells: dict[str, Cell | None] = {}
    for column in table.columns:
        column_places = [place for place in places if place.column == column]
        cells[column] = _cell(column_places, planned, progress) if column_places else None
    counts = [cell.done for cell in cells.values() if cell is not None]
    return FilledRow(
        cells, min(counts), max(counts), len({place.seed for place in places}), _minutes(places, planned, progress)
    )


def _cell(places: Sequence[Place], planned: Plan, progress: ReplicationProgress) -> Cell:
    measurements = [planned.measurements[place] for place in places]
    values = [
        _value(measurement, progress.outcomes[measurement.step].result)
        for measurement in measurements
        if measurement.step in progress.outcomes
    ]
    return Cell(tuple(value for value in values if value is not None), len(values))


def _value(measurement: Measurement, result: Any) -> float | None:
    """Raises DataError for a result of another form, which another version of this program has stored."""
    try:
        return measurement.value_of(result)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        reason = "the result has another form than is read here; delete the folder, and its command runs again"
        raise DataError(reason, measurement.step.folder) from None


def _minutes(places: Sequence[Place], planned: Plan, progress: ReplicationProgress) -> float | None:
    """Of the training runs behind a row's figures: the mean of the seeds for which all of them are done."""
    by_seed: dict[int, list[Step]] = {}
    for place in places:
        by_seed.setdefault(place.seed, []).append(planned.measurements[place].step)
    costs = []
    for steps in by_seed.values():
        training = [step for step in with_needs(steps) if step.is_training]
        if training and all(step in progress.outcomes for step in training):
            costs.append(sum(progress.outcomes[step].seconds for step in training) / 60)
    return statistics.fmean(costs) if costs else None
