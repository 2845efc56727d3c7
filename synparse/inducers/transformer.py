"""Transformer: the masked language model that StructFormer and UDGN are compared with. It has no trees.

Vaswani et al.: Attention Is All You Need. NeurIPS 2017. As StructFormer's encoder (Shen et al., ACL 2021, section 5),
with the norm before each part of a layer, and with attention from every word to every word; positions are sinusoids
(learned in the code of Shen et al.).

Glossary
    B sentences, T words, D hidden size, H attention heads
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from synparse.inducers.batch import Batch
from synparse.inducers.configurations import TransformerConfig
from synparse.inducers.kernels.positions import with_positions
from synparse.inducers.protocol import ChannelAttention, ChannelLayer, ChannelModel


class TransformerLayer(ChannelLayer):
    """Self-attention and a feed-forward network, each behind a norm and added to its input."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        D = config.hidden_size
        self.attention_heads = config.attention_heads
        self.attention_norm = nn.LayerNorm(D)
        self.query_key_value = nn.Linear(D, 3 * D)
        self.attention_out = nn.Linear(D, D)
        self.feed_forward_norm = nn.LayerNorm(D)
        self.feed_forward_in = nn.Linear(D, config.feed_forward_size)
        self.feed_forward_out = nn.Linear(config.feed_forward_size, D)
        self.dropout = nn.Dropout(config.dropout)

    def transform(self, states: Tensor, attention: ChannelAttention) -> Tensor:
        mixed = (attention.weights @ attention.value).transpose(1, 2).reshape(states.shape)  # [B, H, T, D/H], [B, T, D]
        states = states + self.dropout(self.attention_out(mixed))
        inner = torch.relu(self.feed_forward_in(self.feed_forward_norm(states)))
        out: Tensor = states + self.dropout(self.feed_forward_out(self.dropout(inner)))
        return out

    def attend(self, states: Tensor, mask: Tensor) -> ChannelAttention:
        """mask [B, T]: which words are no padding, to all of which each word attends."""
        B, T, D = states.shape
        H = self.attention_heads
        projected = self.query_key_value(self.attention_norm(states))
        query, key, value = projected.view(B, T, 3, H, D // H).permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(2, 3) / math.sqrt(D // H)
        weights = torch.softmax(scores.masked_fill(~mask[:, None, None, :], -math.inf), -1)
        return ChannelAttention(weights, weights, value)


class Transformer(ChannelModel):
    """Masked language model whose words attend to all words."""

    def __init__(self, vocabulary_size: int, config: TransformerConfig) -> None:
        super().__init__()
        D = config.hidden_size
        self.config = config
        self.embedding = nn.Embedding(vocabulary_size, D)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        self.dropout = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(TransformerLayer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(D)
        self.output_bias = nn.Parameter(torch.zeros(vocabulary_size))  # the output matrix is the embedding

    def layer_input(self, batch: Batch) -> tuple[Tensor, Tensor]:
        return self.dropout(with_positions(self.embedding(batch.words))), batch.present
