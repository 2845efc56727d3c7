"""Comparison of bracketed files with a gold file: scores by protocol, baselines, agreement, breakdowns.

Breakdowns (of kim2019 and shen2018; EVALB has lengths alone):

- by sentence length, in scored words, with the two sets that papers name: WSJ10 (1–10 words) and WSJ40 (1–40);
- recall by gold label, without function tags: of the gold constituents NP, how many are constituents of the prediction.
  Each label of a unary chain counts;
- depth: in how many constituents a word is, the whole sentence's among them and chains collapsed; the mean over a
  sentence's words, and over sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import compress
from typing import Any, Literal, NamedTuple

from synparse.scoring.baselines import SPAN_BASELINES, Spans, random_sources, span_baselines
from synparse.scoring.brackets import (
    AlignedTrees,
    KeptTree,
    aligned_trees,
    gold_lacks_penn_tags,
    kept_of_prediction,
    trees_in_step,
)
from synparse.scoring.categories import LabelTally, TagTally, category_rules, kept_tags, topmost_labels
from synparse.scoring.comparison import (
    SENTENCE_LENGTHS,
    BreakdownTable,
    Comparison,
    Measures,
    Scoreboard,
    ScoredSentence,
    Scores,
    SystemTally,
    Wanted,
    bucket_of,
)
from synparse.scoring.constituency import PROTOCOLS, PUNCTUATION_RULES, SpanCounts, bare_label, score_spans
from synparse.scoring.evalb import EvalbCounts, Parameters, score_trees, sentence_length, summary, without_deleted
from synparse.scoring.in_step import NamedLines
from synparse.trees.brackets import TreeOfLine
from synparse.trees.constituency import induced_tree
from synparse.trees.errors import DataError
from synparse.trees.scored_words import kept_leaves
from synparse.trees.spans import constituents_of_kept, sentence_spans

EVALB = "evalb"

SHORT = "short"
"""The bucket of EVALB's second table."""

PAPER_LENGTHS = {"WSJ10": 10, "WSJ40": 40}


class Method(NamedTuple):
    """A protocol as functions: what is taken from a tree, and from a baseline's spans; the counts of two such values;
    what of a predicted value is compared with other predictions, given gold's; the scores of summed counts, of which
    ``main`` ranks sentences; and what the counts of a sentence add to each score.
    """

    rule: str
    fewest_words: int
    value_of: Callable[[KeptTree], Any]
    value_of_spans: Callable[[KeptTree, Spans], Any]
    counts_of: Callable[[Any, Any], Any]
    without_gold: Callable[[Any, Any], Any]
    nothing: Any
    scores_of: Callable[[Any], Scores]
    main: str
    measures: Measures


def compare_brackets(
    runs: Sequence[NamedLines],
    gold: NamedLines,
    protocol: Literal["kim2019", "shen2018", "evalb"] = "kim2019",
    parameters: Parameters = Parameters(),  # noqa: B008 - immutable
    wanted: Wanted = Wanted(),  # noqa: B008 - immutable
) -> Comparison:
    """Score bracketed predictions by ``protocol``; ``parameters`` are EVALB's.

    EVALB compares labels and tags by their names, so ``wanted.labels`` and ``wanted.tags`` are for the others. These
    leave punctuation out by form where the gold file's tags are not Penn's; EVALB, by its parameters alone. Raises
    DataError (file:line) where a file is malformed or the files do not line up.
    """
    is_evalb = protocol == EVALB
    by_form, gold = (False, gold) if is_evalb else gold_lacks_penn_tags(gold)
    method = _evalb_method(parameters) if is_evalb else _span_method(protocol, by_form)
    board = Scoreboard([run.name for run in runs], method.nothing, method.measures, SPAN_BASELINES, wanted)
    sources = random_sources()
    shapes = [_Shapes() for _ in runs] if wanted.breakdowns and not is_evalb else []
    labels = [LabelTally() for _ in runs] if wanted.labels else []
    tags = [TagTally() for _ in runs] if wanted.tags else []
    sentences = scored = 0
    for sentence in _evalb_trees(runs, gold, parameters) if is_evalb else aligned_trees(runs, gold, by_form):
        sentences = sentence.number
        words = sum(sentence.gold.kept)
        if words < method.fewest_words:
            continue
        scored += 1
        buckets = _buckets(words) if wanted.breakdowns else []
        if is_evalb and sentence_length(sentence.gold.tree, parameters) <= parameters.cutoff:
            buckets.append(SHORT)
        reference = method.value_of(sentence.gold)
        values = [method.value_of(tree) for tree in sentence.predicted]
        counts = [method.counts_of(reference, value) for value in values]
        for tally, count in zip(board.systems, counts, strict=True):
            tally.add(count, buckets)
        if is_evalb and any(count.errors for count in counts):
            errors = [tally.total.errors * count.errors for tally, count in zip(board.systems, counts, strict=True)]
            _check_errors(sentence, runs, gold, errors, parameters.max_errors)
        alone = [method.without_gold(reference, value) for value in values] if board.agreements else []
        for (first, second), agreement in board.agreements.items():
            agreement.add(method.counts_of(alone[first], alone[second]))
        if board.baselines:
            for name, spans in span_baselines(sentence_spans(*sentence.gold), words, sources):
                value = method.value_of_spans(sentence.gold, spans)
                board.baselines[name].add(method.counts_of(reference, value), buckets)
        for shape, value in zip(shapes, values, strict=False):
            shape.add(sentence.gold, reference, value, words)
        gold_labels = topmost_labels(sentence.gold) if labels else {}
        for label_tally, tree in zip(labels, sentence.predicted, strict=False):
            label_tally.add(gold_labels, topmost_labels(tree))
        for tag_tally, tree in zip(tags, sentence.predicted, strict=False):
            tag_tally.add(kept_tags(sentence.gold), kept_tags(tree))
        if wanted.worst:
            drawn = partial(
                ScoredSentence, sentence.number, gold=sentence.gold.tree, predicted=sentence.predicted[0].tree
            )
            board.worst.offer(method.scores_of(counts[0])[method.main], drawn)
    for tag_tally, run in zip(tags, runs, strict=False):
        tag_tally.check(run.name)
    breakdowns = [
        [
            *([_length_table(method, tally)] if wanted.breakdowns else ()),
            *(shapes[position].tables() if shapes else ()),
            *([labels[position].table()] if labels else ()),
        ]
        for position, tally in enumerate(board.systems)
    ]
    return board.comparison(
        method.rule + category_rules(wanted),
        gold.name,
        {"sentences": sentences, **({"cutoff": parameters.cutoff} if is_evalb else {"scored_sentences": scored})},
        lambda tally: _all_scores(method, tally),
        lambda tally: method.scores_of(tally.total),
        breakdowns,
        [
            {**(labels[position].scores() if labels else {}), **(tags[position].scores() if tags else {})}
            for position in range(len(runs))
        ],
        [
            summary(tally.total, tally.buckets.get(SHORT, EvalbCounts()), parameters.cutoff) if is_evalb else ""
            for tally in board.systems
        ],
    )


def _span_method(protocol: str, by_form: bool) -> Method:
    rules = PROTOCOLS[protocol]
    by_corpus = protocol == "kim2019"
    measures: Measures = {"uf1_sentence": lambda counts: (counts.f1_sum, counts.sentences)}
    if by_corpus:
        measures = {**measures, "uf1_corpus": lambda counts: (2 * counts.matched, counts.predicted + counts.gold)}
    return Method(
        f"{protocol}: {PUNCTUATION_RULES[by_form]}; {rules.rule}",
        rules.fewest_words,
        lambda tree: sentence_spans(*tree),
        lambda gold, spans: spans - {(0, sum(gold.kept))},
        score_spans,
        lambda _, spans: spans,
        SpanCounts(),
        lambda counts: counts.scores(by_sentence=not by_corpus),
        "uf1_sentence",
        measures,
    )


def _evalb_method(parameters: Parameters) -> Method:
    def tree_of_spans(gold: KeptTree, spans: Spans) -> KeptTree:
        words = list(compress(gold.tree.words, gold.kept))
        return KeptTree(induced_tree(words, spans), [True] * len(words))

    return Method(
        parameters.rule,
        0,
        lambda tree: tree,
        tree_of_spans,
        lambda gold, predicted: score_trees(gold.tree, predicted.tree, parameters),
        lambda gold, predicted: KeptTree(without_deleted(gold.tree, predicted.tree, parameters), ()),
        EvalbCounts(),
        lambda counts: counts.scores(),
        "fmeasure",
        {"fmeasure": lambda counts: (2 * counts.matched, counts.gold + counts.predicted)},
    )


def _evalb_trees(runs: Sequence[NamedLines], gold: NamedLines, parameters: Parameters) -> Iterator[AlignedTrees]:
    """The trees as they are: each keeps what its own tags say."""
    for number, reference, predictions in trees_in_step(runs, gold):
        kept = [tag not in parameters.deleted for tag in reference.tree.tags]
        trees = tuple(KeptTree(prediction.tree, ()) for prediction in predictions)
        lines = tuple(prediction.line for prediction in predictions)
        yield AlignedTrees(number, KeptTree(reference.tree, kept), trees, lines)


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


def _buckets(words: int) -> list[str]:
    return [bucket_of(words, SENTENCE_LENGTHS), *(name for name, last in PAPER_LENGTHS.items() if words <= last)]


def _all_scores(method: Method, tally: SystemTally) -> Scores:
    scores = method.scores_of(tally.total)
    short = tally.buckets.get(SHORT)
    if short is None:
        return scores
    short_scores = {f"{SHORT}_{key}": value for key, value in method.scores_of(short).items()}
    return {**scores, **short_scores, f"{SHORT}_sentences": short.sentences}


def _length_table(method: Method, tally: SystemTally) -> BreakdownTable:
    rows = {
        name: {"sentences": tally.buckets[name].sentences, **method.scores_of(tally.buckets[name])}
        for name in (*SENTENCE_LENGTHS, *PAPER_LENGTHS)
        if name in tally.buckets
    }
    return BreakdownTable("sentence_length", "words of the sentence", rows)


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
            for label, count in sorted(self._gold.items(), key=lambda item: (-item[1], item[0]))
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
