"""Log-linear classifiers, learned from few examples: p(y | x) ∝ exp Σ_f W[f, y] over the features f of x.

Features are texts, such as ``3=ing``. A hash of the text is the row of W (Weinberger et al., 2009, "Feature Hashing for
Large Scale Multitask Learning"), so that no table of features is needed. Learned by AdaGrad (Duchi, Hazan & Singer,
2011), whose step for a feature is the smaller, the more often it was seen: rare words keep up with frequent ones.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.trees.averaging import softmax

MOST_ROWS = 1 << 15
"""Of W. Its rows are a power of two, at least four times as many as different features, if that is possible."""

BATCH, RATE, PENALTY = 32, 0.1, 1e-5
"""Examples of an update, the step of AdaGrad, and the weight of ½ |W|² for each example."""

UPDATES, MOST_PASSES = 20_000, 30
"""Passes are made until there are so many updates, but no more than so many passes, and two at least."""

CHUNK = 4096
"""Examples that are classified at a time."""


class LogLinear(NamedTuple):
    """names: of the Y values that there are; weights: W [rows, Y]."""

    names: tuple[str, ...]
    weights: NDArray[np.float32]


def predicted(model: LogLinear, examples: Iterable[Sequence[str]]) -> list[str]:
    """The most probable value of each example, of which all have the same number of features."""
    rows = rows_of(examples, len(model.weights))
    best = [model.weights[rows[start : start + CHUNK]].sum(1).argmax(1) for start in range(0, len(rows), CHUNK)]
    return [model.names[value] for value in np.concatenate(best or [np.zeros(0, np.int64)]).tolist()]


def rows_of(examples: Iterable[Sequence[str]], rows: int) -> NDArray[np.int64]:
    """The rows of W of the features of each example [N, F]."""
    return np.array([[zlib.crc32(feature.encode()) % rows for feature in features] for features in examples], np.int64)


def learned(examples: Sequence[Sequence[str]], values: Sequence[str], seed: int) -> LogLinear:
    """Learn from examples, at least one, with their values. The same seed gives the same weights."""
    names = tuple(sorted(set(values)))
    different = len({feature for features in examples for feature in features})
    weights = np.zeros((min(MOST_ROWS, 1 << (4 * different - 1).bit_length()), len(names)))
    rows, gold = rows_of(examples, len(weights)), np.searchsorted(names, values)
    squares = np.full(weights.shape, 1e-8)
    source = np.random.default_rng(seed)
    updates = -(-len(rows) // BATCH)
    for _ in range(max(2, min(MOST_PASSES, UPDATES // updates))):
        order = source.permutation(len(rows))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            _update(weights, squares, rows[batch], gold[batch])
    return LogLinear(names, weights.astype(np.float32))


def _update(weights: NDArray[Any], squares: NDArray[Any], rows: NDArray[np.int64], gold: NDArray[np.int64]) -> None:
    """One step of AdaGrad on the rows of W that a batch [B, F] of examples has."""
    errors = softmax(weights[rows].sum(1))
    errors[range(len(gold)), gold] -= 1
    touched, places = np.unique(rows, return_inverse=True)
    gradient = PENALTY * len(rows) * weights[touched]
    np.add.at(gradient, places.reshape(rows.shape), errors[:, None, :])
    squares[touched] += gradient**2
    weights[touched] -= RATE * gradient / np.sqrt(squares[touched])
