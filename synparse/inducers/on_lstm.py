"""ON-LSTM: a recurrent language model whose memory is ordered, so that what it forgets tells where phrases end.

Shen, Tan, Sordoni, Courville: Ordered Neurons: Integrating Tree Structures into Recurrent Neural Networks. ICLR 2019.
Regularised as in Merity, Keskar, Socher: Regularizing and Optimizing LSTM Language Models. ICLR 2018.

Neurons are ordered from long-lived to short-lived. The master forget gate f̃ = cumax(…) keeps the high-ranking ones, the
master input gate ĩ = 1 − cumax(…) writes the low-ranking ones:
    ω = f̃ ∘ ĩ,  f̂ = f ∘ ω + (f̃ − ω),  î = i ∘ ω + (ĩ − ω),  c_t = f̂ ∘ c_{t−1} + î ∘ ĉ,  h_t = o ∘ tanh(c_t)
A word that begins a new phrase makes the model forget much: the expected split between what is kept and what is
forgotten is the syntactic distance between the word and the one before it,
    d_t = D_m − Σ_k f̃_{t,k}
(`synparse.inducers.kernels.ordered_neurons` computes the layer.)

Glossary
    C  neurons that share a master gate;  n = D_m = D/C master gates
    B sentences (or streams), T words, D hidden size, E embedding size, which is also that of the last layer
"""

from __future__ import annotations

from typing import TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional

from synparse.inducers.batch import IGNORED, SENTENCE_START, Batch, Loss
from synparse.inducers.configurations import TREE_LAYER, OnLstmConfig
from synparse.inducers.induction import Induction
from synparse.inducers.kernels.dropout import Dropout
from synparse.inducers.kernels.ordered_neurons import LayerOutput, ordered_neurons
from synparse.inducers.kernels.products import linear
from synparse.inducers.output_layer import cross_entropy
from synparse.inducers.protocol import NeuralInducer

State: TypeAlias = tuple[tuple[Tensor, Tensor], ...]
"""Hidden and cell state of each layer, [B, D] each."""


class Layer(nn.Module):
    """W, U and b of one ON-LSTM layer, with drop-connect on U."""

    def __init__(self, input_size: int, size: int, config: OnLstmConfig) -> None:
        super().__init__()
        gates = 4 * size + 2 * (size // config.chunk_size)
        self.weight = nn.Parameter(torch.empty(gates, input_size))
        self.recurrent = nn.Parameter(torch.empty(gates, size))
        self.bias = nn.Parameter(torch.empty(gates))
        self.drop_connect = Dropout(config.recurrent_dropout)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -(size**-0.5), size**-0.5)

    def forward(self, inputs: Tensor, state: tuple[Tensor, Tensor], position: Tensor | None = None) -> LayerOutput:
        """inputs [T, B, D_in] and the states before the first word → the layer's output.

        Where ``position`` [T, B] is given, ``inputs`` [N, D_in] are distinct words, each to stand wherever its index
        does,
        so that W x is computed once for a word.
        """
        projected = linear(inputs, self.weight, self.bias)
        if position is not None:
            projected = projected[position]
        out: LayerOutput = ordered_neurons(projected, *state, self.drop_connect(self.recurrent))
        return out


class OnLstm(NeuralInducer):
    """Next-word language model over a stream of sentences, each preceded by <eos>."""

    PARSER = ("embedding", "layers")

    def __init__(self, vocabulary_size: int, config: OnLstmConfig) -> None:
        super().__init__()
        E = config.embedding_size
        self.config = config
        self.tree_layer = min(TREE_LAYER, config.layers)
        self.embedding = nn.Embedding(vocabulary_size, E)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        inputs = [E] + [config.hidden_size] * (config.layers - 1)
        outputs = [config.hidden_size] * (config.layers - 1) + [E]
        self.sizes = tuple(outputs)
        self.layers = nn.ModuleList(Layer(i, o, config) for i, o in zip(inputs, outputs, strict=True))
        self.embedding_dropout = Dropout(config.embedding_dropout)
        self.input_dropout = Dropout(config.input_dropout)
        self.hidden_dropout = Dropout(config.hidden_dropout)
        self.output_dropout = Dropout(config.output_dropout)
        self.output_bias = nn.Parameter(torch.zeros(vocabulary_size))  # the output matrix is the embedding

    def _zero_state(self, B: int) -> State:
        zeros = self.embedding.weight.new_zeros
        return tuple((zeros(B, size), zeros(B, size)) for size in self.sizes)

    def loss(self, batch: Batch) -> Loss:
        """Cross-entropy of the next words, and the paper's penalties of the activations.

        ``batch.state`` is the state that an earlier stretch of the same streams ended in, zero where it is None; the
        loss carries the one after this stretch. Raises ValueError where the batch has no targets.
        """
        if batch.targets is None:
            raise ValueError("a batch without targets has no loss")
        words, targets = batch.words.t(), batch.targets.t()
        # Embedding dropout takes a word out wherever it stands.
        kept = self.embedding_dropout(self.embedding.weight.new_ones(len(self.embedding.weight), 1))
        states = _locked(self.embedding(words) * kept[words], self.input_dropout)
        before: State = self._zero_state(words.shape[1]) if batch.state is None else batch.state
        after: list[tuple[Tensor, Tensor]] = []
        for layer, state in zip(self.layers, before, strict=True):
            if after:
                states = _locked(states, self.hidden_dropout)
            out = layer(states, state)
            states = out.hidden
            after.append((out.last_hidden.detach(), out.last_cell.detach()))
        dropped = _locked(states, self.output_dropout)
        predicted = targets != IGNORED
        outputs, targets = dropped[predicted], targets[predicted]
        total = cross_entropy(outputs, targets, self.embedding.weight, self.output_bias, batch.candidates)
        penalty = self.config.activation_penalty * dropped.square().mean()
        if len(states) > 1:
            penalty = penalty + self.config.temporal_penalty * states.diff(dim=0).square().mean()
        return Loss(total, len(targets), penalty, tuple(after))

    def induce(self, batch: Batch, heads: bool = True) -> Induction:  # noqa: ARG002 - it has none
        """Distances from the master forget gates of layer ``tree_layer``, each sentence from zero state at <eos>.

        Layers above that one are not run.
        """
        B, _ = batch.words.shape
        words = functional.pad(batch.words.t(), (0, 0, 1, 0), value=SENTENCE_START)
        before = self._zero_state(B)
        distinct, position = torch.unique(words, return_inverse=True)
        out = self.layers[0](self.embedding(distinct), before[0], position)
        for number in range(1, self.tree_layer):
            out = self.layers[number](out.hidden, before[number])
        distances = out.forget.shape[2] - out.forget.sum(2).t()[:, 1:]  # d_t; that of <eos> is of no use
        return Induction(distances=distances[:, 1:], first_distance=distances[:, 0])


def _locked(states: Tensor, dropout: Dropout) -> Tensor:
    """Dropout with one mask for all words of a sentence. states [T, B, D]."""
    return states * dropout(states.new_ones(1, *states.shape[1:])) if dropout.is_active else states
