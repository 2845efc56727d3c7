"""What comes out of an inducer: scores that a decoder turns into trees."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor


class Induction(NamedTuple):
    """Structure of a batch of B sentences of up to T words, before it is a tree. A model fills in what it has.

    distances [B, T − 1]: syntactic distance of the split point between word t and t + 1; larger splits first.
    heights [B, T]: syntactic height; the highest word of a constituent is its head.
    first_distance [B]: that of the point before the first word, which the published way of building trees reads.
    head_scores [B, T, T]: row = dependent, column = head, log-probability in nats; the diagonal holds the
        log-probability that the word is the root, where a model has one.

    Values at padding mean nothing.
    """

    distances: Tensor | None = None
    first_distance: Tensor | None = None
    heights: Tensor | None = None
    head_scores: Tensor | None = None
