"""The output of an inducer: scores, which a decoder turns into trees."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor


class Induction(NamedTuple):
    """Scores of the trees of B sentences of up to T words. A model fills in what it has.

    distances [B, T − 1]: syntactic distance of the split point between words t and t + 1; the largest splits first.
    first_distance [B]: the distance before the first word, which only the decoder ``published`` reads.
    heights [B, T]: syntactic height; the highest word of a constituent is its head.
    head_scores [B, T, T]: row = dependent, column = head, log-probability in nats; the diagonal holds the
        log-probability that the word is the root, if the model has one.

    Values at padding mean nothing.
    """

    distances: Tensor | None = None
    first_distance: Tensor | None = None
    heights: Tensor | None = None
    head_scores: Tensor | None = None


def entropies(probabilities: Tensor, choices: Tensor | int) -> Tensor:
    """How soft decisions are (Shen's thesis, chapter 6): the entropy of each of M distributions [M, n], divided by that
    of a uniform one over its ``choices`` [M], of which there are two at least: 0 is sharp, 1 says nothing."""
    least = torch.finfo(probabilities.dtype).tiny
    entropy = -(probabilities * probabilities.clamp(min=least).log()).sum(-1)
    return entropy / (math.log(choices) if isinstance(choices, int) else choices.to(entropy).log())
