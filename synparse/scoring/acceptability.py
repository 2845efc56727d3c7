"""Acceptability of minimal pairs: how often a model gives the better sentence of a pair the higher probability.

Marvin and Linzen 2018, "Targeted syntactic evaluation of language models"; Warstadt et al. 2020, "BLiMP: The Benchmark
of Linguistic Minimal Pairs for English". Pairs add up in groups; accuracies are in per cent, with 95 % intervals
(`synparse.scoring.significance`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from synparse.scoring.counts import Counts, ratio
from synparse.scoring.significance import wilson_interval
from synparse.scoring.tables import Table


class VariantComparison(NamedTuple):
    """Two sentences of an item: the ``better`` should be more probable."""

    better: str
    worse: str

    def __str__(self) -> str:
        return f"{self.better} vs. {self.worse}"


GRAMMATICAL, UNGRAMMATICAL, INTRUSIVE = "grammatical", "ungrammatical", "intrusive"
GRAMMATICALITY = VariantComparison(GRAMMATICAL, UNGRAMMATICAL)
COMPARISONS = (VariantComparison(GRAMMATICAL, INTRUSIVE), VariantComparison(INTRUSIVE, UNGRAMMATICAL), GRAMMATICALITY)
"""The comparison of every item, and those of items with an intrusive variant (a negative polarity item whose licensor
is in a position where it does not license it), in the order of Shen's thesis."""


class SentenceScore(NamedTuple):
    """The score of a sentence, in nats, and how many of its words the model does not know."""

    score: float
    unknown_words: int


@dataclass(frozen=True, slots=True)
class PairCounts(Counts):
    """pairs: number of pairs compared; right: the better sentence is more probable; ties: both are equally probable,
    which does not count as right; known, known_right: the same of pairs whose words the model knows."""

    pairs: int = 0
    right: int = 0
    ties: int = 0
    known: int = 0
    known_right: int = 0


def judged(better: SentenceScore, worse: SentenceScore) -> PairCounts:
    """The counts of one pair.

    >>> judged(SentenceScore(-3.0, 0), SentenceScore(-4.0, 1))
    PairCounts(pairs=1, right=1, ties=0, known=0, known_right=0)
    """
    right = int(better.score > worse.score)
    known = int(not better.unknown_words and not worse.unknown_words)
    return PairCounts(1, right, int(better.score == worse.score), known, right * known)


class PairGroup(NamedTuple):
    """Pairs with the same value in a column, and which of their sentences are compared."""

    column: str
    value: str
    comparison: VariantComparison


@dataclass
class Acceptability:
    """The counts of a model on the pairs of a file: in total, of grammatical against ungrammatical sentences; in each
    group, of every comparison."""

    model: str
    kind: str
    scoring: str
    total: PairCounts = PairCounts()
    groups: dict[PairGroup, PairCounts] = field(default_factory=lambda: defaultdict(PairCounts))

    def add(self, counts: PairCounts, comparison: VariantComparison, columns: Mapping[str, str]) -> None:
        """Add the counts of pairs that have these values in the columns for grouping."""
        if comparison == GRAMMATICALITY:
            self.total += counts
        for column, value in columns.items():
            self.groups[PairGroup(column, value, comparison)] += counts


CONSTRUCTION = "construction"
"""The column of Marvin and Linzen's constructions."""

# The order of table 3.3 of Shen's thesis.
MARVIN_LINZEN = {
    "short-term dependency": (
        "agreement, simple",
        "agreement, in a sentential complement",
        "agreement, short VP coordination",
        "agreement, in an object relative clause",
        "agreement, in an object relative (no that)",
        "reflexive, simple",
        "reflexive, in a sentential complement",
        "NPI, simple",
    ),
    "long-term dependency": (
        "agreement, long VP coordination",
        "agreement, across a prepositional phrase",
        "agreement, across a subject relative clause",
        "agreement, across an object relative clause",
        "agreement, across an object relative (no that)",
        "reflexive, across a relative clause",
        "NPI, across a relative clause",
    ),
}


def sections_of(groups: Iterable[PairGroup], column: str) -> Iterator[tuple[str, list[PairGroup]]]:
    """The groups of a column under their headings, ``""`` where there are none: constructions of Marvin and Linzen in
    the order of the thesis, others in the order of the file."""
    in_column = [group for group in groups if group.column == column]
    known = MARVIN_LINZEN if column == CONSTRUCTION else {}
    for heading, values in known.items():
        in_section = [group for value in values for group in in_column if group.value == value]
        if in_section:
            yield heading, in_section
    rest = [group for group in in_column if not any(group.value in values for values in known.values())]
    if rest:
        yield "other constructions" if len(rest) < len(in_column) else "", rest


def values_of(results: Sequence[Acceptability], by: Sequence[str]) -> list[dict[str, Any]]:
    """Plain values: of each model the accuracy of all pairs, then that of the groups, in the order of the tables."""
    return [
        {
            "model": result.model,
            "kind": result.kind,
            "scoring": result.scoring,
            **_values(result.total),
            "ties": result.total.ties,
            "groups": [
                {
                    "column": column,
                    "section": heading or None,
                    "group": group.value,
                    "comparison": str(group.comparison),
                    **_values(result.groups[group]),
                }
                for column in by
                for heading, groups in sections_of(result.groups, column)
                for group in groups
            ],
        }
        for result in results
    ]


def _values(counts: PairCounts) -> dict[str, Any]:
    known = _accuracy(counts.known, counts.known_right)
    return {**_accuracy(counts.pairs, counts.right), "known": known}


def _accuracy(pairs: int, right: int) -> dict[str, Any]:
    accuracy, interval = ratio(right, pairs), wilson_interval(right, pairs)
    return {
        "pairs": pairs,
        "accuracy": None if accuracy is None else round(100 * accuracy, 2),
        "interval": None if interval is None else [round(100 * bound, 2) for bound in interval],
    }


def _range(values: Mapping[str, Any]) -> str:
    interval = values["interval"]
    return "-" if interval is None else f"{interval[0]:.2f}–{interval[1]:.2f}"


def _per_cent(values: Mapping[str, Any]) -> str:
    accuracy = values["accuracy"]
    return "-" if accuracy is None else f"{accuracy:.2f}"


_MEASURES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "accuracy": _per_cent,
    "95 % interval": _range,
    "known words: pairs": lambda values: str(values["known"]["pairs"]),
    "known words: accuracy": lambda values: _per_cent(values["known"]),
    "known words: 95 % interval": lambda values: _range(values["known"]),
}
"""What tables show of a group of pairs, besides their number."""


def tables_of(file: str, values: Sequence[Mapping[str, Any]], by: Sequence[str]) -> list[Table]:
    """The tables of `values_of`, for the pairs of a file: all of them, a column for each model; then the groups. One
    model has all its numbers in one table, several have a table for each kind of number."""
    models = [model["model"] for model in values]
    rows = [
        ("file", *(file for _ in values)),
        ("kind", *(model["kind"] for model in values)),
        ("score", *(model["scoring"] for model in values)),
        ("pairs", *(str(model["pairs"]) for model in values)),
        ("ties (wrong)", *(str(model["ties"]) for model in values)),
        *((name, *map(shown, values)) for name, shown in _MEASURES.items()),
    ]
    tables = [Table("", ("", *models), rows)]
    for column in by:
        by_model = ([group for group in model["groups"] if group["column"] == column] for model in values)
        groups = list(zip(*by_model, strict=True))
        if len(models) == 1:
            group_rows = _rows(groups, lambda group: [shown(group[0]) for shown in _MEASURES.values()])
            tables.append(Table(f"by {column}", (column, "pairs", *_MEASURES), group_rows))
            continue
        for name, shown in _MEASURES.items():
            group_rows = _rows(groups, lambda group, shown=shown: list(map(shown, group)))  # type: ignore[misc]
            tables.append(Table(f"by {column}: {name}", (column, "pairs", *models), group_rows))
    return tables


def _rows(
    groups: Sequence[Sequence[Mapping[str, Any]]], cells: Callable[[Sequence[Mapping[str, Any]]], Sequence[str]]
) -> list[tuple[str, ...]]:
    """A row for each group, from its values for each model, and one for each heading."""
    rows: list[tuple[str, ...]] = []
    times = Counter(first["group"] for first, *_ in groups)
    section = None
    for group in groups:
        first = group[0]
        shown = cells(group)
        if first["section"] != section:
            section = first["section"]
            rows.append((section, "", *("" for _ in shown)))
        several = f" ({first['comparison']})" if times[first["group"]] > 1 else ""
        rows.append((f"{first['group']}{several}", str(first["pairs"]), *shown))
    return rows
