"""The dependency-and-boundary model: a head grammar over word classes, estimated by counting.

Spitkovsky, Alshawi & Jurafsky (2012), "Three Dependency-and-Boundary Models for Grammar Induction", DBM-1; and the
dependency model with valence (DMV) of Klein & Manning (2004), which differs in one point. A head generates its
dependents on each side from the nearest outwards, and stops:

    P(tree) = root(root word) · Π over heads and sides: Π over dependents (1 − stop) · attach(dependent | head), · stop

root(c) and attach(c' | c, side, adjacent) depend on word classes. ``adjacent`` is true before the first dependent of a
side. stop(c, side, adjacent) depends, before the first dependent, on the head's class; afterwards on that of
the outermost word so far, the far end of the last dependent's own half tree (DBM), or on that of the head (DMV). In
these papers, attach does not depend on ``adjacent``; here it does, as in the extended valence grammar of Headden,
Johnson & McClosky (2009), "Improving Unsupervised Dependency Parsing with Richer Contexts and Smoothing".

Every arc can have a weight, which multiplies the probability of the trees that have it. The charts are those of Eisner
(1996) for spans of words i … j, both included, where i heads the words of a right half and j those of a left half:

    arc_R[i,j]  = weight · Σ_{i≤k<j} open_R[i,k] attach(j | i, adjacent if k = i) S_L[k+1,j]         (j depends on i)
    half_R[i,j] = Σ_{i<k≤j} arc_R[i,k] S_R[k,j]                               (the dependents of i reach to j)
    S_R[i,j]    = half_R[i,j] stop(j),         S_R[i,i]    = stop(i, adjacent)          (i has stopped)
    open_R[i,j] = half_R[i,j] (1 − stop(j)),   open_R[i,i] = 1 − stop(i, adjacent)      (i has another dependent)

and their mirror images; with DMV, stop(i) for stop(j). All in logs. The probability of each term in its sum is kept;
with these, posterior probabilities go down from wide spans to narrow ones, and add up to expected counts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from synparse import compiled
from synparse.trees.span_chart import Array

LEFT, RIGHT = 0, 1
LATER, ADJACENT = 0, 1
"""Whether a head already has dependents on that side."""

SMOOTHING = 1.0
"""Added to each count of stopping and going on; ten times as much, spread over the classes, to those of a root or a
dependent."""

ACROSS = 0.1
"""How probable an arc that crosses punctuation is at the start, against one that does not."""


VERB = 1.0
"""At the start, in nats: log-odds that a verb rather than another word is the root, and cost of an arc to a verb from a
head that is no verb."""


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


class EventCounts(NamedTuple):
    """Expected counts of the events of a `DependencyModel`, of the same shapes; ``goes_on`` is of not stopping."""

    root: Array
    stop: Array
    goes_on: Array
    attach: Array


class ArcPosterior(NamedTuple):
    """Posterior of a model for B sentences of T words. log_likelihood [B], in nats, arc weights included; arcs [B, T,
    T]: probability that column is the head of row, with that of the root on the diagonal."""

    log_likelihood: Array
    arcs: Array


def no_counts(classes: int) -> EventCounts:
    """Zeros to add to."""
    return EventCounts(
        np.zeros(classes), np.zeros((classes, 2, 2)), np.zeros((classes, 2, 2)), np.zeros((classes, 2, 2, classes))
    )


def estimated(counts: EventCounts, stops_by_head: bool = False) -> DependencyModel:
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


def harmonic_counts(classes: Array, crossings: Array, count: int, directions: Array, verbs: Array) -> EventCounts:
    """Counts to start from (after Klein & Manning, 2004): near words attach to each other. For B sentences of T words.

    classes [B, T] < count; crossings [B, T, T]: whether punctuation stands between two words, which makes an arc
    `ACROSS` times as probable. directions [B, T]: log-odds that the head of a word is before it rather than after it.
    verbs [B, T]: 1 for verbs, else 0. They are rather roots, and rather depend on each other than on other words
    (`VERB`). Apart from these, P(head is i | word j) ∝ 1 / (|i − j| + 1); each word is the root with probability 1/T.
    Each arc counts as adjacent and as not; each word stops and goes on by halves.
    """
    B, T = classes.shape
    distance = np.abs(np.arange(T)[:, None] - np.arange(T))
    arcs = np.broadcast_to(np.where(distance > 0, 1 / (distance + 1), 0.0), (B, T, T))
    arcs = arcs * np.where(crossings, ACROSS, 1.0)
    arcs = arcs * np.exp(np.where(np.tri(T, k=-1, dtype=bool), 0.5, -0.5) * directions[:, :, None])
    arcs = arcs * np.exp(-VERB * verbs[:, :, None] * (1 - verbs[:, None]))
    roots = np.exp(VERB * verbs)
    roots = roots / roots.sum(1, keepdims=True)
    if T > 1:
        arcs = arcs * (1 - roots[:, :, None]) / arcs.sum(2, keepdims=True)
    words = classes.T
    frequencies = np.bincount(words.ravel(), minlength=count)
    counts = no_counts(count)
    counts.root[:] = np.bincount(classes.ravel(), roots.ravel(), minlength=count)
    counts.stop[:] = frequencies[:, None, None] / 2
    for side in (LEFT, RIGHT):
        attached = _by_pair(words, arcs.transpose(2, 1, 0) * _on_side(T, side), count)
        counts.attach[:, side] = attached[:, None]
        counts.goes_on[:, side] = attached.sum(1)[:, None] / 2
    return counts


def posterior(
    model: DependencyModel,
    classes: Array,
    weights: Array | None = None,
    counts: EventCounts | None = None,
    dtype: Any = np.float64,
    shares: Array | None = None,
) -> ArcPosterior:
    """Exact over all projective trees with one root of B sentences of T ≥ 1 words. Time O(B · T³), memory 6 T³ bytes a
    sentence. In float32, which takes half of both, logs of thousands of nats round to 1e-4.

    classes [B, T]: of words; weights [B, T, T]: log-weights of arcs, row = dependent, column = head, diagonal = root;
    −∞ forbids an arc. A sentence that has no tree left has the log-likelihood −∞, no arcs and no counts. counts: what
    expected counts are added to. shares [B, T, K]: of K classes of each word, ``classes`` [B, T, K], the largest first.
    The parameters of words are then the means of those of their classes, and events cannot be counted.
    """
    if shares is None:
        classes, shares = classes[..., None], np.ones((*classes.shape, 1))
    elif counts is not None:
        raise ValueError("events are counted only where each word has one class")
    if compiled.CHARTS is not None:
        return _compiled_posterior(model, classes, shares, weights, counts, dtype)
    # Sentences are the last axis of all arrays: they are computed side by side.
    words, parts = (np.ascontiguousarray(part.transpose(2, 1, 0)) for part in (classes, shares))  # [K, T, B]
    _, T, B = words.shape
    arc_weights = np.zeros((T, T, B), dtype)  # [head, dependent, B]
    if weights is not None:
        arc_weights[:] = weights.transpose(2, 1, 0)
    to_right = np.triu(np.ones((T, T), np.int64))[:, :, None]
    attached = np.zeros((T, T, B, 2))
    for heads, of_heads in zip(words, parts, strict=True):
        for dependents, of_dependents in zip(words, parts, strict=True):
            both = of_heads[:, None] * of_dependents
            attached += both[..., None] * model.attach[heads[:, None], to_right, :, dependents[None]]
    stops = np.minimum((parts[..., None, None] * model.stop[words]).sum(0), 1)
    roots = (parts * model.root[words]).sum(0)
    with np.errstate(divide="ignore"):
        logs = np.log(roots), np.log(stops), np.log1p(-stops), np.log(attached)
    root, stop, going, attach = (part.astype(dtype) for part in logs)
    first, later = arc_weights + attach[..., ADJACENT], arc_weights + attach[..., LATER]
    chart = _inside(stop, going, first, later, model.stops_by_head)

    each = np.arange(T)
    by_root = root + arc_weights[each, each] + chart.left_by_start[0] + chart.right_by_end[T - 1, ::-1]
    log_likelihood = _sum(by_root[None])[0]
    without_tree = log_likelihood < IMPOSSIBLE / 2
    log_likelihood[without_tree], by_root[:, without_tree] = -np.inf, 0
    events = _outside(chart, by_root, model.stops_by_head)
    arcs = events.first + events.later
    arcs[each, each] = by_root
    if counts is not None:
        _count(counts, events, words[0], by_root)
    return ArcPosterior(log_likelihood, np.ascontiguousarray(arcs.transpose(2, 1, 0)))


def _compiled_posterior(
    model: DependencyModel,
    classes: Array,
    shares: Array,
    weights: Array | None,
    counts: EventCounts | None,
    dtype: Any,
) -> ArcPosterior:
    """The same by synparse/compiled/dependency_boundary.h."""
    B, T, _ = classes.shape
    log_likelihood, arcs = np.empty(B), np.zeros((B, T, T), dtype)
    compiled.CHARTS.dependency_boundary(
        *(np.ascontiguousarray(part, np.float64) for part in (model.root, model.stop, model.attach)),
        np.array(model.stops_by_head, np.int64),
        np.ascontiguousarray(classes, np.int64),
        np.ascontiguousarray(shares, np.float64),
        None if weights is None else np.ascontiguousarray(weights, np.float64),
        log_likelihood,
        arcs,
        *(counts or (None, None, None, None)),
    )
    return ArcPosterior(log_likelihood, arcs)


class _Chart:
    """The spans of B sentences of T words: logs of inside values, or posterior probabilities.

    Arrays [T, T, B], by a word and the number of words beyond it in the span: ``by_start`` the first word, ``by_end``
    the last one; both where both are read. left, right: S; open_right, arc_right: by start; open_left, arc_left: by
    end. arcs, halves: for each width, the probabilities of the terms of its sums, [2, spans, terms, B], to the right
    and to the left.
    """

    def __init__(self, T: int, B: int, dtype: Any) -> None:
        self.left_by_start, self.left_by_end, self.right_by_start, self.right_by_end = np.zeros((4, T, T, B), dtype)
        self.open_left, self.open_right, self.arc_left, self.arc_right = np.zeros((4, T, T, B), dtype)
        self.arcs: list[Array] = []
        self.halves: list[Array] = []


def _inside(stop: Array, going: Array, first: Array, later: Array, stops_by_head: bool) -> _Chart:
    """stop, going [T, B, side, adjacent]; first, later [head, dependent, B]: weight and attachment; all logs."""
    T, B = stop.shape[:2]
    chart = _Chart(T, B, first.dtype)
    chart.left_by_start[:, 0] = chart.left_by_end[:, 0] = stop[:, :, LEFT, ADJACENT]
    chart.right_by_start[:, 0] = chart.right_by_end[:, 0] = stop[:, :, RIGHT, ADJACENT]
    chart.open_left[:, 0], chart.open_right[:, 0] = going[:, :, LEFT, ADJACENT], going[:, :, RIGHT, ADJACENT]
    for w in range(1, T):
        n = T - w  # spans of this width; a slice [:n] is of their first words, [w:] of their last ones
        arcs, halves = np.empty((2, 2, n, w, B), first.dtype)  # each to the right and to the left
        np.add(chart.open_right[:n, :w], chart.left_by_end[w:, w - 1 :: -1], out=arcs[0])
        arcs[0, :, 0] += _diagonal(first, w)
        arcs[0, :, 1:] += _diagonal(later, w)[:, None]
        np.add(chart.right_by_start[:n, :w], chart.open_left[w:, w - 1 :: -1], out=arcs[1])
        arcs[1, :, -1] += _diagonal(first, -w)
        arcs[1, :, :-1] += _diagonal(later, -w)[:, None]
        chart.arc_right[:n, w], chart.arc_left[w:, w] = _sum(arcs)
        chart.arcs.append(arcs)
        np.add(chart.arc_right[:n, 1 : w + 1], chart.right_by_end[w:, w - 1 :: -1], out=halves[0])
        np.add(chart.left_by_start[:n, :w], chart.arc_left[w:, w:0:-1], out=halves[1])
        half_right, half_left = _sum(halves)
        chart.halves.append(halves)
        right_decides, left_decides = _deciding(T, w, stops_by_head)
        chart.open_right[:n, w] = half_right + going[right_decides, :, RIGHT, LATER]
        chart.open_left[w:, w] = half_left + going[left_decides, :, LEFT, LATER]
        chart.right_by_start[:n, w] = chart.right_by_end[w:, w] = half_right + stop[right_decides, :, RIGHT, LATER]
        chart.left_by_start[:n, w] = chart.left_by_end[w:, w] = half_left + stop[left_decides, :, LEFT, LATER]
    return chart


def _deciding(T: int, w: int, stops_by_head: bool) -> tuple[slice, slice]:
    """The words whose class decides whether the head of a half of this width stops, of right and of left halves."""
    first, last = slice(0, T - w), slice(w, T)
    return (first, last) if stops_by_head else (last, first)


TINY = 1e-37

IMPOSSIBLE = -1e30
"""The log of what has no probability: finite, so that differences are numbers."""


def _sum(terms: Array) -> Array:
    """Logs of terms [..., terms, B] → the log of each sum [..., B]; ``terms`` become their probabilities in it."""
    top = np.maximum(terms.max(-2), IMPOSSIBLE)
    terms -= top[..., None, :]
    np.exp(terms, out=terms)
    total = np.maximum(terms.sum(-2), TINY)
    terms /= total[..., None, :]
    return np.asarray(top + np.log(total))


class _Events(NamedTuple):
    """Posterior probabilities: first and later [head, dependent, B] of the first dependent of a head on its side and of
    others; stops and goes_on [side, adjacent, T, B], by the word whose class decides."""

    first: Array
    later: Array
    stops: Array
    goes_on: Array


def _outside(chart: _Chart, by_root: Array, stops_by_head: bool) -> _Events:
    """From the probability of each word to be the root [T, B]. Uses up the terms' probabilities of the chart."""
    T, B = by_root.shape
    spans = _Chart(T, B, by_root.dtype)
    events = _Events(*np.zeros((2, T, T, B), by_root.dtype), *np.zeros((2, 2, 2, T, B), by_root.dtype))
    spans.left_by_start[0], spans.right_by_end[T - 1] = by_root, by_root[::-1]
    for w in range(T - 1, 0, -1):
        n = T - w
        stops_right = spans.right_by_start[:n, w] + spans.right_by_end[w:, w]
        stops_left = spans.left_by_start[:n, w] + spans.left_by_end[w:, w]
        right_decides, left_decides = _deciding(T, w, stops_by_head)
        events.stops[RIGHT, LATER, right_decides] += stops_right
        events.stops[LEFT, LATER, left_decides] += stops_left
        events.goes_on[RIGHT, LATER, right_decides] += spans.open_right[:n, w]
        events.goes_on[LEFT, LATER, left_decides] += spans.open_left[w:, w]
        right, left = chart.halves[w - 1]
        right *= (stops_right + spans.open_right[:n, w])[:, None]
        spans.arc_right[:n, 1 : w + 1] += right
        spans.right_by_end[w:, w - 1 :: -1] += right
        left *= (stops_left + spans.open_left[w:, w])[:, None]
        spans.left_by_start[:n, :w] += left
        spans.arc_left[w:, w:0:-1] += left

        right, left = chart.arcs[w - 1]
        right *= spans.arc_right[:n, w, None]
        spans.open_right[:n, :w] += right
        spans.left_by_end[w:, w - 1 :: -1] += right
        left *= spans.arc_left[w:, w, None]
        spans.right_by_start[:n, :w] += left
        spans.open_left[w:, w - 1 :: -1] += left
        start = np.arange(n)
        events.first[start, start + w], events.later[start, start + w] = right[:, 0], right[:, 1:].sum(1)
        events.first[start + w, start], events.later[start + w, start] = left[:, -1], left[:, :-1].sum(1)
    events.stops[RIGHT, ADJACENT] = spans.right_by_start[:, 0] + spans.right_by_end[:, 0]
    events.stops[LEFT, ADJACENT] = spans.left_by_start[:, 0] + spans.left_by_end[:, 0]
    events.goes_on[RIGHT, ADJACENT], events.goes_on[LEFT, ADJACENT] = spans.open_right[:, 0], spans.open_left[:, 0]
    return events


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


def _count(counts: EventCounts, events: _Events, words: Array, by_root: Array) -> None:
    """Add the events of these words to the counts."""
    flat, count = words.ravel(), len(counts.root)
    counts.root[:] += np.bincount(flat, by_root.ravel(), minlength=count)
    for side in (LEFT, RIGHT):
        for adjacent, arcs in ((ADJACENT, events.first), (LATER, events.later)):
            counts.attach[:, side, adjacent] += _by_pair(words, arcs * _on_side(len(words), side), count)
            counts.stop[:, side, adjacent] += np.bincount(flat, events.stops[side, adjacent].ravel(), minlength=count)
            counts.goes_on[:, side, adjacent] += np.bincount(
                flat, events.goes_on[side, adjacent].ravel(), minlength=count
            )
