"""The parsers of the UDGN and of the student in NumPy: trees without PyTorch, whose import takes longer than parsing a
thousand sentences.

The bidirectional LSTM (Hochreiter and Schmidhuber, 1997), head scores and distances are those of
`synparse.inducers.udgn` and `synparse.inducers.student`, with the same weights; results are equal up to float rounding.
The words of a batch are rows without padding (`_Rows`), so that nothing is computed for padding; and as
σ(x) = (tanh(x/2) + 1)/2, one tanh over all four gates replaces three σ and a tanh.

Glossary
    B sentences, T words, V words in the vocabulary, D hidden size
"""

from __future__ import annotations

import functools
import math
import os
import threading
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from synparse import compiled
from synparse.inducers.configurations import StudentConfig, UdgnConfig

Floats: TypeAlias = NDArray[np.float32]
Shapes: TypeAlias = dict[str, tuple[int, ...]]
_Positions: TypeAlias = "slice | NDArray[np.int64]"

_CHANGES_THREADS = threading.Lock()
if hasattr(os, "register_at_fork"):  # a thread that holds it would be missing in the new process
    os.register_at_fork(
        before=_CHANGES_THREADS.acquire,
        after_in_parent=_CHANGES_THREADS.release,
        after_in_child=_CHANGES_THREADS.release,
    )

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
    rows = _rows_of(lengths, words.shape[1])
    # Products as small as these gain nothing from threads, which wait for each other: beside other work, ten times the
    # time was seen. The number of threads is one for the process, so one thread at a time changes and restores it.
    with _CHANGES_THREADS, _blas().limit(limits=1, user_api="blas"):
        states = _states(parser, words.ravel()[rows.places], rows.bounds)
        distances = None if parser.distance is None else _distances(parser.distance, states, rows)
        wants_heads = heads or parser.distance is None
        head_scores = _log_heads(parser.parent_child, states, rows, lengths) if wants_heads else None
    return ParserScores(distances=distances, head_scores=head_scores)


class _Rows(NamedTuple):
    """The words of a batch as rows without padding: first words come before second words, and each time the words of
    longer sentences first, so that the sentences that go on are the first ones.

    bounds [T + 1]: words t are the rows bounds[t] … bounds[t + 1] − 1; places: of each row in the matrix [B · T] of
    words; of_words [B, T]: the row of each word, 0 at padding."""

    bounds: list[int]
    places: NDArray[np.int64]
    of_words: NDArray[np.int64]


def _rows_of(lengths: NDArray[np.int64], T: int) -> _Rows:
    """lengths [B] of sentences, T at most."""
    B = len(lengths)
    order = np.argsort(-lengths, kind="stable")
    is_word = np.arange(T)[:, None] < lengths[order]  # [T, B]
    places = (order * T + np.arange(T)[:, None])[is_word]
    of_words = np.zeros(B * T, np.int64)
    of_words[places] = np.arange(len(places))
    return _Rows([0, *is_word.sum(1).cumsum().tolist()], places, of_words.reshape(B, T))


@functools.cache
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _states(parser: LstmParser, words: NDArray[np.int64], bounds: list[int]) -> Floats:
    """words [rows] → [rows, 2 D], of both directions."""
    # The input of the first layer is computed once for each distinct word.
    distinct, positions = np.unique(words, return_inverse=True)
    inputs: Floats = parser.embedding[distinct]
    if parser.role_of_word is not None and parser.roles is not None:
        inputs += np.exp(_log_softmax(parser.role_of_word[distinct])) @ parser.roles
    words_of_step = [slice(start, end) for start, end in pairwise(bounds)]
    inputs_of_step: Sequence[_Positions] = [positions[rows] for rows in words_of_step]
    for directions in parser.layers:
        out = np.empty((len(words), 2 * len(directions[0].recurrent)), np.float32)
        steps = list(zip(words_of_step, inputs_of_step, strict=True))
        for side, (lstm, in_order) in enumerate(zip(directions, (steps, steps[::-1]), strict=True)):
            _run(lstm, inputs, in_order, out, side)
        inputs, inputs_of_step = out, words_of_step
    return inputs


def _run(lstm: Direction, inputs: Floats, steps: Sequence[tuple[slice, _Positions]], out: Floats, side: int) -> None:
    """inputs [inputs, K] → a side of out [rows, 2 D]. steps: for the words at one place in their sentences, their rows
    and the places of their inputs, one step after the other."""
    D = len(lstm.recurrent)
    raw = inputs @ lstm.input_weight
    raw += lstm.bias
    most = max(rows.stop - rows.start for rows, _ in steps)
    cell, products, hidden = np.zeros((most, D), np.float32), np.empty((most, 4 * D), np.float32), out[:0]
    for rows, of_inputs in steps:
        # Backwards, the sentences that begin, at their last word, come after those that go on.
        going_on = min(len(hidden), rows.stop - rows.start)
        product = np.matmul(hidden[:going_on], lstm.recurrent, out=products[:going_on]) if going_on else None
        _step(raw[of_inputs], product, cell, out[rows], side)
        hidden = out[rows, side * D : (side + 1) * D]


def _step(gates: Floats, product: Floats | None, cell: Floats, out: Floats, side: int) -> None:
    """gates [n, 4 D]: of the inputs, which are used up; product [m, 4 D], m ≤ n: of the hidden states before; cell
    [B, D], n ≤ B, the first of which change → a side of out [n, 2 D]."""
    if compiled.CHARTS is not None:  # synparse/compiled/lstm.h
        compiled.CHARTS.lstm_step(gates, product, cell, out, np.array(side))
        return
    n, D = len(gates), cell.shape[1]
    if product is not None:
        gates[: len(product)] += product
    np.tanh(gates, out=gates)
    squashed = gates[:, : 3 * D]
    squashed += 1.0
    squashed *= 0.5
    write, keep, output, candidate = (gates[:, k * D : (k + 1) * D] for k in range(4))
    cell[:n] *= keep
    write *= candidate
    cell[:n] += write
    np.multiply(output, np.tanh(cell[:n]), out=out[:, side * D : (side + 1) * D])


def _log_heads(parent_child: Affine, states: Floats, rows: _Rows, lengths: NDArray[np.int64]) -> Floats:
    """states [rows, 2 D], lengths [B] → log p(head | word) [B, T, T], at least log `LEAST_PROBABILITY`."""
    both: Floats = states @ parent_child.weight.T
    both += parent_child.bias
    parent, child = np.split(both[rows.of_words], 2, axis=-1)
    scores = child @ parent.swapaxes(1, 2)
    scores *= np.float32(1 / math.sqrt(parent.shape[-1]))
    is_padding = np.arange(parent.shape[1]) >= lengths[:, None]
    np.copyto(scores, -np.inf, where=is_padding[:, None, :])
    log_heads: Floats = np.maximum(_log_softmax(scores), np.float32(math.log(LEAST_PROBABILITY)))
    return log_heads


def _distances(layers: tuple[Affine, Affine], states: Floats, rows: _Rows) -> Floats:
    """states [rows, 2 D] → [B, T − 1], from the two words at each gap."""
    inner, outer = layers
    left, right = np.split(inner.weight, 2, axis=1)
    before, after = rows.of_words[:, :-1], rows.of_words[:, 1:]
    is_gap = after > 0
    hidden = (states @ left.T)[before[is_gap]]
    hidden += (states @ right.T)[after[is_gap]]
    hidden += inner.bias
    distances = np.zeros(is_gap.shape, np.float32)
    distances[is_gap] = (np.tanh(hidden, out=hidden) @ outer.weight.T + outer.bias)[:, 0]
    return distances


def _log_softmax(scores: Floats) -> Floats:
    shifted: Floats = scores - scores.max(-1, keepdims=True)
    shifted -= np.log(np.exp(shifted).sum(-1, keepdims=True))
    return shifted
