"""Sizes and variants of each model: the architecture section of a recipe.

Imports no PyTorch, so that `parse` can read a model's config.yaml, and parse with a small model, without loading it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from synparse.trees.errors import SettingError
from synparse.trees.limits import LARGEST_SIZE, MOST_LAYERS, MOST_SLOTS

TREE_LAYER = 2
"""Layer of an ON-LSTM that trees are read from (Shen et al., 2019); the last one where there are fewer."""

Size = Annotated[int, Meta(ge=1, le=LARGEST_SIZE)]
Layers = Annotated[int, Meta(ge=1, le=MOST_LAYERS)]
Probability = Annotated[float, Meta(ge=0, lt=1)]
NonNegative = Annotated[float, Meta(ge=0)]


@dataclass(frozen=True)
class NoNetwork:
    """The settings of grammars without a network: none."""


@dataclass(frozen=True)
class StructFormerConfig:
    """Sizes of the model; the defaults are the paper's, but for positions, which models of before the setting lack.

    position: what tells the encoder where a word stands: ``learned`` vectors, as in the authors' code, sinusoids
    (``sinusoid``), or ``none``. relations: which words a word attends to: its parent and its dependents (``both``), or
    one of these alone, the ablations of table 4.
    """

    hidden_size: Size = 512
    layers: Layers = 8
    attention_heads: Size = 8
    feed_forward_size: Size = 2048
    parser_layers: Layers = 3
    convolution_width: Size = 9
    dropout: Probability = 0.1
    position: Literal["none", "learned", "sinusoid"] = "none"
    relations: Literal["both", "parent", "dependent"] = "both"

    def __post_init__(self) -> None:
        if self.position == "sinusoid" and self.hidden_size % 2:
            raise SettingError("position encodings need an even hidden_size")
        if self.hidden_size % self.attention_heads:
            raise SettingError(
                f"hidden_size {self.hidden_size} is not a multiple of attention_heads {self.attention_heads}"
            )


@dataclass(frozen=True)
class UdgnConfig:
    """Sizes of the model; the defaults are the paper's, and the last four settings its ablations (table 4.4).

    roles: shared role vectors, K (4.2.2); 0 for none. nonlinear_values: tanh on the values; gates: σ(g) on the
    messages; competition: ``softmax`` over channels, ``sigmoid`` on each of them, or a ``single`` channel as wide as
    all of them, also with a sigmoid (the thesis does not tell; the softmax over one channel is 1); position:
    ``relative`` (a bias per channel and direction) or ``encoding`` (sinusoids on the words).
    """

    hidden_size: Size = 512
    layers: Layers = 8
    channels: Size = 8
    channel_size: Size = 128
    parser_layers: Layers = 3
    roles: Annotated[int, Meta(ge=0, le=LARGEST_SIZE)] = 0
    dropout: Probability = 0.2
    parser_dropout: Probability = 0.2
    attention_dropout: Probability = 0.1
    nonlinear_values: bool = True
    gates: bool = True
    competition: Literal["softmax", "sigmoid", "single"] = "softmax"
    position: Literal["relative", "encoding"] = "relative"

    def __post_init__(self) -> None:
        if self.position == "encoding" and self.hidden_size % 2:
            raise SettingError("position encodings need an even hidden_size")


@dataclass(frozen=True)
class TransformerConfig:
    """Sizes of the model; the defaults are those of StructFormer's encoder, which it is compared with."""

    hidden_size: Size = 512
    layers: Layers = 8
    attention_heads: Size = 8
    feed_forward_size: Size = 2048
    dropout: Probability = 0.1

    def __post_init__(self) -> None:
        if self.hidden_size % self.attention_heads or self.hidden_size % 2:
            raise SettingError(
                f"hidden_size {self.hidden_size} is not even and a multiple of attention_heads {self.attention_heads}"
            )


@dataclass(frozen=True)
class LstmConfig:
    """Sizes and regularisation of the model; the defaults are those of ON-LSTM's paper, which is compared with it.

    tied: the output matrix is the embedding, and the last layer has its size, embedding_size; otherwise both matrices
    are learned, and the last layer has hidden_size, too (thesis, table 3.3: 200 and 650).
    """

    embedding_size: Size = 400
    hidden_size: Size = 1150
    layers: Layers = 3
    embedding_dropout: Probability = 0.1
    input_dropout: Probability = 0.5
    hidden_dropout: Probability = 0.3
    output_dropout: Probability = 0.45
    recurrent_dropout: Probability = 0.45
    activation_penalty: NonNegative = 2.0
    temporal_penalty: NonNegative = 1.0
    tied: bool = True


@dataclass(frozen=True)
class OnLstmConfig(LstmConfig):
    """Sizes and regularisation of the model; the defaults are the paper's. chunk_size: neurons that share a master
    gate."""

    chunk_size: Size = 10

    def __post_init__(self) -> None:
        if self.hidden_size % self.chunk_size or self.embedding_size % self.chunk_size:
            raise SettingError(
                f"hidden_size {self.hidden_size} and embedding_size {self.embedding_size} must be multiples of "
                f"chunk_size {self.chunk_size}"
            )


@dataclass(frozen=True)
class OrderedMemoryConfig:
    """Sizes and dropout of the model; the default sizes are the paper's for ListOps.

    slots: N; deeper stacks are squeezed into them. dropout: of the words read; output_dropout: of the state that words
    are predicted from; attention_dropout, cell_dropout: of the inner layers of attention and cell. attention_noise:
    standard deviation, in nats, of the noise added to the logits of the attention in training. attention:
    ``normalized`` queries and keys with ReLU, as in the authors' code, or as ``published`` (equation 8), with tanh.
    cell: the ``gated`` one (equations 12, 13), or that of a recursive network (``rnn``), the paper's ablation.
    """

    hidden_size: Size = 128
    slots: Annotated[int, Meta(ge=1, le=MOST_SLOTS)] = 21
    dropout: Probability = 0.1
    output_dropout: Probability = 0.1
    attention_dropout: Probability = 0.1
    cell_dropout: Probability = 0.1
    attention_noise: NonNegative = 0.0
    attention: Literal["normalized", "published"] = "normalized"
    cell: Literal["gated", "rnn"] = "gated"


@dataclass(frozen=True)
class StudentConfig:
    """Sizes of the model.

    hidden_size: of embeddings and of each direction; layers: of the bidirectional LSTM; dropout: of the input of each
    layer.
    """

    hidden_size: Size = 128
    layers: Layers = 2
    dropout: Probability = 0.3
