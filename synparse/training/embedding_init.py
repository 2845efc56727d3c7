"""Initial values of word parameters, from counts in the corpus: frequencies, and word co-occurrence as positive
pointwise mutual information (PPMI; Bullinaria and Levy, 2007).

    PPMI(w, c) = max(0, log( #(w, c) · #(·, ·) / (#(w, ·) · #(·, c)) ))

A context c is one of the most frequent words at one of four positions: two words before w, one before, one after, two
after. Because positions are separate contexts, words of similar syntax get similar rows, which is what a parser needs.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from synparse.corpora.cache import Corpus, TokenCache
from synparse.corpora.vocabulary import SPECIAL

POSITIONS = (-2, -1, 1, 2)
CONTEXT_WORDS = 2000
MOST_WORDS = 10_000_000
"""How many words of the corpus are counted; more improve the counts only a little."""

_PORTION = 1_000_000


class SparseMatrix(NamedTuple):
    """The non-zero cells of a matrix of this shape, ordered by row, then column."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[np.float32]
    shape: tuple[int, int]


def mutual_information(cache: TokenCache, vocabulary_size: int) -> SparseMatrix:
    """PPMI [vocabulary, contexts] of a corpus whose word indices are ordered from frequent to rare.

    Column k · n + c is word c at ``POSITIONS[k]``, with n = min(vocabulary, `CONTEXT_WORDS`). Contexts do not cross
    sentences. Time O(words · log words), memory for a million words and the non-zero cells.
    """
    contexts = min(vocabulary_size, CONTEXT_WORDS)
    width = contexts * len(POSITIONS)
    cells = np.zeros(0, np.int64)
    counts = np.zeros(0, np.int64)
    for first, last in _portions(cache):
        begin, end = int(cache.offsets[first]), int(cache.offsets[last])
        words = np.asarray(cache.tokens[begin:end], np.int64)
        sentences = np.repeat(np.arange(last - first), np.diff(cache.offsets[first : last + 1]))
        new_cells = [cells]
        for block, position in enumerate(POSITIONS):
            step = abs(position)
            left, right = words[:-step], words[step:]
            word, context = (right, left) if position < 0 else (left, right)
            near = (sentences[:-step] == sentences[step:]) & (context < contexts)
            new_cells.append(word[near] * width + block * contexts + context[near])
        ones = np.ones(sum(map(len, new_cells[1:])), np.int64)
        cells, inverse = np.unique(np.concatenate(new_cells), return_inverse=True)
        counts = np.bincount(inverse, np.concatenate([counts, ones]), len(cells)).astype(np.int64)
    rows, columns = np.divmod(cells, width)
    total = counts.sum()
    row_sums = np.bincount(rows, counts, vocabulary_size)
    column_sums = np.bincount(columns, counts, width)
    information = np.log(counts * total / (row_sums[rows] * column_sums[columns])).astype(np.float32)
    positive = information > 0
    return SparseMatrix(rows[positive], columns[positive], information[positive], (vocabulary_size, width))


def _portions(cache: TokenCache) -> list[tuple[int, int]]:
    """Consecutive sentences (first, last + 1) of about `_PORTION` words each, up to `MOST_WORDS` in all."""
    end = int(np.searchsorted(cache.offsets, MOST_WORDS, "left"))
    end = max(1, min(end, len(cache)))
    bounds = [0]
    while bounds[-1] < end:
        following = int(np.searchsorted(cache.offsets, cache.offsets[bounds[-1]] + _PORTION, "left"))
        bounds.append(max(bounds[-1] + 1, min(following, end)))
    return list(itertools.pairwise(bounds))


SPREAD = 0.1 / 3**0.5
"""Standard deviation of the models' random initial values, uniform in ±0.1."""


def start_from_frequencies(output_bias: Tensor, counts: NDArray[np.int64]) -> None:
    """Set the bias of an output layer to the log frequency of each word, with one added to its count."""
    fractions = torch.from_numpy((counts + 1) / (counts + 1).sum())
    with torch.no_grad():
        output_bias.copy_(fractions.log())


def start_from_cooccurrence(model: nn.Module, corpus: Corpus) -> None:
    """Set every word embedding of the model to the left singular vectors of the corpus' PPMI matrix (Levy and Goldberg
    2014), each scaled by the root of its singular value.

    Words and special tokens without contexts keep their random vectors. Random numbers come from torch's generator.
    """
    matrix = mutual_information(corpus.train, len(corpus.vocabulary))
    for embedding in model.modules():
        if not isinstance(embedding, nn.Embedding) or embedding.num_embeddings != len(corpus.vocabulary):
            continue
        size = min(embedding.embedding_dim, *matrix.shape)
        vectors = _factors(matrix, size)
        known = vectors.abs().sum(1) > 0
        known[: len(SPECIAL)] = False
        if known.any():
            with torch.no_grad():
                embedding.weight[known, :size] = vectors[known] * (SPREAD / vectors[known].std())


def _factors(matrix: SparseMatrix, size: int) -> Tensor:
    """U √S [rows, size] of the matrix, by a randomised singular value decomposition (Halko et al. 2009)."""
    indices = torch.from_numpy(matrix.rows), torch.from_numpy(matrix.columns)
    sparse = torch.sparse_coo_tensor(
        torch.stack(indices), torch.from_numpy(matrix.values), matrix.shape, check_invariants=True
    )
    more = min(size + 16, *matrix.shape)
    left, values, _ = torch.svd_lowrank(sparse.coalesce(), more, niter=3)
    return left[:, :size] * values[:size].sqrt()
