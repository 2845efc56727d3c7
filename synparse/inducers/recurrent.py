"""What ON-LSTM and LSTM language models share: a stack of recurrent layers that reads a stream and predicts next words.

Regularised as in Merity, Keskar, Socher: Regularizing and Optimizing LSTM Language Models (AWD-LSTM). ICLR 2018.

Glossary
    B streams, T words, D hidden size, E embedding size; the last layer has size E if it is tied to the embedding
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from synparse.inducers.batch import IGNORED, Batch, Loss
from synparse.inducers.configurations import LstmConfig
from synparse.inducers.output_layer import cross_entropy
from synparse.inducers.protocol import Contextual, LanguageModel


class RecurrentLayer(nn.Module):
    """W [gates, D_in], U [gates, D] and b [gates] of a layer, uniform within ±1/√D at first; drop-connect is on U."""

    def __init__(self, gates: int, input_size: int, size: int, config: LstmConfig) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(gates, input_size))
        self.recurrent = nn.Parameter(torch.empty(gates, size))
        self.bias = nn.Parameter(torch.empty(gates))
        self.drop_connect = nn.Dropout(config.recurrent_dropout)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -(size**-0.5), size**-0.5)


class RecurrentLanguageModel(LanguageModel):
    """Next-word language model over a stream of sentences, each preceded by <eos>.

    new_layer: makes a layer from the size of its input, its own size and the settings; a layer maps inputs [T, B, D_in]
    and (h, c) before the first word to hidden [T, B, D], and last_hidden, last_cell [B, D]: h and c after the last.
    """

    NOT_MULTIPLIED = ("embedding", "output_matrix")

    def __init__(self, vocabulary_size: int, config: LstmConfig, new_layer: Callable[[int, int], nn.Module]) -> None:
        super().__init__()
        E = config.embedding_size
        self.config = config
        self.embedding = nn.Embedding(vocabulary_size, E)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        inputs = [E] + [config.hidden_size] * (config.layers - 1)
        outputs = [config.hidden_size] * (config.layers - 1) + [E if config.tied else config.hidden_size]
        self.sizes = tuple(outputs)
        self.layers = nn.ModuleList(new_layer(i, o) for i, o in zip(inputs, outputs, strict=True))
        self.embedding_dropout = nn.Dropout(config.embedding_dropout)
        self.input_dropout = nn.Dropout(config.input_dropout)
        self.hidden_dropout = nn.Dropout(config.hidden_dropout)
        self.output_dropout = nn.Dropout(config.output_dropout)
        if not config.tied:
            self.output_matrix = nn.Parameter(torch.empty(vocabulary_size, config.hidden_size).uniform_(-0.1, 0.1))
        self.output_bias = nn.Parameter(torch.zeros(vocabulary_size))

    @property
    def output_weight(self) -> Tensor:
        return self.embedding.weight if self.config.tied else self.output_matrix

    def zero_state(self, B: int) -> Sequence[tuple[Tensor, Tensor]]:
        """Hidden and cell state of each layer, [B, D] each."""
        zeros = self.embedding.weight.new_zeros
        return [(zeros(B, size), zeros(B, size)) for size in self.sizes]

    def contextual(self, batch: Batch) -> Contextual:
        """The states of the last layer, and the state for the segment that follows: hidden and cell state of each layer
        after the last word. ``batch.state`` is that after the previous BPTT segment of the same streams, zero where it
        is None."""
        words = batch.words.t()  # [T, B]
        # Embedding dropout takes a word out wherever it stands.
        kept = self.embedding_dropout(self.embedding.weight.new_ones(len(self.embedding.weight), 1))
        states = locked(self.embedding(words) * kept[words], self.input_dropout)  # [T, B, E]
        before = self.zero_state(words.shape[1]) if batch.state is None else batch.state
        after: list[tuple[Tensor, Tensor]] = []
        for layer, state in zip(self.layers, before, strict=True):
            if after:
                states = locked(states, self.hidden_dropout)
            out = layer(states, state)
            states = out.hidden  # [T, B, D], at last [T, B, E]
            after.append((out.last_hidden.detach(), out.last_cell.detach()))
        return Contextual(states.transpose(0, 1), tuple(after))

    def loss(self, batch: Batch) -> Loss:
        """Cross-entropy of the next words; penalty: Merity et al.'s activation and temporal activation regularisation,
        the former after dropout, as they have it (the code of ON-LSTM has it before).

        The loss carries the state after this segment. Raises ValueError where the batch has no targets.
        """
        targets = batch.required_targets.t()  # [T, B]
        contextual = self.contextual(batch)
        states = contextual.states.transpose(0, 1)  # [T, B, E]
        dropped = locked(states, self.output_dropout)
        predicted = targets != IGNORED
        outputs, targets = dropped[predicted], targets[predicted]
        total = cross_entropy(outputs, targets, self.output_weight, self.output_bias, batch.candidates)
        penalty = self.config.activation_penalty * dropped.square().mean()
        if len(states) > 1:
            penalty = penalty + self.config.temporal_penalty * states.diff(dim=0).square().mean()
        return Loss(total, len(targets), penalty, contextual.state)


def locked(states: Tensor, dropout: nn.Dropout) -> Tensor:
    """Dropout with one mask for all words of a sentence. states [T, B, D]."""
    mask: Tensor = dropout(states.new_ones(1, *states.shape[1:]))
    return states * mask
