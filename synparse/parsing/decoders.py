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
from synparse.trees.phrase_boundaries import broken_costs, edge_spans, unbroken_worth
from synparse.trees.projective import projective_heads
from synparse.trees.punctuation_cues import Marks, arc_costs, distances_with_marks
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


def decoded_stretches(
    members: Sequence[Member],
    stretches: Sequence[list[list[str]]],
    marks: Sequence[Marks] | None,
    tree_decoder: str | None,
    head_decoder: str | None,
) -> Iterator[Decoded]:
    """The trees of each stretch of words, in order. ``stretches``: of each member, the same words as it sees them.

    ``marks``: those between the words of each stretch, where they are evidence. Models without ``tree_decoder`` use
    their own; a decoder is None where its tree is not wanted.
    """
    if len(members) == 1:
        with_heads = tree_decoder in _READ_HEADS or head_decoder not in (None, "joint")
        evidence = None if marks is None else _evidence(stretches[0], marks)
        for scores in _scored(members[0], stretches[0], evidence, with_heads):
            spans, heads = _decode(scores, tree_decoder, head_decoder)
            yield Decoded(spans, heads, scores.distances, scores.heights)
        return
    for portion in _portions([len(words) for words in stretches[0]]):
        words = [of_member[portion] for of_member in stretches]
        yield from _decoded_together(members, words, marks and marks[portion], tree_decoder, head_decoder)


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

    marks: Marks
    arc_costs: np.ndarray[Any, Any]


def _evidence(stretches: Sequence[list[str]], marks: Sequence[Marks]) -> Iterator[_Evidence]:
    return (_Evidence(one, arc_costs(one, len(words))) for words, one in zip(stretches, marks, strict=True))


def _scored(
    member: Member, stretches: list[list[str]], evidence: Iterable[_Evidence] | None, with_heads: bool
) -> Iterable[Scores]:
    """What a model says of each stretch, weighed with the marks between its words."""
    scores = member.score(stretches, with_heads)
    if evidence is None:
        return scores
    return (_weighed(one, of_stretch) for one, of_stretch in zip(scores, evidence, strict=True))


def _weighed(scores: Scores, evidence: _Evidence) -> Scores:
    distances, head_scores = scores.distances, scores.head_scores
    return scores._replace(
        distances=None if distances is None else distances_with_marks(distances, evidence.marks),
        head_scores=None if head_scores is None else head_scores - evidence.arc_costs,
        marks=evidence.marks,
    )


def _decode(
    scores: Scores, tree_decoder: str | None, head_decoder: str | None
) -> tuple[list[tuple[int, int]], tuple[int, ...]]:
    """Spans and heads of one stretch by one model; empty where they are not asked for."""
    distances, head_scores = scores.distances, scores.head_scores
    spans: list[tuple[int, int]] = []
    phrases: list[tuple[int, int]] = []
    heads: tuple[int, ...] = ()
    if scores.edges is not None and "edges" in (tree_decoder, head_decoder):
        phrases = edge_spans(scores.edges, scores.marks, head_scores)
    # The joint decoder reads heads off a tree of distances.
    reads_spans = tree_decoder in ("unbiased", "published") or head_decoder == "joint" or head_scores is None
    if distances is not None and reads_spans:
        is_published = tree_decoder == "published"
        spans = published_spans(distances, scores.first_distance) if is_published else unbiased_spans(distances)
    if head_decoder is not None:
        if scores.heights is not None and (head_decoder == "joint" or head_scores is None):
            heads = joint_heads(spans, lowered_heights(scores.heights, scores.is_function))
        elif head_scores is not None:
            likes = penalized_heads(head_scores, scores.is_function)
            heads = phrase_heads(likes, phrases) if head_decoder == "edges" else _SCORE_DECODERS[head_decoder](likes)
    if tree_decoder == "edges" and phrases:
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
    worth: Any = 0.0
    worth_to_heads: Any = 0.0
    likes: Any = 0.0
    distances: list[float] | None = None
    heights: list[float] | None = None


def _decoded_together(
    members: Sequence[Member],
    stretches: Sequence[list[list[str]]],
    marks: Sequence[Marks] | None,
    tree_decoder: str | None,
    head_decoder: str | None,
) -> Iterator[Decoded]:
    """What several models say together of each stretch. One that has nothing to say is not run."""
    decoders = [_own_decoder(member, tree_decoder) for member in members]
    heads_by_edges = [head_decoder == "edges" and member.gives_heads and member.has_edges for member in members]
    are_same = [own == "edges" for own in decoders] == heads_by_edges  # as those that have brackets by edges
    is_alone = sum(member.for_brackets for member in members) == 1
    sums = [_Sum() for _ in stretches[0]]
    evidence = None if marks is None else list(_evidence(stretches[0], marks))
    for member, words, own, with_phrases in zip(members, stretches, decoders, heads_by_edges, strict=True):
        with_heads = head_decoder is not None and member.gives_heads
        if own is None and not with_heads:
            continue
        by_edges = own == "edges"
        for total, scores in zip(sums, _scored(member, words, evidence, with_heads or own in _READ_HEADS), strict=True):
            is_mute = with_heads and scores.head_scores is None  # a trivial parser, which votes
            spans, heads = _decode(scores, None if by_edges else own, "joint" if is_mute else None)
            if own is not None:
                total.trees.append(None if by_edges else spans)
            if is_alone and own is not None:
                total.distances, total.heights = scores.distances, scores.heights
            if with_heads:
                total.likes += vote_scores(heads) if scores.head_scores is None else _likes(scores)
            if by_edges:
                total.worth += _worth(scores)
            if with_phrases and not are_same:
                total.worth_to_heads += _worth(scores)
    is_binary = not {"unbiased", "published", "edges"}.isdisjoint(decoders)
    voices = sum(member.gives_heads for member in members)
    found = _best_trees([total.worth for total in sums], marks)
    for_heads = found if are_same else _best_trees([total.worth_to_heads for total in sums], marks)
    for total, phrases, phrases_of_heads in zip(sums, found, for_heads, strict=True):
        spans = phrases
        if any(tree is not None for tree in total.trees):
            trees = [phrases if tree is None else tree for tree in total.trees]
            spans = averaged_spans(trees)
            spans = binary_spans(spans, trees) if is_binary else spans
        heads = ()
        if head_decoder == "edges":
            heads = phrase_heads(total.likes / voices, phrases_of_heads)
        elif head_decoder is not None:
            heads = _SCORE_DECODERS[head_decoder](total.likes)
        yield Decoded(spans, heads, total.distances, total.heights)


def _own_decoder(member: Member, tree_decoder: str | None) -> str | None:
    """The decoder that a model's brackets are made by: its own where it has nothing for the one that is asked for."""
    if tree_decoder is None or tree_decoder in member.tree_decoders:
        return tree_decoder
    return next(iter(member.tree_decoders), None)


def _likes(scores: Scores) -> np.ndarray[Any, Any]:
    assert scores.head_scores is not None
    return penalized_heads(normalized_scores(scores.head_scores), scores.is_function)


def _worth(scores: Scores) -> np.ndarray[Any, Any]:
    assert scores.edges is not None
    return unbroken_worth(scores.edges, scores.marks, scores.head_scores)


def _best_trees(worths: Sequence[Any], marks: Sequence[Marks] | None) -> list[list[tuple[int, int]]]:
    """The best binary tree of each stretch by what its spans are worth; no spans where no model had a worth.

    Stretches of one length are given to the decoder together, which is several times as fast for short ones.
    """
    trees: list[list[tuple[int, int]]] = [[] for _ in worths]
    of_length: dict[int, list[int]] = {}
    for number, worth in enumerate(worths):
        if not isinstance(worth, float):
            of_length.setdefault(len(worth), []).append(number)
    for size, numbers in of_length.items():
        at_once = max(1, TOGETHER // size**3)
        for start in range(0, len(numbers), at_once):
            group = numbers[start : start + at_once]
            costs = 0.0 if marks is None else np.stack([broken_costs(marks[number]) for number in group])
            for number, tree in zip(
                group, best_binary_spans(np.stack([worths[n] for n in group]) - costs), strict=True
            ):
                trees[number] = tree
    return trees


_READ_HEADS = ("edges", "projective")
"""Decoders of brackets that do."""

_SCORE_DECODERS: dict[str, Callable[[np.ndarray[Any, Any]], tuple[int, ...]]] = {
    "mst": maximum_spanning_heads,
    "argmax": argmax_heads,
    "projective": projective_heads,
}
