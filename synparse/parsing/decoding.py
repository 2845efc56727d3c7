"""Decoding: from the scores of one model, or several, to spans and heads, by `synparse.parsing.decoders`.

A single model is an ensemble of one. Votes for different trees are averaged (`synparse.trees.averaging`); scores in the
same chart are added, and give one tree (`synparse.parsing.score_sums`).

Probabilities are computed as follows. Of an arc: with ``mst``, ``argmax`` and ``projective``, the softmax over the
heads of its dependent, under the mean of the models' head scores; with ``grammar``, ``boundaries`` and ``phrases``,
its probability among all heads of the phrases (`synparse.trees.head_probabilities`). Of a span, the mean over the
models that vote on brackets: with ``grammar``, the posterior under the class grammars; with ``boundaries``, and
grammars without classes of constituents, that of a CRF over binary trees with the mean of span scores; with
``unbiased``, ``splits`` and ``published``, that of splits drawn by the softmax of distances
(`synparse.trees.span_probabilities`). A model without probabilities, such as a baseline, gives 1 to the spans of its
tree and 0 to all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.inducers.class_grammar import best_labels
from synparse.parsing.chunks import Chunk
from synparse.parsing.decoders import GRAMMAR, HEAD_DECODERS, TREE_DECODERS, Heads, Spans, Value, required
from synparse.parsing.grammars import FLAT_FROM, GrammarInput
from synparse.parsing.options import Request
from synparse.parsing.score_sums import (
    UNUSED,
    ParserGrammars,
    ScoreSum,
    ScoringPlan,
    planned,
    summed_scores,
)
from synparse.parsing.scorers import Member
from synparse.store.grammars import Grammars
from synparse.trees.averaging import averaged_spans
from synparse.trees.dependency import columns_of, with_fixed_expressions
from synparse.trees.distances import binary_spans
from synparse.trees.given import FORBIDDEN, best_heads
from synparse.trees.head_probabilities import (
    entropy_of_heads,
    head_probabilities_with_fixed_expressions,
    log_probability_of_heads,
    word_head_probabilities,
)
from synparse.trees.span_chart import best_trees, several_best_trees
from synparse.trees.span_probabilities import scored_span_probabilities

MOST_BINARY = 1000
"""Binary trees among which as many that still differ where trees are flat are sought as were asked for."""

AT_ONCE = 4_000_000
"""Chunks of T words are decoded in groups whose matrices [T + 1, T + 1] have about as many numbers in all."""


class RankedChunk(NamedTuple):
    """One of the best trees: its spans and heads, and its score, the sum of the models' mean scores of its spans."""

    spans: Spans
    heads: Heads
    score: float


class DecodedChunk(NamedTuple):
    """Spans and heads (from 1; 0 for the root) over the words of a chunk, empty if not requested, and further results,
    each None if it is not requested or not known. labels: the nonterminal of each span, from 0; span_probabilities,
    head_probabilities: of each span, and of each word's arc; best: the best trees, including the first; distributions
    [T, T]: the probabilities of all heads (diagonal: root); log_probability, entropy: of the heads, in nats, summed
    over words."""

    spans: Spans
    heads: Heads
    distances: Sequence[float | None] | None = None
    heights: list[float] | None = None
    labels: Sequence[int | None] | None = None
    span_probabilities: Sequence[float | None] | None = None
    head_probabilities: Sequence[float | None] | None = None
    best: list[RankedChunk] | None = None
    distributions: NDArray[Any] | None = None
    log_probability: float | None = None
    entropy: float | None = None


def decoded_chunks(
    members: Sequence[Member], sets: Sequence[ParserGrammars], chunks: Sequence[Chunk], request: Request
) -> Iterator[DecodedChunk]:
    """The trees of each chunk of words, in order. ``request``: with the names of decoders, or None for trees that are
    not requested. Models that contribute nothing are not run."""
    plan = planned(members, sets, request)
    for group in _groups(chunks):
        yield from _decoded_together(summed_scores(members, sets, plan, group), sets, plan)


def grammar_inputs(members: Sequence[Member], grammars: Grammars, chunks: Sequence[Chunk]) -> Iterator[GrammarInput]:
    """The inputs of grammars that are learned from these models, for each chunk of words."""
    learning = [ParserGrammars(grammars, tuple(range(len(members))))]
    plan = ScoringPlan((UNUSED,) * len(members), (UNUSED,), (0,), Request(None, None))
    for group in _groups(chunks):
        for total in summed_scores(members, learning, plan, group):
            yield total.grammar_inputs[0]


def _groups(chunks: Sequence[Chunk]) -> Iterator[Sequence[Chunk]]:
    """The chunks in groups of about `AT_ONCE` numbers."""
    start = size = 0
    for number, chunk in enumerate(chunks):
        size += (len(chunk) + 1) ** 2
        if size >= AT_ONCE:
            yield chunks[start : number + 1]
            start, size = number + 1, 0
    if start < len(chunks):
        yield chunks[start:]


def _decoded_together(
    sums: Sequence[ScoreSum], sets: Sequence[ParserGrammars], plan: ScoringPlan
) -> Iterator[DecodedChunk]:
    request, with_probabilities = plan.request, plan.request.confidence != "none"
    is_binary = any(role.brackets is not None and TREE_DECODERS[role.brackets].is_binary for role in plan.roles)
    voters = sum(role.heads for role in plan.roles)
    all_spans = _spans(sums, is_binary)
    all_phrases = _phrases(sums, plan, all_spans, is_binary)
    for total, spans, phrases in zip(sums, all_spans, all_phrases, strict=True):
        labels = _labels(total, sets, spans) if request.labels and spans else None
        heads: Heads = ()
        span_probabilities = head_probabilities = ranked = arcs = log_probability = entropy = None
        if with_probabilities and total.votes:
            span_probabilities = _span_probabilities(total, spans)
        if request.best:
            ranked = _ranked(total, request.best)
        if request.head_decoder is not None:
            scores = total.arcs / voters
            decoder = HEAD_DECODERS[request.head_decoder]
            is_decoded = True
            if total.given is None:
                heads = decoder.heads(scores, phrases)
            else:
                scores = scores + total.given.arcs
                decoded_heads = decoder.heads(scores, phrases)
                heads = best_heads(decoded_heads, scores, total.given)
                is_decoded = heads == decoded_heads
            if with_probabilities or request.distributions:
                # Where no trees of the phrases have the given heads, the probabilities are of each word by itself.
                arcs = (
                    required(decoder.probabilities)(scores, phrases) if is_decoded else word_head_probabilities(scores)
                )
                if with_probabilities:
                    of_phrases = phrases if decoder.of_phrases and is_decoded else None
                    log_probability = log_probability_of_heads(arcs, heads, of_phrases)
                    entropy = entropy_of_heads(arcs)
            if ranked is not None:
                ranked = [
                    tree._replace(heads=decoder.heads(scores, tree.spans) if plan.is_one_tree else heads)
                    for tree in ranked
                ]
            if np.any(total.fixed) and total.given is None:
                heads = with_fixed_expressions(heads, total.fixed)
                arcs = None if arcs is None else head_probabilities_with_fixed_expressions(arcs, total.fixed)
                ranked = ranked and [
                    tree._replace(heads=with_fixed_expressions(tree.heads, total.fixed)) for tree in ranked
                ]
            if arcs is not None:
                head_probabilities = arcs[range(len(heads)), columns_of(heads)].tolist()
        decoded = DecodedChunk(
            spans,
            heads,
            total.distances,
            total.heights,
            labels,
            span_probabilities,
            head_probabilities,
            ranked,
            distributions=arcs if request.distributions else None,
            log_probability=log_probability,
            entropy=entropy,
        )
        yield _flattened(decoded, np.mean(total.left_out, axis=0)) if total.left_out else decoded


def _flattened(decoded: DecodedChunk, left_out: NDArray[Any]) -> DecodedChunk:
    """The same without the spans that are probably none of a flat tree. left_out [T + 1, T + 1]: how probably."""
    is_kept = _are_kept(decoded.spans, left_out)

    def kept(values: Sequence[Value] | None) -> list[Value] | None:
        return None if values is None else list(compress(values, is_kept))

    best = decoded.best and [
        tree._replace(spans=list(compress(tree.spans, _are_kept(tree.spans, left_out)))) for tree in decoded.best
    ]
    return decoded._replace(
        spans=required(kept(decoded.spans)),
        labels=kept(decoded.labels),
        span_probabilities=kept(decoded.span_probabilities),
        best=best,
    )


def _are_kept(spans: Spans, left_out: NDArray[Any]) -> list[bool]:
    """Of each span, whether it is kept where trees are flat."""
    return [bool(left_out[span] < FLAT_FROM) for span in spans]


def _spans(sums: Sequence[ScoreSum], is_binary: bool) -> list[Spans]:
    """The brackets of each chunk, empty if they are not requested."""
    names = dict.fromkeys(name for total in sums for name in total.charts)
    trees_by = {name: best_trees([_chart(total, total.charts[name]) for total in sums]) for name in names}
    all_spans: list[Spans] = []
    for number, total in enumerate(sums):
        trees = [vote.spans if vote.chart_name is None else trees_by[vote.chart_name][number] for vote in total.votes]
        spans = trees[0] if trees else []
        if len({vote.chart_name or index for index, vote in enumerate(total.votes)}) > 1:
            spans = averaged_spans(trees)
            spans = binary_spans(spans, trees) if is_binary else spans
        all_spans.append(spans)
    return all_spans


def _chart(total: ScoreSum, chart: NDArray[Any]) -> NDArray[Any]:
    """The chart without what contradicts what is given."""
    return chart if total.given is None else chart + total.given.spans


def _phrases(sums: Sequence[ScoreSum], plan: ScoringPlan, all_spans: list[Spans], is_binary: bool) -> list[Spans]:
    """The phrases of each chunk from which heads are read."""
    if plan.is_one_tree:
        return all_spans if is_binary else [binary_spans(spans, [spans]) for spans in all_spans]
    if plan.request.head_decoder in ("boundaries", GRAMMAR):
        return best_trees([_chart(total, total.phrases) for total in sums])
    return all_spans


def _span_probabilities(total: ScoreSum, spans: Spans) -> list[float]:
    """The probability of each span: the mean over the models that vote on brackets."""
    starts, ends = np.array(spans).T
    summed = np.zeros(len(spans))
    names = [vote.chart_name for vote in total.votes if vote.chart_name is not None]
    for name in dict.fromkeys(names):
        voters = names.count(name)
        mean = total.charts[name] / voters
        summed += voters * (mean if name == GRAMMAR else scored_span_probabilities(mean))[starts, ends]
    for vote in total.votes:
        if vote.chart_name is None and vote.probabilities is None:
            summed += [span in vote.spans for span in spans]
        elif vote.probabilities is not None:
            summed += vote.probabilities[starts, ends]
    means: list[float] = (summed / len(total.votes)).tolist()
    return means


def _ranked(total: ScoreSum, best: int) -> list[RankedChunk]:
    """The best trees, without heads; of those that are the same flat tree, where trees are flat, the first."""
    [chart] = total.charts.values()
    scores = _chart(total, chart)
    left_out = np.mean(total.left_out, axis=0) if total.left_out else None
    count = best
    while True:
        trees = [tree for tree in several_best_trees(scores, count) if tree.score > FORBIDDEN / 2]
        different: dict[tuple[tuple[int, int], ...], RankedChunk] = {}
        for spans, score in trees:
            key = spans if left_out is None else compress(spans, _are_kept(spans, left_out))
            different.setdefault(tuple(key), RankedChunk(spans, (), score / len(total.votes)))
        if len(different) >= best or len(trees) < count or count >= MOST_BINARY:
            return list(different.values())[:best]
        count *= 4


def _labels(total: ScoreSum, sets: Sequence[ParserGrammars], spans: Spans) -> list[int] | None:
    """The most probable nonterminal of each span under the first class grammar; None if the tree is not binary."""
    for number, evidence in total.grammar_inputs.items():
        grammars = sets[number].grammars.constituents
        if grammars is not None and len(spans) == len(evidence.classes) - 1:
            return best_labels(grammars, 0, evidence.classes, spans)
    return None
