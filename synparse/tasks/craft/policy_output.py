"""What a model of imitation makes of demonstrations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor


class PolicyOutput(NamedTuple):
    """Of T steps of B demonstrations; what is at padding is anything.

    action_log_probabilities [T, B, actions], in nats; boundary [T, B]: the probability, or another score in 0 … 1, that
    a subtask begins at the step, 1 at the first; options [T, B, K]: the probability of each, None where a model has
    none.
    """

    action_log_probabilities: Tensor
    boundary: Tensor
    options: Tensor | None = None

    def log_likelihoods(self, actions: Tensor, lengths: Sequence[int]) -> Tensor:
        """Σ_t log p^a_t(a_t) of each demonstration [B], in nats. actions [T, B], anything at padding; lengths [B]."""
        ends = torch.tensor(lengths, device=actions.device)
        present = torch.arange(len(actions), device=actions.device)[:, None] < ends
        taken = self.action_log_probabilities.gather(2, torch.where(present, actions, 0)[..., None])
        return torch.where(present, taken.squeeze(2), 0.0).sum(0)
