"""Evaluations of several models as tables and as plain values, in per cent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from synparse.scoring.spread import plain_spread, rounded, spread_cell
from synparse.scoring.tables import Table
from synparse.tasks.evaluation import LENGTHS, Evaluation, Tally

PROTOCOL = (
    "per cent; majority: always the most frequent answer; F1 of constituents as EVALB counts them, whole expressions "
    "included, and inner F1 without these; ± is the standard deviation over models"
)

OF_TREEBANKS = (
    "per cent of the sentences whose root has the right label; majority: always the most frequent label of these "
    "sentences; F1 of the binary trees that the encoder induced, against the treebank's, words alone left out, and "
    "inner F1 without whole sentences too; ± is the standard deviation over models"
)
"""The protocol of tasks on treebanks."""

MEASURES = {"accuracy": "accuracy", "f1": "F1", "inner_f1": "inner F1"}
"""The scores of a `Tally` with their titles."""

Evaluations: TypeAlias = Mapping[str, Sequence[tuple[str, Evaluation]]]
"""Of each encoder's models, with their directories."""


def tables_of(evaluations: Evaluations, baselines: Mapping[str, Tally]) -> list[Table]:
    """A table of all examples, with a column for each encoder and each of the ``baselines``, and one for each of the
    groups, with a column for each encoder; both say the number of examples."""
    by_encoder = [[run for _, run in runs] for runs in evaluations.values()]
    columns = ["", *(f"{encoder} ({len(runs)})" for encoder, runs in evaluations.items())]
    rows = [
        [
            title,
            *(spread_cell([getattr(run.total, name) for run in runs]) for runs in by_encoder),
            *(spread_cell([getattr(tally, name)]) for tally in baselines.values()),
            str(next(iter(baselines.values())).examples),
        ]
        for name, title in MEASURES.items()
    ]
    tables = [Table("scores", [*columns, *baselines, "examples"], rows)]
    for group, tallies in by_encoder[0][0].groups.items():
        rows = [
            [
                f"{value - LENGTHS + 1}–{value}" if group == "length" else str(value),
                *(spread_cell([run.groups[group][value].accuracy for run in runs]) for runs in by_encoder),
                str(tally.examples),
            ]
            for value, tally in tallies.items()
        ]
        tables.append(Table(f"accuracy by {group}", [group, *columns[1:], "examples"], rows))
    return tables


def plain_values(evaluations: Evaluations, protocol: str, baselines: Mapping[str, Tally]) -> dict[str, Any]:
    """The evaluations as plain values; None where there is no value."""
    return {
        "protocol": protocol,
        "models": {
            directory: {
                "encoder": encoder,
                **_scores(run.total),
                "groups": {
                    name: {str(value): _scores(tally) for value, tally in group.items()}
                    for name, group in run.groups.items()
                },
            }
            for encoder, runs in evaluations.items()
            for directory, run in runs
        },
        "encoders": {
            encoder: {name: plain_spread([getattr(run.total, name) for _, run in runs]) for name in MEASURES}
            for encoder, runs in evaluations.items()
        },
        "baselines": {name: _scores(tally) for name, tally in baselines.items()},
    }


def _scores(tally: Tally) -> dict[str, float | int | None]:
    return {"examples": tally.examples, **{name: rounded(getattr(tally, name), 100) for name in MEASURES}}
