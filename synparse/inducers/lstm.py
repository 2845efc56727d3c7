"""LSTM: the recurrent language model that ON-LSTM is compared with. It has no trees.

The same layers, sizes and regularisation as `on_lstm`, with the cell of Hochreiter and Schmidhuber (1997) in place of
ordered neurons: without master gates, neurons have no order. Merity, Keskar, Socher: Regularizing and Optimizing LSTM
Language Models (AWD-LSTM). ICLR 2018.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from synparse.inducers.configurations import LstmConfig
from synparse.inducers.recurrent import RecurrentLanguageModel, RecurrentLayer


class LstmOutput(NamedTuple):
    """hidden [T, B, D]: h of each word; last_hidden, last_cell [B, D]: h and c after the last word."""

    hidden: Tensor
    last_hidden: Tensor
    last_cell: Tensor


class LstmLayer(RecurrentLayer):
    """One layer; PyTorch computes the recurrence."""

    def __init__(self, input_size: int, size: int, config: LstmConfig) -> None:
        super().__init__(4 * size, input_size, size, config)

    def forward(self, inputs: Tensor, state: tuple[Tensor, Tensor]) -> LstmOutput:
        """inputs [T, B, D_in], and h and c [B, D] before the first word → h of each word and both after the last."""
        before = tuple(tensor[None] for tensor in state)
        weights = [self.weight, self.drop_connect(self.recurrent), self.bias, torch.zeros_like(self.bias)]
        hidden, last_hidden, last_cell = torch.lstm(
            inputs, before, weights, True, 1, 0.0, self.training, False, False
        )  # with biases, one layer, no dropout, one direction, words first
        return LstmOutput(hidden, last_hidden[0], last_cell[0])


class Lstm(RecurrentLanguageModel):
    """Next-word language model over a stream of sentences, each preceded by <eos>."""

    def __init__(self, vocabulary_size: int, config: LstmConfig) -> None:
        super().__init__(vocabulary_size, config, lambda inputs, size: LstmLayer(inputs, size, config))
