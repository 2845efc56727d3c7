"""What a model of demonstrations computes as it reads them."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Reading(NamedTuple):
    """B demonstrations of up to T steps, as a model sees them; at padding, anything.

    action_log_probabilities [T, B, A]: of each action at each step, in nats;
    boundary [T, B]: how far a new subtask starts at each step, 0 … 1; 1 at the first;
    options [T, B, K]: the probability that each option is in charge, where the model has options.
    """

    action_log_probabilities: Tensor
    boundary: Tensor
    options: Tensor | None = None

    def log_likelihoods(self, actions: Tensor, lengths: Tensor) -> Tensor:
        """Σ_t log p_t(a_t) of each demonstration [B], in nats. actions [T, B]: indices, anything at padding; lengths
        [B]."""
        present = torch.arange(len(actions), device=actions.device)[:, None] < lengths.to(actions.device)
        taken = self.action_log_probabilities.gather(2, torch.where(present, actions, 0)[..., None])
        return torch.where(present, taken[..., 0], 0.0).sum(0)
