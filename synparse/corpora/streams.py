"""BPTT segments: a corpus as one stream of words, cut into rows that a recurrent model reads in parallel.

The stream is <eos>, the first sentence, <eos>, the second sentence, … and a last <eos>. It is never in memory: the word
at a position is computed from the sentence offsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.cache import TokenCache
from synparse.corpora.vocabulary import END_INDEX, PADDING_INDEX, UNKNOWN_INDEX


class Segment(NamedTuple):
    """A BPTT segment: the next T words of all rows.

    words [rows, T]: inputs. following [rows, T]: the word after each, the target; <unk> for every class of unknown
    words. known [rows, T]: which targets are in the corpus, False for padding after its end.
    """

    words: NDArray[np.int64]
    following: NDArray[np.int64]
    known: NDArray[np.bool_]


def stream_length(cache: TokenCache) -> int:
    """The number of words in the stream, every <eos> included."""
    return cache.words + len(cache) + 1


def segments(cache: TokenCache, rows: int, lengths: Iterable[int]) -> Iterator[Segment]:
    """The BPTT segments of the stream in ``rows`` rows (fewer if it is short), from left to right, of these lengths.

    Ends when every word of the stream except the first has been a target once.
    """
    predictions = stream_length(cache) - 1
    rows = min(rows, predictions)
    row_length = -(-predictions // rows)
    ends = cache.offsets + np.arange(len(cache.offsets))  # positions of <eos> in the stream
    starts = np.arange(rows) * row_length
    position = 0  # of the segment in each row
    for wanted in lengths:
        length = min(wanted, row_length - position)
        # A row has only words of its own, so that its last segment is not the first of the next row.
        read = np.stack([_read(cache, ends, start + position, start + position + length + 1) for start in starts])
        known = starts[:, None] + position + np.arange(length) < predictions
        following = read[:, 1:]
        yield Segment(read[:, :-1], np.where(following < cache.first_class, following, UNKNOWN_INDEX), known)
        position += length
        if position == row_length:
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
    # There are ``first`` <eos> before position ``start``.
    words = inside - int(is_end.sum())
    out[:inside][~is_end] = cache.tokens[start - first : start - first + words]
    return out
