"""Fixed expressions of function words, such as Hindi *ke liye* ("for") or Japanese *te iru*, determined from raw text.

The second word of such an expression hardly occurs without the first one before it. In Universal Dependencies, the
words of a fixed expression depend on its first word, instead of the word that it marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOSTLY = 0.5
"""A word belongs to the word that stands before it in more than this fraction of its occurrences."""

FEWEST = 10
"""Of rarer words, this is not known."""

NONE = -1
"""Where a word has no such word."""


def firsts_of(segments: Sequence[NDArray[Any]], size: int) -> NDArray[np.int64]:
    """For each word, [M], the one that mostly stands before it, or `NONE`. segments: the numbers of the words between
    two punctuation marks; size: how many words there are, M. O(n log n) for n words in all.

    >>> firsts_of([np.array([3, 0, 1]), np.array([2, 0, 1]), np.array([2, 0])] * 5, 4).tolist()
    [2, 0, -1, -1]
    """
    firsts = np.full(size, NONE, np.int64)
    if not segments:
        return firsts
    occurrences = np.bincount(np.concatenate(segments), minlength=size)
    pairs, counts = np.unique(
        np.concatenate([segment[:-1] * size + segment[1:] for segment in segments]), return_counts=True
    )
    second = pairs % size
    is_mostly = (counts > MOSTLY * occurrences[second]) & (occurrences[second] >= FEWEST)
    firsts[second[is_mostly]] = pairs[is_mostly] // size
    return firsts
