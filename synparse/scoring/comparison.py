"""What comes out of scoring one or more systems against one gold file, whatever the kind of tree."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from synparse.scoring.baselines import CEILING, RANDOM, RANDOM_SEEDS
from synparse.scoring.significance import Ratios
from synparse.trees.constituency import ConstituencyTree
from synparse.trees.dependency import DependencyTree

Scores = Mapping[str, "float | int | None"]
"""Scores and counts by name. Shares are 0 … 1, None where there is nothing to score."""

Buckets = Mapping[str, "int | None"]
"""Ranges of a number by name, each with its last value, in order; None is open."""

SENTENCE_LENGTHS: Buckets = {"1-10": 10, "11-20": 20, "21-30": 30, "31-40": 40, "41+": None}


class BreakdownTable(NamedTuple):
    """The rows of a breakdown: each by its key, with its scores; ``key`` says what the keys are."""

    name: str
    key: str
    rows: Mapping[str, Scores]


class System(NamedTuple):
    """One prediction or baseline: its scores, its breakdowns, its sentences for significance (by measure), and the
    summary as a published scorer prints it."""

    name: str
    scores: Scores
    breakdowns: Sequence[BreakdownTable] = ()
    ratios: Mapping[str, Ratios] = {}
    summary: str = ""


class Agreement(NamedTuple):
    """How far two runs give the same trees: the second scored as if the first were gold."""

    first: str
    second: str
    scores: Scores


class Sentence(NamedTuple):
    """A sentence by its number (from 1), the score of the first prediction (0 … 1), and the two structures."""

    number: int
    score: float
    gold: ConstituencyTree | DependencyTree
    predicted: ConstituencyTree | DependencyTree


class Wanted(NamedTuple):
    """What to work out beside the scores; each costs time, and per-sentence values memory."""

    breakdowns: bool = False
    baselines: bool = False
    per_sentence: bool = False
    worst: int = 0
    """So many sentences with the lowest scores are kept."""


@dataclass(frozen=True)
class Comparison:
    """Systems against one gold file. ``totals``: what is the same for all of them, sentences and words."""

    protocol: str
    totals: Mapping[str, int]
    systems: Sequence[System]
    baselines: Sequence[System]
    agreements: Sequence[Agreement]
    worst: Sequence[Sentence]


class Tally:
    """The running counts of one system, in all and by bucket, and its sentences where they are wanted.

    nothing: the counts of no sentence, a value that adds up. measures: the numerator and the denominator that a
    sentence's counts add to each score.
    """

    def __init__(self, nothing: Any, measures: Mapping[str, Callable[[Any], tuple[float, float]]]) -> None:
        self.total = nothing
        self.buckets: dict[str, Any] = {}
        self.ratios = {name: Ratios() for name in measures}
        self._measures = measures

    def add(self, counts: Any, buckets: Iterable[str] = ()) -> None:
        self.total += counts
        for name in buckets:
            self.buckets[name] = self.buckets[name] + counts if name in self.buckets else counts
        for measure, part_of in self._measures.items():
            self.ratios[measure].append(*part_of(counts))


class Lowest:
    """The sentences with the lowest scores, the first ones of equal score; ``trees`` are made for those alone."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._heap: list[tuple[float, int, Sentence]] = []

    def offer(self, score: float, number: int, trees: Callable[[], Sentence | None]) -> None:
        if len(self._heap) == self._count and (not self._count or (-score, -number) < self._heap[0][:2]):
            return
        sentence = trees()
        if sentence is None:
            return
        change = heapq.heappush if len(self._heap) < self._count else heapq.heapreplace
        change(self._heap, (-score, -number, sentence))

    def sentences(self) -> list[Sentence]:
        """The lowest score first."""
        return [sentence for _, _, sentence in sorted(self._heap, key=lambda entry: entry[:2], reverse=True)]


def baseline_names(trivial: Sequence[str]) -> list[str]:
    """What is scored as baselines: trivial parsers, a random one for each of `RANDOM_SEEDS`, and the ceiling."""
    return [*trivial, *(f"{RANDOM} {seed}" for seed in RANDOM_SEEDS), CEILING]


def baseline_systems(trivial: Sequence[str], systems: Mapping[str, System]) -> list[System]:
    """The baselines as they are shown, the random ones as their mean; ``systems`` are those of `baseline_names`, or
    none."""
    if not systems:
        return []
    seeds = [systems[f"{RANDOM} {seed}"] for seed in RANDOM_SEEDS]
    return [*(systems[name] for name in trivial), _mean_of(RANDOM, seeds), systems[CEILING]]


def _mean_of(name: str, systems: Sequence[System]) -> System:
    """One system whose scores are the mean of several."""
    means = {}
    for key in systems[0].scores:
        values = [value for value in (system.scores[key] for system in systems) if value is not None]
        means[key] = sum(values) / len(values) if values else None
    return System(name, means)


def bucket_of(value: int, buckets: Buckets) -> str:
    """The name of the bucket that a value is in."""
    return next(name for name, last in buckets.items() if last is None or value <= last)
