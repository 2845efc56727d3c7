"""Span scores → binary trees: one recurrence over the splits of spans, and the algebras in which it is computed.

A span is split at a gap into two parts; the value of a span is that of all its splits together, plus its own score:

    value(i, j) = score(i, j) + ⊕_k value(i, k) ⊗ value(k, j)

With ⊕ the N highest values and ⊗ the sums of two of them, these are the scores of the N best trees of a span (CKY:
Kasami, 1966; Younger, 1967; several best: Huang and Chiang, 2005, "Better k-best Parsing", algorithm 1). With ⊕ the
logarithm of a sum of exponentials and ⊗ a sum, it is the inside algorithm (Baker, 1979), of which
`synparse.trees.span_probabilities` makes probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from synparse import compiled
from synparse.trees.lengths import side_by_side

Array: TypeAlias = "NDArray[Any]"

Splits: TypeAlias = "tuple[Array, Array, Array]"
"""The starts [S, 1], gaps [S, width − 1] and ends [S, 1] of all S spans of a width."""

AT_ONCE = 4_000_000
"""Numbers in the charts of the sentences that are decoded at once, with T³ for a sentence of T words."""


class Algebra(NamedTuple):
    """How values are combined. A span has N of them; B sentences, S spans of a width, W splits.

    word [N]: those of one word. product: of the values of left and right parts [B, S, W, N], those of the splits
    [B, S, W, P]. total: of all of these [B, S, W · P], the values [B, S, N'], N' ≤ N, and which choices they are.
    """

    word: Array
    product: Callable[[Array, Array], Array]
    total: Callable[[Array], tuple[Array, Array]]


class ScoredTree(NamedTuple):
    """The spans of two words or more of a binary tree in pre-order (for one word, that word's span), and the sum of
    their scores."""

    spans: list[tuple[int, int]]
    score: float


def inside(
    span_scores: Array, algebra: Algebra, split_scores: Callable[[Splits], Array] | None = None
) -> tuple[Array, Array]:
    """The values of all spans, and the choices that gave them, both [B, T + 1, T + 1, N].

    span_scores [B, T + 1, T + 1]: the score of each span of two words or more at [start, end]; split_scores: those of
    splits [S, W], if these have scores of their own. Time O(B · T³ · P), memory O(B · T² · (N + P)).
    """
    B, size, _ = span_scores.shape
    values = np.full((B, size, size, len(algebra.word)), -np.inf)
    choices = np.zeros(values.shape, np.int64)
    words = np.arange(size - 1)
    values[:, words, words + 1] = algebra.word
    for width in range(2, size):
        splits = splits_of(width, size - 1)
        starts, gaps, ends = splits
        products = algebra.product(values[:, starts, gaps], values[:, gaps, ends])
        if split_scores is not None:
            products = products + split_scores(splits)[..., None]
        totals, chosen = algebra.total(products.reshape(B, len(starts), math.prod(products.shape[2:])))
        at = (slice(None), starts[:, 0], ends[:, 0], slice(totals.shape[-1]))
        values[at] = totals + span_scores[:, starts[:, 0], ends[:, 0], None]
        choices[at] = chosen
    return values, choices


def splits_of(width: int, T: int) -> Splits:
    """Of all spans of a width."""
    starts = np.arange(T - width + 1)[:, None]
    return starts, starts + np.arange(1, width), starts + width


def best_binary_spans(span_scores: Array) -> list[list[tuple[int, int]]]:
    """For each of B sentences of T words (T ≥ 1), the binary tree with the highest sum over its spans.

    span_scores: as of `inside`. Ties: the split further left, the outermost span first. Returns spans in pre-order, the
    whole sentence first; for one word, that word's span. Time O(B · T³), memory O(B · T²).
    """
    if compiled.CHARTS is not None and len(span_scores) and span_scores.shape[1] > 2:
        trees, _ = _compiled(span_scores, 1)
        return [tree for [tree] in trees]
    _, choices = inside(span_scores, _best(_pairs(1)))
    return [_tree(choices_of_sentence, _pairs(1), 0) for choices_of_sentence in choices]


def best_trees(charts: Sequence[Array]) -> list[list[tuple[int, int]]]:
    """The same for each sentence, by its span scores [T + 1, T + 1].

    Sentences of one length are decoded together, which is several times as fast for short ones.
    """
    sizes = [len(chart) for chart in charts]
    return side_by_side(
        lambda group: best_binary_spans(np.stack(group)), charts, sizes, lambda size: AT_ONCE // size**3
    )


def several_best_trees(span_scores: Array, count: int) -> list[ScoredTree]:
    """The ``count`` binary trees over T words (T ≥ 1) with the highest sums of span scores [T + 1, T + 1], the best
    first; all of them if there are fewer.

    No tree appears twice. The first tree is that of `best_binary_spans`, and among equal ones, those whose outermost
    split is further left come first. Time O(T³ N log N), memory O(T² N log N).
    """
    if compiled.CHARTS is not None and len(span_scores) > 2:
        [trees], [scores] = _compiled(span_scores[None], count)
    else:
        pairs = _pairs(count)
        values, choices = inside(span_scores[None], _best(pairs))
        scores = values[0, 0, -1].tolist()
        trees = [_tree(choices[0], pairs, rank) for rank in range(count)]
    return [ScoredTree(tree, score) for tree, score in zip(trees, scores, strict=True) if score > -np.inf]


def _compiled(span_scores: Array, count: int) -> tuple[list[list[list[tuple[int, int]]]], list[list[float]]]:
    """Of each sentence, T > 1, ``count`` trees, the best first, and their scores, -inf of those that there are not; by
    synparse/compiled/binary_trees.h."""
    B, size, _ = span_scores.shape
    spans, scores = np.empty((B, count, size - 2, 2), np.int64), np.empty((B, count))
    compiled.CHARTS.best_binary_trees(np.ascontiguousarray(span_scores, np.float64), spans, scores)
    return [[list(map(tuple, tree)) for tree in trees] for trees in spans.tolist()], scores.tolist()


def _pairs(count: int) -> list[tuple[int, int]]:
    """Which of the best trees of two parts can make one of the N best of the whole: the a-th best of one with the b-th
    best of the other only if a · b ≤ N."""
    return [(a, b) for a in range(count) for b in range(count) if (a + 1) * (b + 1) <= count]


def _best(pairs: list[tuple[int, int]]) -> Algebra:
    """The algebra of the N best trees; a choice is the number of a split and a pair."""
    count = 1 + max(a for a, _ in pairs)
    lefts, rights = np.array(pairs).T

    def product(left: Array, right: Array) -> Array:
        return np.asarray(left + right if count == 1 else left[..., lefts] + right[..., rights])

    def total(products: Array) -> tuple[Array, Array]:
        if count == 1:
            return products.max(2, keepdims=True), products.argmax(2, keepdims=True)
        chosen = np.argsort(-products, axis=2, kind="stable")[..., :count]
        return np.take_along_axis(products, chosen, 2), chosen

    return Algebra(np.where(np.arange(count), -np.inf, 0.0), product, total)


def _log_sum(products: Array) -> tuple[Array, Array]:
    highest = products.max(2, keepdims=True)
    return highest + np.log(np.exp(products - highest).sum(2, keepdims=True)), np.zeros(1, np.int64)


SUM = Algebra(np.zeros(1), np.add, _log_sum)
"""The algebra of sums over all trees, in logarithms; nothing is chosen."""


def _tree(choices: Array, pairs: list[tuple[int, int]], rank: int) -> list[tuple[int, int]]:
    """The spans of the tree of this rank, in pre-order."""
    spans = []
    waiting = [(0, len(choices) - 1, rank)]
    while waiting:
        start, end, rank = waiting.pop()
        spans.append((start, end))
        if end - start > 1:
            split, pair = divmod(int(choices[start, end, rank]), len(pairs))
            middle = start + 1 + split
            left, right = pairs[pair]
            parts = ((middle, end, right), (start, middle, left))
            waiting += [part for part in parts if part[1] - part[0] > 1]
    return spans
