"""One or more CoNLL-U files against a gold one: attachment scores, baselines, agreement, breakdowns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

from synparse.scoring.alignment import AlignedSentences, aligned_sentences
from synparse.scoring.baselines import (
    CEILING,
    HEAD_BASELINES,
    RANDOM,
    RANDOM_SEEDS,
    projective_ceiling,
    random_heads,
    trivial_heads,
)
from synparse.scoring.brackets import NamedLines
from synparse.scoring.comparison import (
    Agreement,
    BreakdownTable,
    Comparison,
    Lowest,
    Scores,
    Sentence,
    System,
    Wanted,
    baseline_names,
    baseline_systems,
)
from synparse.scoring.conll18 import PROTOCOL, SPAN_METRICS, evaluate_conll18
from synparse.scoring.dependencies import (
    UNLABELLED,
    DependencyCounts,
    Outcome,
    TreeCounts,
    TreePair,
    count_outcomes,
    protocol_of,
    score_tree,
    word_outcomes,
)
from synparse.scoring.dependency_breakdowns import BREAKDOWNS, add_to_tallies, new_tallies, rows_of_tallies
from synparse.scoring.significance import Ratios
from synparse.trees.dependency import DependencyTree, is_tree

MEASURES: Mapping[str, Callable[[DependencyCounts], tuple[float, float]]] = {
    "uas": lambda counts: (counts.attached, counts.words),
    "uuas": lambda counts: (counts.connected, counts.words),
}


def compare_heads(
    runs: Sequence[NamedLines],
    gold: NamedLines,
    root: str = "word",
    punctuation: str = "auto",
    wanted: Wanted | None = None,
) -> Comparison:
    """Score CoNLL-U predictions by one of `ROOT_RULES` and one of `PUNCTUATION_RULES`.

    Baselines are trees over the scored words. Raises DataError (file:line) where a file is malformed or the files do
    not line up (`synparse.scoring.alignment.aligned_sentences`).
    """
    wanted = wanted or Wanted()
    tallies = [_HeadTally(root, wanted) for _ in runs]
    plain = Wanted()
    baselines = {name: _HeadTally(root, plain) for name in baseline_names(HEAD_BASELINES)} if wanted.baselines else {}
    sources = [Random(seed) for seed in RANDOM_SEEDS]
    agreements = {pair: _HeadTally("word", plain) for pair in combinations(range(len(runs)), 2)}
    lowest = Lowest(wanted.worst)
    sentences = 0
    for sentence in aligned_sentences(runs, gold, punctuation, root == "wrong"):
        sentences = sentence.number
        for tally, pair in zip(tallies, sentence.pairs, strict=True):
            tally.add(pair)
        for name, heads in _baseline_heads(sentence.pairs[0].gold, sources) if baselines else ():
            baselines[name].add(TreePair(sentence.pairs[0].gold, heads))
        for (one, other), agreement in agreements.items():
            agreement.add(TreePair(sentence.pairs[one].predicted, sentence.pairs[other].predicted))
        if wanted.worst:
            score = _uas(sentence.pairs[0])
            lowest.offer(score, sentences, lambda: _drawn(sentence, score))  # noqa: B023
    names = [run.name for run in runs]
    return Comparison(
        protocol_of(root, punctuation),
        {"sentences": sentences, "words": tallies[0].counts.words},
        [
            System(name, tally.scores(), list(tally.breakdowns()), tally.ratios)
            for name, tally in zip(names, tallies, strict=True)
        ],
        baseline_systems(HEAD_BASELINES, {name: System(name, tally.scores()) for name, tally in baselines.items()}),
        [
            Agreement(names[one], names[other], {"uas": tally.counts.uas, "uuas": tally.counts.uuas})
            for (one, other), tally in agreements.items()
        ],
        lowest.sentences(),
    )


def compare_conll18(runs: Sequence[NamedLines], gold: NamedLines) -> Comparison:
    """Score CoNLL-U predictions as the CoNLL 2018 shared task did, whatever their words and sentences.

    A system's scores are the F1 of each metric; its breakdown has precision, recall and accuracy on aligned words too.
    Each run reads the gold file anew, so with several its lines are held. Raises DataError (file:line) where a file is
    malformed or characters differ.
    """
    gold_lines = gold.lines if len(runs) == 1 else list(gold.lines)
    systems = []
    for run in runs:
        metrics = evaluate_conll18(run.lines, gold_lines, run.name, gold.name)
        rows = {
            name: {
                "precision": counts.precision,
                "recall": counts.recall,
                "f1": counts.f1,
                "aligned_accuracy": counts.aligned_accuracy,
            }
            for name, counts in metrics.items()
        }
        scores = {
            f"{name.lower()}_f1" if name in SPAN_METRICS else name.lower(): counts.f1  #
            for name, counts in metrics.items()
        }
        systems.append(System(run.name, scores, [BreakdownTable("metric", "metric", rows)]))
        totals = {"sentences": metrics["Sentences"].gold, "words": metrics["Words"].gold}
    return Comparison(f"conll18: {PROTOCOL}", totals, systems, [], [], [])


class _HeadTally:
    """The running counts of one system: small, but for per-sentence values where they are wanted."""

    def __init__(self, root: str, wanted: Wanted) -> None:
        self._root, self._wanted = root, wanted
        self._outcomes = Counter[Outcome | None]()
        self._trees = TreeCounts()
        self._labelled = False
        self._tallies = new_tallies()
        self.ratios = {name: Ratios() for name in MEASURES} if wanted.per_sentence else {}

    def add(self, pair: TreePair) -> None:
        outcomes = word_outcomes(pair, self._root)
        self._labelled = self._labelled or not UNLABELLED.issuperset(pair.predicted_relations)
        self._outcomes.update(outcomes)
        self._trees += score_tree(pair, outcomes)
        if self._wanted.breakdowns:
            add_to_tallies(self._tallies, pair, outcomes)
        if self.ratios:
            counts = count_outcomes(Counter(outcomes))
            for name, part_of in MEASURES.items():
                self.ratios[name].append(*part_of(counts))

    @property
    def counts(self) -> DependencyCounts:
        return count_outcomes(self._outcomes, self._labelled)

    def scores(self) -> Scores:
        return {
            **_scores(self.counts),
            "exact_trees": self._trees.exact_fraction,
            "root_accuracy": self._trees.root_accuracy,
        }

    def breakdowns(self) -> Iterator[BreakdownTable]:
        if self._wanted.breakdowns:
            for name, rows in rows_of_tallies(self._tallies, self._labelled).items():
                yield BreakdownTable(
                    name,
                    BREAKDOWNS[name].title,
                    {key: {"words": counts.words, **_scores(counts)} for key, counts in rows.items()},
                )


def _scores(counts: DependencyCounts) -> Scores:
    labelled = {} if counts.labelled is None else {"las": counts.las}
    return {"uas": counts.uas, "uuas": counts.uuas, "ned": counts.ned, **labelled}


def _baseline_heads(gold: Sequence[int], sources: Sequence[Random]) -> Iterator[tuple[str, Sequence[int]]]:
    if not gold:
        return
    for name in HEAD_BASELINES:
        yield name, trivial_heads(name, len(gold))
    for seed, source in zip(RANDOM_SEEDS, sources, strict=True):
        yield f"{RANDOM} {seed}", random_heads(len(gold), source)
    yield CEILING, projective_ceiling(gold)


def _uas(pair: TreePair) -> float:
    right = sum(due == found for due, found in zip(pair.gold, pair.predicted, strict=True))
    return right / len(pair.gold) if pair.gold else 1.0


def _drawn(sentence: AlignedSentences, score: float) -> Sentence | None:
    """The two trees; None where the predicted heads are none."""
    gold, predicted = sentence.gold, sentence.predicted[0]
    if not is_tree(predicted.heads):
        return None
    return Sentence(
        sentence.number,
        score,
        DependencyTree(gold.words, gold.heads, gold.relations),
        DependencyTree(predicted.words, predicted.heads, predicted.relations),
    )
