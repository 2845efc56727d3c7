"""The output of an inducer: scores, which a decoder turns into trees."""

from __future__ import annotations

from typing import NamedTuple

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
