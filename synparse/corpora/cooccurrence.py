"""Which words stand near which, as positive pointwise mutual information (PPMI; Bullinaria and Levy 2007).

    PPMI(w, c) = max(0, log( #(w, c) · #(·, ·) / (#(w, ·) · #(·, c)) ))

A context c is one of the most frequent words together with where it stands: two words before w, one before, one after,
two after. Keeping places apart makes words alike that are used alike, which is what a parser needs.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.cache import TokenCache

POSITIONS = (-2, -1, 1, 2)
CONTEXT_WORDS = 2000
MOST_WORDS = 10_000_000
"""Words of the corpus that are counted: more make the counts better, but by little."""

_CHUNK = 1_000_000


class SparseMatrix(NamedTuple):
    """The non-zero cells of a matrix of this shape, in order of rows, then columns."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[np.float32]
    shape: tuple[int, int]


def mutual_information(cache: TokenCache, vocabulary_size: int) -> SparseMatrix:
    """PPMI [vocabulary, contexts] of a corpus whose indices grow as words get rarer.

    Column k · n + c is the word of index c at ``PLACES[k]``, with n = min(vocabulary, `CONTEXT_WORDS`). Sentences end
    contexts. O(words · log words) time, memory for a million words and the cells that are not zero.
    """
    contexts = min(vocabulary_size, CONTEXT_WORDS)
    width = contexts * len(POSITIONS)
    cells = np.zeros(0, np.int64)
    counts = np.zeros(0, np.int64)
    for first, last in _stretches(cache):
        begin, end = int(cache.offsets[first]), int(cache.offsets[last])
        words = np.asarray(cache.tokens[begin:end], np.int64)
        sentences = np.repeat(np.arange(last - first), np.diff(cache.offsets[first : last + 1]))
        found = [cells]
        for block, position in enumerate(POSITIONS):
            step = abs(position)
            left, right = words[:-step], words[step:]
            word, context = (right, left) if position < 0 else (left, right)
            near = (sentences[:-step] == sentences[step:]) & (context < contexts)
            found.append(word[near] * width + block * contexts + context[near])
        ones = np.ones(sum(map(len, found[1:])), np.int64)
        cells, inverse = np.unique(np.concatenate(found), return_inverse=True)
        counts = np.bincount(inverse, np.concatenate([counts, ones]), len(cells)).astype(np.int64)
    rows, columns = np.divmod(cells, width)
    total = counts.sum()
    of_row = np.bincount(rows, counts, vocabulary_size)
    of_column = np.bincount(columns, counts, width)
    information = np.log(counts * total / (of_row[rows] * of_column[columns])).astype(np.float32)
    positive = information > 0
    return SparseMatrix(rows[positive], columns[positive], information[positive], (vocabulary_size, width))


def _stretches(cache: TokenCache) -> list[tuple[int, int]]:
    """Runs of sentences (first, last + 1) of about `_CHUNK` words, up to `MOST_WORDS` in all."""
    end = int(np.searchsorted(cache.offsets, MOST_WORDS, "left"))
    end = max(1, min(end, len(cache)))
    edges = [0]
    while edges[-1] < end:
        following = int(np.searchsorted(cache.offsets, cache.offsets[edges[-1]] + _CHUNK, "left"))
        edges.append(max(edges[-1] + 1, min(following, end)))
    return list(itertools.pairwise(edges))
