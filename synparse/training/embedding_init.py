"""Initial values of a model's word parameters, from counts in the corpus."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from synparse.corpora.cache import Corpus
from synparse.corpora.cooccurrence import SparseMatrix, mutual_information
from synparse.corpora.vocabulary import SPECIAL

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
