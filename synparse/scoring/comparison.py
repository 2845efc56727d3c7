"""The result of scoring one or more systems against one gold file, for both kinds of trees."""

from __future__ import annotations

import statistics
from bisect import insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, NamedTuple, TypeAlias

from synparse.scoring.baselines import CEILING, RANDOM_SEEDS
from synparse.scoring.counts import Ratios
from synparse.trees.constituency import ConstituencyTree
from synparse.trees.dependency import DependencyTree, WordHeads
from synparse.trees.trivial import RANDOM

Scores = Mapping[str, "float | int | None"]
"""Scores and counts by name. Fractions are 0 … 1, None where there is nothing to score."""

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
    """The agreement of two runs: the second scored as if the first were gold."""

    first: str
    second: str
    scores: Scores


class ScoredSentence(NamedTuple):
    """A sentence by its number (from 1), the score of the first prediction (0 … 1), and the two structures."""

    number: int
    score: float
    gold: ConstituencyTree | DependencyTree
    predicted: ConstituencyTree | WordHeads


TagColumn: TypeAlias = Literal["upos", "xpos"]
"""The columns of CoNLL-U that hold tags. Brackets have one tag for a word, whichever is asked for."""


RelationNames: TypeAlias = Literal["full", "universal"]
"""Gold relations as in the file, or without subtypes: nsubj of nsubj:pass."""


class Wanted(NamedTuple):
    """What to compute besides the scores; each takes time, and significance takes memory.

    seed: of the resamples of intervals and significance tests; None: neither is computed. worst: how many of the
    sentences with the lowest scores to keep. labels, tags: scores of induced labels (of brackets) and of induced tags
    in this column; see `synparse.scoring.categories`. relations: scores of induced relations against gold relations
    with these names; see `synparse.scoring.relations`.
    """

    breakdowns: bool = False
    baselines: bool = False
    seed: int | None = None
    worst: int = 0
    labels: bool = False
    tags: TagColumn | None = None
    relations: RelationNames | None = None


@dataclass(frozen=True)
class Comparison:
    """The scores of systems against one gold file. ``totals``: counts that all of them share, sentences and words.

    ``seed``: as in `Wanted`.
    """

    protocol: str
    gold: str
    totals: Mapping[str, int]
    systems: Sequence[System]
    baselines: Sequence[System] = ()
    agreements: Sequence[Agreement] = ()
    worst: Sequence[ScoredSentence] = ()
    seed: int | None = None


Measures = Mapping[str, Callable[[Any], tuple[float, float]]]
"""By score: the numerator and the denominator that the counts of a sentence add to it."""


class SystemTally:
    """The running counts of one system, in all and by bucket, and its sentences by ``measures``.

    nothing: the counts of no sentence, a value that adds up.
    """

    def __init__(self, nothing: Any, measures: Measures) -> None:
        self.total = nothing
        self.buckets: dict[str, Any] = {}
        self.ratios = {name: Ratios() for name in measures}
        self._measures = measures

    def add(self, counts: Any, buckets: Iterable[str] = ()) -> None:
        self.total += counts
        for name in buckets:
            self.buckets[name] = self.buckets[name] + counts if name in self.buckets else counts
        for name, part_of in self._measures.items():
            self.ratios[name].append(*part_of(counts))


class Scoreboard:
    """The running counts of each prediction, of every two of them, and of the baselines; and the worst sentences.

    nothing, measures: as of `SystemTally`, but sentences are kept for significance alone. trivial: the baselines that
    need no seed.
    """

    def __init__(
        self, runs: Sequence[str], nothing: Any, measures: Measures, trivial: Sequence[str], wanted: Wanted
    ) -> None:
        self.runs, self.trivial, self.wanted = runs, trivial, wanted
        self.systems = [SystemTally(nothing, {} if wanted.seed is None else measures) for _ in runs]
        names = [*trivial, *(f"{RANDOM} {seed}" for seed in RANDOM_SEEDS), CEILING] if wanted.baselines else []
        self.baselines = {name: SystemTally(nothing, {}) for name in names}
        self.agreements = {pair: SystemTally(nothing, {}) for pair in combinations(range(len(runs)), 2)}
        self.worst = Lowest(wanted.worst)

    def comparison(
        self,
        protocol: str,
        gold: str,
        totals: Mapping[str, int],
        scores_of: Callable[[SystemTally], Scores],
        agreement_of: Callable[[SystemTally], Scores],
        breakdowns: Sequence[Sequence[BreakdownTable]],
        further: Sequence[Scores],
        summaries: Sequence[str] = (),
    ) -> Comparison:
        """The counts as scores; with the breakdowns, further scores and, if there are any, the summary of each run."""
        of_runs = zip(self.runs, self.systems, breakdowns, further, summaries or [""] * len(self.runs), strict=True)
        systems = [
            System(name, {**scores_of(tally), **more}, tables, tally.ratios, summary)
            for name, tally, tables, more, summary in of_runs
        ]
        agreements = [
            Agreement(self.runs[first], self.runs[second], agreement_of(tally))
            for (first, second), tally in self.agreements.items()
        ]
        baselines = self._baseline_systems({name: scores_of(tally) for name, tally in self.baselines.items()})
        worst = self.worst.sentences
        return Comparison(protocol, gold, totals, systems, baselines, agreements, worst, self.wanted.seed)

    def _baseline_systems(self, scores: Mapping[str, Scores]) -> list[System]:
        """The baselines as they are shown, the random ones as their mean."""
        if not scores:
            return []
        mean = {}
        for key in scores[CEILING]:
            values = [scores[f"{RANDOM} {seed}"][key] for seed in RANDOM_SEEDS]
            known = [value for value in values if value is not None]
            mean[key] = statistics.mean(known) if known else None  # a count, the same for all, stays one
        shown = {**{name: scores[name] for name in self.trivial}, RANDOM: mean, CEILING: scores[CEILING]}
        return [System(name, values) for name, values in shown.items()]


class Lowest:
    """The sentences with the lowest scores, the lowest first; of equal scores, the first ones."""

    def __init__(self, count: int) -> None:
        self.sentences: list[ScoredSentence] = []
        self._count = count

    def offer(self, score: float | None, drawn: Callable[[float], ScoredSentence]) -> None:
        """Take a further sentence, if it is among the worst; ``drawn`` makes it from its score, which is 1 where there
        is nothing to score."""
        score = 1.0 if score is None else score
        if len(self.sentences) < self._count or (self._count > 0 and score < self.sentences[-1].score):
            insort(self.sentences, drawn(score), key=lambda kept: (kept.score, kept.number))
            del self.sentences[self._count :]


def bucket_of(value: int, buckets: Buckets) -> str:
    """The name of the bucket that a value is in."""
    return next(name for name, last in buckets.items() if last is None or value <= last)
