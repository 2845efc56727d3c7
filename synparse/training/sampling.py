"""Sampled softmax: the words of the vocabulary that an update predicts among."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from synparse.inducers.batch import IGNORED, Batch, Candidates

FLATTENING = 0.5
"""Exponent of the frequencies that words are drawn by. The sum of the words' terms p is estimated best where a word is
drawn in proportion to √E p²; and where its p is either near 0 or near 1, E p² is E p, its frequency. By Zipf's law that
is one over its rank, and vocabularies are in order of frequency, so no counts are needed."""

_STREAM = 1
"""Added to the seed of a run, so that these random numbers differ from its others."""


def inclusion_probabilities(vocabulary_size: int, expected: int) -> Tensor:
    """Probability [V] of each word to be drawn, so that ``expected`` words are drawn on average (at most all).

    Proportional to rank^−`FLATTENING`; the most frequent words, for which that exceeds 1, are always drawn.
    """
    if expected >= vocabulary_size:
        return torch.ones(vocabulary_size)
    fractions = torch.arange(1, vocabulary_size + 1, dtype=torch.float64) ** -FLATTENING
    left = fractions.flip(0).cumsum(0).flip(0)  # of a word and all rarer ones
    # Where the first k words are certain, the others share what is left of the expected number.
    scales = (expected - torch.arange(vocabulary_size)) / left
    certain = int((scales * fractions > 1).sum())
    return (scales[certain] * fractions).clamp(max=1).float()


def with_candidates(batch: Batch, inclusion: Tensor, seed: tuple[int, ...]) -> Batch:
    """The batch with the words that it is to be predicted among: its targets, which are certain, and each other word
    with its probability (`inclusion_probabilities`), independently.

    A function of the batch and ``seed`` alone: so a resumed run draws the same words, and the
    processes of a run, which hold the same batches, draw the same words. One draw serves the whole batch, so neither
    rows nor parts of it change the loss.
    """
    assert batch.targets is not None
    generator = torch.Generator().manual_seed(int(np.random.SeedSequence((*seed, _STREAM)).generate_state(1)[0]))
    drawn = torch.rand(len(inclusion), generator=generator) < inclusion
    wanted = torch.zeros_like(drawn)
    wanted[batch.targets[batch.targets != IGNORED]] = True
    words = (drawn | wanted).nonzero().squeeze(1)
    return batch._replace(candidates=Candidates(words, inclusion.where(~wanted, 1.0)[words].log()))
