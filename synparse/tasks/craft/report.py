"""Evaluations of models of imitation as tables and as plain values."""

from __future__ import annotations

from typing import Any

from synparse.tasks.craft.evaluation import MEASURES, Evaluations, OptionTable
from synparse.tasks.craft.subtasks import NAMES, SUBTASKS
from synparse.tasks.report import plain_spread, rounded, spread_cell

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
    with_options = any(one.options is not None for runs in evaluations.values() for _, one in runs)
    return f"{PROTOCOL}; {OF_OPTIONS}" if with_options else PROTOCOL


def tables_of(evaluations: Evaluations) -> list[tuple[str, list[str], list[list[str]]]]:
    """A table of scores, with a column for each kind of model, and one of the options of each model: title, columns and
    rows."""
    runs = [[one for _, one in of_kind] for of_kind in evaluations.values()]
    columns = ["", *(f"{kind} ({len(of_kind)})" for kind, of_kind in evaluations.items())]
    rows = [
        ["demonstrations", *(str(of_kind[0].scores.demonstrations) for of_kind in runs)],
        ["boundaries", *(of_kind[0].boundaries for of_kind in runs)],
        *(
            [title, *(spread_cell([one.value(measure) for one in of_kind]) for of_kind in runs)]
            for measure, title in MEASURES.items()
        ),
        ["nats per action", *(spread_cell([one.nats for one in of_kind], factor=1, digits=4) for of_kind in runs)],
    ]
    tried = [(directory, one.options) for of_kind in evaluations.values() for directory, one in of_kind if one.options]
    return [("scores", columns, rows), *(_option_table(directory, table) for directory, table in tried)]


def _option_table(directory: str, table: OptionTable) -> tuple[str, list[str], list[list[str]]]:
    rates, found = table.success.rates, table.correspondence
    rows = [[f"option {number}", *(spread_cell([rate]) for rate in row)] for number, row in enumerate(rates, 1)]
    empty = [""] * (len(SUBTASKS) - 1)
    rows.append(["diagonal", spread_cell([found.diagonal]), *empty])
    rows.append(["off-diagonal", spread_cell([found.off_diagonal]), *empty])
    names = [f"{letter} ({name})" for letter, name in zip(SUBTASKS, NAMES, strict=True)]
    return f"success of the options of {directory} in {table.success.worlds} worlds", ["", *names], rows


def plain_values(evaluations: Evaluations) -> dict[str, Any]:
    """The evaluations as plain values; None where there is no value."""
    return {
        "protocol": protocol_of(evaluations),
        "models": {
            directory: {
                "kind": kind,
                "demonstrations": one.scores.demonstrations,
                "boundaries": one.boundaries,
                **{measure: rounded(one.value(measure), 100) for measure in MEASURES},
                "nats": rounded(one.nats, digits=4),
                **({} if one.options is None else {"options": _plain_options(one.options)}),
            }
            for kind, runs in evaluations.items()
            for directory, one in runs
        },
        "kinds": {
            kind: {
                **{measure: plain_spread([one.value(measure) for _, one in runs]) for measure in MEASURES},
                "nats": plain_spread([one.nats for _, one in runs], factor=1, digits=4),
            }
            for kind, runs in evaluations.items()
        },
    }


def _plain_options(table: OptionTable) -> dict[str, Any]:
    found = table.correspondence
    return {
        "worlds": table.success.worlds,
        "success": [
            {letter: rounded(rate, 100) for letter, rate in zip(SUBTASKS, row, strict=True)}
            for row in table.success.rates
        ],
        "subtask_of": [None if place is None else SUBTASKS[place] for place in found.subtask_of],
        "diagonal": rounded(found.diagonal, 100),
        "off_diagonal": rounded(found.off_diagonal, 100),
    }
