"""Sizes and variants of each model: what a recipe says of its architecture. Known without PyTorch, so that a model's
config.yaml can be read, and a small model parsed with, where it is not loaded."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from synparse.trees.errors import SettingError

LARGEST_SIZE = 65_536
MOST_LAYERS = 1_000
"""What sizes a model may have: more than any that can be trained here, and few enough to build its shapes at once."""

MOST_SLOTS = 1_000
"""A sentence fills one with each level of its tree. Memory in parsing grows with them, and no weight does."""

COMPETITIONS = ("softmax", "sigmoid", "single")
POSITIONS = ("relative", "encoding")

TREE_LAYER = 2
"""Layer of an ON-LSTM that trees are read from (Shen et al., 2019); the last one where there are fewer."""


def check_sizes(config: Any, may_be_zero: Collection[str] = ()) -> None:
    """Raises SettingError where a whole number of a model's settings, a dataclass, is no possible size.

    Sizes go from 1 (from 0 where named in ``may_be_zero``) to `LARGEST_SIZE`, numbers of layers to `MOST_LAYERS`.
    """
    for name, value in dataclasses.asdict(config).items():
        if isinstance(value, bool) or not isinstance(value, int):
            continue
        least = 0 if name in may_be_zero else 1
        most = MOST_LAYERS if name.endswith("layers") else LARGEST_SIZE
        if value < least:
            raise SettingError(f"{name} must be at least {least}, not {value}")
        if value > most:
            raise SettingError(f"{name} must be at most {most}, not {value}")


@dataclass(frozen=True)
class StructFormerConfig:
    """Sizes of the model; the defaults are the paper's."""

    hidden_size: int = 512
    layers: int = 8
    attention_heads: int = 8
    feed_forward_size: int = 2048
    parser_layers: int = 3
    convolution_width: int = 9
    dropout: float = 0.1

    def __post_init__(self) -> None:
        check_sizes(self)
        if self.hidden_size % self.attention_heads:
            raise SettingError(
                f"hidden_size {self.hidden_size} is not a multiple of attention_heads {self.attention_heads}"
            )


@dataclass(frozen=True)
class UdgnConfig:
    """Sizes of the model; the defaults are the paper's, and the last five settings its ablations (table 4.4).

    roles: shared role vectors, K (4.2.2); 0 for none. nonlinear_values: tanh on the values; gates: σ(g) on the
    messages; competition: ``softmax`` over channels, ``sigmoid`` on each of them, or a ``single`` channel as wide as
    all of them; position: ``relative`` (a bias per channel and direction) or ``encoding`` (sinusoids on the words).
    """

    hidden_size: int = 512
    layers: int = 8
    channels: int = 8
    channel_size: int = 128
    parser_layers: int = 3
    roles: int = 0
    dropout: float = 0.2
    parser_dropout: float = 0.2
    attention_dropout: float = 0.1
    nonlinear_values: bool = True
    gates: bool = True
    competition: str = "softmax"
    position: str = "relative"

    def __post_init__(self) -> None:
        for name, known in (("competition", COMPETITIONS), ("position", POSITIONS)):
            if getattr(self, name) not in known:
                raise SettingError(f"{name} must be one of {', '.join(known)}, not {getattr(self, name)!r}")
        check_sizes(self, may_be_zero=("roles",))
        if self.position == "encoding" and self.hidden_size % 2:
            raise SettingError("position encodings need an even hidden_size")


@dataclass(frozen=True)
class OnLstmConfig:
    """Sizes and regularisation of the model; the defaults are the paper's."""

    embedding_size: int = 400
    hidden_size: int = 1150
    layers: int = 3
    chunk_size: int = 10
    embedding_dropout: float = 0.1
    input_dropout: float = 0.5
    hidden_dropout: float = 0.3
    output_dropout: float = 0.45
    recurrent_dropout: float = 0.45
    activation_penalty: float = 2.0
    temporal_penalty: float = 1.0

    def __post_init__(self) -> None:
        check_sizes(self)
        if self.hidden_size % self.chunk_size or self.embedding_size % self.chunk_size:
            raise SettingError(
                f"hidden_size {self.hidden_size} and embedding_size {self.embedding_size} must be multiples of "
                f"chunk_size {self.chunk_size}"
            )
        if min(self.activation_penalty, self.temporal_penalty) < 0:
            raise SettingError("a penalty cannot be negative")


@dataclass(frozen=True)
class OrderedMemoryConfig:
    """Sizes and dropout of the model; the sizes by default are the paper's for ListOps.

    slots: N; deeper stacks are squeezed into them. dropout: of the words read; output_dropout: of the state that words
    are predicted from; attention_dropout, cell_dropout: of the inner layers of attention and cell. attention_noise:
    standard deviation, in nats, of what is added to the logits of the attention in training.
    """

    hidden_size: int = 128
    slots: int = 21
    dropout: float = 0.1
    output_dropout: float = 0.1
    attention_dropout: float = 0.1
    cell_dropout: float = 0.1
    attention_noise: float = 0.0

    def __post_init__(self) -> None:
        check_sizes(self)
        if self.slots > MOST_SLOTS:
            raise SettingError(f"slots must be at most {MOST_SLOTS}, not {self.slots}")
        if self.attention_noise < 0:
            raise SettingError("attention_noise cannot be negative")


@dataclass(frozen=True)
class StudentConfig:
    """Sizes of the model.

    hidden_size: of embeddings and of each direction; layers: of the bidirectional LSTM; dropout: of what goes into
    each layer.
    """

    hidden_size: int = 128
    layers: int = 2
    dropout: float = 0.3

    def __post_init__(self) -> None:
        check_sizes(self)
