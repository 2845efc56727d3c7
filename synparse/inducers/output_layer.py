"""The output layer of the language models: the cross-entropy of a word, given the state of its position."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from synparse.inducers.batch import Candidates


def log_likelihoods(states: Tensor, targets: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """The log-probability of each word, in nats, under the whole vocabulary: states [M, D], targets [M], weight [V, D],
    bias [V] → [M]. Time O(M V D), memory O(M V)."""
    return -functional.cross_entropy(functional.linear(states, weight, bias), targets, reduction="none")


def cross_entropy(
    states: Tensor, targets: Tensor, weight: Tensor, bias: Tensor, candidates: Candidates | None = None
) -> Tensor:
    """Negative log-likelihood of the words, in nats, summed: states [M, D] at the positions to predict, targets [M],
    weight [V, D] (of most models the embedding), bias [V] → scalar.

    The softmax is over the whole vocabulary, or over ``candidates``, which contain all targets: then Σ exp(s_w) is
    estimated by importance sampling, each term divided by the probability that its word was drawn (Bengio and Senécal
    2003; Jean et al. 2015, section 3). The estimate of the sum is unbiased, that of its logarithm a little too low,
    less so with more candidates; with all words as candidates it is exact. Time O(M K D), memory O(M K), for K words.
    """
    if candidates is not None:
        words, log_inclusion = candidates
        # Candidates are in ascending order, and every target is one of them.
        targets = torch.searchsorted(words, targets)
        weight, bias = weight[words], bias[words] - log_inclusion
    return functional.cross_entropy(functional.linear(states, weight, bias), targets, reduction="sum")
