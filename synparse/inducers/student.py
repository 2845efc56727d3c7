"""The student: a small parser that learns from given trees, those that other parsers induced or those of a treebank.

The parser of a UDGN (Shen et al., ACL 2022) gives heads; a layer on its states gives syntactic distances (Shen et al.,
"StructFormer", ACL 2021, eq. 2). The loss is the negative log-likelihood of a sentence's trees, in two parts; a
sentence without heads, or without constituents, leaves out one of them:

    (1)  heads       Σ_i −log p(head of i | i), where the root is its own head
    (2)  brackets    Σ_t [ log Σ_{k inside C(t)} exp d_k − d_t ]

C(t) is the smallest constituent that holds words t and t + 1; gap k lies between words k and k + 1. Equation 2 builds a
binary tree from the top: each constituent is split at one of its gaps, chosen with the softmax of their distances. Over
all binary trees of a sentence, the products of these probabilities sum to 1. A constituent of more than two parts is
split at each of the gaps between them, with equal weight. The decoder that splits at the largest distance first makes
the most probable choice in each constituent.

Distilling averaged trees into one parser follows Shayegh et al. (ICLR 2024).

Glossary
    p [B, T, T]      p[i, j]: word j is the head of word i; log_heads: log p
    d [B, T − 1]     distances: d_k of gap k
    C(t)             brackets [B, T − 1, 2]: first word and end of a constituent
    B sentences, T words, D hidden size
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from synparse.inducers.batch import IGNORED, Batch, Loss, predictions_of
from synparse.inducers.configurations import StudentConfig, UdgnConfig
from synparse.inducers.induction import Induction
from synparse.inducers.kernels.lstm_parser import LEAST_PROBABILITY
from synparse.inducers.protocol import NeuralInducer
from synparse.inducers.udgn import HeadSelectiveParser, head_losses


def bracket_loss(distances: Tensor, brackets: Tensor) -> Tensor:
    """(2): −log p of the splits of constituents; summed, `IGNORED` left out. Time and memory O(B T²).

    distances [B, T − 1]; brackets [B, T − 1, 2]: first word and end of the smallest constituent around each gap.
    """
    if not distances.shape[1]:  # sentences of one word
        return distances.sum()
    start, end = brackets.unbind(-1)
    known = start != IGNORED
    gaps = torch.arange(distances.shape[1], device=distances.device)
    inside = (gaps >= start[known][:, None]) & (gaps < end[known][:, None] - 1)
    choices = distances[:, None, :].expand(-1, len(gaps), -1)[known]  # [gaps known, T − 1]
    return (choices.masked_fill(~inside, -math.inf).logsumexp(-1) - distances[known]).sum()


class Student(NeuralInducer):
    """Bidirectional LSTM that scores heads and gives distances."""

    PARSER = ("parser", "dropout", "distance")

    def __init__(self, vocabulary_size: int, config: StudentConfig) -> None:
        super().__init__()
        D = config.hidden_size
        self.config = config
        self.parser = HeadSelectiveParser(
            vocabulary_size, UdgnConfig(hidden_size=D, parser_layers=config.layers, parser_dropout=config.dropout)
        )
        self.dropout = nn.Dropout(config.dropout)
        self.distance = nn.Sequential(nn.Linear(4 * D, D), nn.Tanh(), nn.Linear(D, 1))

    def loss(self, batch: Batch) -> Loss:
        """(1) + (2), in nats, summed over heads and gaps. Raises ValueError where the batch has no trees."""
        if batch.targets is None or batch.brackets is None:
            raise ValueError("a batch without trees has no loss")
        present = batch.present
        states = self.parser.states(batch.words, batch.lengths, present)
        loss_of_heads = head_losses(self.parser.log_heads(states, present), batch.targets).sum()
        loss_of_brackets = bracket_loss(self.distances(states), batch.brackets)
        return Loss(loss_of_heads + loss_of_brackets, predictions_of(batch))

    def induce(self, batch: Batch, heads: bool = True) -> Induction:
        """Distances, and with ``heads`` log p(head | word), whose diagonal is that of the root."""
        present = batch.present
        states = self.parser.states(batch.words, batch.lengths, present)
        if not heads:
            return Induction(self.distances(states))
        log_heads = self.parser.log_heads(states, present).clamp(min=math.log(LEAST_PROBABILITY))
        return Induction(self.distances(states), head_scores=log_heads)

    def distances(self, states: Tensor) -> Tensor:
        """states [B, T, 2 D] → [B, T − 1], from the two words at each gap."""
        states = self.dropout(states)
        distances: Tensor = self.distance(torch.cat([states[:, :-1], states[:, 1:]], -1)).squeeze(-1)
        return distances.float()
