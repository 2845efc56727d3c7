"""What a model of imitation makes of demonstrations."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor


class Reading(NamedTuple):
    """Of T steps of B demonstrations; what is at padding is anything.

    action_log_probabilities [T, B, actions]; boundary [T, B]: the probability, or another score in 0 … 1, that a subtask
    begins at the step, 1 at the first; options [T, B, K]: the probability of each, None where a model has none.
    """

    action_log_probabilities: Tensor
    boundary: Tensor
    options: Tensor | None
