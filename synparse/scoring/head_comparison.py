"""Comparison of CoNLL-U files with a gold file: attachment scores, baselines, agreement, breakdowns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress

from synparse.scoring.alignment import AlignedSentences, aligned_sentences, heads_of, rule_of_gold
from synparse.scoring.baselines import HEAD_BASELINES, head_baselines, random_sources
from synparse.scoring.categories import TagTally, category_rules
from synparse.scoring.comparison import (
    BreakdownTable,
    Comparison,
    Measures,
    Scoreboard,
    ScoredSentence,
    System,
    SystemTally,
    Wanted,
)
from synparse.scoring.conll18 import PROTOCOL, SPAN_METRICS, evaluate_conll18
from synparse.scoring.counts import Counts
from synparse.scoring.dependencies import (
    UNLABELLED,
    DependencyCounts,
    PredictedHeads,
    RootRule,
    TreeCounts,
    TreePair,
    WordOutcome,
    count_outcomes,
    protocol_of,
    score_tree,
    word_outcomes,
)
from synparse.scoring.dependency_breakdowns import BREAKDOWNS, Tallies, add_to_tallies, new_tallies, rows_of_tallies
from synparse.scoring.in_step import NamedLines
from synparse.scoring.relations import RelationTally
from synparse.trees.dependency import DependencyTree, WordHeads
from synparse.trees.errors import DataError
from synparse.trees.scored_words import PunctuationRule, first_with_tags

MEASURES: Measures = {
    "uas": lambda counts: (counts.heads.attached, counts.heads.words),
    "uuas": lambda counts: (counts.heads.connected, counts.heads.words),
}


@dataclass(frozen=True, slots=True)
class HeadCounts(Counts):
    """The counts of words and of trees, which add up over sentences; and of sentences with relations other than ``dep``
    and ``root``, in the prediction and in gold."""

    heads: DependencyCounts
    trees: TreeCounts
    labelled: int = 0
    gold_labelled: int = 0


def head_counts(pair: TreePair, outcomes: Sequence[WordOutcome | None]) -> HeadCounts:
    """The counts of a sentence, given `word_outcomes`."""
    labelled = not UNLABELLED.issuperset(pair.predicted_relations)
    gold_labelled = not UNLABELLED.issuperset(pair.gold_relations)
    return HeadCounts(count_outcomes(Counter(outcomes)), score_tree(pair, outcomes), labelled, gold_labelled)


def compare_heads(
    runs: Sequence[NamedLines],
    gold: NamedLines,
    root: RootRule = "word",
    punctuation: PunctuationRule = "auto",
    wanted: Wanted = Wanted(),  # noqa: B008 - immutable
    heads: PredictedHeads = "tree",
) -> Comparison:
    """Score the ``heads`` of CoNLL-U predictions by one of `ROOT_RULES` and one of `PUNCTUATION_RULES`.

    Baselines are trees over the scored words. Raises DataError (file:line) where a file is malformed or the files do
    not line up (`synparse.scoring.alignment.aligned_sentences`), and for a prediction without the tags or relations
    that are to be scored.
    """
    rule, gold = rule_of_gold(gold, punctuation)
    nothing = HeadCounts(DependencyCounts(), TreeCounts())
    board = Scoreboard([run.name for run in runs], nothing, MEASURES, HEAD_BASELINES, wanted)
    sources = random_sources()
    tallies = [new_tallies() for _ in runs] if wanted.breakdowns else []
    tags = [TagTally() for _ in runs] if wanted.tags else []
    names = wanted.relations
    relations = [RelationTally(names, root, keeps_arcs=wanted.baselines) for _ in runs] if names else []
    sentences = 0
    any_heads = root == "wrong" or heads == "argmax"
    for sentence in aligned_sentences(runs, gold, rule, any_heads, heads):
        sentences = sentence.number
        pairs = sentence.pairs
        outcomes = [word_outcomes(pair, root) for pair in pairs]
        counts = list(map(head_counts, pairs, outcomes))
        for tally, count in zip(board.systems, counts, strict=True):
            tally.add(count)
        for (first, second), agreement in board.agreements.items():
            both = TreePair(pairs[first].predicted, pairs[second].predicted)
            agreement.add(head_counts(both, word_outcomes(both, "word" if root == "wrong" else root)))
        if board.baselines:
            for name, baseline in head_baselines(pairs[0].gold, sources):
                pair = TreePair(pairs[0].gold, baseline)
                board.baselines[name].add(head_counts(pair, word_outcomes(pair, root)))
        for rows, pair, right in zip(tallies, pairs, outcomes, strict=False):
            add_to_tallies(rows, pair, right)
        for tag_tally, predicted in zip(tags, sentence.predicted, strict=False):
            is_upos = wanted.tags == "upos"
            gold_tags = sentence.gold.upos if is_upos else sentence.gold.xpos
            # Word classes are no UPOS.
            induced_tags = first_with_tags(predicted.upos, predicted.xpos) if is_upos else predicted.xpos
            tag_tally.add(compress(gold_tags, sentence.kept), compress(induced_tags, sentence.kept))
        for relation_tally, pair in zip(relations, pairs, strict=False):
            relation_tally.add(tuple(compress(sentence.gold.words, sentence.kept)), pair)
        board.worst.offer(counts[0].heads.uas, partial(_drawn, sentence, heads))
    for tag_tally, run in zip(tags, runs, strict=False):
        tag_tally.check(run.name)
    for _, system, run in zip(relations, board.systems, runs, strict=False):
        if not system.total.gold_labelled:
            raise DataError("no relations to score by but dep", gold.name)
        if not system.total.labelled:
            message = "no relations to score but dep; synparse parse --relations messages writes induced ones"
            raise DataError(message, run.name)

    def has_las(tally: SystemTally) -> bool:  # names of induced relations mean nothing, so there is no LAS by them
        return bool(tally.total.labelled and tally.total.gold_labelled and not relations)

    breakdowns = [
        [
            *(_tables(tallies[position], has_las(tally)) if tallies else ()),
            *([relations[position].table()] if relations and wanted.baselines else ()),
        ]
        for position, tally in enumerate(board.systems)
    ]
    las_rule = "; LAS with subtypes of relations" * any(map(has_las, board.systems))
    return board.comparison(
        protocol_of(root, rule, heads) + las_rule + category_rules(wanted),
        gold.name,
        {"sentences": sentences, "words": board.systems[0].total.heads.words},
        lambda tally: {**tally.total.heads.scores(has_las(tally)), **tally.total.trees.scores()},
        lambda tally: {"uas": tally.total.heads.uas, "uuas": tally.total.heads.uuas},
        breakdowns,
        [
            {**(tags[position].scores() if tags else {}), **(relations[position].scores() if relations else {})}
            for position in range(len(runs))
        ],
    )


def compare_conll18(runs: Sequence[NamedLines], gold: NamedLines) -> Comparison:
    """Score CoNLL-U predictions as the CoNLL 2018 shared task did, whatever their words and sentences.

    A system's scores are the F1 of each metric; its breakdown has precision, recall and accuracy on aligned words too.
    The gold file is read again for each run, so with several its lines are kept in memory. Raises DataError (file:line)
    where a file is malformed or characters differ.
    """
    gold = gold if len(runs) == 1 else NamedLines(gold.name, list(gold.lines))
    systems = []
    for run in runs:
        metrics = evaluate_conll18(run, gold)
        rows = {
            name: {key: getattr(counts, key) for key in ("precision", "recall", "f1", "aligned_accuracy")}
            for name, counts in metrics.items()
        }
        scores = {name.lower() + "_f1" * (name in SPAN_METRICS): counts.f1 for name, counts in metrics.items()}
        systems.append(System(run.name, scores, [BreakdownTable("metric", "metric", rows)]))
        totals = {"sentences": metrics["Sentences"].gold, "words": metrics["Words"].gold}
    return Comparison(f"conll18: {PROTOCOL}", gold.name, totals, systems)


def _tables(tallies: Tallies, labelled: bool) -> list[BreakdownTable]:
    return [
        BreakdownTable(
            name,
            BREAKDOWNS[name].title,
            {key: {"words": counts.words, **counts.scores(labelled)} for key, counts in rows.items()},
        )
        for name, rows in rows_of_tallies(tallies).items()
    ]


def _drawn(sentence: AlignedSentences, heads: PredictedHeads, score: float) -> ScoredSentence:
    """The sentence with the heads that are scored; without relations, unless these are the heads of the tree."""
    gold, predicted = sentence.gold, sentence.predicted[0]
    is_labelled = heads == "tree" and not UNLABELLED.issuperset(predicted.relations)
    return ScoredSentence(
        sentence.number,
        score,
        DependencyTree(gold.words, gold.heads, gold.relations),
        WordHeads(predicted.words, heads_of(predicted, heads), predicted.relations if is_labelled else None),
    )
