"""Evaluations of models of imitation as tables and as plain values."""

from __future__ import annotations

from typing import Any

from synparse.scoring.spread import plain_spread, rounded, spread_cell
from synparse.scoring.tables import Table
from synparse.tasks.craft.evaluation import MEASURES, Evaluations, OptionTable
from synparse.tasks.craft.subtasks import NAMES, SUBTASKS

PROTOCOL = (
    "per cent; alignment: the i-th segment is taken to be the i-th subtask; boundaries match within 1 step, one to "
    "one; NMI of option and subtask over steps; nats: negative log-likelihood per action; ± is the standard deviation "
    "over models"
)

OF_OPTIONS = (
    "success: per cent of random worlds in which the first thing that an option takes, started by itself and before it "
    "is done, is the subtask's; diagonal: mean of the best one-to-one assignment of options to the subtasks of the "
    "model's tasks; off-diagonal: the highest of the others"
)


def protocol_of(evaluations: Evaluations) -> str:
    """What the numbers are."""
    with_options = any(run.options is not None for runs in evaluations.values() for _, run in runs)
    return f"{PROTOCOL}; {OF_OPTIONS}" if with_options else PROTOCOL


def tables_of(evaluations: Evaluations) -> list[Table]:
    """A table of scores, with a column for each kind of model, and one of the options of each model."""
    by_kind = [[run for _, run in runs] for runs in evaluations.values()]
    columns = ["", *(f"{kind} ({len(runs)})" for kind, runs in evaluations.items())]
    rows = [
        ["demonstrations", *(str(runs[0].scores.demonstrations) for runs in by_kind)],
        ["boundaries", *(runs[0].boundaries for runs in by_kind)],
        *(
            [title, *(spread_cell([run.value(measure) for run in runs]) for runs in by_kind)]
            for measure, title in MEASURES.items()
        ),
        ["nats per action", *(spread_cell([run.nats for run in runs], factor=1, digits=4) for runs in by_kind)],
    ]
    tried = [(directory, run.options) for runs in evaluations.values() for directory, run in runs if run.options]
    return [Table("scores", columns, rows), *(_option_table(directory, table) for directory, table in tried)]


def _option_table(directory: str, table: OptionTable) -> Table:
    rates, correspondence = table.success.rates, table.correspondence
    rows = [[f"option {number}", *(spread_cell([rate]) for rate in row)] for number, row in enumerate(rates, 1)]
    empty = [""] * (len(SUBTASKS) - 1)
    rows.append(["diagonal", spread_cell([correspondence.diagonal]), *empty])
    rows.append(["off-diagonal", spread_cell([correspondence.off_diagonal]), *empty])
    names = [f"{letter} ({name})" for letter, name in zip(SUBTASKS, NAMES, strict=True)]
    return Table(f"success of the options of {directory} in {table.success.worlds} worlds", ["", *names], rows)


def plain_values(evaluations: Evaluations) -> dict[str, Any]:
    """The evaluations as plain values; None where there is no value."""
    return {
        "protocol": protocol_of(evaluations),
        "models": {
            directory: {
                "kind": kind,
                "demonstrations": run.scores.demonstrations,
                "boundaries": run.boundaries,
                **{measure: rounded(run.value(measure), 100) for measure in MEASURES},
                "nats": rounded(run.nats, digits=4),
                **({} if run.options is None else {"options": _plain_options(run.options)}),
            }
            for kind, runs in evaluations.items()
            for directory, run in runs
        },
        "kinds": {
            kind: {
                **{measure: plain_spread([run.value(measure) for _, run in runs]) for measure in MEASURES},
                "nats": plain_spread([run.nats for _, run in runs], factor=1, digits=4),
            }
            for kind, runs in evaluations.items()
        },
    }


def _plain_options(table: OptionTable) -> dict[str, Any]:
    correspondence = table.correspondence
    return {
        "worlds": table.success.worlds,
        "success": [
            {letter: rounded(rate, 100) for letter, rate in zip(SUBTASKS, row, strict=True)}
            for row in table.success.rates
        ],
        "subtask_of": [None if place is None else SUBTASKS[place] for place in correspondence.subtask_of],
        "diagonal": rounded(correspondence.diagonal, 100),
        "off_diagonal": rounded(correspondence.off_diagonal, 100),
    }
