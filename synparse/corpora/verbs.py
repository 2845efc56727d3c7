"""Verbs, determined from raw text: a clause has one finite verb.

Words of most classes stand beside others of the same kind: a clause with one noun or one preposition often has a second
one. But it hardly ever has a second finite verb. So classes of verbs *exclude* each other: of the pairs of their words
that are expected between two punctuation marks if words stood there by chance, most are missing. With O[c, d] pairs of
words of the classes c and d in the same segment, and E[c, d] expected from the frequencies of the classes in such
pairs, the exclusive classes are the set S with the highest

    Σ_{c, d ∈ S} ( MOST_PAIRS · E[c, d] − O[c, d] ).

So the pairs of S are at most `MOST_PAIRS` of those expected. S is searched by adding or removing one class at a time.

Among all classes, these are finite verbs, auxiliaries included. Among the classes of content words, they are verbs of
any form, of which a clause has one. Auxiliaries are the finite verbs that other verbs stand beside.

Closed classes have verbs, too, that are no function words, because they have objects of their own: *do* and *be* in
Hindi and Yoruba. Such verbs exclude the verbs among content words. So do auxiliaries that are not among the finite
verbs, in Hindi, but few classes stand before them: those of the verbs that they follow. Where phrases grow to the
right, auxiliaries precede verbs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from synparse.trees.span_chart import Array

MOST_PAIRS = 0.5
"""Classes that exclude each other have at most this fraction of the pairs that are expected."""

FEWEST_WORDS, MOST_WORDS = 4, 12
"""Of a segment: in shorter ones there is often no clause, in longer ones more than one."""

MOST_PAIRS_OF_CLOSED = 0.7
"""The same fraction for a closed class and the verbs among content words; a clause may have both: *went to do*."""

LEAST_FRACTION = 0.03
"""Of all pairs, those with verbs among content words. With fewer, many verbs are not known, and what excludes those
that are, such as participles, need not be a verb."""

PREDICTABLE = 1.1
"""In nats. The classes next to auxiliaries, on the side of their verbs, differ from those of the text by more: in
Hindi by 1.3 to 2.3, next to other verbs of closed classes by 0.3 to 1.0 in Hindi and Yoruba."""

STARTS = 6
"""The search starts from each of this many classes, those that exclude themselves most; the best set is kept."""

_LEAST = 1e-9
"""In place of probabilities of zero, which add nothing."""


class Verbs(NamedTuple):
    """Which word classes [C] are those of verbs, which of these are auxiliaries, and which closed classes are those of
    verbs that are no function words, as far as the text tells."""

    classes: Array
    auxiliaries: Array
    closed: Array


def apart(segments: Iterable[Array], outside: Array) -> Array:
    """The segments one after the other, with ``outside`` before, between and after them."""
    return np.concatenate([outside, *(part for segment in segments for part in (segment, outside))])


def pairs_in_segments(segments: Iterable[Array], classes: int) -> Array:
    """How often words of two classes stand in the same segment, [C, C], symmetric. segments: the classes of the words
    between two punctuation marks; those that are too short or too long are left out. Time O(words · `MOST_WORDS`)."""
    used = [segment for segment in segments if FEWEST_WORDS <= len(segment) <= MOST_WORDS]
    words = apart(used, np.full(MOST_WORDS, classes))  # so that no pair reaches from one segment into the next
    pairs = np.zeros((classes + 1) ** 2)
    for distance in range(1, MOST_WORDS):
        cells = words[:-distance] * (classes + 1) + words[distance:]
        pairs += np.bincount(cells, minlength=len(pairs))
    square = pairs.reshape(classes + 1, classes + 1)[:classes, :classes]
    return np.asarray(square + square.T)


def neighbours_in_segments(segments: Iterable[Array], classes: int) -> Array:
    """How often a word of a class stands right before a word of another one in the same segment, [C, C]."""
    words = apart(segments, np.array([classes]))
    counts = np.bincount(words[:-1] * (classes + 1) + words[1:], minlength=(classes + 1) ** 2)
    return counts.reshape(classes + 1, classes + 1)[:classes, :classes]


def expected_pairs(pairs: Array) -> Array:
    """Of the same sum and the same marginal sums, if the two classes were independent."""
    total = max(1.0, pairs.sum())
    return np.asarray(np.outer(pairs.sum(1), pairs.sum(0)) / total)


def exclusive_classes(pairs: Array, allowed: Array) -> Array:
    """The classes [C] that exclude each other most, of those that are allowed [C]; none if none do."""
    missing = MOST_PAIRS * expected_pairs(pairs) - pairs
    own = np.diagonal(missing)
    best, chosen = 0.0, np.zeros(len(own), bool)
    for start in [c for c in np.argsort(-own, kind="stable") if allowed[c] and own[c] > 0][:STARTS]:
        members = np.arange(len(own)) == start
        while True:
            gains = np.where(allowed, own + np.where(members, -2, 2) * (missing @ members), 0)
            change = gains.argmax()
            if gains[change] <= 1e-6:
                break
            members[change] ^= True
        total = missing[members][:, members].sum()
        if total > best:
            best, chosen = total, members
    return chosen


def verbs_of(pairs: Array, are_content: Array, beside: Array | None) -> Verbs:
    """The verbs among word classes. pairs [C, C]: see `pairs_in_segments`; are_content [C]: which classes are of
    content words; beside [C, C]: how often the second class is next to the first one where an auxiliary has its verb,
    None if that is not known. Auxiliaries are those finite verbs that stand beside the other verbs more often than by
    chance."""
    finite = exclusive_classes(pairs, np.ones(len(pairs), bool))
    content = exclusive_classes(pairs, are_content)
    others = content & ~finite
    expected = expected_pairs(pairs)
    attracted = pairs[:, others].sum(1) > expected[:, others].sum(1)
    closed = np.zeros(len(pairs), bool)
    if beside is not None and pairs[others].sum() >= LEAST_FRACTION * max(1.0, pairs.sum()):
        excluded = pairs[:, others].sum(1) < MOST_PAIRS_OF_CLOSED * expected[:, others].sum(1)
        closed = _unpredictable(excluded & ~are_content & ~finite, are_content, beside)
    return Verbs(finite | content, finite & attracted, closed)


def _unpredictable(candidates: Array, are_content: Array, beside: Array) -> Array:
    """Those of the candidate classes [C] that are not predictable from the classes beside them, the least predictable
    one first: from then on, it is one of the content words, by which others are predicted.

    Σ p(d | c) log ( p(d | c) / p(d) ) of the classes d of content words is at most `PREDICTABLE`."""
    left, chosen = candidates.copy(), np.zeros(len(candidates), bool)
    given = beside / np.maximum(1, beside.sum(1, keepdims=True))
    overall = beside.sum(0) / max(1, beside.sum())
    terms = given * np.log(np.maximum(given, _LEAST) / np.maximum(overall, _LEAST))
    while left.any():
        divergences = np.where(left, terms[:, are_content | chosen].sum(1), np.inf)
        best = divergences.argmin()
        if divergences[best] > PREDICTABLE:
            break
        chosen[best], left[best] = True, False
    return chosen
