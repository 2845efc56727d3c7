"""What the models of a parser say of each chunk of words, added up, with what grammars make of it.

Each model's own constituents are votes for one tree; models with phrase boundaries have one tree together, by the sum
of their span scores, and so do models with class grammars or probabilities of splits, by the sum of the probabilities
of constituents. Head scores are added up. What follows from the sums: `synparse.parsing.decoding`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from synparse.config.parsing import HeadDecoder, TreeDecoder
from synparse.inducers.class_grammar import viterbi
from synparse.parsing.decoders import (
    ADDED_UP,
    DISTANCES,
    OF_GRAMMARS,
    SPLITS,
    TREE_DECODERS,
    Heads,
    Spans,
    own_decoder,
)
from synparse.parsing.grammars import (
    SPAN_STRENGTH,
    Evidence,
    Gathered,
    GrammarScores,
    classes_of,
    grammar_scores,
    phrases_of,
)
from synparse.parsing.scorers import Member, Scores
from synparse.store.grammars import Grammars
from synparse.trees.averaging import normalized_scores, vote_scores
from synparse.trees.function_words import lowered_heights, penalized_heads
from synparse.trees.heads import joint_heads
from synparse.trees.phrase_boundaries import unbroken_phrase_scores
from synparse.trees.punctuation_cues import Cues, arc_costs, broken_costs, distances_with_cues
from synparse.trees.trivial import TRIVIAL_PARSERS

Value = TypeVar("Value")


class Taught(NamedTuple):
    """Grammars and the models of their directory, by their numbers."""

    grammars: Grammars
    members: tuple[int, ...]


class Task(NamedTuple):
    """What is asked of one model: its decoder of brackets, whether it takes part in heads, and whether it takes part in
    the phrases that heads are read off, by boundaries or by splits. taught: the number of its grammars, if these are
    asked in its place."""

    member: Member
    tree_decoder: TreeDecoder | None
    with_heads: bool
    with_boundaries: bool = False
    with_splits: bool = False
    taught: int | None = None


@dataclass
class ScoreSum:
    """What the models said of a chunk so far. Matrices are added up model by model: all of them are too large.

    trees: the constituents of each model that gives brackets, or the name of the decoder by which several models make
    one tree; charts: the probabilities of spans of each model that has its own constituents, None if it has none.
    span_scores: [T + 1, T + 1] of the models that have brackets by each of these decoders;
    head_span_scores: of those that make the phrases whose heads are wanted, where these are others. head_scores [T, T].
    heads: those of a lone model that decides them without scores. evidence: of each directory with grammars.
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


def task_of(member: Member, tree_decoder: TreeDecoder | None, head_decoder: HeadDecoder | None) -> Task:
    """A model with heads takes part in their phrases by its boundaries, or else, beside grammars, by its splits."""
    with_heads = head_decoder is not None and member.gives_heads
    return Task(
        member,
        own_decoder(member, tree_decoder),
        with_heads,
        with_boundaries=head_decoder == "boundaries" and with_heads and member.has_boundaries,
        with_splits=head_decoder == ADDED_UP and with_heads and member.gives_splits and not member.has_dependencies,
    )


def adds_heads(task: Task, head_decoder: HeadDecoder | None) -> bool:
    """Whether the head scores of a model count by themselves, rather than as evidence for grammars."""
    return task.with_heads and head_decoder != "dbm" and (task.taught is None or head_decoder not in OF_GRAMMARS)


def summed_scores(
    tasks: Sequence[Task],
    taught: Sequence[Taught],
    chunks: Sequence[list[list[str]]],
    cues: Sequence[Cues] | None,
    head_decoder: HeadDecoder | None,
    one_tree: bool,
    with_probabilities: bool = False,
) -> list[ScoreSum]:
    """The scores of all models for each chunk. ``one_tree``: heads are those of the phrases of the brackets."""
    sums = [ScoreSum() for _ in chunks[0]]
    costs = None if cues is None else _cue_costs(chunks[0], cues)
    is_alone = len(tasks) == 1
    gives_scores = is_alone or sum(task.member.for_brackets for task in tasks) == 1
    for task, words in zip(tasks, chunks, strict=True):
        own = task.tree_decoder
        if own is None and not task.with_heads and task.taught is None:
            continue
        by_distances = own is None or TREE_DECODERS[own].needs in (DISTANCES, SPLITS)
        reads_heads = task.taught is not None or not by_distances
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
                if with_probabilities and TREE_DECODERS[own].spans is not None:
                    total.charts.append(_chart(task.member, scores, own))
            if gives_scores and (is_alone or own is not None):
                total.distances, total.heights = scores.distances, scores.heights
            if adds_heads(task, head_decoder):
                _add_heads(total, scores, own, head_decoder, is_alone)
            if own == "boundaries" or task.with_boundaries:
                span_scores = unbroken_phrase_scores(known(scores.boundaries), scores.cues, scores.head_scores)
                if own == "boundaries":
                    total.span_scores["boundaries"] += span_scores
                if task.with_boundaries and not one_tree:
                    total.head_span_scores += span_scores
            if own == "splits" or task.with_splits:
                probabilities = known(TREE_DECODERS["splits"].probabilities)(scores)
                if own == "splits":
                    total.span_scores[ADDED_UP] += probabilities
                if task.with_splits and not one_tree:
                    total.head_span_scores += probabilities
    for total, of_chunk in zip(sums, costs or (), strict=costs is not None):
        if "boundaries" in total.span_scores:
            total.span_scores["boundaries"] -= of_chunk.span_costs
        if head_decoder == "boundaries":
            total.head_span_scores -= of_chunk.span_costs
    for number in dict.fromkeys(task.taught for task in tasks if task.taught is not None):
        grammars, members = taught[number]
        words = chunks[members[0]]
        classes, phrases = classes_of(grammars, words), phrases_of(grammars, words, cues)
        with_links = grammars.config.link_strength > 0
        for row, total in enumerate(sums):
            of_arcs, of_spans = (None, None) if costs is None else (costs[row].arc_costs, costs[row].span_costs)
            total.evidence[number] = total.gathered.pop(number).evidence(  # large matrices
                classes[row], None if phrases is None else phrases[row], of_arcs, of_spans, with_links
            )
    return sums


def add_grammars(
    sums: Sequence[ScoreSum],
    tasks: Sequence[Task],
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
        for total, of_sentence, of_models in zip(sums, scored, evidence, strict=True):
            _add_grammar(total, of_sentence, of_models, one.grammars, trees, head_decoder if with_heads else None)
            if with_probabilities and trees == "viterbi":
                total.charts.append(of_sentence.spans)
    return voters


def _add_grammar(
    total: ScoreSum,
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
    total: ScoreSum, scores: Scores, tree_decoder: TreeDecoder | None, head_decoder: HeadDecoder | None, is_alone: bool
) -> None:
    """Add the head scores of a model. Several models get the same weight; the scores of a single one stay unchanged."""
    if scores.head_scores is not None and head_decoder != "joint":
        head_scores = scores.head_scores if is_alone else normalized_scores(scores.head_scores)
        total.head_scores += penalized_heads(head_scores, scores.is_function)
        return
    of_distances: TreeDecoder = "published" if tree_decoder == "published" else "unbiased"
    spans = known(TREE_DECODERS[of_distances].spans)(scores)
    heads = joint_heads(spans, lowered_heights(known(scores.heights), scores.is_function))
    if is_alone:
        total.heads = heads
    else:
        total.head_scores += vote_scores(heads)


def known(value: Value | None) -> Value:
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
