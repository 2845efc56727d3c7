"""UDGN: an unsupervised dependency graph network. A parser gives a graph, and words exchange messages along it.

Shen, Tan, Sordoni, Li, Zhou, Courville: Unsupervised Dependency Graph Network. ACL 2022; Shen's thesis, section 4.2,
whose equation numbers stand below.

The parser gives each word a distribution over its head. The dependency graph network (DGN) then predicts masked words
from messages that may travel only between head and dependent; its channels compete for each pair of words, so that
each comes to carry some kinds of relation. Parsing needs the parser alone.

The thesis does not tell where dropout is. Unlike in the authors' code, nothing is dropped before W_o (4.2.15), nor
between the last norm and the output layer; and matrices begin as those of PyTorch do (there: Xavier), biases b_c at 0.

Heads of given trees can guide the parser, which is not in the paper: their −log p is then a penalty in the loss. Words
alone hardly tell which word of a phrase is its head.

Glossary
    p [B, T, T]         p[i, j]: word j is the head of word i (row = dependent, column = head); log_heads: log p
    m [B, T, T]         mask: i and j are head and dependent, either way
    a, w [B, H, T, T]   scores of channels for a pair of words; weights, a channel's part of m
    q, k, v, g          query, key, value, gate of each channel
    B sentences, T words, D hidden size, H channels of d features, K grammatical roles
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from synparse.inducers.batch import IGNORED, Batch
from synparse.inducers.configurations import UdgnConfig
from synparse.inducers.induction import Induction
from synparse.inducers.kernels.lstm_parser import LEAST_PROBABILITY
from synparse.inducers.kernels.positions import with_positions
from synparse.inducers.protocol import ChannelAttention, ChannelLayer, ChannelModel, Contextual

LONGEST_PART = 4096
"""Arcs whose messages are computed together."""


class HeadSelectiveParser(nn.Module):
    """Words → log p(head | word), with the word itself on the diagonal (4.2.1–4.2.7). All that parsing needs."""

    def __init__(self, vocabulary_size: int, config: UdgnConfig) -> None:
        super().__init__()
        D = config.hidden_size
        self.embedding = nn.Embedding(vocabulary_size, D)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        if config.roles:
            self.role_of_word = nn.Embedding(vocabulary_size, config.roles)
            self.roles = nn.Parameter(torch.empty(config.roles, D).uniform_(-0.1, 0.1))
        sizes = [D] + [2 * D] * (config.parser_layers - 1)
        self.forward_layers = nn.ModuleList(nn.LSTM(size, D, batch_first=True) for size in sizes)
        self.backward_layers = nn.ModuleList(nn.LSTM(size, D, batch_first=True) for size in sizes)
        self.dropout = nn.Dropout(config.parser_dropout)
        self.parent_child = nn.Linear(2 * D, 2 * D)

    def forward(self, words: Tensor, lengths: Tensor, present: Tensor) -> Tensor:
        """words [B, T], lengths [B], present [B, T] → log p [B, T, T]; padding is never a head."""
        return self.log_heads(self.states(words, lengths, present), present)

    def states(self, words: Tensor, lengths: Tensor, present: Tensor) -> Tensor:
        """words [B, T], lengths [B], present [B, T] → states of both directions [B, T, 2 D]."""
        states: Tensor = self.embedding(words)  # [B, T, D]
        if hasattr(self, "roles"):
            states = states + torch.softmax(self.role_of_word(words), -1) @ self.roles  # 4.2.1, 4.2.2
        # The backward direction reads each sentence reversed within its own length, so padding stays at the end.
        positions = torch.arange(words.shape[1], device=words.device)
        turned = torch.where(present, lengths[:, None] - 1 - positions, positions)[..., None]
        for forwards, backwards in zip(self.forward_layers, self.backward_layers, strict=True):
            states = self.dropout(states)
            before, _ = forwards(states)
            after, _ = backwards(states.gather(1, turned.expand_as(states)))
            states = torch.cat([before, after.gather(1, turned.expand_as(after))], -1)  # 4.2.3
        return states

    def log_heads(self, states: Tensor, present: Tensor) -> Tensor:
        """states [B, T, 2 D], present [B, T] → log p [B, T, T]."""
        parent, child = self.parent_child(self.dropout(states)).chunk(2, -1)  # 4.2.4, 4.2.5: [B, T, D] each
        # 4.2.6, 4.2.7
        scores = child @ parent.transpose(1, 2) / math.sqrt(parent.shape[-1])  # [B, T, T]
        return torch.log_softmax(scores.float().masked_fill(~present[:, None, :], -math.inf), -1)


def head_losses(log_heads: Tensor, heads: Tensor) -> Tensor:
    """−log p [B, T] of the heads [B, T], columns of log_heads [B, T, T]; 0 where they are `IGNORED`."""
    losses = functional.nll_loss(log_heads.flatten(0, 1), heads.flatten(), ignore_index=IGNORED, reduction="none")
    return losses.view(heads.shape)


def dependency_mask(log_heads: Tensor, present: Tensor) -> Tensor:
    """log p, present [B, T] → m[i, j] = p[i, j] + p[j, i] − p[i, j] p[j, i], [B, T, T] (4.2.8).

    Zero between a word and itself, and at padding.
    """
    p = log_heads.exp().masked_fill(~present[:, :, None], 0.0)
    p = p - torch.diag_embed(p.diagonal(dim1=1, dim2=2))
    mirrored = p.transpose(1, 2)
    return p + mirrored - p * mirrored


class DependencyGraphLayer(ChannelLayer):
    """One round of messages (4.2.9–4.2.17)."""

    def __init__(self, config: UdgnConfig) -> None:
        super().__init__()
        self.config = config
        is_single = config.competition == "single"
        self.channels = 1 if is_single else config.channels
        width = config.channels * config.channel_size
        self.projection = nn.Linear(config.hidden_size, (4 if config.gates else 3) * width)  # q, k, v and g
        self.out = nn.Linear(width, config.hidden_size)
        if config.position == "relative":
            self.direction = nn.Parameter(torch.zeros(2, self.channels))  # b_c to the left and to the right of i
        self.dropout = nn.Dropout(config.dropout)
        self.attention_dropout = nn.Dropout(config.attention_dropout)

    def attend(self, states: Tensor, mask: Tensor) -> ChannelAttention:
        """The weights before the dependency mask [B, T, T] (4.2.11) and with it (4.2.12); value, gate [B, T, H, d]."""
        B, T, _ = states.shape
        H = self.channels
        parts, d = self.projection.out_features // self.out.in_features, self.out.in_features // H
        projected = self.projection(states).view(B, T, parts, H, d)  # 4.2.9
        query, key, value, *gate = projected.unbind(2)  # [B, T, H, d] each
        # 4.2.10, 4.2.11
        scores = query.transpose(1, 2) @ key.permute(0, 2, 3, 1)  # [B, H, T, T]
        if self.config.position == "relative":
            scores = scores + self._bias(T)  # 4.2.16, 4.2.17
        scores = scores / math.sqrt(query.shape[-1])
        # With softmax, the channels compete for each pair of words.
        competition = torch.softmax(scores, 1) if self.config.competition == "softmax" else torch.sigmoid(scores)
        if self.config.nonlinear_values:
            value = torch.tanh(value)
        return ChannelAttention(competition, competition * mask[:, None], value, gate[0] if gate else None)  # 4.2.12

    def transform(self, states: Tensor, attention: ChannelAttention) -> Tensor:
        B, T, _ = states.shape
        value, weights = attention.value, self.attention_dropout(attention.weights)
        messages = (weights.to(value.dtype) @ value.transpose(1, 2)).transpose(1, 2)  # 4.2.14: [B, T, H, d]
        if attention.gate is not None:
            messages = messages * torch.sigmoid(attention.gate)  # 4.2.13, after the sum: the gate is of word i alone
        out: Tensor = states + self.dropout(self.out(messages.reshape(B, T, -1)))  # 4.2.15
        return out

    def message_sizes(self, attention: ChannelAttention) -> Tensor:
        """[B, H, T, T]: how much the message of the word in the column adds, in each channel, to the state of the word
        in the row, as a Euclidean norm, before the dependency mask (4.2.11, 4.2.13–4.2.15).

        A channel at a time, so the largest tensor is [B, T, T, d].
        """
        out = self.out.weight.view(self.out.out_features, self.channels, -1)
        inner = torch.einsum("xhd,xhe->hde", out, out)  # of a message u: |W_o u|² = uᵀ W_oᵀ W_o u
        sizes = []
        for channel in range(self.channels):
            message = attention.value[:, None, :, channel]
            if attention.gate is not None:
                message = message * torch.sigmoid(attention.gate[:, :, None, channel])  # [B, T, T, d]
            squared = ((message @ inner[channel]) * message).sum(-1)
            sizes.append(squared.clamp(min=0).sqrt() * attention.unmasked[:, channel])
        return torch.stack(sizes, 1)

    def _bias(self, T: int) -> Tensor:
        """[H, T, T]: one scalar where j stands left of i, another where it stands right of it."""
        left = torch.ones(T, T, device=self.direction.device).tril(-1)
        return self.direction[0][:, None, None] * left + self.direction[1][:, None, None] * left.t()


class Udgn(ChannelModel):
    """Masked language model whose words exchange messages along an induced dependency graph only."""

    PARSER = ("parser",)
    NOT_MULTIPLIED = ("embedding", "role", "direction")

    def __init__(self, vocabulary_size: int, config: UdgnConfig) -> None:
        super().__init__()
        D = config.hidden_size
        self.config = config
        self.parser = HeadSelectiveParser(vocabulary_size, config)
        self.embedding = nn.Embedding(vocabulary_size, D)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        self.dropout = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(DependencyGraphLayer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(D)
        self.output_bias = nn.Parameter(torch.zeros(vocabulary_size))  # the output matrix is the embedding

    def message_sizes(self, batch: Batch, layer: int) -> Tensor:
        """[B, H, T, T]: `DependencyGraphLayer.message_sizes` of a layer (from 1)."""
        states, mask = self.layer_input(batch)
        for before in self.layers[: layer - 1]:
            states = before(states, mask)
        graph_layer = self.layers[layer - 1]
        assert isinstance(graph_layer, DependencyGraphLayer)
        return graph_layer.message_sizes(graph_layer.attend(states, mask))

    @torch.inference_mode()
    def first_messages(self, dependents: Sequence[int], heads: Sequence[int], is_left: bool) -> NDArray[Any]:
        """What the message of each dependent adds to the state of its head in the first layer, before the dependency
        mask: [N, D], given the indices of the words. is_left: the dependents stand left of their heads. It depends on
        no other words; the encoding of positions, in models that have it, is left out."""
        layer = self.layers[0]
        assert isinstance(layer, DependencyGraphLayer)
        device = self.embedding.weight.device
        in_order = [dependents, heads] if is_left else [heads, dependents]
        pairs = torch.tensor(in_order, dtype=torch.long, device=device).t()  # sentences of two words
        no_mask = torch.ones(1, 2, 2, device=device)
        scale = math.sqrt(self.config.hidden_size) if self.config.position == "encoding" else 1.0
        messages = []
        for part in torch.split(pairs, LONGEST_PART):
            attention = layer.attend(scale * self.embedding(part), no_mask)
            head, dependent = (1, 0) if is_left else (0, 1)
            message = attention.value[:, dependent] * attention.unmasked[:, :, head, dependent, None]  # [N, H, d]
            if attention.gate is not None:
                message = message * torch.sigmoid(attention.gate[:, head])
            messages.append(message.flatten(1) @ layer.out.weight.t())
        return np.asarray(torch.cat(messages).cpu())

    def layer_input(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The states and the dependency mask."""
        log_heads = self.parser(batch.words, batch.lengths, batch.present)
        return self._embedded(batch.words), dependency_mask(log_heads, batch.present)

    def contextual(self, batch: Batch) -> Contextual:
        """The penalty is −log p of given heads, a mean over all positions, if the batch has any."""
        log_heads = self.parser(batch.words, batch.lengths, batch.present)
        states = self.after_layers(self._embedded(batch.words), dependency_mask(log_heads, batch.present))
        if batch.guidance is None:
            return Contextual(states)
        losses = head_losses(log_heads, batch.guidance.heads) * batch.guidance.weights[:, None]
        return Contextual(states, penalty=losses.mean())

    def _embedded(self, words: Tensor) -> Tensor:
        states: Tensor = self.embedding(words)
        if self.config.position == "encoding":
            states = with_positions(states)
        dropped: Tensor = self.dropout(states)
        return dropped

    def induce(self, batch: Batch, heads: bool = True) -> Induction:  # noqa: ARG002 - it has nothing else
        """log p; the diagonal, that no other word is the head of the word, is its root score."""
        scores = self.parser(batch.words, batch.lengths, batch.present)
        return Induction(head_scores=scores.clamp(min=math.log(LEAST_PROBABILITY)))
