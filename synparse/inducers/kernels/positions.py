"""Where a word stands in its sentence, which attention cannot tell: sinusoids (Vaswani et al.: Attention Is All You
Need, NeurIPS 2017, section 3.5)."""

from __future__ import annotations

import math

import torch
from torch import Tensor

LONGEST_WAVE = 10_000.0
"""Longest wavelength, in words, over 2π."""


def position_encoding(T: int, D: int, device: torch.device) -> Tensor:
    """Sinusoids [T, D] of the positions of words. D must be even."""
    positions = torch.arange(T, device=device)[:, None]
    waves = positions / LONGEST_WAVE ** (torch.arange(0, D, 2, device=device) / D)
    return torch.stack([waves.sin(), waves.cos()], -1).view(T, D)


def with_positions(embedded: Tensor) -> Tensor:
    """Embeddings of words [B, T, D], each number within ±0.1 before training, multiplied by √D as in section 3.4, so
    that positions do not outweigh them, and the sinusoids."""
    _, T, D = embedded.shape
    return embedded * math.sqrt(D) + position_encoding(T, D, embedded.device)
