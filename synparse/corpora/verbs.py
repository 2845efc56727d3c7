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
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

MOST_PAIRS = 0.5
"""Classes that exclude each other have at most this fraction of the pairs that are expected."""

FEWEST_WORDS, MOST_WORDS = 4, 12
"""Of a segment: in shorter ones there is often no clause, in longer ones more than one."""

STARTS = 6
"""The search starts from each of this many classes, those that exclude themselves most; the best set is kept."""


class Verbs(NamedTuple):
    """Which word classes [C] are those of verbs, and which of these are auxiliaries, as far as the text tells."""

    classes: Array
    auxiliaries: Array


def pairs_in_segments(segments: Iterable[Array], classes: int) -> Array:
    """How often words of two classes stand in the same segment, [C, C], symmetric. segments: the classes of the words
    between two punctuation marks; those that are too short or too long are left out. Time O(words · `MOST_WORDS`)."""
    used = [segment for segment in segments if FEWEST_WORDS <= len(segment) <= MOST_WORDS]
    outside = np.full(MOST_WORDS, classes)  # so many that no pair reaches from one segment into the next
    words = np.concatenate([outside, *(part for segment in used for part in (segment, outside))])
    pairs = np.zeros((classes + 1) ** 2)
    for distance in range(1, MOST_WORDS):
        cells = words[:-distance] * (classes + 1) + words[distance:]
        pairs += np.bincount(cells, minlength=len(pairs))
    square = pairs.reshape(classes + 1, classes + 1)[:classes, :classes]
    return np.asarray(square + square.T)


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


def verbs_of(pairs: Array, are_content: Array) -> Verbs:
    """The verbs among word classes. pairs [C, C]: see `pairs_in_segments`; are_content [C]: which classes are of
    content words. Auxiliaries are those finite verbs that stand beside the other verbs more often than by chance."""
    finite = exclusive_classes(pairs, np.ones(len(pairs), bool))
    content = exclusive_classes(pairs, are_content)
    others = content & ~finite
    attracted = pairs[:, others].sum(1) > expected_pairs(pairs)[:, others].sum(1)
    return Verbs(finite | content, finite & attracted)
