"""Encoders: the words of expressions → a vector of each, and the trees that an encoder induced.

Each reads rows of expressions with D-sized embeddings and is compared with the others at the same D. Those that are
given the gold trees are in `synparse.tasks.tree_encoders`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import torch
from msgspec import Meta
from torch import Tensor, nn

from synparse.inducers.configurations import (
    TREE_LAYER,
    Layers,
    OnLstmConfig,
    OrderedMemoryConfig,
    Probability,
    Size,
    TransformerConfig,
    UdgnConfig,
)
from synparse.inducers.kernels.positions import position_encoding, with_positions
from synparse.inducers.on_lstm import OnLstmLayer
from synparse.inducers.ordered_memory import OrderedMemory, action_distances
from synparse.inducers.udgn import DependencyGraphLayer, HeadSelectiveParser, dependency_mask
from synparse.tasks import ENCODERS
from synparse.tasks.encoding import Encoding, Rows
from synparse.tasks.tree_encoders import TreeCellEncoder, TreeEncoderConfig, TreeLstmEncoder, TreeRnnEncoder
from synparse.trees.errors import SettingError
from synparse.trees.limits import LARGEST_SIZE


@dataclass(frozen=True)
class LstmEncoderConfig:
    """Sizes of a plain LSTM; dropout: of words and between layers; embedding_size: of words, 0 for hidden_size."""

    hidden_size: Size = 128
    layers: Layers = 1
    dropout: Probability = 0.1
    embedding_size: Annotated[int, Meta(ge=0, le=LARGEST_SIZE)] = 0

    @property
    def input_size(self) -> int:
        return self.embedding_size or self.hidden_size


@dataclass(frozen=True)
class OrderedNeuronsConfig(LstmEncoderConfig):
    """Sizes of an ON-LSTM; chunk_size: neurons that share a master gate."""

    layers: Layers = 2
    chunk_size: Size = 8

    def __post_init__(self) -> None:
        if self.hidden_size % self.chunk_size:
            raise SettingError("hidden_size must be a multiple of chunk_size")


@dataclass(frozen=True)
class TransformerEncoderConfig(TransformerConfig):
    """Sizes of a Transformer with pre-norm and sinusoidal positions."""

    hidden_size: Size = 128
    layers: Layers = 6
    feed_forward_size: Size = 512


class OrderedMemoryEncoder(nn.Module):
    """The last candidate after the last word; trees by the paper's Algorithm 2."""

    def __init__(self, config: OrderedMemoryConfig) -> None:
        super().__init__()
        self.slots = config.slots
        self.dropout = nn.Dropout(config.dropout)
        self.output_dropout = nn.Dropout(config.output_dropout)
        self.memory = OrderedMemory(config.hidden_size, config)

    def forward(self, embedded: Tensor, rows: Rows) -> Encoding:
        lengths, order = rows.lengths.sort(descending=True)  # the longest first: what is over is not computed
        reading = self.memory(self.dropout(embedded[order]).transpose(0, 1), lengths=lengths.tolist())
        vectors = _at_last_word(reading.outputs.transpose(0, 1), lengths)
        back = order.argsort()
        distances = action_distances(reading.attended, self.slots)
        return Encoding(self.output_dropout(vectors[back]), distances[back])


class OnLstmEncoder(nn.Module):
    """The last layer's state after the last word; distances from the master forget gates of `TREE_LAYER`."""

    def __init__(self, config: OrderedNeuronsConfig) -> None:
        super().__init__()
        D = config.hidden_size
        self.size = D
        sizes = OnLstmConfig(embedding_size=D, hidden_size=D, chunk_size=config.chunk_size, recurrent_dropout=0.0)
        inputs = [config.input_size] + [D] * (config.layers - 1)
        self.layers = nn.ModuleList(OnLstmLayer(size, D, sizes) for size in inputs)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, embedded: Tensor, rows: Rows) -> Encoding:
        states = embedded.transpose(0, 1)
        zeros = states.new_zeros(len(embedded), self.size)
        forgotten = []
        for layer in self.layers:
            out = layer(self.dropout(states), (zeros, zeros))
            states = out.hidden
            forgotten.append(-out.forget.sum(2))
        distances = forgotten[min(TREE_LAYER, len(forgotten)) - 1][1:].t()
        return Encoding(_at_last_word(states.transpose(0, 1), rows.lengths), distances)


class LstmEncoder(nn.Module):
    """The last layer's state after the last word."""

    def __init__(self, config: LstmEncoderConfig) -> None:
        super().__init__()
        self.dropout = nn.Dropout(config.dropout)
        between = config.dropout if config.layers > 1 else 0.0
        self.lstm = nn.LSTM(config.input_size, config.hidden_size, config.layers, dropout=between, batch_first=True)

    def forward(self, embedded: Tensor, rows: Rows) -> Encoding:
        states, _ = self.lstm(self.dropout(embedded))
        return Encoding(_at_last_word(states, rows.lengths))


class TransformerEncoder(nn.Module):
    """The state of a token of its own that stands before the words."""

    def __init__(self, config: TransformerEncoderConfig) -> None:
        super().__init__()
        D = config.hidden_size
        self.first = nn.Parameter(torch.empty(D).uniform_(-0.1, 0.1))
        self.dropout = nn.Dropout(config.dropout)
        layer = nn.TransformerEncoderLayer(
            D, config.attention_heads, config.feed_forward_size, config.dropout, batch_first=True, norm_first=True
        )
        self.layers = nn.TransformerEncoder(layer, config.layers, nn.LayerNorm(D), enable_nested_tensor=False)

    def forward(self, embedded: Tensor, rows: Rows) -> Encoding:
        R, T, D = embedded.shape
        words = torch.cat([self.first.expand(R, 1, D), embedded], 1) + position_encoding(T + 1, D, embedded.device)
        padding = torch.arange(T + 1, device=embedded.device) > rows.lengths[:, None]
        return Encoding(self.layers(self.dropout(words), src_key_padding_mask=padding)[:, 0])


class UdgnEncoder(nn.Module):
    """The mean of the words' states after the last round of messages; the parser has embeddings of its own."""

    def __init__(self, config: UdgnConfig, vocabulary_size: int) -> None:
        super().__init__()
        self.position = config.position
        self.parser = HeadSelectiveParser(vocabulary_size, config)
        self.dropout = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(DependencyGraphLayer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.hidden_size)

    def forward(self, embedded: Tensor, rows: Rows) -> Encoding:
        T = embedded.shape[1]
        present = torch.arange(T, device=embedded.device) < rows.lengths[:, None]
        mask = dependency_mask(self.parser(rows.words, rows.lengths, present), present)
        if self.position == "encoding":
            embedded = with_positions(embedded)
        states = self.dropout(embedded)
        for layer in self.layers:
            states = layer(states, mask)
        total = (self.norm(states) * present[..., None]).sum(1)
        return Encoding(total / rows.lengths[:, None])


def _at_last_word(states: Tensor, lengths: Tensor) -> Tensor:
    """states [R, T, D] → [R, D]."""
    return states[torch.arange(len(states), device=states.device), lengths - 1]


class EncoderKind(NamedTuple):
    """An encoder and the frozen dataclass of its sizes; has_embeddings: whether it also embeds the words itself."""

    encoder: type[Any]
    config: type[Any]
    has_embeddings: bool = False

    def build(self, config: Any, vocabulary_size: int) -> nn.Module:
        """The encoder of these sizes with fresh random weights."""
        encoder: nn.Module = self.encoder(config, *[vocabulary_size] * self.has_embeddings)
        return encoder


_KINDS = {
    "ordered-memory": EncoderKind(OrderedMemoryEncoder, OrderedMemoryConfig),
    "on-lstm": EncoderKind(OnLstmEncoder, OrderedNeuronsConfig),
    "lstm": EncoderKind(LstmEncoder, LstmEncoderConfig),
    "transformer": EncoderKind(TransformerEncoder, TransformerEncoderConfig),
    "udgn": EncoderKind(UdgnEncoder, UdgnConfig, has_embeddings=True),
    "tree-cell": EncoderKind(TreeCellEncoder, TreeEncoderConfig),
    "tree-rnn": EncoderKind(TreeRnnEncoder, TreeEncoderConfig),
    "tree-lstm": EncoderKind(TreeLstmEncoder, TreeEncoderConfig),
}


def encoder_kind(name: str) -> EncoderKind:
    """The encoder of that name. Raises SettingError for an unknown name."""
    if name not in _KINDS:
        raise SettingError(f"unknown model {name!r}; there are {', '.join(ENCODERS)}")
    return _KINDS[name]
