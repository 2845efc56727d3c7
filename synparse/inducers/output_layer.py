"""The output layer that all models share: how well the state of a position predicts its word."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from synparse.inducers.batch import Candidates
from synparse.inducers.kernels.products import linear


def cross_entropy(
    states: Tensor, targets: Tensor, weight: Tensor, bias: Tensor, candidates: Candidates | None = None
) -> Tensor:
    """Negative log-likelihood of the words, in nats, summed: states [M, D] at the positions that are predicted (the
    matrix is the largest of the model), targets [M], weight [V, D] (the embedding), bias [V] → scalar.

    The softmax is over the whole vocabulary, or over ``candidates``, which hold all targets: then Σ exp(s_w) is
    estimated by importance sampling, each term divided by the probability of having drawn its word (Bengio and Senécal
    2003; Jean et al. 2015, section 3). The estimate of the sum is unbiased, that of its logarithm a little low, the
    less so the more candidates there are; with all words as candidates it is exact. Time O(M K D), memory O(M K), for
    K words.
    """
    if candidates is not None:
        words, log_inclusion = candidates
        # Candidates are in ascending order, and every target is one of them.
        targets = torch.searchsorted(words, targets)
        weight, bias = weight[words], bias[words] - log_inclusion
    return functional.cross_entropy(linear(states, weight, bias), targets, reduction="sum")
