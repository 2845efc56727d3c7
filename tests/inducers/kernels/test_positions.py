"""Sinusoids of positions."""

import math

import pytest
import torch

from synparse.inducers.kernels.positions import position_encoding, with_positions


def test_sinusoids_by_hand():
    encoding = position_encoding(3, 4, torch.device("cpu"))
    for t in range(3):
        expected = [math.sin(t), math.cos(t), math.sin(t / 100), math.cos(t / 100)]  # 10,000^(2/4) = 100
        assert encoding[t].tolist() == pytest.approx(expected)


def test_words_are_scaled_before_positions_are_added():
    embedded = torch.randn(2, 3, 4)
    torch.testing.assert_close(with_positions(embedded), 2 * embedded + position_encoding(3, 4, embedded.device))
