"""The scores of one model, or of several together → spans and heads, by one table of decoders for each.

One model is an ensemble of one. Each model's own constituents are votes for one tree (`synparse.trees.averaging`);
models with phrase boundaries vote together, by the sum of their span scores, and so do models with grammars, by the sum
of their posteriors; head scores are added up.

Probabilities, where they are asked for. Of an arc: with ``mst``, ``argmax`` and ``projective``, the softmax over the
heads of its dependent, under the mean of the models' head scores; with ``grammar`` and ``boundaries``, its probability
among all heads of the phrases (`synparse.trees.head_probabilities`); with ``dbm``, its posterior. Of a span, the mean
over the models that vote on brackets: with ``grammar`` and ``viterbi``, the posterior under the class grammars; with
``boundaries`` and ``dbm``, that of a CRF over binary trees with the mean of the models' span scores; with ``unbiased``
and ``published``, that of splits drawn by the softmax of distances (`synparse.trees.span_probabilities`). A model
without probabilities, such as a baseline, gives 1 to the spans of its tree and 0 to all others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from synparse.inducers.class_grammar import best_labels, viterbi
from synparse.parsing.grammars import (
    SPAN_STRENGTH,
    Evidence,
    Gathered,
    GrammarScores,
    classes_of,
    grammar_scores,
    phrases_of,
)
from synparse.parsing.options import HeadDecoder, TreeDecoder
from synparse.parsing.scorers import Member, Scores
from synparse.store.grammars import Grammars
from synparse.trees.averaging import averaged_spans, normalized_scores, vote_scores
from synparse.trees.distances import binary_spans, published_spans, unbiased_spans
from synparse.trees.errors import SettingError
from synparse.trees.function_words import lowered_heights, penalized_heads
from synparse.trees.head_probabilities import phrase_head_probabilities, word_head_probabilities
from synparse.trees.heads import argmax_heads, joint_heads, phrase_heads
from synparse.trees.phrase_boundaries import unbroken_phrase_scores
from synparse.trees.projective import projective_heads
from synparse.trees.punctuation_cues import Cues, arc_costs, broken_costs, distances_with_cues
from synparse.trees.several_best import several_best_trees
from synparse.trees.span_chart import best_trees
from synparse.trees.span_probabilities import (
    published_span_probabilities,
    scored_span_probabilities,
    unbiased_span_probabilities,
)
from synparse.trees.spanning_tree import maximum_spanning_heads
from synparse.trees.spans import subtree_spans
from synparse.trees.trivial import TRIVIAL_PARSERS

Spans: TypeAlias = "list[tuple[int, int]]"
Heads: TypeAlias = "tuple[int, ...]"

Value = TypeVar("Value")

DISTANCES, BOUNDARIES, HEAD_SCORES, HEIGHTS = "distances", "boundaries", "head scores", "heights"
DEPENDENCIES, CONSTITUENTS = "dependency model", "class grammars"
"""The kinds of scores that a decoder may need."""

TOGETHER = 4_000_000
"""Chunks of T words are decoded in groups whose matrices [T + 1, T + 1] have about as many numbers in all."""


def _published(scores: Scores) -> Spans:
    assert scores.distances is not None
    return published_spans(scores.distances, scores.first_distance)


def _unbiased(scores: Scores) -> Spans:
    assert scores.distances is not None
    return unbiased_spans(scores.distances)


def _projective_subtrees(scores: Scores) -> Spans:
    # A trivial parser has no head scores: its heads are read off its constituents.
    return _unbiased(scores) if scores.head_scores is None else subtree_spans(projective_heads(scores.head_scores))


def _published_probabilities(scores: Scores) -> NDArray[Any]:
    assert scores.distances is not None
    return published_span_probabilities(scores.distances, scores.first_distance)


def _unbiased_probabilities(scores: Scores) -> NDArray[Any]:
    assert scores.distances is not None
    return unbiased_span_probabilities(scores.distances)


def _of_words(scores: NDArray[Any], _: Spans) -> NDArray[Any]:
    return word_head_probabilities(scores)


def _without_prior(scores: NDArray[Any], spans: Spans) -> Heads:
    return phrase_heads(scores, spans, with_prior=False)


def _probabilities_without_prior(scores: NDArray[Any], spans: Spans) -> NDArray[Any]:
    return phrase_head_probabilities(scores, spans, with_prior=False)


class SpanDecoder(NamedTuple):
    """A decoder of brackets. needs: the scores it reads; spans: from the scores of one model to spans in pre-order;
    None where all models make one tree; is_binary: every constituent has two parts; probabilities: from the scores of
    one model to those of spans [T + 1, T + 1]; None where all models make one tree, or there are none."""

    needs: str
    spans: Callable[[Scores], Spans] | None
    is_binary: bool = True
    probabilities: Callable[[Scores], NDArray[Any]] | None = None


class ArcDecoder(NamedTuple):
    """A decoder of heads. needs: the scores that one model at least must give; heads: from the sum of head scores
    [T, T] (row = dependent, column = head, diagonal = root) and the phrases that it is to find the heads of; None for
    the decoder that reads heights; probabilities: from the mean of head scores, and the constituents, to those of
    all arcs [T, T], None if there are none."""

    needs: str
    heads: Callable[[NDArray[Any], Spans], Heads] | None
    probabilities: Callable[[NDArray[Any], Spans], NDArray[Any]] | None = lambda scores, _: word_head_probabilities(
        scores
    )


TREE_DECODERS: dict[TreeDecoder, SpanDecoder] = {
    "grammar": SpanDecoder(CONSTITUENTS, None),
    "viterbi": SpanDecoder(CONSTITUENTS, None),
    "dbm": SpanDecoder(DEPENDENCIES, None),
    "unbiased": SpanDecoder(DISTANCES, _unbiased, probabilities=_unbiased_probabilities),
    "splits": SpanDecoder(DISTANCES, None),
    "published": SpanDecoder(DISTANCES, _published, probabilities=_published_probabilities),
    "boundaries": SpanDecoder(BOUNDARIES, None),
    "projective": SpanDecoder(HEAD_SCORES, _projective_subtrees, is_binary=False),
}

HEAD_DECODERS: dict[HeadDecoder, ArcDecoder] = {
    "mst": ArcDecoder(HEAD_SCORES, lambda scores, _: maximum_spanning_heads(scores), _of_words),
    "argmax": ArcDecoder(HEAD_SCORES, lambda scores, _: argmax_heads(scores), _of_words),
    "projective": ArcDecoder(HEAD_SCORES, lambda scores, _: projective_heads(scores), _of_words),
    "joint": ArcDecoder(HEIGHTS, None, None),
    "phrases": ArcDecoder(HEAD_SCORES, _without_prior, _probabilities_without_prior),
    "boundaries": ArcDecoder(BOUNDARIES, phrase_heads, phrase_head_probabilities),
    "grammar": ArcDecoder(DEPENDENCIES, _without_prior, _probabilities_without_prior),
    "dbm": ArcDecoder(DEPENDENCIES, lambda arcs, _: projective_heads(arcs), lambda arcs, _: arcs),
}

OF_GRAMMARS: tuple[str, ...] = ("grammar", "viterbi", "dbm")
"""The decoders, of brackets and of heads, that read what grammars make of the models' scores."""

ADDED_UP: Final = "grammar"
"""The name under which models with probabilities of constituents, by class grammars or by splits, make one tree."""

WITH_SEVERAL_TREES: tuple[TreeDecoder, ...] = ("grammar", "splits", "dbm", "boundaries")
"""The decoders of brackets that can give the best trees after the first one."""


class Ranked(NamedTuple):
    """One of the best trees: its spans and heads, and its score, the sum over its spans of the mean score of the
    models."""

    spans: Spans
    heads: Heads
    score: float


class Decoded(NamedTuple):
    """Spans and heads (from 1; 0 = root) over the words of a chunk, empty if not wanted, and the scores. labels: the
    nonterminal of each span, from 0; span_probabilities, head_probabilities: of each span, and of each word's arc;
    best: the best trees, the first one among them; each None if not wanted or not known."""

    spans: Spans
    heads: Heads
    distances: list[float] | None = None
    heights: list[float] | None = None
    labels: list[int] | None = None
    span_probabilities: list[float] | None = None
    head_probabilities: list[float] | None = None
    best: list[Ranked] | None = None


def tree_decoders(member: Member) -> tuple[TreeDecoder, ...]:
    """The decoders of brackets that fit a model; its default first."""
    has = {
        DISTANCES: member.gives_distances,
        BOUNDARIES: member.has_boundaries,
        HEAD_SCORES: member.can_give_heads,
        DEPENDENCIES: member.has_dependencies,
        CONSTITUENTS: member.has_constituents,
    }
    return tuple(name for name, decoder in TREE_DECODERS.items() if member.for_brackets and has[decoder.needs])


def head_decoders(members: Sequence[Member]) -> tuple[HeadDecoder, ...]:
    """The decoders of heads that fit the models; the default first.

    If no model has distances, brackets and heads come from one tree: that of the phrase boundaries, or a projective
    one. So they do where all models have learned both from trees. If a model has grammars, they come from the tree of
    the grammars.
    """
    has_dependencies = any(member.has_dependencies and member.for_heads for member in members)
    has_heads = any(member.gives_heads for member in members)
    has = {
        HEAD_SCORES: has_heads,  # and "phrases", because whatever has heads has brackets
        HEIGHTS: len(members) == 1 and members[0].gives_heights and has_heads,
        BOUNDARIES: any(member.has_boundaries and member.gives_heads for member in members),
        DEPENDENCIES: has_dependencies,
    }
    possible = tuple(name for name, decoder in HEAD_DECODERS.items() if has[decoder.needs])
    first: tuple[HeadDecoder, ...] = ("grammar", "dbm")
    if not any(member.gives_distances for member in members):
        first = (*first, "boundaries", "projective")
    elif all(member.gives_distances and member.gives_heads and not member.gives_heights for member in members):
        first = (*first, "phrases")
    return tuple(sorted(possible, key=lambda name: first.index(name) if name in first else len(first)))


def check_probabilities(
    members: Sequence[Member], tree_decoder: TreeDecoder | None, head_decoder: HeadDecoder | None
) -> None:
    """Raises SettingError where the trees of these decoders, None for those not wanted, have no probabilities."""
    names = " + ".join(member.model for member in members)
    if all(member.model in TRIVIAL_PARSERS for member in members):
        raise SettingError(f"the baseline {names} has no probabilities; leave out --confidence and --min-confidence")
    if head_decoder is not None and HEAD_DECODERS[head_decoder].probabilities is None:
        raise SettingError(f"the heads of --decode {head_decoder} have no probabilities; take those of --decode mst")
    if tree_decoder is None:
        return
    own = {_own_decoder(member, tree_decoder) for member in members if member.model not in TRIVIAL_PARSERS} - {None}
    if own <= {"projective"}:
        raise SettingError(
            f"the brackets of {names} have no probabilities here: they are the subtrees of a tree of heads, or those "
            "of a baseline; write CoNLL-U, or take another decoder"
        )


def check_several_trees(members: Sequence[Member], tree_decoder: TreeDecoder | None) -> None:
    """Raises SettingError where these models cannot give the best trees after the first one."""
    own = {_own_decoder(member, tree_decoder) for member in members} - {None}
    together = {ADDED_UP, "splits"} if tree_decoder in (ADDED_UP, "splits") else {tree_decoder}
    if tree_decoder not in WITH_SEVERAL_TREES or not own <= together:
        raise SettingError(
            f"--n-best needs one of the decoders {', '.join(WITH_SEVERAL_TREES)}, and all models that give brackets "
            f"must have it; here brackets come from {', '.join(sorted(filter(None, own))) or 'none'}"
        )


def _own_decoder(member: Member, tree_decoder: TreeDecoder | None) -> TreeDecoder | None:
    """The decoder of brackets of one model among others: the one asked for, if it has it."""
    possible = tree_decoders(member)
    if tree_decoder == ADDED_UP and ADDED_UP not in possible and "splits" in possible:
        return "splits"
    return tree_decoder if tree_decoder in (None, *possible) else next(iter(possible), None)


class Taught(NamedTuple):
    """Grammars and the models of their directory, by their numbers."""

    grammars: Grammars
    members: tuple[int, ...]


class _Task(NamedTuple):
    """What is asked of one model: its decoder of brackets, whether it takes part in heads, and in the boundaries that
    heads are read off. taught: the number of its grammars, if these are asked in its place."""

    member: Member
    tree_decoder: TreeDecoder | None
    with_heads: bool
    with_boundaries: bool
    taught: int | None = None

    @property
    def by_boundaries(self) -> bool:
        return self.tree_decoder == "boundaries"


@dataclass
class _Sum:
    """What the models said of a chunk so far. Matrices are added up model by model: all of them are too large.

    trees: the constituents of each model that gives brackets, or the name of the decoder by which several models make
    one tree; charts: the probabilities of spans of each model that has its own constituents, None if it has none.
    span_scores: [T + 1, T + 1] of the models that have brackets by each of these decoders;
    head_span_scores: of those that have heads by phrase boundaries, where these are others. head_scores [T, T]. heads:
    those of a lone model that decides them without scores. evidence: of each directory with grammars.
    """

    trees: list[Spans | TreeDecoder] = field(default_factory=list)
    charts: list[NDArray[Any] | None] = field(default_factory=list)
    span_scores: dict[TreeDecoder, Any] = field(default_factory=lambda: defaultdict(float))
    head_span_scores: Any = 0.0
    head_scores: Any = 0.0
    heads: Heads | None = None
    distances: list[float] | None = None
    heights: list[float] | None = None
    gathered: dict[int, Gathered] = field(default_factory=lambda: defaultdict(Gathered))
    evidence: dict[int, Evidence] = field(default_factory=dict)


def decoded_chunks(
    members: Sequence[Member],
    taught: Sequence[Taught],
    chunks: Sequence[list[list[str]]],
    cues: Sequence[Cues] | None,
    tree_decoder: TreeDecoder | None,
    head_decoder: HeadDecoder | None,
    with_labels: bool = False,
    with_probabilities: bool = False,
    best: int = 0,
) -> Iterator[Decoded]:
    """The trees of each chunk of words, in order. ``chunks``: of each member, the same words as it reads them.

    ``cues``: those between the words of each chunk, where punctuation is evidence. Models without ``tree_decoder`` use
    their own; a decoder is None where its tree is not wanted. A model without anything to add is not run.
    ``best``: how many trees, the best first, are wanted beside the one.
    """
    if head_decoder == "phrases" and tree_decoder is None:
        tree_decoder = next(name for member in members for name in tree_decoders(member))
    tasks = [_task(member, tree_decoder, head_decoder) for member in members]
    for number, one in enumerate(taught):
        for index in one.members:
            asked = tasks[index].tree_decoder in OF_GRAMMARS or head_decoder in OF_GRAMMARS or with_labels
            tasks[index] = tasks[index]._replace(taught=number if asked else None)
    for group in _groups([len(words) for words in chunks[0]]):
        words = [of_member[group] for of_member in chunks]
        yield from _decoded_together(
            tasks, taught, words, cues and cues[group], head_decoder, with_labels, with_probabilities, best
        )


def gathered_evidence(
    members: Sequence[Member], grammars: Grammars, chunks: Sequence[list[list[str]]], cues: Sequence[Cues] | None
) -> Iterator[Evidence]:
    """What models say of each chunk of words, for the grammars that they teach. See `decoded_chunks`."""
    tasks = [_Task(member, None, False, False, 0) for member in members]
    one = Taught(grammars, tuple(range(len(members))))
    for group in _groups([len(words) for words in chunks[0]]):
        words = [of_member[group] for of_member in chunks]
        for total in _summed(tasks, [one], words, cues and cues[group], None, True):
            yield total.evidence[0]


def _task(member: Member, tree_decoder: TreeDecoder | None, head_decoder: HeadDecoder | None) -> _Task:
    own = _own_decoder(member, tree_decoder)
    with_heads = head_decoder is not None and member.gives_heads
    return _Task(member, own, with_heads, head_decoder == "boundaries" and with_heads and member.has_boundaries)


def _adds_heads(task: _Task, head_decoder: HeadDecoder | None) -> bool:
    """Whether the head scores of a model count by themselves, rather than as evidence for grammars."""
    return task.with_heads and head_decoder != "dbm" and (task.taught is None or head_decoder not in OF_GRAMMARS)


def _groups(lengths: Sequence[int]) -> Iterator[slice]:
    """The groups of about `TOGETHER` numbers in which chunks of these lengths (in words) are decoded."""
    start = size = 0
    for number, length in enumerate(lengths):
        size += (length + 1) ** 2
        if size >= TOGETHER:
            yield slice(start, number + 1)
            start, size = number + 1, 0
    if start < len(lengths):
        yield slice(start, len(lengths))


def _decoded_together(
    tasks: Sequence[_Task],
    taught: Sequence[Taught],
    chunks: Sequence[list[list[str]]],
    cues: Sequence[Cues] | None,
    head_decoder: HeadDecoder | None,
    with_labels: bool,
    with_probabilities: bool,
    best: int,
) -> Iterator[Decoded]:
    one_set = [task.by_boundaries for task in tasks] == [task.with_boundaries for task in tasks]
    sums = _summed(tasks, taught, chunks, cues, head_decoder, one_set, with_probabilities)
    voters = sum(_adds_heads(task, head_decoder) for task in tasks)
    if head_decoder in OF_GRAMMARS or any(task.tree_decoder in OF_GRAMMARS for task in tasks):
        voters += _add_grammars(sums, tasks, taught, head_decoder, with_probabilities)
    shared = dict.fromkeys(name for total in sums for name in total.span_scores)
    trees_by = {name: best_trees([total.span_scores[name] for total in sums]) for name in shared}
    phrases: list[Spans] = [[] for _ in sums]
    is_shared = head_decoder == "phrases"  # heads are those of the phrases of the one tree
    if any(task.with_boundaries for task in tasks):
        is_shared = one_set
        phrases = trees_by["boundaries"] if is_shared else best_trees([total.head_span_scores for total in sums])
    elif head_decoder == "grammar":
        is_shared = all(
            task.tree_decoder == "grammar" and task.member.for_heads for task in tasks if task.taught is not None
        )
        phrases = trees_by["grammar"] if is_shared else best_trees([total.head_span_scores for total in sums])
    is_binary = any(task.tree_decoder and TREE_DECODERS[task.tree_decoder].is_binary for task in tasks)
    is_one_projective_tree = len(tasks) == 1 and tasks[0].tree_decoder == head_decoder == "projective"
    decode = None if head_decoder is None else HEAD_DECODERS[head_decoder].heads
    for number, total in enumerate(sums):
        trees = [trees_by[tree][number] if isinstance(tree, str) else tree for tree in total.trees]
        spans = trees[0] if trees else []
        if len({tree if isinstance(tree, str) else index for index, tree in enumerate(total.trees)}) > 1:
            spans = averaged_spans(trees)
            spans = binary_spans(spans, trees) if is_binary else spans
        if head_decoder == "phrases":
            phrases[number] = spans
        heads = total.heads or ()
        scores: Any = None
        if decode is not None and total.heads is None:
            scores = total.head_scores / voters if head_decoder in ("boundaries", "grammar") else total.head_scores
            heads = decode(scores, phrases[number])
        if is_one_projective_tree and not trees:
            spans = subtree_spans(heads)
        labels = _labels(total, taught, spans) if with_labels and len(spans) > 0 else None
        of_spans = of_heads = ranked = None
        if with_probabilities:
            of_spans = _span_probabilities(total, spans) if total.trees else None
            if scores is not None and head_decoder is not None:
                of_heads = _head_probabilities(total.head_scores / voters, phrases[number], heads, head_decoder)
        if best:
            ranked = _ranked(total, best)
            if decode is not None and is_shared:
                ranked = [one._replace(heads=decode(scores, one.spans)) for one in ranked]
            else:
                ranked = [one._replace(heads=heads) for one in ranked]
        yield Decoded(spans, heads, total.distances, total.heights, labels, of_spans, of_heads, ranked)


def _head_probabilities(scores: NDArray[Any], phrases: Spans, heads: Heads, decoder: HeadDecoder) -> list[float]:
    """The probability of each arc. scores [T, T]: the mean over models."""
    probabilities_of = _known(HEAD_DECODERS[decoder].probabilities)
    columns = [head - 1 if head else word for word, head in enumerate(heads)]
    found: list[float] = probabilities_of(scores, phrases)[range(len(heads)), columns].tolist()
    return found


def _span_probabilities(total: _Sum, spans: Spans) -> list[float]:
    """The probability of each span: the mean over the models that vote on brackets."""
    charts = iter(total.charts)
    starts, ends = np.array(spans).T
    summed = np.zeros(len(spans))
    for name in dict.fromkeys(tree for tree in total.trees if isinstance(tree, str)):
        voters = total.trees.count(name)
        mean = total.span_scores[name] / voters
        summed += voters * (mean if name == ADDED_UP else scored_span_probabilities(mean))[starts, ends]
    for tree in total.trees:
        if not isinstance(tree, str):
            chart = next(charts)
            summed += [span in tree for span in spans] if chart is None else chart[starts, ends]
    found: list[float] = (summed / len(total.trees)).tolist()
    return found


def _ranked(total: _Sum, best: int) -> list[Ranked]:
    """The best trees, without heads."""
    [name] = {tree for tree in total.trees if isinstance(tree, str)}
    trees = several_best_trees(total.span_scores[name], best)
    return [Ranked(spans, (), score / len(total.trees)) for spans, score in trees]


def _labels(total: _Sum, taught: Sequence[Taught], spans: Spans) -> list[int] | None:
    """The most probable nonterminal of each span under the first class grammar; None where the tree is not binary."""
    for number, evidence in total.evidence.items():
        grammars = taught[number].grammars.constituents
        if grammars is not None and len(spans) == len(evidence.classes) - 1:
            return best_labels(grammars, 0, evidence.classes, spans)
    return None


def _summed(
    tasks: Sequence[_Task],
    taught: Sequence[Taught],
    chunks: Sequence[list[list[str]]],
    cues: Sequence[Cues] | None,
    head_decoder: HeadDecoder | None,
    one_set: bool,
    with_probabilities: bool = False,
) -> list[_Sum]:
    """The scores of all models for each chunk. ``one_set``: the same models have brackets and heads by boundaries."""
    sums = [_Sum() for _ in chunks[0]]
    costs = None if cues is None else _cue_costs(chunks[0], cues)
    is_alone = len(tasks) == 1
    gives_scores = is_alone or sum(task.member.for_brackets for task in tasks) == 1
    for task, words in zip(tasks, chunks, strict=True):
        own = task.tree_decoder
        if own is None and not task.with_heads and task.taught is None:
            continue
        reads_heads = task.taught is not None or (own is not None and TREE_DECODERS[own].needs != DISTANCES)
        scored = task.member.score(words, reads_heads or (task.with_heads and head_decoder != "joint"))
        for total, scores in zip(sums, _weighed(scored, costs), strict=True):
            if task.taught is not None:
                total.gathered[task.taught].add(scores)
            if (
                own is not None
                and own not in OF_GRAMMARS
                and not (is_alone and scores.head_scores is not None and own == head_decoder == "projective")
            ):
                total.trees.append(_spans(scores, own))
                if own == "splits":
                    total.span_scores[ADDED_UP] += _unbiased_probabilities(scores)
                if with_probabilities and TREE_DECODERS[own].spans is not None:
                    total.charts.append(_chart(task.member, scores, own))
            if gives_scores and (is_alone or own is not None):
                total.distances, total.heights = scores.distances, scores.heights
            if _adds_heads(task, head_decoder):
                _add_heads(total, scores, own, head_decoder, is_alone)
            if task.by_boundaries or task.with_boundaries:
                span_scores = unbroken_phrase_scores(_known(scores.boundaries), scores.cues, scores.head_scores)
                if task.by_boundaries:
                    total.span_scores["boundaries"] += span_scores
                if task.with_boundaries and not one_set:
                    total.head_span_scores += span_scores
    for total, of_chunk in zip(sums, costs or (), strict=costs is not None):
        if "boundaries" in total.span_scores:
            total.span_scores["boundaries"] -= of_chunk.span_costs
        total.head_span_scores -= of_chunk.span_costs
    for number, one in enumerate(taught):
        of_words = chunks[one.members[0]]
        if tasks[one.members[0]].taught is None:
            continue
        classes = classes_of(one.grammars, of_words)
        phrases = phrases_of(one.grammars, of_words, cues)
        for row, total in enumerate(sums):
            of_arcs, of_spans = (None, None) if costs is None else (costs[row].arc_costs, costs[row].span_costs)
            with_links = one.grammars.config.link_strength > 0
            total.evidence[number] = total.gathered[number].evidence(
                classes[row], None if phrases is None else phrases[row], of_arcs, of_spans, with_links
            )
            del total.gathered[number]  # large matrices
    return sums


def _add_grammars(
    sums: Sequence[_Sum],
    tasks: Sequence[_Task],
    taught: Sequence[Taught],
    head_decoder: HeadDecoder | None,
    with_probabilities: bool,
) -> int:
    """Add what the grammars of each directory say; how many of them have added head scores."""
    voters = 0
    for number, one in enumerate(taught):
        of_one = [tasks[index] for index in one.members]
        if of_one[0].taught is None:
            continue
        trees = next((task.tree_decoder for task in of_one if task.tree_decoder in OF_GRAMMARS), None)
        with_heads = head_decoder in OF_GRAMMARS and any(task.member.for_heads for task in of_one)
        voters += with_heads
        evidence = [total.evidence[number] for total in sums]
        with_spans = "grammar" in (trees, head_decoder) or (trees == "viterbi" and with_probabilities)
        scored = grammar_scores(one.grammars, evidence, with_spans)
        for total, of_sentence, known in zip(sums, scored, evidence, strict=True):
            _add_grammar(total, of_sentence, known, one.grammars, trees, head_decoder if with_heads else None)
            if with_probabilities and trees == "viterbi":
                total.charts.append(of_sentence.spans)
    return voters


def _add_grammar(
    total: _Sum,
    scores: GrammarScores,
    evidence: Evidence,
    grammars: Grammars,
    tree_decoder: TreeDecoder | None,
    head_decoder: HeadDecoder | None,
) -> None:
    if tree_decoder == "viterbi":
        total.trees.append(_viterbi_spans(grammars, evidence, scores))
    elif tree_decoder is not None:
        total.trees.append(tree_decoder)
        total.span_scores[tree_decoder] += scores.spans if tree_decoder == "grammar" else scores.scores
    if head_decoder == "dbm":
        total.head_scores += scores.arcs
    elif head_decoder == "grammar":
        total.head_span_scores += scores.spans
        total.head_scores += penalized_heads(scores.heads, evidence.is_function)


def _viterbi_spans(grammars: Grammars, evidence: Evidence, scores: GrammarScores) -> Spans:
    """The most probable tree under the first class grammar."""
    if len(evidence.classes) < 2:
        return [(0, 1)]
    assert grammars.constituents is not None
    [(spans, _)] = viterbi(grammars.constituents, 0, evidence.classes[None], SPAN_STRENGTH * scores.scores[None])
    return spans


def _spans(scores: Scores, decoder: TreeDecoder) -> Spans | TreeDecoder:
    spans = TREE_DECODERS[decoder].spans
    if spans is not None:
        return spans(scores)
    return ADDED_UP if decoder == "splits" else decoder


def _chart(member: Member, scores: Scores, decoder: TreeDecoder) -> NDArray[Any] | None:
    """The probabilities of spans under one model."""
    probabilities = TREE_DECODERS[decoder].probabilities
    return None if probabilities is None or member.model in TRIVIAL_PARSERS else probabilities(scores)


def _add_heads(
    total: _Sum, scores: Scores, tree_decoder: TreeDecoder | None, head_decoder: HeadDecoder | None, is_alone: bool
) -> None:
    """Add the head scores of a model. Several models get the same weight; the scores of a single one stay unchanged."""
    if scores.head_scores is not None and head_decoder != "joint":
        head_scores = scores.head_scores if is_alone else normalized_scores(scores.head_scores)
        total.head_scores += penalized_heads(head_scores, scores.is_function)
        return
    spans = _published(scores) if tree_decoder == "published" else _unbiased(scores)
    heads = joint_heads(spans, lowered_heights(_known(scores.heights), scores.is_function))
    if is_alone:
        total.heads = heads
    else:
        total.head_scores += vote_scores(heads)


def _known(value: Value | None) -> Value:
    """What a model has by its description."""
    assert value is not None
    return value


class _CueCosts(NamedTuple):
    """The punctuation cues of a chunk, and their costs: [T, T] of arcs, [T + 1, T + 1] of spans. Equal for all
    models."""

    cues: Cues
    arc_costs: NDArray[np.float32]
    span_costs: NDArray[np.float64]


def _cue_costs(chunks: Sequence[list[str]], cues: Sequence[Cues]) -> list[_CueCosts]:
    return [
        _CueCosts(one, arc_costs(one, len(words)), broken_costs(one)) for words, one in zip(chunks, cues, strict=True)
    ]


def _weighed(scored: Iterable[Scores], costs: Sequence[_CueCosts] | None) -> Iterable[Scores]:
    """The scores of each chunk, changed by the punctuation cues between its words."""
    if costs is None:
        return scored
    return (_with_cues(scores, of_chunk) for scores, of_chunk in zip(scored, costs, strict=True))


def _with_cues(scores: Scores, costs: _CueCosts) -> Scores:
    distances, head_scores = scores.distances, scores.head_scores
    return scores._replace(
        distances=None if distances is None else distances_with_cues(distances, costs.cues),
        head_scores=None if head_scores is None else head_scores - costs.arc_costs,
        cues=costs.cues,
    )
