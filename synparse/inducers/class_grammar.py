"""Simple probabilistic context-free grammars over word classes, estimated by counting under weights of spans.

The grammar form is that of Liu et al. (2023, "Simple Hardware-Efficient PCFGs with Independent Left and Right
Productions"): P(A → B C) = left(B | A) · right(C | A), for nonterminals A; B and C are nonterminals or word classes,
which are observed, so that a grammar has few parameters. Park & Kim (2024, "Structural Optimization Ambiguity and
Simplicity Bias in Unsupervised Neural Grammar Induction") let such a grammar see only the trees that other parsers
found; here this is soft: every span [i, j) of two words or more has a weight e^ω_ij, from any model that scores spans.

    s_ij[A] = e^ω_ij Σ_k l_ik[A] r_kj[A],   l_ij[A] = Σ_B left(B | A) s_ij[B],   r_ij[A] = Σ_C right(C | A) s_ij[C]
    s_i,i+1 of a word is 1 for its class;   Z = Σ_A root(A) s_0T[A]

Expected counts and posterior probabilities of spans are derivatives of log Z, computed backwards through the chart.
Every span of every grammar has its own scale, so nothing under- or overflows. Several grammars, which differ by their
random start, are computed side by side; the average of their posteriors makes better trees than any one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from synparse import compiled
from synparse.inducers.dependency_boundary import IMPOSSIBLE
from synparse.trees.span_chart import Array

SMOOTHING = 0.1
"""Added to the count of every production and of every root."""


class ClassGrammars(NamedTuple):
    """G grammars with N nonterminals over C word classes. root [G, N]; left, right [G, N, N + C]: the probabilities of
    nonterminals, then classes, as left and right part of each nonterminal."""

    root: Array
    left: Array
    right: Array

    @property
    def nonterminals(self) -> int:
        return int(self.root.shape[1])

    @property
    def classes(self) -> int:
        return int(self.left.shape[2]) - self.nonterminals


class SpanPosterior(NamedTuple):
    """Posterior of G grammars for B sentences of T words. log_likelihood [G, B], in nats, span weights included; spans
    [B, T + 1, T + 1]: the mean over grammars of the probability of each constituent [start, end)."""

    log_likelihood: Array
    spans: Array


def no_counts(grammars: ClassGrammars) -> ClassGrammars:
    """Zeros to add to, of the shapes of these grammars."""
    return ClassGrammars(*(np.zeros(part.shape) for part in grammars))


def random_grammars(count: int, nonterminals: int, classes: int, seed: int) -> ClassGrammars:
    """Grammars to start from, near the uniform one; the first ones of a seed are the same for any count."""
    grammars = [_random_grammar(nonterminals, classes, [seed, number]) for number in range(count)]
    return ClassGrammars(*(np.stack(parts) for parts in zip(*grammars, strict=True)))


def _random_grammar(nonterminals: int, classes: int, seed: Sequence[int]) -> tuple[Array, Array, Array]:
    source, symbols = np.random.default_rng(seed), nonterminals + classes
    return (
        source.dirichlet(np.full(nonterminals, 50.0)),
        source.dirichlet(np.full(symbols, 5.0), nonterminals),
        source.dirichlet(np.full(symbols, 5.0), nonterminals),
    )


def estimated(counts: ClassGrammars) -> ClassGrammars:
    """The M step: the grammars with these relative frequencies, smoothed (`SMOOTHING`)."""
    return ClassGrammars(*((part + SMOOTHING) / (part + SMOOTHING).sum(-1, keepdims=True) for part in counts))


def posterior(
    grammars: ClassGrammars,
    classes: Array,
    weights: Array | None = None,
    counts: ClassGrammars | None = None,
    dtype: Any = np.float32,
) -> SpanPosterior:
    """Exact over all binary trees of B sentences of T ≥ 2 words. Time O(B · G · (T³ N + T² N²)), memory
    O(B · G · (T³ + T² N)), 120 MB for one of 200 words under four grammars of 30 nonterminals; compiled O(T² N),
    30 MB.

    classes [B, T]: of words; weights: log-weights ω of spans at [start, end], [B, T + 1, T + 1], or of each grammar
    [G, B, T + 1, T + 1]; −∞ forbids a span, unless every tree has a forbidden one; counts: what expected counts are
    added to. Up to about 50 sentences at a time, in NumPy the more the faster. Compiled, spans are left out that hardly
    any tree has (1e-6, with counts 1e-5; in float64, 1e-19) by the weights alone, or under the first of several
    grammars with the same weights.
    """
    if compiled.CHARTS is not None:
        return _compiled_posterior(grammars, classes, weights, counts, dtype)
    N = grammars.nonterminals
    rules = np.concatenate([grammars.left[:, :, :N], grammars.right[:, :, :N]], 1).astype(dtype)  # [G, 2N, N]
    return _outside(_inside(grammars, rules, classes, weights), grammars, rules, classes, counts)


def _compiled_posterior(
    grammars: ClassGrammars, classes: Array, weights: Array | None, counts: ClassGrammars | None, dtype: Any
) -> SpanPosterior:
    """The same by synparse/compiled/class_grammar.h."""
    B, T = classes.shape
    if weights is not None:
        weights = np.ascontiguousarray(weights.reshape(-1, B, T + 1, T + 1), np.float64)
    log_likelihood, spans = np.empty((len(grammars.root), B)), np.zeros((B, T + 1, T + 1))
    compiled.CHARTS.class_grammar(
        *(np.ascontiguousarray(part, dtype) for part in grammars),
        np.ascontiguousarray(classes, np.int64),
        weights,
        log_likelihood,
        spans,
        *(counts or (None, None, None)),
    )
    return SpanPosterior(log_likelihood, spans)


class _Inside(NamedTuple):
    """The inside values of the spans of B sentences of T words under G grammars.

    left [start, width, N, G, B]: l by first word; right [end, width, N, G, B]: r by end; inner [start, width, N, G, B]:
    s. A value counts times exp(scale) of its span. splits: for each width, what l · r is multiplied with in each sum,
    [spans, splits, G, B]. scale [G, B]: of whole sentences.
    """

    left: Array
    right: Array
    inner: Array
    splits: list[Array]
    scale: Array


def _inside(grammars: ClassGrammars, rules: Array, classes: Array, weights: Array | None) -> _Inside:
    B, T = classes.shape
    G, N = grammars.root.shape
    left, right, inner = np.zeros((3, T + 1, T + 1, N, G, B), rules.dtype)
    by_start, by_end = np.zeros((2, T + 1, T + 1, G, B))  # scales
    all_splits = []
    words = classes.T + N
    left[:T, 1] = grammars.left[:, :, words].transpose(2, 1, 0, 3)
    right[1:, 1] = grammars.right[:, :, words].transpose(2, 1, 0, 3)
    for w in range(2, T + 1):
        n = T - w + 1  # spans of this width; a slice [:n] is of their starts, [w:] of their ends
        scale = by_start[:n, 1:w] + by_end[w:, w - 1 : 0 : -1]
        top = scale.max(1)
        splits = np.exp((scale - top[:, None]).astype(rules.dtype))
        inner_of_width = inner[:n, w]
        np.einsum("skngb,skngb,skgb->sngb", left[:n, 1:w], right[w:, w - 1 : 0 : -1], splits, out=inner_of_width)
        size = np.maximum(inner_of_width.max(1), np.finfo(rules.dtype).tiny)
        inner_of_width /= size[:, None]
        splits /= size[:, None]
        all_splits.append(splits)
        top += np.log(size)
        if weights is not None:
            top += _weights_of_spans(weights, w)
        by_start[:n, w] = by_end[w:, w] = np.maximum(top, IMPOSSIBLE)
        both = (rules @ inner_of_width.swapaxes(1, 2)).swapaxes(1, 2)
        left[:n, w], right[w:, w] = both[:, :N], both[:, N:]
    return _Inside(left, right, inner, all_splits, by_start[0, T])


def _weights_of_spans(weights: Array, w: int) -> Array:
    """The weights of the spans of one width, [spans, 1 or G, B]."""
    diagonal: Array = np.moveaxis(weights.diagonal(w, -2, -1), -1, 0)
    return diagonal[:, None] if weights.ndim == 3 else diagonal


def _outside(
    chart: _Inside, grammars: ClassGrammars, rules: Array, classes: Array, counts: ClassGrammars | None
) -> SpanPosterior:
    """The derivatives of log Z by all inside values, from wide spans to narrow ones, and what follows from them."""
    B, T = classes.shape
    G, N = grammars.root.shape
    left, right = np.zeros((2, T + 1, T + 1, N, G, B), rules.dtype)
    upwards = np.ascontiguousarray(rules.swapaxes(1, 2))
    spans = np.zeros((T + 1, T + 1, B))
    rule_derivatives = np.zeros_like(rules, float)
    root = grammars.root.T[:, :, None]
    total = (root * chart.inner[0, T]).sum(0)  # [G, B]
    for w in range(T, 1, -1):
        n = T - w + 1
        inner = chart.inner[:n, w]
        gradient = np.empty_like(inner)  # by s
        if w == T:
            gradient[0] = root / total
        else:
            both = np.concatenate([left[:n, w], right[w:, w]], 1).swapaxes(1, 2)  # by l and r: [spans, G, 2N, B]
            np.matmul(upwards, both, out=gradient.swapaxes(1, 2))
            if counts is not None:
                rule_derivatives += both.transpose(1, 2, 0, 3).reshape(G, 2 * N, -1) @ (
                    inner.transpose(2, 0, 3, 1).reshape(G, -1, N)
                )
        start = np.arange(n)
        spans[start, start + w] = np.einsum("sngb,sngb->sb", gradient, inner) / G
        through = gradient[:, None] * chart.splits[w - 2][:, :, None]
        left[:n, 1:w] += through * chart.right[w:, w - 1 : 0 : -1]
        through *= chart.left[:n, 1:w]
        right[w:, w - 1 : 0 : -1] += through
    if counts is not None:
        root_counts = (root * chart.inner[0, T] / total).sum(2).T
        counted = _counted(grammars, classes, root_counts, rule_derivatives, left[:T, 1], right[1:, 1])
        for part, more in zip(counts, counted, strict=True):
            part += more
    return SpanPosterior(np.log(total) + chart.scale, np.ascontiguousarray(spans.transpose(2, 0, 1)))


def _counted(
    grammars: ClassGrammars, classes: Array, root_counts: Array, rule_derivatives: Array, left: Array, right: Array
) -> ClassGrammars:
    """Expected counts: derivatives times parameters. left, right [T, N, G, B]: derivatives by l and r of words."""
    G, N = grammars.root.shape
    words = np.eye(grammars.classes, dtype=left.dtype)[classes.T.ravel()]  # [T · B, C]
    left_words, right_words = (part.transpose(2, 1, 0, 3).reshape(G, N, -1) @ words for part in (left, right))
    return ClassGrammars(
        root_counts,
        grammars.left * np.concatenate([rule_derivatives[:, :N], left_words], 2),
        grammars.right * np.concatenate([rule_derivatives[:, N:], right_words], 2),
    )


def best_labels(
    grammars: ClassGrammars, number: int, classes: Sequence[int] | Array, spans: Sequence[tuple[int, int]]
) -> list[int]:
    """The nonterminals of the spans of a binary tree that are most probable together, by one grammar.

    number: which grammar; classes [T]: of words; spans: of two words or more, in pre-order, the whole sentence first.
    Ties: the first nonterminal, the outermost span first. Time O(T · N²).
    """
    with np.errstate(divide="ignore"):
        root, left, right = (np.log(part[number]) for part in grammars)
    N = len(root)
    choices: dict[tuple[int, int], tuple[Array, Array]] = {}  # of a span, by its nonterminal: those of its parts
    waiting: list[tuple[int, int, Array]] = []  # spans whose parent is still to come, with their log-probabilities

    def part(start: int, end: int, rules: Array) -> tuple[Array, Array]:
        """The log-probability of the best part from start to end by the nonterminal above it, and its nonterminal."""
        if end - start == 1:
            return rules[:, N + classes[start]], np.full(N, -1)
        scores = rules[:, :N] + waiting.pop()[2]
        best = scores.argmax(1)
        return scores[np.arange(N), best], best

    for start, end in reversed(spans):  # both parts of a span come before it, the left one last
        middle = waiting[-1][1] if waiting and waiting[-1][0] == start else start + 1
        (left_scores, best_left), (right_scores, best_right) = part(start, middle, left), part(middle, end, right)
        choices[start, end] = best_left, best_right
        waiting.append((start, end, left_scores + right_scores))
    labels, above = [], [int((root + waiting[0][2]).argmax())]
    for span in spans:
        label = above.pop()
        labels.append(label)
        above += [int(best[label]) for best in reversed(choices[span]) if best[label] >= 0]
    return labels
