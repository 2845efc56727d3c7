"""The dependency-and-boundary model: a head grammar over word classes, estimated by counting.

Spitkovsky, Alshawi & Jurafsky (2012), "Three Dependency-and-Boundary Models for Grammar Induction", DBM-1; and the
dependency model with valence (DMV) of Klein & Manning (2004), which differs in one point. A head generates its
dependents on each side from the nearest outwards, and stops:

    P(tree) = root(root word) · Π over heads and sides: Π over dependents (1 − stop) · attach(dependent | head), · stop

root(c) and attach(c' | c, side, adjacent) depend on word classes. ``adjacent`` is true before the first dependent of a
side. stop(c, side, adjacent) depends, before the first dependent, on the head's class; afterwards on that of
the outermost word so far, the far end of the last dependent's own half tree (DBM), or on that of the head (DMV).

Every arc can have a weight, which multiplies the probability of the trees that have it. The charts are those of Eisner
(1996) for spans of words i … j, both included, where i heads the words of a right half and j those of a left half:

    arc_R[i,j]  = weight · { (1 − stop(i, adjacent)) attach(j | i, adjacent) S_L[i+1,j]
                             + attach(j | i) Σ_{i<k<j} U_R[i,k] (1 − stop(k)) S_L[k+1,j] }          (j depends on i)
    U_R[i,j]    = Σ_{i<k≤j} arc_R[i,k] S_R[k,j]          (the dependents of i reach to j; more may follow)
    S_R[i,j]    = U_R[i,j] stop(j),   S_R[i,i] = stop(i, adjacent)                      (i has stopped)

and their mirror images. Expected counts are the derivatives of the log-likelihood (θ · ∂log Z / ∂θ), computed backwards
through the charts. Every span has its own scale, so nothing under- or overflows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

LEFT, RIGHT = 0, 1
LATER, ADJACENT = 0, 1
"""Whether a head already has dependents on that side."""

SMOOTHING = 1.0
"""Added to each count of stopping and going on; ten times as much, spread over the classes, to those of a root or a
dependent."""


ACROSS = 0.1
"""How probable an arc that crosses punctuation is at the start, against one that does not."""


class DependencyModel(NamedTuple):
    """The parameters for C word classes, float64.

    root [C]; stop [C, side, adjacent], with ``stop[…, LATER]`` of the outermost word's class, or of the head's where
    ``stops_by_head`` (DMV); attach [head, side, adjacent, dependent].
    """

    root: Array
    stop: Array
    attach: Array
    stops_by_head: bool = False

    @property
    def classes(self) -> int:
        return len(self.root)


class Counts(NamedTuple):
    """Expected counts of the events of a `DependencyModel`, of the same shapes; ``goes_on`` is of not stopping."""

    root: Array
    stop: Array
    goes_on: Array
    attach: Array

    def plus(self, other: Counts) -> Counts:
        return Counts(*(one + two for one, two in zip(self, other, strict=True)))


class Posterior(NamedTuple):
    """What a model says of B sentences of T words. log_likelihood [B], in nats, arc weights included; arcs [B, T, T]:
    probability that column is the head of row, with that of the root on the diagonal; counts: summed over sentences."""

    log_likelihood: Array
    arcs: Array
    counts: Counts | None


def no_counts(classes: int) -> Counts:
    return Counts(
        np.zeros(classes), np.zeros((classes, 2, 2)), np.zeros((classes, 2, 2)), np.zeros((classes, 2, 2, classes))
    )


def estimated(counts: Counts, stops_by_head: bool = False) -> DependencyModel:
    """The M step: the model with these relative frequencies, smoothed (`SMOOTHING`): dependents towards their overall
    frequency, roots towards the uniform distribution, stopping towards a half."""
    classes = len(counts.root)
    overall = counts.attach.sum((0, 1, 2)) + 1
    prior = overall / overall.sum()
    return DependencyModel(
        (counts.root + 10 * SMOOTHING / classes) / (counts.root.sum() + 10 * SMOOTHING),
        (counts.stop + SMOOTHING) / (counts.stop + counts.goes_on + 2 * SMOOTHING),
        (counts.attach + 10 * SMOOTHING * prior) / (counts.attach.sum(-1, keepdims=True) + 10 * SMOOTHING),
        stops_by_head,
    )


def harmonic_counts(classes: Array, crossings: Array | None, count: int) -> Counts:
    """Counts to start from (after Klein & Manning, 2004): near words attach to each other. For B sentences of T words.

    classes [B, T] < count; crossings [B, T, T]: whether punctuation stands between two words, which makes an arc
    `ACROSS` times as probable; None: no punctuation is seen. P(head is i | word j) ∝ 1 / (|i − j| + 1); each word is
    the root with probability 1/T. Each arc counts as adjacent and as not; each word stops and goes on by halves.
    """
    B, T = classes.shape
    distance = np.abs(np.arange(T)[:, None] - np.arange(T))
    arcs = np.broadcast_to(np.where(distance > 0, 1 / (distance + 1), 0.0), (B, T, T))
    if crossings is not None:
        arcs = arcs * np.where(crossings, ACROSS, 1.0)
    if T > 1:
        arcs = arcs * (1 - 1 / T) / arcs.sum(2, keepdims=True)
    words = classes.T
    frequencies = np.bincount(words.ravel(), minlength=count)
    counts = no_counts(count)
    counts.root[:] = frequencies / T
    counts.stop[:] = frequencies[:, None, None] / 2
    for side in (LEFT, RIGHT):
        attached = _by_pair(words, arcs.transpose(2, 1, 0) * _on_side(T, side), count)
        counts.attach[:, side] = attached[:, None]
        counts.goes_on[:, side] = attached.sum(1)[:, None] / 2
    return counts


def posterior(
    model: DependencyModel, classes: Array, weights: Array | None = None, with_counts: bool = False
) -> Posterior:
    """Exact over all projective trees with one root of B sentences of T ≥ 1 words. Time O(B · T³).

    classes [B, T]: of words; weights [B, T, T]: log-weights of arcs, row = dependent, column = head, diagonal = root.
    A sentence whose every tree has the weight 0 has the log-likelihood −∞, and its arcs mean nothing.
    """
    words = np.ascontiguousarray(classes.T)  # sentences are the last axis of all arrays: they are computed side by side
    T, B = words.shape
    log_scale, arc_weights = np.zeros(B), np.ones((T, T, B))
    if weights is not None:
        largest = weights.max(2)
        log_scale = largest.sum(1)
        arc_weights = np.exp(weights - largest[:, :, None]).transpose(2, 1, 0)  # [head, dependent, B]
    to_right = np.triu(np.ones((T, T), np.int64))[:, :, None]
    heads, dependents, going = words[:, None], words[None], 1 - model.stop
    first = arc_weights * going[heads, to_right, ADJACENT] * model.attach[heads, to_right, ADJACENT, dependents]
    later = arc_weights * model.attach[heads, to_right, LATER, dependents]
    chart = _inside(model, words, first, later)

    each = np.arange(T)
    roots = model.root[words] * arc_weights[each, each]
    left, right = chart.left_by_start[0], chart.right_by_end[T - 1, ::-1]  # of each word as the root
    scale = chart.scale_by_start[0] + chart.scale_by_end[T - 1, ::-1]
    top = scale.max(0)
    roots = roots * np.exp(scale - top)
    total = (roots * left * right).sum(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_likelihood = np.log(total) + top + log_scale
        roots = roots / total
    events = _outside(chart, model, words, first, later, roots)
    arcs = events.first + events.later
    arcs[each, each] = by_root = roots * left * right
    counts = None
    if with_counts:
        counts = _counted(events, words, by_root, model.classes)
    return Posterior(log_likelihood, np.ascontiguousarray(arcs.transpose(2, 1, 0)), counts)


class _Chart:
    """The inside values of the spans of B sentences of T words.

    Arrays [T, T, B], by a word and the number of words beyond it in the span: ``by_start`` the first word, ``by_end``
    the last one; both where both are read. left, right: S of halves with the head at their end and start; open: U times
    the probability to go on; arc: of spans whose ends are the two words of an arc. A value counts times exp(scale).
    splits, joints: the scales of the pairs of spans that a span was made of, [spans, pairs, B], for each width.
    """

    def __init__(self, T: int, B: int) -> None:
        self.left_by_start, self.left_by_end, self.right_by_start, self.right_by_end = np.zeros((4, T, T, B))
        self.open_left, self.open_right, self.arc_left, self.arc_right = np.zeros((4, T, T, B))
        self.scale_by_start, self.scale_by_end = np.zeros((2, T, T, B))
        self.splits: list[Array] = []
        self.joints: list[Array] = []


_PAIRS = "skb,skb,skb->sb"


def _inside(model: DependencyModel, words: Array, first: Array, later: Array) -> _Chart:
    T, B = words.shape
    chart = _Chart(T, B)
    stop = model.stop[words]  # [T, B, side, adjacent]
    chart.left_by_start[:, 0] = chart.left_by_end[:, 0] = stop[:, :, LEFT, ADJACENT]
    chart.right_by_start[:, 0] = chart.right_by_end[:, 0] = stop[:, :, RIGHT, ADJACENT]
    for w in range(1, T):
        n = T - w  # spans of this width; a slice [:n] is of their first words, [w:] of their last ones
        scale = chart.scale_by_start[:n, :w] + chart.scale_by_end[w:, w - 1 :: -1]
        top = scale.max(1)
        splits = np.exp(scale - top[:, None])
        to_right, to_left = _diagonal(first, w), _diagonal(first, -w)
        arc_right = to_right * splits[:, 0] * chart.left_by_end[w:, w - 1]
        arc_left = to_left * splits[:, w - 1] * chart.right_by_start[:n, w - 1]
        if w > 1:
            arc_right += _diagonal(later, w) * np.einsum(
                _PAIRS, splits[:, 1:], chart.open_right[:n, 1:w], chart.left_by_end[w:, w - 2 :: -1]
            )
            arc_left += _diagonal(later, -w) * np.einsum(
                _PAIRS, splits[:, :-1], chart.right_by_start[:n, : w - 1], chart.open_left[w:, w - 1 : 0 : -1]
            )
        size = np.maximum(np.maximum(arc_right, arc_left), _LEAST)
        chart.scale_by_start[:n, w] = chart.scale_by_end[w:, w] = scale = top + np.log(size)
        chart.arc_right[:n, w], chart.arc_left[w:, w] = arc_right / size, arc_left / size
        chart.splits.append(splits / size[:, None])
        joints = np.exp(chart.scale_by_start[:n, : w + 1] + chart.scale_by_end[w:, w::-1] - scale[:, None])
        chart.joints.append(joints)
        right = np.einsum(_PAIRS, joints[:, 1:], chart.arc_right[:n, 1 : w + 1], chart.right_by_end[w:, w - 1 :: -1])
        left = np.einsum(_PAIRS, joints[:, :-1], chart.left_by_start[:n, :w], chart.arc_left[w:, w:0:-1])
        last_right, last_left = _stopping(model, stop, w)
        chart.open_right[:n, w], chart.open_left[w:, w] = right * (1 - last_right), left * (1 - last_left)
        chart.right_by_start[:n, w] = chart.right_by_end[w:, w] = right * last_right
        chart.left_by_start[:n, w] = chart.left_by_end[w:, w] = left * last_left
    return chart


_LEAST = 1e-300
"""Where no tree of a span has any weight."""


class _Events(NamedTuple):
    """Posterior probabilities: first and later [head, dependent, B] of the first dependent of a head on its side and of
    others; stops and goes_on [side, adjacent, T, B], by the word whose class decides."""

    first: Array
    later: Array
    stops: Array
    goes_on: Array


def _outside(chart: _Chart, model: DependencyModel, words: Array, first: Array, later: Array, roots: Array) -> _Events:
    """The derivatives of log Z by all inside values, from wide spans to narrow ones, and the events' probabilities."""
    T, B = words.shape
    gradient = _Chart(T, B)
    events = _Events(np.zeros((T, T, B)), np.zeros((T, T, B)), np.zeros((2, 2, T, B)), np.zeros((2, 2, T, B)))
    stop = model.stop[words]
    gradient.left_by_start[0] += roots * chart.right_by_end[T - 1, ::-1]
    gradient.right_by_end[T - 1] += (roots * chart.left_by_start[0])[::-1]
    for w in range(T - 1, 0, -1):
        n = T - w
        splits, joints = chart.splits[w - 1], chart.joints[w - 1]
        of_right = gradient.right_by_start[:n, w] + gradient.right_by_end[w:, w]
        of_left = gradient.left_by_start[:n, w] + gradient.left_by_end[w:, w]
        right_word, left_word = (slice(0, n), slice(w, T)) if model.stops_by_head else (slice(w, T), slice(0, n))
        events.stops[RIGHT, LATER, right_word] += of_right * chart.right_by_start[:n, w]
        events.stops[LEFT, LATER, left_word] += of_left * chart.left_by_start[:n, w]
        events.goes_on[RIGHT, LATER, right_word] += gradient.open_right[:n, w] * chart.open_right[:n, w]
        events.goes_on[LEFT, LATER, left_word] += gradient.open_left[w:, w] * chart.open_left[w:, w]
        last_right, last_left = _stopping(model, stop, w)
        through = (of_right * last_right + gradient.open_right[:n, w] * (1 - last_right))[:, None] * joints[:, 1:]
        gradient.arc_right[:n, 1 : w + 1] += through * chart.right_by_end[w:, w - 1 :: -1]
        gradient.right_by_end[w:, w - 1 :: -1] += through * chart.arc_right[:n, 1 : w + 1]
        through = (of_left * last_left + gradient.open_left[w:, w] * (1 - last_left))[:, None] * joints[:, :-1]
        gradient.left_by_start[:n, :w] += through * chart.arc_left[w:, w:0:-1]
        gradient.arc_left[w:, w:0:-1] += through * chart.left_by_start[:n, :w]

        of_right, of_left = gradient.arc_right[:n, w], gradient.arc_left[w:, w]
        through = of_right * _diagonal(first, w) * splits[:, 0]
        at = np.arange(n)
        events.first[at, at + w] = through * chart.left_by_end[w:, w - 1]
        gradient.left_by_end[w:, w - 1] += through
        through = of_left * _diagonal(first, -w) * splits[:, w - 1]
        events.first[at + w, at] = through * chart.right_by_start[:n, w - 1]
        gradient.right_by_start[:n, w - 1] += through
        if w > 1:
            events.later[at, at + w] = of_right * chart.arc_right[:n, w] - events.first[at, at + w]
            events.later[at + w, at] = of_left * chart.arc_left[w:, w] - events.first[at + w, at]
            through = (of_right * _diagonal(later, w))[:, None] * splits[:, 1:]
            gradient.open_right[:n, 1:w] += through * chart.left_by_end[w:, w - 2 :: -1]
            gradient.left_by_end[w:, w - 2 :: -1] += through * chart.open_right[:n, 1:w]
            through = (of_left * _diagonal(later, -w))[:, None] * splits[:, :-1]
            gradient.right_by_start[:n, : w - 1] += through * chart.open_left[w:, w - 1 : 0 : -1]
            gradient.open_left[w:, w - 1 : 0 : -1] += through * chart.right_by_start[:n, : w - 1]
    np.maximum(events.later, 0, out=events.later)  # a difference, which rounding may make negative
    right = (gradient.right_by_start[:, 0] + gradient.right_by_end[:, 0]) * chart.right_by_end[:, 0]
    left = (gradient.left_by_start[:, 0] + gradient.left_by_end[:, 0]) * chart.left_by_end[:, 0]
    events.stops[RIGHT, ADJACENT], events.stops[LEFT, ADJACENT] = right, left
    for side in (LEFT, RIGHT):
        events.goes_on[side, ADJACENT] = (events.first * _on_side(T, side)).sum(1)
    return events


def _stopping(model: DependencyModel, stop: Array, w: int) -> tuple[Array, Array]:
    """The probability that a head with dependents stops, of right and left halves of this width, [spans, B]."""
    T = len(stop)
    of_first, of_last = stop[: T - w, :, :, LATER], stop[w:, :, :, LATER]
    if model.stops_by_head:
        return of_first[:, :, RIGHT], of_last[:, :, LEFT]
    return of_last[:, :, RIGHT], of_first[:, :, LEFT]


def _diagonal(matrices: Array, offset: int) -> Array:
    """[T, T, B] → the values at [i, i + offset], in order, as [T − |offset|, B]."""
    values: Array = matrices.diagonal(offset).T
    return values


def _on_side(T: int, side: int) -> Array:
    """[head, dependent, 1]: whether the dependent is on that side of its head."""
    return (np.triu if side == RIGHT else np.tril)(np.ones((T, T)), 1 if side == RIGHT else -1)[:, :, None]


def _by_pair(words: Array, events: Array, count: int) -> Array:
    """The sums of events [head, dependent, B] by the classes of the two words, [count, count]."""
    pairs = words[:, None] * count + words[None]
    return np.bincount(pairs.ravel(), events.ravel(), minlength=count * count).reshape(count, count)


def _counted(events: _Events, words: Array, by_root: Array, count: int) -> Counts:
    counts = no_counts(count)
    flat = words.ravel()
    counts.root[:] = np.bincount(flat, by_root.ravel(), minlength=count)
    for side in (LEFT, RIGHT):
        for adjacent, arcs in ((ADJACENT, events.first), (LATER, events.later)):
            counts.attach[:, side, adjacent] = _by_pair(words, arcs * _on_side(len(words), side), count)
            counts.stop[:, side, adjacent] = np.bincount(flat, events.stops[side, adjacent].ravel(), minlength=count)
            counts.goes_on[:, side, adjacent] = np.bincount(
                flat, events.goes_on[side, adjacent].ravel(), minlength=count
            )
    return counts
