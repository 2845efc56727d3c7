"""The scores of one model, or of several together → spans and heads, by the decoders in `synparse.parsing.decoders`.

One model is an ensemble of one. The constituents of several are averaged (`synparse.trees.averaging`), where each has
its own; the others make one tree, by the sum of scores (`synparse.parsing.score_sums`).

Probabilities, where they are asked for. Of an arc: with ``mst``, ``argmax`` and ``projective``, the softmax over the
heads of its dependent, under the mean of the models' head scores; with ``grammar``, ``boundaries`` and ``phrases``,
its probability among all heads of the phrases (`synparse.trees.head_probabilities`); with ``dbm``, its posterior. Of a
span, the mean over the models that vote on brackets: with ``grammar`` and ``viterbi``, the posterior under the class
grammars; with ``boundaries`` and ``dbm``, that of a CRF over binary trees with the mean of the models' span scores;
with ``unbiased``, ``splits`` and ``published``, that of splits drawn by the softmax of distances
(`synparse.trees.span_probabilities`). A model without probabilities, such as a baseline, gives 1 to the spans of its
tree and 0 to all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.config.parsing import HeadDecoder, TreeDecoder
from synparse.inducers.class_grammar import best_labels
from synparse.parsing.decoders import ADDED_UP, HEAD_DECODERS, OF_GRAMMARS, TREE_DECODERS, Heads, Spans
from synparse.parsing.grammars import Evidence
from synparse.parsing.score_sums import ScoreSum, Task, Taught, add_grammars, adds_heads, known, summed_scores, task_of
from synparse.parsing.scorers import Member
from synparse.store.grammars import Grammars
from synparse.trees.averaging import averaged_spans
from synparse.trees.distances import binary_spans
from synparse.trees.punctuation_cues import Cues
from synparse.trees.several_best import several_best_trees
from synparse.trees.span_chart import best_trees
from synparse.trees.span_probabilities import scored_span_probabilities
from synparse.trees.spans import subtree_spans

TOGETHER = 4_000_000
"""Chunks of T words are decoded in groups whose matrices [T + 1, T + 1] have about as many numbers in all."""


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
    their own; a decoder is None where its tree is not wanted, nor its phrases. A model without anything to add is not
    run. ``best``: how many trees, the best first, are wanted beside the one.
    """
    tasks = [task_of(member, tree_decoder, head_decoder) for member in members]
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
    tasks = [Task(member, None, False, taught=0) for member in members]
    one = Taught(grammars, tuple(range(len(members))))
    for group in _groups([len(words) for words in chunks[0]]):
        words = [of_member[group] for of_member in chunks]
        for total in summed_scores(tasks, [one], words, cues and cues[group], None, True):
            yield total.evidence[0]


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
    tasks: Sequence[Task],
    taught: Sequence[Taught],
    chunks: Sequence[list[list[str]]],
    cues: Sequence[Cues] | None,
    head_decoder: HeadDecoder | None,
    with_labels: bool,
    with_probabilities: bool,
    best: int,
) -> Iterator[Decoded]:
    one_tree = _is_one_tree(tasks, head_decoder)
    sums = summed_scores(tasks, taught, chunks, cues, head_decoder, one_tree, with_probabilities)
    voters = sum(adds_heads(task, head_decoder) for task in tasks)
    if head_decoder in OF_GRAMMARS or any(task.tree_decoder in OF_GRAMMARS for task in tasks):
        voters += add_grammars(sums, tasks, taught, head_decoder, with_probabilities)
    shared = dict.fromkeys(name for total in sums for name in total.span_scores)
    trees_by = {name: best_trees([total.span_scores[name] for total in sums]) for name in shared}
    phrases: list[Spans] = [[] for _ in sums]
    if head_decoder == "boundaries" or head_decoder == "grammar":
        phrases = trees_by[head_decoder] if one_tree else best_trees([total.head_span_scores for total in sums])
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
            phrases[number] = spans if is_binary else binary_spans(spans, [spans])
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
            if decode is not None and one_tree:
                ranked = [one._replace(heads=decode(scores, one.spans)) for one in ranked]
            else:
                ranked = [one._replace(heads=heads) for one in ranked]
        yield Decoded(spans, heads, total.distances, total.heights, labels, of_spans, of_heads, ranked)


def _is_one_tree(tasks: Sequence[Task], head_decoder: HeadDecoder | None) -> bool:
    """Whether heads are those of the phrases of the brackets, because the same models make both in the same way."""
    if head_decoder == "boundaries":
        return all((task.tree_decoder == "boundaries") == task.with_boundaries for task in tasks)
    if head_decoder == "grammar":
        return all(
            (task.tree_decoder == "splits") == task.with_splits
            if task.taught is None
            else task.tree_decoder == "grammar" and task.member.for_heads
            for task in tasks
        )
    return head_decoder == "phrases"


def _head_probabilities(scores: NDArray[Any], phrases: Spans, heads: Heads, decoder: HeadDecoder) -> list[float]:
    """The probability of each arc. scores [T, T]: the mean over models."""
    probabilities_of = known(HEAD_DECODERS[decoder].probabilities)
    columns = [head - 1 if head else word for word, head in enumerate(heads)]
    found: list[float] = probabilities_of(scores, phrases)[range(len(heads)), columns].tolist()
    return found


def _span_probabilities(total: ScoreSum, spans: Spans) -> list[float]:
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


def _ranked(total: ScoreSum, best: int) -> list[Ranked]:
    """The best trees, without heads."""
    [name] = {tree for tree in total.trees if isinstance(tree, str)}
    trees = several_best_trees(total.span_scores[name], best)
    return [Ranked(spans, (), score / len(total.trees)) for spans, score in trees]


def _labels(total: ScoreSum, taught: Sequence[Taught], spans: Spans) -> list[int] | None:
    """The most probable nonterminal of each span under the first class grammar; None where the tree is not binary."""
    for number, evidence in total.evidence.items():
        grammars = taught[number].grammars.constituents
        if grammars is not None and len(spans) == len(evidence.classes) - 1:
            return best_labels(grammars, 0, evidence.classes, spans)
    return None
