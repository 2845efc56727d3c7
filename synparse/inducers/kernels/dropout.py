"""Dropout whose mask costs a quarter of a random number per element.

PyTorch draws a random number for each element, on one core; on two cores that is an eighth of a training step. Here one
64-bit draw decides on four elements, so rates are exact to 1/65,536.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from synparse.trees.errors import SettingError

LEVELS = 2**16


class Dropout(nn.Module):
    """Zeroes each element with probability ``rate`` in training and scales the others to keep the mean."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        if not 0 <= rate < 1:
            raise SettingError(f"a dropout rate lies in [0, 1), not {rate}")
        self.level = round(rate * LEVELS)

    @property
    def is_active(self) -> bool:
        return self.training and self.level > 0

    def forward(self, states: Tensor) -> Tensor:
        if not self.is_active:
            return states
        count = states.numel()
        draws = torch.empty(-(-count // 4), dtype=torch.int64, device=states.device).random_(-(2**63), None)
        dropped = draws.view(torch.int16)[:count].view(states.shape) < self.level - LEVELS // 2
        return states.masked_fill(dropped, 0.0).mul_(LEVELS / (LEVELS - self.level))
