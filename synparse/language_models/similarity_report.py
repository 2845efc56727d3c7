"""Rankings of several models as a table and as plain values, in per cent."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import Any

from synparse.language_models.sentence_pairs import SentencePairFile
from synparse.language_models.similarity_evaluation import Ranking, Rankings
from synparse.scoring.tables import Table

PROTOCOL = (
    "Spearman's correlation of cosines and scores in per cent, one ranking of all pairs of a file, whatever their "
    "sources; the vector of a sentence is the mean of its words' contextual states after the last layer norm; mean: of "
    "the files; ± is the standard deviation over models"
)
MEAN = "mean"


def tables_of(rankings: Rankings) -> list[Table]:
    """Rows are files and their mean, with a column for each kind of model, and the number of pairs; sources that the
    published set of that name has and the file lacks stand beside its name. A second table has the sources."""
    kinds = _by_kind(rankings.models)
    rows = [
        [
            _title(name, file),
            *(_cell(run.correlations[name] for run in runs) for runs in kinds.values()),
            _pairs(file),
        ]
        for name, file in rankings.files.items()
    ]
    rows.append([MEAN, *(_cell(run.mean for run in runs) for runs in kinds.values()), ""])
    tables = [Table("similarity", ["", *(f"{kind} ({len(runs)})" for kind, runs in kinds.items()), "pairs"], rows)]
    sources = [[name, ", ".join(file.sources)] for name, file in rankings.files.items() if file.sources]
    return [*tables, Table("sources", ["file", "sources"], sources)] if sources else tables


def plain_values(rankings: Rankings) -> dict[str, Any]:
    """The rankings as plain values; None where there is no value."""
    kinds = _by_kind(rankings.models)
    return {
        "protocol": PROTOCOL,
        "models": [
            {
                "model": run.model,
                "kind": run.kind,
                "sets": {
                    name: {
                        "pairs": len(file.pairs),
                        "spearman": _per_cent(run.correlations[name]),
                        "sources": file.sources,
                        "missing_sources": file.missing,
                    }
                    for name, file in rankings.files.items()
                },
                MEAN: _per_cent(run.mean),
            }
            for run in rankings.models
        ],
        "kinds": {
            kind: {
                **{name: _spread(run.correlations[name] for run in runs) for name in rankings.files},
                MEAN: _spread(run.mean for run in runs),
            }
            for kind, runs in kinds.items()
        },
    }


def _by_kind(models: Iterable[Ranking]) -> dict[str, list[Ranking]]:
    kinds: dict[str, list[Ranking]] = {}
    for ranking in models:
        kinds.setdefault(ranking.kind, []).append(ranking)
    return kinds


def _title(name: str, file: SentencePairFile) -> str:
    return f"{name} (without {', '.join(file.missing)})" if file.missing else name


def _pairs(file: SentencePairFile) -> str:
    return str(len(file.pairs))


def _cell(values: Iterable[float | None]) -> str:
    """Mean and standard deviation; a dash where there is no value."""
    summary = _spread(values)
    if summary is None:
        return "–"
    mean = f"{summary['mean']:.2f}"
    return mean if summary["deviation"] is None else f"{mean} ± {summary['deviation']:.2f}"


def _spread(values: Iterable[float | None]) -> dict[str, Any] | None:
    """Mean, sample standard deviation (None of a single one) and number of values, in per cent."""
    known = [100 * value for value in values if value is not None]
    if not known:
        return None
    deviation = round(statistics.stdev(known), 2) if len(known) > 1 else None
    return {"mean": round(statistics.fmean(known), 2), "deviation": deviation, "models": len(known)}


def _per_cent(value: float | None) -> float | None:
    return None if value is None else round(100 * value, 2)
