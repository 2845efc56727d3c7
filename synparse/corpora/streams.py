"""A corpus as one stream of words, cut into rows that a recurrent model reads side by side.

The stream is <eos>, the first sentence, <eos>, the second, … and a last <eos>. It is never in memory: position →
word is arithmetic on the sentence offsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.cache import TokenCache
from synparse.corpora.vocabulary import END_INDEX, PADDING_INDEX, UNKNOWN_INDEX


class Segment(NamedTuple):
    """The next few words of all rows: inputs and following words [rows, T]; ``known`` [rows, T]: before the end.

    What follows is <unk> for every unknown word, whatever its class.
    """

    words: NDArray[np.int64]
    following: NDArray[np.int64]
    known: NDArray[np.bool_]


def stream_length(cache: TokenCache) -> int:
    """Words of the stream, every <eos> included."""
    return cache.words + len(cache) + 1


def segments(cache: TokenCache, rows: int, lengths: Iterable[int]) -> Iterator[Segment]:
    """The stream in ``rows`` rows (fewer where it is short), read from left to right in stretches of these lengths.

    Ends when every word of the stream but the first has been a following word once.
    """
    predictions = stream_length(cache) - 1
    rows = min(rows, predictions)
    row_length = -(-predictions // rows)
    ends = cache.offsets + np.arange(len(cache.offsets))  # positions of <eos> in the stream
    starts = np.arange(rows) * row_length
    at = 0
    for wanted in lengths:
        length = min(wanted, row_length - at)
        # A row holds its own words only, so that the last stretch of one is not the first of the next.
        read = np.stack([_read(cache, ends, start + at, start + at + length + 1) for start in starts])
        known = starts[:, None] + at + np.arange(length) < predictions
        following = read[:, 1:]
        yield Segment(read[:, :-1], np.where(following < cache.first_class, following, UNKNOWN_INDEX), known)
        at += length
        if at == row_length:
            return


def _read(cache: TokenCache, ends: NDArray[np.int64], start: int, stop: int) -> NDArray[np.int64]:
    """Stream positions ``start … stop − 1`` as indices, padding past the end."""
    out = np.full(stop - start, PADDING_INDEX, np.int64)
    first, last = np.searchsorted(ends, [start, stop])
    inside = min(stop, int(ends[-1]) + 1) - start
    if inside <= 0:
        return out
    is_end = np.zeros(inside, bool)
    is_end[ends[first:last] - start] = True
    out[:inside][is_end] = END_INDEX
    # Before position ``start`` stand ``first`` times <eos>.
    words = inside - int(is_end.sum())
    out[:inside][~is_end] = cache.tokens[start - first : start - first + words]
    return out
