"""What one model says of words, or several say together → spans and heads, by the decoder that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from synparse.parsing.scorers import Member, Scores
from synparse.trees.averaging import averaged_spans, binary_spans, normalized_scores, vote_scores
from synparse.trees.distances import published_spans, unbiased_spans
from synparse.trees.function_words import lowered_heights, penalized_heads
from synparse.trees.heads import argmax_heads, joint_heads, phrase_heads
from synparse.trees.phrase_boundaries import boundary_spans, broken_costs, unbroken_phrase_scores
from synparse.trees.projective import projective_heads
from synparse.trees.punctuation_cues import Cues, arc_costs, distances_with_cues
from synparse.trees.span_chart import best_binary_spans
from synparse.trees.spanning_tree import maximum_spanning_heads
from synparse.trees.spans import subtree_spans

TOGETHER = 4_000_000
"""Stretches of T words are given to several models in portions whose matrices [T + 1, T + 1] have about as many numbers
in all."""


class Decoded(NamedTuple):
    """Spans and heads (from 1; 0 = root) over the words of a stretch, empty where not asked for, and the scores."""

    spans: list[tuple[int, int]]
    heads: tuple[int, ...]
    distances: list[float] | None = None
    heights: list[float] | None = None


def decoded_chunks(
    members: Sequence[Member],
    chunks: Sequence[list[list[str]]],
    cues: Sequence[Cues] | None,
    tree_decoder: str | None,
    head_decoder: str | None,
) -> Iterator[Decoded]:
    """The trees of each stretch of words, in order. ``chunks``: of each member, the same words as it sees them.

    ``cues``: those between the words of each stretch, where they are evidence. Models without ``tree_decoder`` use
    their own; a decoder is None where its tree is not wanted.
    """
    if len(members) == 1:
        with_heads = tree_decoder in _READ_HEADS or head_decoder not in (None, "joint")
        evidence = None if cues is None else _evidence(chunks[0], cues)
        for scores in _scored(members[0], chunks[0], evidence, with_heads):
            spans, heads = _decode(scores, tree_decoder, head_decoder)
            yield Decoded(spans, heads, scores.distances, scores.heights)
        return
    for portion in _portions([len(words) for words in chunks[0]]):
        words = [of_member[portion] for of_member in chunks]
        yield from _decoded_together(members, words, cues and cues[portion], tree_decoder, head_decoder)


def _portions(lengths: Sequence[int]) -> Iterator[slice]:
    """The portions of `TOGETHER` that stretches of these lengths (in words) are given in."""
    start = size = 0
    for number, length in enumerate(lengths):
        size += (length + 1) ** 2
        if size >= TOGETHER:
            yield slice(start, number + 1)
            start, size = number + 1, 0
    if start < len(lengths):
        yield slice(start, len(lengths))


class _Evidence(NamedTuple):
    """The marks of a stretch, and what they cost arcs: the same for all models."""

    cues: Cues
    arc_costs: np.ndarray[Any, Any]


def _evidence(chunks: Sequence[list[str]], cues: Sequence[Cues]) -> Iterator[_Evidence]:
    return (_Evidence(one, arc_costs(one, len(words))) for words, one in zip(chunks, cues, strict=True))


def _scored(
    member: Member, chunks: list[list[str]], evidence: Iterable[_Evidence] | None, with_heads: bool
) -> Iterable[Scores]:
    """What a model says of each stretch, weighed with the marks between its words."""
    scores = member.score(chunks, with_heads)
    if evidence is None:
        return scores
    return (_weighed(one, of_chunk) for one, of_chunk in zip(scores, evidence, strict=True))


def _weighed(scores: Scores, evidence: _Evidence) -> Scores:
    distances, head_scores = scores.distances, scores.head_scores
    return scores._replace(
        distances=None if distances is None else distances_with_cues(distances, evidence.cues),
        head_scores=None if head_scores is None else head_scores - evidence.arc_costs,
        cues=evidence.cues,
    )


def _decode(
    scores: Scores, tree_decoder: str | None, head_decoder: str | None
) -> tuple[list[tuple[int, int]], tuple[int, ...]]:
    """Spans and heads of one stretch by one model; empty where they are not asked for."""
    distances, head_scores = scores.distances, scores.head_scores
    spans: list[tuple[int, int]] = []
    phrases: list[tuple[int, int]] = []
    heads: tuple[int, ...] = ()
    if scores.boundaries is not None and "boundaries" in (tree_decoder, head_decoder):
        phrases = boundary_spans(scores.boundaries, scores.cues, head_scores)
    # The joint decoder reads heads off a tree of distances.
    reads_spans = tree_decoder in ("unbiased", "published") or head_decoder == "joint" or head_scores is None
    if distances is not None and reads_spans:
        is_published = tree_decoder == "published"
        spans = published_spans(distances, scores.first_distance) if is_published else unbiased_spans(distances)
    if head_decoder is not None:
        if scores.heights is not None and (head_decoder == "joint" or head_scores is None):
            heads = joint_heads(spans, lowered_heights(scores.heights, scores.is_function))
        elif head_scores is not None:
            log_probabilities = penalized_heads(head_scores, scores.is_function)
            heads = (
                phrase_heads(log_probabilities, phrases)
                if head_decoder == "boundaries"
                else _SCORE_DECODERS[head_decoder](log_probabilities)
            )
    if tree_decoder == "boundaries" and phrases:
        spans = phrases
    elif tree_decoder == "projective" and head_scores is not None:
        spans = subtree_spans(heads if head_decoder == "projective" else projective_heads(head_scores))
    return spans, heads


@dataclass
class _Sum:
    """What the models said of a stretch so far. Matrices are added up model by model: all of them are too large.

    trees: of each model that gives brackets, None where it has them by edges. worth, worth_to_heads: of spans, to the
    models that have brackets by edges, and to those that have heads by them, where these are others. likes:
    log-probabilities of heads.
    """

    trees: list[list[tuple[int, int]] | None] = field(default_factory=list)
    span_scores: Any = 0.0
    span_scores_of_heads: Any = 0.0
    log_probabilities: Any = 0.0
    distances: list[float] | None = None
    heights: list[float] | None = None


def _decoded_together(
    members: Sequence[Member],
    chunks: Sequence[list[list[str]]],
    cues: Sequence[Cues] | None,
    tree_decoder: str | None,
    head_decoder: str | None,
) -> Iterator[Decoded]:
    """What several models say together of each stretch. One that has nothing to say is not run."""
    decoders = [_own_decoder(member, tree_decoder) for member in members]
    heads_by_boundaries = [
        head_decoder == "boundaries" and member.gives_heads and member.has_boundaries for member in members
    ]
    are_same = [own == "boundaries" for own in decoders] == heads_by_boundaries  # as those that have brackets by edges
    is_alone = sum(member.for_brackets for member in members) == 1
    sums = [_Sum() for _ in chunks[0]]
    evidence = None if cues is None else list(_evidence(chunks[0], cues))
    for member, words, own, with_phrases in zip(members, chunks, decoders, heads_by_boundaries, strict=True):
        with_heads = head_decoder is not None and member.gives_heads
        if own is None and not with_heads:
            continue
        by_boundaries = own == "boundaries"
        for total, scores in zip(sums, _scored(member, words, evidence, with_heads or own in _READ_HEADS), strict=True):
            is_mute = with_heads and scores.head_scores is None  # a trivial parser, which votes
            spans, heads = _decode(scores, None if by_boundaries else own, "joint" if is_mute else None)
            if own is not None:
                total.trees.append(None if by_boundaries else spans)
            if is_alone and own is not None:
                total.distances, total.heights = scores.distances, scores.heights
            if with_heads:
                total.log_probabilities += (
                    vote_scores(heads) if scores.head_scores is None else _log_probabilities(scores)
                )
            if by_boundaries:
                total.span_scores += _span_scores(scores)
            if with_phrases and not are_same:
                total.span_scores_of_heads += _span_scores(scores)
    is_binary = not {"unbiased", "published", "boundaries"}.isdisjoint(decoders)
    voices = sum(member.gives_heads for member in members)
    found = _best_trees([total.span_scores for total in sums], cues)
    for_heads = found if are_same else _best_trees([total.span_scores_of_heads for total in sums], cues)
    for total, phrases, phrases_of_heads in zip(sums, found, for_heads, strict=True):
        spans = phrases
        if any(tree is not None for tree in total.trees):
            trees = [phrases if tree is None else tree for tree in total.trees]
            spans = averaged_spans(trees)
            spans = binary_spans(spans, trees) if is_binary else spans
        heads = ()
        if head_decoder == "boundaries":
            heads = phrase_heads(total.log_probabilities / voices, phrases_of_heads)
        elif head_decoder is not None:
            heads = _SCORE_DECODERS[head_decoder](total.log_probabilities)
        yield Decoded(spans, heads, total.distances, total.heights)


def _own_decoder(member: Member, tree_decoder: str | None) -> str | None:
    """The decoder that a model's brackets are made by: its own where it has nothing for the one that is asked for."""
    if tree_decoder is None or tree_decoder in member.tree_decoders:
        return tree_decoder
    return next(iter(member.tree_decoders), None)


def _log_probabilities(scores: Scores) -> np.ndarray[Any, Any]:
    assert scores.head_scores is not None
    return penalized_heads(normalized_scores(scores.head_scores), scores.is_function)


def _span_scores(scores: Scores) -> np.ndarray[Any, Any]:
    assert scores.boundaries is not None
    return unbroken_phrase_scores(scores.boundaries, scores.cues, scores.head_scores)


def _best_trees(all_span_scores: Sequence[Any], cues: Sequence[Cues] | None) -> list[list[tuple[int, int]]]:
    """The best binary tree of each stretch by what its spans are worth; no spans where no model had a worth.

    Stretches of one length are given to the decoder together, which is several times as fast for short ones.
    """
    trees: list[list[tuple[int, int]]] = [[] for _ in all_span_scores]
    of_length: dict[int, list[int]] = {}
    for number, span_scores in enumerate(all_span_scores):
        if not isinstance(span_scores, float):
            of_length.setdefault(len(span_scores), []).append(number)
    for size, numbers in of_length.items():
        at_once = max(1, TOGETHER // size**3)
        for start in range(0, len(numbers), at_once):
            group = numbers[start : start + at_once]
            costs = 0.0 if cues is None else np.stack([broken_costs(cues[number]) for number in group])
            for number, tree in zip(
                group, best_binary_spans(np.stack([all_span_scores[n] for n in group]) - costs), strict=True
            ):
                trees[number] = tree
    return trees


_READ_HEADS = ("boundaries", "projective")
"""Decoders of brackets that do."""

_SCORE_DECODERS: dict[str, Callable[[np.ndarray[Any, Any]], tuple[int, ...]]] = {
    "mst": maximum_spanning_heads,
    "argmax": argmax_heads,
    "projective": projective_heads,
}
