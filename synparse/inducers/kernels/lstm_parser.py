"""The parsers of the UDGN and of the student in NumPy: trees without PyTorch, whose import takes longer than parsing a
thousand sentences.

The bidirectional LSTM (Hochreiter and Schmidhuber, 1997), head scores and distances are those of
`synparse.inducers.udgn` and `synparse.inducers.student`, with the same weights; results are equal up to float rounding.
The sentences of a batch are sorted by length, longest first, so that word t is computed only for the sentences that are
long enough; and as σ(x) = (tanh(x/2) + 1)/2, one tanh over all four gates replaces three σ and a tanh.

Glossary
    B sentences, T words, V words in the vocabulary, D hidden size
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from synparse.inducers.configurations import StudentConfig, UdgnConfig

Floats: TypeAlias = NDArray[np.float32]
Shapes: TypeAlias = dict[str, tuple[int, ...]]

LEAST_PROBABILITY = 1e-30
"""Smallest probability of a head, so that its logarithm is finite."""

DIRECTIONS = ("forward", "backward")


class Direction(NamedTuple):
    """An LSTM in one direction: input_weight [K, 4 D], recurrent [D, 4 D], bias [4 D], the columns of the gates being
    i, f, o (halved, for tanh) and ĉ."""

    input_weight: Floats
    recurrent: Floats
    bias: Floats


class Affine(NamedTuple):
    """weight [N, K] and bias [N]."""

    weight: Floats
    bias: Floats


class LstmParser(NamedTuple):
    """The weights. embedding [V, D]; role_of_word [V, K] and roles [K, D], where a UDGN has roles; distance: the two
    layers of a student's distances."""

    embedding: Floats
    layers: tuple[tuple[Direction, Direction], ...]
    parent_child: Affine
    role_of_word: Floats | None = None
    roles: Floats | None = None
    distance: tuple[Affine, Affine] | None = None


class ParserScores(NamedTuple):
    """A `synparse.inducers.induction.Induction` as NumPy arrays."""

    distances: Floats | None = None
    first_distance: Floats | None = None
    heights: Floats | None = None
    head_scores: Floats | None = None


def weight_shapes_of(vocabulary_size: int, config: UdgnConfig | StudentConfig) -> tuple[Shapes, Shapes]:
    """The name and shape of each tensor of a model: of the parts that parsing runs, and of the rest, which a packed
    model does not have."""
    V, D = vocabulary_size, config.hidden_size
    roles, layers = (0, config.layers) if isinstance(config, StudentConfig) else (config.roles, config.parser_layers)
    shapes: Shapes = {"parser.embedding.weight": (V, D)}
    if roles:
        shapes |= {"parser.role_of_word.weight": (V, roles), "parser.roles": (roles, D)}
    for direction in DIRECTIONS:
        for layer in range(layers):
            prefix = f"parser.{direction}_layers.{layer}"
            shapes |= {
                f"{prefix}.weight_ih_l0": (4 * D, 2 * D if layer else D),
                f"{prefix}.weight_hh_l0": (4 * D, D),
                f"{prefix}.bias_ih_l0": (4 * D,),
                f"{prefix}.bias_hh_l0": (4 * D,),
            }
    shapes |= _affine_shapes("parser.parent_child", 2 * D, 2 * D)
    if isinstance(config, StudentConfig):
        return shapes | _affine_shapes("distance.0", D, 4 * D) | _affine_shapes("distance.2", 1, D), {}
    return shapes, _network_shapes(V, config)


def _network_shapes(V: int, config: UdgnConfig) -> Shapes:
    """Of the dependency graph network of a UDGN."""
    D, width = config.hidden_size, config.channels * config.channel_size
    shapes: Shapes = {"embedding.weight": (V, D), "output_bias": (V,), "norm.weight": (D,), "norm.bias": (D,)}
    for layer in range(config.layers):
        shapes |= _affine_shapes(f"layers.{layer}.projection", (4 if config.gates else 3) * width, D)
        shapes |= _affine_shapes(f"layers.{layer}.out", D, width)
        if config.position == "relative":
            shapes[f"layers.{layer}.direction"] = (2, 1 if config.competition == "single" else config.channels)
    return shapes


def _affine_shapes(name: str, N: int, K: int) -> Shapes:
    return {f"{name}.weight": (N, K), f"{name}.bias": (N,)}


def lstm_parser(weights: Mapping[str, Floats], config: UdgnConfig | StudentConfig) -> LstmParser:
    """The parser made of these weights, by name: the first of `weight_shapes_of`."""
    D = config.hidden_size
    # Files have the gates in PyTorch's order: i, f, ĉ, o.
    columns = np.arange(4 * D).reshape(4, D)[[0, 1, 3, 2]].ravel()
    scale = np.repeat(np.array([0.5, 0.5, 0.5, 1.0], np.float32), D)
    layers = config.parser_layers if isinstance(config, UdgnConfig) else config.layers

    def direction(name: str, layer: int) -> Direction:
        input_weight, recurrent, *biases = (
            weights[f"parser.{name}_layers.{layer}.{part}_l0"]
            for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        return Direction(
            np.ascontiguousarray(input_weight[columns].T) * scale,
            np.ascontiguousarray(recurrent[columns].T) * scale,
            (biases[0] + biases[1])[columns] * scale,
        )

    def affine(name: str) -> Affine:
        return Affine(weights[f"{name}.weight"], weights[f"{name}.bias"])

    return LstmParser(
        weights["parser.embedding.weight"],
        tuple((direction("forward", layer), direction("backward", layer)) for layer in range(layers)),
        affine("parser.parent_child"),
        weights.get("parser.role_of_word.weight"),
        weights.get("parser.roles"),
        (affine("distance.0"), affine("distance.2")) if "distance.0.weight" in weights else None,
    )


def parser_scores(
    parser: LstmParser, words: NDArray[np.int64], lengths: NDArray[np.int64], heads: bool = True
) -> ParserScores:
    """words [B, T], lengths [B] → scores in float32; values at padding mean nothing. Without ``heads``, a parser that
    gives distances gives no head scores."""
    order = np.argsort(-lengths, kind="stable")
    # Products as small as these gain nothing from threads, which wait for each other: beside other work, ten times the
    # time was seen.
    with _blas().limit(limits=1, user_api="blas"):
        states = _states(parser, words[order], lengths[order])
        distances = None if parser.distance is None else _distances(parser.distance, states)
        wants_heads = heads or parser.distance is None
        head_scores = _log_heads(parser.parent_child, states, lengths[order]) if wants_heads else None
    back = np.argsort(order)
    return ParserScores(
        distances=None if distances is None else distances[back],
        head_scores=None if head_scores is None else head_scores[back],
    )


@functools.cache
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _states(parser: LstmParser, words: NDArray[np.int64], lengths: NDArray[np.int64]) -> Floats:
    """words [B, T], lengths [B], the longest first → [T, B, 2 D], of both directions."""
    B, T = words.shape
    sentences = np.count_nonzero(lengths[:, None] > np.arange(T), axis=0).tolist()  # those with a word t
    # The input of the first layer is computed once for each distinct word.
    distinct, positions = np.unique(words.T, return_inverse=True)
    inputs = parser.embedding[distinct]
    if parser.role_of_word is not None and parser.roles is not None:
        inputs = inputs + np.exp(_log_softmax(parser.role_of_word[distinct])) @ parser.roles
    shape = T, B, -1
    for number, directions in enumerate(parser.layers):
        out = np.zeros((T, B, 2 * len(directions[0].recurrent)), np.float32)
        halves = np.split(out, 2, axis=-1)
        for lstm, half, order in zip(directions, halves, (range(T), range(T - 1, -1, -1)), strict=True):
            raw = inputs @ lstm.input_weight
            raw += lstm.bias
            _run(lstm.recurrent, (raw if number else raw[positions.ravel()]).reshape(shape), sentences, order, half)
        inputs = out.reshape(T * B, -1)
    states: Floats = inputs.reshape(shape)
    return states


def _run(recurrent: Floats, inputs: Floats, sentences: list[int], order: range, out: Floats) -> None:
    """inputs [T, B, 4 D] → out [T, B, D]: words in the given order, word t of the first ``sentences[t]`` sentences."""
    B, D = inputs.shape[1], len(recurrent)
    hidden, cell = np.zeros((B, D), np.float32), np.zeros((B, D), np.float32)
    for t in order:
        n = sentences[t]  # backwards, a sentence begins at its last word, from zero state
        gates = hidden[:n] @ recurrent
        gates += inputs[t, :n]
        np.tanh(gates, out=gates)
        squashed = gates[:, : 3 * D]
        squashed += 1.0
        squashed *= 0.5
        write, keep, output, candidate = (gates[:, k * D : (k + 1) * D] for k in range(4))
        cell[:n] *= keep
        write *= candidate
        cell[:n] += write
        np.multiply(output, np.tanh(cell[:n]), out=hidden[:n])
        out[t, :n] = hidden[:n]


def _log_heads(parent_child: Affine, states: Floats, lengths: NDArray[np.int64]) -> Floats:
    """states [T, B, 2 D], lengths [B] → log p(head | word) [B, T, T], at least log `LEAST_PROBABILITY`."""
    parent, child = np.split(_applied(parent_child, states), 2, axis=-1)
    scores = child.transpose(1, 0, 2) @ parent.transpose(1, 2, 0)
    scores *= np.float32(1 / math.sqrt(parent.shape[-1]))
    is_padding = np.arange(len(states)) >= lengths[:, None]
    np.copyto(scores, -np.inf, where=is_padding[:, None, :])
    log_heads: Floats = np.maximum(_log_softmax(scores), np.float32(math.log(LEAST_PROBABILITY)))
    return log_heads


def _distances(layers: tuple[Affine, Affine], states: Floats) -> Floats:
    """states [T, B, 2 D] → [B, T − 1], from the two words at each gap."""
    inner, outer = layers
    hidden = _applied(inner, np.concatenate([states[:-1], states[1:]], -1))
    distances: Floats = _applied(outer, np.tanh(hidden))[..., 0].T
    return distances


def _applied(affine: Affine, states: Floats) -> Floats:
    """states [T, B, K] → [T, B, N], by one product."""
    T, B, K = states.shape
    out: Floats = states.reshape(T * B, K) @ affine.weight.T
    out += affine.bias
    return out.reshape(T, B, len(affine.bias))


def _log_softmax(scores: Floats) -> Floats:
    shifted: Floats = scores - scores.max(-1, keepdims=True)
    shifted -= np.log(np.exp(shifted).sum(-1, keepdims=True))
    return shifted
