"""ON-LSTM: a recurrent language model with an ordered memory; what it forgets shows where phrases end.

Shen, Tan, Sordoni, Courville: Ordered Neurons: Integrating Tree Structures into Recurrent Neural Networks. ICLR 2019,
whose equation numbers stand below. Regularised as in Merity, Keskar, Socher: Regularizing and Optimizing LSTM Language
Models. ICLR 2018.

Neurons are ordered from long-lived to short-lived. The master forget gate f̃ keeps the high-ranking ones, the master
input gate ĩ writes the low-ranking ones. A word that begins a new phrase makes the model forget much: the expected
split between what it forgets and what it keeps is the syntactic distance between the word and the one before it.

`ordered_neurons_step` is the paper, equation by equation. What runs is `kernels.ordered_neurons`, which computes the
same for a whole sequence and has its own backward pass; a test holds the two equal.

Glossary
    f, i, o, ĉ [B, D]  gates and candidate of an LSTM;  c, h [B, D]  cell and hidden state
    f̃, ĩ [B, n]        master gates: master_forget, master_input
    ω, f̂, î [B, D]     overlap of the master gates; the gates that result: forget, write
    d_t [B]            syntactic distance of word t, between words t − 1 and t
    C neurons that share a master gate (chunk_size), n = D_m = D/C master gates
    B sentences (or streams), T words, D hidden size, E embedding size, which is also the size of the last layer
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from synparse.inducers.batch import SENTENCE_START, Batch
from synparse.inducers.configurations import TREE_LAYER, OnLstmConfig
from synparse.inducers.induction import Induction, entropies
from synparse.inducers.kernels.ordered_neurons import LayerOutput, ordered_neurons
from synparse.inducers.recurrent import RecurrentLanguageModel, RecurrentLayer


def cumax(logits: Tensor) -> Tensor:
    """[..., n] → [..., n], rising from 0 to 1: the probability that the split lies at or before each position (6–8)."""
    return torch.softmax(logits, -1).cumsum(-1)


def ordered_neurons_step(
    projected: Tensor, hidden: Tensor, cell: Tensor, recurrent: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """One word: projected [B, 4D + 2n] = W x_t + b; hidden, cell [B, D]: h_{t−1}, c_{t−1}; recurrent [4D + 2n, D]: U →
    h_t, c_t [B, D] and f̃_t [B, n].

    Rows of W, U and b: those of f, i, o, ĉ (D each), then of f̃ and ĩ (n each). Neuron k belongs to chunk k mod n; the
    paper's chunks are of neighbours, which is the same up to the order of the neurons.
    """
    D = hidden.shape[1]
    n = (len(recurrent) - 4 * D) // 2
    raw = projected + hidden @ recurrent.t()  # W x_t + U h_{t−1} + b, of all gates
    f, i, o, c, master_f, master_i = torch.split(raw, [D, D, D, D, n, n], 1)
    f = torch.sigmoid(f)  # (1)
    i = torch.sigmoid(i)  # (2)
    o = torch.sigmoid(o)  # (3)
    candidate = torch.tanh(c)  # (4) ĉ
    master_forget = cumax(master_f)  # (9) f̃ [B, n]
    master_input = 1 - cumax(master_i)  # (10) ĩ [B, n]
    chunk = torch.arange(D, device=raw.device) % n  # the master gate of each neuron
    kept, written = master_forget[:, chunk], master_input[:, chunk]  # [B, D]
    overlap = kept * written  # (11) ω
    forget = f * overlap + (kept - overlap)  # (12) f̂
    write = i * overlap + (written - overlap)  # (13) î
    cell = forget * cell + write * candidate  # (14)
    hidden = o * torch.tanh(cell)  # (5)
    return hidden, cell, master_forget


def on_lstm_layer(projected: Tensor, hidden: Tensor, cell: Tensor, recurrent: Tensor) -> LayerOutput:
    """`ordered_neurons_step` for each of T words: projected [T, B, 4D + 2n]. The definition of the kernel."""
    states, gates = [], []
    for word in projected:
        hidden, cell, master_forget = ordered_neurons_step(word, hidden, cell, recurrent)
        states.append(hidden)
        gates.append(master_forget)
    return LayerOutput(torch.stack(states), hidden, cell, torch.stack(gates))


def syntactic_distances(master_forget: Tensor) -> Tensor:
    """f̃ [T, B, n] → [T, B]: d_t = D_m − Σ_k f̃_{t,k}, the expected number of chunks that are forgotten (15)."""
    return master_forget.shape[2] - master_forget.sum(2)


class OnLstmLayer(RecurrentLayer):
    """One layer."""

    def __init__(self, input_size: int, size: int, config: OnLstmConfig) -> None:
        super().__init__(4 * size + 2 * (size // config.chunk_size), input_size, size, config)

    def forward(self, inputs: Tensor, state: tuple[Tensor, Tensor], position: Tensor | None = None) -> LayerOutput:
        """inputs [T, B, D_in], and hidden and cell state before the first word → the layer's output.

        Where ``position`` [T, B] is given, ``inputs`` [N, D_in] are the distinct words and ``position`` says which of
        them stands where: W x is then computed once for each distinct word.
        """
        projected = functional.linear(inputs, self.weight, self.bias)
        if position is not None:
            projected = projected[position]
        out: LayerOutput = ordered_neurons(projected, *state, self.drop_connect(self.recurrent))
        return out


class OnLstm(RecurrentLanguageModel):
    """Next-word language model over a stream of sentences, each preceded by <eos>."""

    PARSER = ("embedding", "layers")

    def __init__(self, vocabulary_size: int, config: OnLstmConfig) -> None:
        super().__init__(vocabulary_size, config, lambda inputs, size: OnLstmLayer(inputs, size, config))
        self.tree_layer = min(TREE_LAYER, config.layers)

    def structure_entropies(self, batch: Batch) -> dict[str, Tensor]:
        """Of the split between what is forgotten and what is kept, by layer; its distribution is the difference of the
        master forget gate from chunk to chunk."""
        words = batch.words.t()
        states, by_layer = self.embedding(words), {}
        for number, (layer, before) in enumerate(zip(self.layers, self.zero_state(words.shape[1]), strict=True), 1):
            out = layer(states, before)
            states = out.hidden
            splits = out.forget.diff(dim=2, prepend=out.forget.new_zeros(*out.forget.shape[:2], 1))
            by_layer[f"layer {number}"] = entropies(splits.clamp(min=0)[batch.present.t()], splits.shape[2])
        return by_layer

    def induce(self, batch: Batch, heads: bool = True) -> Induction:  # noqa: ARG002 - it has none
        """Distances of layer ``tree_layer``, each sentence read from zero state at <eos>; layers above are not run."""
        B, _ = batch.words.shape
        words = functional.pad(batch.words.t(), (0, 0, 1, 0), value=SENTENCE_START)  # [T + 1, B]
        before = self.zero_state(B)
        distinct, position = torch.unique(words, return_inverse=True)
        out = self.layers[0](self.embedding(distinct), before[0], position)
        for number in range(1, self.tree_layer):
            out = self.layers[number](out.hidden, before[number])
        distances = syntactic_distances(out.forget).t()[:, 1:]  # [B, T]: without that of <eos>
        return Induction(distances=distances[:, 1:], first_distance=distances[:, 0])
