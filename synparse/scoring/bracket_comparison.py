"""One or more bracketed files against a gold one: scores by protocol, baselines, agreement, breakdowns.

Breakdowns (of kim2019 and shen2018; EVALB has lengths alone):

- by sentence length, in scored words, with the two sets that papers name: WSJ10 (1–10 words) and WSJ40 (1–40);
- recall by gold label, without function tags: of the gold constituents NP, how many are constituents of the prediction.
  Each label of a unary chain counts;
- depth: in how many constituents a word is, the whole sentence's among them and chains collapsed; the mean over a
  sentence's words, and over sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations, compress
from random import Random
from typing import Any, NamedTuple

from synparse.scoring.baselines import (
    CEILING,
    RANDOM,
    RANDOM_SEEDS,
    SPAN_BASELINES,
    Spans,
    binary_spans,
    random_spans,
    trivial_spans,
)
from synparse.scoring.brackets import (
    AlignedTrees,
    KeptTree,
    NamedLines,
    aligned_trees,
    kept_of_prediction,
    trees_in_step,
)
from synparse.scoring.comparison import (
    SENTENCE_LENGTHS,
    Agreement,
    BreakdownTable,
    Comparison,
    Lowest,
    Scores,
    Sentence,
    System,
    Tally,
    Wanted,
    baseline_names,
    baseline_systems,
    bucket_of,
)
from synparse.scoring.constituency import PROTOCOLS, SpanCounts, bare_label, kept_leaves, score_spans
from synparse.scoring.evalb import EvalbCounts, Parameters, score_trees, sentence_length, summary
from synparse.trees.brackets import TreeOfLine
from synparse.trees.constituency import induced_tree
from synparse.trees.errors import DataError
from synparse.trees.spans import constituents_of_kept, sentence_spans

EVALB = "evalb"

SHORT = "short"
"""The bucket of EVALB's second table."""

PAPER_LENGTHS = {"WSJ10": 10, "WSJ40": 40}


class Method(NamedTuple):
    """A protocol as functions: what is taken from a tree, and from a baseline's spans; the counts of two such values;
    the scores of summed counts; and the parts of a ratio that a sentence's counts add."""

    rule: str
    fewest_words: int
    value_of: Callable[[KeptTree], Any]
    value_of_spans: Callable[[KeptTree, Spans], Any]
    counts_of: Callable[[Any, Any], Any]
    nothing: Any
    scores_of: Callable[[Any], Scores]
    measures: Mapping[str, Callable[[Any], tuple[float, float]]]


def compare_brackets(
    runs: Sequence[NamedLines],
    gold: NamedLines,
    protocol: str = "kim2019",
    parameters: Parameters | None = None,
    wanted: Wanted | None = None,
) -> Comparison:
    """Score bracketed predictions by ``protocol``, one of `PROTOCOLS` or ``evalb`` with its parameters.

    Raises DataError (file:line) where a file is malformed or the files do not line up.
    """
    wanted, parameters = wanted or Wanted(), parameters or Parameters()
    method = _evalb_method(parameters) if protocol == EVALB else _span_method(protocol)
    source = _evalb_trees(runs, gold, parameters) if protocol == EVALB else aligned_trees(runs, gold)
    measures = method.measures if wanted.per_sentence else {}
    names = [run.name for run in runs]
    tallies = [Tally(method.nothing, measures) for _ in runs]
    baselines = {name: Tally(method.nothing, {}) for name in baseline_names(SPAN_BASELINES)} if wanted.baselines else {}
    sources = [Random(seed) for seed in RANDOM_SEEDS]
    agreements = {pair: Tally(method.nothing, {}) for pair in combinations(range(len(runs)), 2)}
    shapes = [_Shapes() for _ in runs] if wanted.breakdowns and protocol != EVALB else []
    lowest = Lowest(wanted.worst)
    sentences = scored = 0
    for sentence in source:
        sentences = sentence.number
        words = sum(sentence.gold.kept)
        if words < method.fewest_words:
            continue
        scored += 1
        buckets = [bucket_of(words, SENTENCE_LENGTHS)] if wanted.breakdowns else []
        buckets += [name for name, last in PAPER_LENGTHS.items() if wanted.breakdowns and words <= last]
        if protocol == EVALB and sentence_length(sentence.gold.tree, parameters) <= parameters.cutoff:
            buckets.append(SHORT)
        reference = method.value_of(sentence.gold)
        values = [method.value_of(tree) for tree in sentence.predicted]
        counts = [method.counts_of(reference, value) for value in values]
        for tally, count in zip(tallies, counts, strict=True):
            tally.add(count, buckets)
        if protocol == EVALB and any(count.errors for count in counts):
            errors = [tally.total.errors * count.errors for tally, count in zip(tallies, counts, strict=True)]
            _check_errors(sentence, runs, gold, errors, parameters.max_errors)
        for name, spans in _baseline_spans(sentence.gold, words, sources) if baselines else ():
            baselines[name].add(method.counts_of(reference, method.value_of_spans(sentence.gold, spans)), buckets)
        for (one, other), agreement in agreements.items():
            agreement.add(method.counts_of(values[one], values[other]))
        for shape, value in zip(shapes, values, strict=False):
            shape.add(sentence.gold, reference, value, words)
        if wanted.worst:
            lowest.offer(_f1(counts[0]), sentence.number, lambda: _drawn(sentence, _f1(counts[0])))  # noqa: B023
    systems = [
        System(
            name,
            _all_scores(method, tally),
            [*_length_tables(method, tally, wanted), *(shapes[position].tables() if shapes else ())],
            tally.ratios,
            summary(tally.total, tally.buckets.get(SHORT, EvalbCounts()), parameters.cutoff)
            if protocol == EVALB
            else "",
        )
        for position, (name, tally) in enumerate(zip(names, tallies, strict=True))
    ]
    return Comparison(
        method.rule,
        {
            "sentences": sentences,
            **({"cutoff": parameters.cutoff} if protocol == EVALB else {"scored_sentences": scored}),
        },
        systems,
        baseline_systems(
            SPAN_BASELINES, {name: System(name, _all_scores(method, tally)) for name, tally in baselines.items()}
        ),
        [
            Agreement(names[one], names[other], method.scores_of(tally.total))
            for (one, other), tally in agreements.items()
        ],
        lowest.sentences(),
    )


def _span_method(protocol: str) -> Method:
    rules = PROTOCOLS[protocol]
    by_sentence, by_corpus = protocol == "shen2018", protocol == "kim2019"

    def scores_of(counts: SpanCounts) -> Scores:
        return {
            "uf1_sentence": counts.sentence_f1,
            **({"uf1_corpus": counts.corpus_f1} if by_corpus else {}),
            "precision": counts.sentence_precision if by_sentence else counts.precision,
            "recall": counts.sentence_recall if by_sentence else counts.recall,
        }

    measures: dict[str, Callable[[SpanCounts], tuple[float, float]]] = {
        "uf1_sentence": lambda counts: (counts.f1_sum, counts.sentences)
    }
    if by_corpus:
        measures["uf1_corpus"] = lambda counts: (2 * counts.matched, counts.predicted + counts.gold)
    return Method(
        f"{protocol}: {rules.rule}",
        rules.fewest_words,
        lambda tree: sentence_spans(*tree),
        lambda gold, spans: spans - {(0, sum(gold.kept))},
        score_spans,
        SpanCounts(),
        scores_of,
        measures,
    )


def _evalb_method(parameters: Parameters) -> Method:
    def tree_of_spans(gold: KeptTree, spans: Spans) -> KeptTree:
        words = list(compress(gold.tree.words, gold.kept))
        return KeptTree(induced_tree(words, spans), [True] * len(words))

    def scores_of(counts: EvalbCounts) -> Scores:
        return {
            "valid_sentences": counts.valid,
            "error_sentences": counts.errors,
            "skipped_sentences": counts.skipped,
            "recall": counts.recall,
            "precision": counts.precision,
            "fmeasure": counts.f1,
            "complete_match": counts.complete_match,
            "average_crossing": counts.average_crossing,
            "no_crossing": counts.no_crossing,
            "two_or_less_crossing": counts.two_or_less_crossing,
            "tagging_accuracy": counts.tagging_accuracy,
        }

    return Method(
        parameters.rule,
        0,
        lambda tree: tree,
        tree_of_spans,
        lambda gold, predicted: score_trees(gold.tree, predicted.tree, parameters),
        EvalbCounts(),
        scores_of,
        {"fmeasure": lambda counts: (2 * counts.matched, counts.gold + counts.predicted)},
    )


def _evalb_trees(runs: Sequence[NamedLines], gold: NamedLines, parameters: Parameters) -> Iterator[AlignedTrees]:
    """The trees as they are: each keeps what its own tags say."""
    for number, reference, ones in trees_in_step(runs, gold):
        kept = [tag not in parameters.deleted for tag in reference.tree.tags]
        lines = tuple(one.line for one in ones)
        yield AlignedTrees(number, KeptTree(reference.tree, kept), tuple(KeptTree(one.tree, ()) for one in ones), lines)


def _check_errors(
    sentence: AlignedTrees, runs: Sequence[NamedLines], gold: NamedLines, errors: Sequence[int], most: int
) -> None:
    """A sentence that EVALB calls an error for its tags must at least have the gold's words, and MAX_ERROR allow it."""
    reference = KeptTree(sentence.gold.tree, kept_leaves(sentence.gold.tree))
    for run, (tree, _), line, count in zip(runs, sentence.predicted, sentence.lines, errors, strict=True):
        if count:
            kept_of_prediction(TreeOfLine(line, tree), reference, sentence.number, run.name, gold.name)
        if count > most + 1:
            raise DataError(
                f"in {count} sentences, now {sentence.number}, tags delete other words than in {gold.name}; "
                f"MAX_ERROR is {most}",
                run.name,
                line,
            )


def _baseline_spans(gold: KeptTree, words: int, sources: Sequence[Random]) -> Iterator[tuple[str, Spans]]:
    if not words:
        return
    for name in SPAN_BASELINES:
        yield name, trivial_spans(name, words)
    for seed, source in zip(RANDOM_SEEDS, sources, strict=True):
        yield f"{RANDOM} {seed}", random_spans(words, source)
    yield CEILING, binary_spans(words, sentence_spans(*gold))


def _all_scores(method: Method, tally: Tally) -> Scores:
    scores = method.scores_of(tally.total)
    if SHORT in tally.buckets:
        short = tally.buckets[SHORT]
        scores = {**scores, **{f"{SHORT}_{key}": value for key, value in method.scores_of(short).items()}}
        scores = {**scores, f"{SHORT}_sentences": short.sentences}
    return scores


def _f1(counts: SpanCounts | EvalbCounts) -> float:
    value = counts.sentence_f1 if isinstance(counts, SpanCounts) else counts.f1
    return 1.0 if value is None else value


def _drawn(sentence: AlignedTrees, score: float) -> Sentence:
    return Sentence(sentence.number, score, sentence.gold.tree, sentence.predicted[0].tree)


def _length_tables(method: Method, tally: Tally, wanted: Wanted) -> Iterator[BreakdownTable]:
    if wanted.breakdowns:
        rows = {
            name: {"sentences": tally.buckets[name].sentences, **method.scores_of(tally.buckets[name])}
            for name in (*SENTENCE_LENGTHS, *PAPER_LENGTHS)
            if name in tally.buckets
        }
        yield BreakdownTable("sentence_length", "words of the sentence", rows)


class _Shapes:
    """Recall by gold label, and depth, of one prediction."""

    def __init__(self) -> None:
        self._gold, self._matched = Counter[str](), Counter[str]()
        self._depths = [0.0, 0.0]
        self._sentences = 0

    def add(self, gold: KeptTree, gold_spans: Spans, predicted: Spans, words: int) -> None:
        for label, span in labelled_spans(gold):
            self._gold[label] += 1
            self._matched[label] += span in predicted
        for position, spans in enumerate((gold_spans, predicted)):
            self._depths[position] += mean_depth(spans, words)
        self._sentences += 1

    def tables(self) -> Iterator[BreakdownTable]:
        rows = {
            label: {"gold": count, "matched": self._matched[label], "recall": self._matched[label] / count}
            for label, count in self._gold.most_common()
        }
        yield BreakdownTable("label", "gold label", rows)
        if self._sentences:
            depths = dict(zip(("gold", "predicted"), self._depths, strict=True))
            yield BreakdownTable(
                "depth", "trees", {name: {"mean_depth": depth / self._sentences} for name, depth in depths.items()}
            )


def labelled_spans(gold: KeptTree) -> frozenset[tuple[str, tuple[int, int]]]:
    """The constituents of a gold tree over its kept words, as `sentence_spans` has them, each with its label.

    >>> from synparse.trees.brackets import read_brackets
    >>> [(_, tree)] = read_brackets(["(S (NP-SBJ (DT the) (NN dog)) (VP (VBD ran) (NP (NN home))))"], "gold")
    >>> sorted(labelled_spans(KeptTree(tree, [True] * 4)))
    [('NP', (0, 2)), ('VP', (2, 4))]
    """
    words = sum(gold.kept)
    return frozenset(
        (bare_label(label), (start, end))
        for label, start, end in constituents_of_kept(gold.tree, gold.kept)
        if 1 < end - start < words
    )


def mean_depth(spans: Collection[tuple[int, int]], words: int) -> float:
    """In how many constituents a word is, on average; the whole sentence is one, whether in ``spans`` or not.

    >>> mean_depth({(0, 2)}, 4)  # ((a b) c d): 2, 2, 1 and 1
    1.5
    """
    return 1 + sum(end - start for start, end in spans if (start, end) != (0, words)) / words
