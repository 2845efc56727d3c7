"""Conjunctions, such as *and* and *or*, determined from raw text: what stands on both sides of them is alike.

Coordination joins words of one kind, so the content words next to a conjunction have the same class more often than by
chance, and what stands before it has the same distribution over classes as what stands behind it. A preposition has
two sides, too, but they differ; *but* joins clauses, whose first and last words differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.verbs import apart

ALIKE = 4.0
"""So many times as often as by chance, the content words on both sides of a conjunction have the same class."""

DIVERGENCE = 0.2
"""The Jensen–Shannon divergence, in nats, between the classes on both sides of a conjunction is at most this."""

FEWEST = 50
"""Of a word that stands more seldom between content words, this is not known."""

_LEAST = 1e-12


def conjunctions_of(
    segments: Sequence[NDArray[Any]], class_of: NDArray[Any], are_function: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which words are conjunctions, [M]. segments: the numbers of the words between two punctuation marks; class_of
    [M]: their classes; are_function [M]: which are function words, the only ones that can be conjunctions.

    Counted are occurrences right behind a content word, and the next content word behind them. Time O(words).
    """
    M = len(class_of)
    words = apart(segments, np.array([M]))
    are_content = np.append(~are_function, False)[words]
    ends = np.flatnonzero(are_content | (words == M))
    places = np.flatnonzero(np.append(are_function, False)[words])
    following = ends[np.searchsorted(ends, places)]
    is_between = are_content[places - 1] & are_content[following]
    places, following = places[is_between], following[is_between]
    F, C = int(are_function.sum()), int(class_of.max(initial=0)) + 1
    numbers = (np.cumsum(are_function) - 1)[words[places]]  # among the function words
    sides = class_of[words[places - 1]], class_of[words[following]]
    counts = [np.bincount(numbers * C + side, minlength=F * C).reshape(F, C) for side in sides]
    occurrences = counts[0].sum(1)
    before, after = (side / np.maximum(occurrences, 1)[:, None] for side in counts)
    alike = np.bincount(numbers, sides[0] == sides[1], F) / np.maximum(occurrences, 1)
    mean = np.maximum((before + after) / 2, _LEAST)
    divergence = sum((side * np.log(np.maximum(side, _LEAST) / mean)).sum(1) for side in (before, after)) / 2
    conjunctions = np.zeros(M, np.bool_)
    are_alike = (alike >= ALIKE * (before * after).sum(1)) & (divergence <= DIVERGENCE)
    conjunctions[are_function] = are_alike & (occurrences >= FEWEST)
    return conjunctions
