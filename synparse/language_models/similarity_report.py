"""Rankings of several models as a table and as plain values, in per cent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from synparse.language_models.sentence_pairs import SentencePairFile
from synparse.language_models.similarity_evaluation import Ranking, Rankings
from synparse.scoring.spread import plain_spread, rounded, spread_cell
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
            *(spread_cell(run.correlations[name] for run in runs) for runs in kinds.values()),
            str(len(file.pairs)),
        ]
        for name, file in rankings.files.items()
    ]
    rows.append([MEAN, *(spread_cell(run.mean for run in runs) for runs in kinds.values()), ""])
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
                        "spearman": rounded(run.correlations[name], 100),
                        "sources": file.sources,
                        "missing_sources": file.missing,
                    }
                    for name, file in rankings.files.items()
                },
                MEAN: rounded(run.mean, 100),
            }
            for run in rankings.models
        ],
        "kinds": {
            kind: {
                **{name: plain_spread(run.correlations[name] for run in runs) for name in rankings.files},
                MEAN: plain_spread(run.mean for run in runs),
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
