"""Significance: confidence intervals by the bootstrap, and tests by the bootstrap and by randomisation; and Wilson's
interval of a fraction.

A score is a ratio of sums over sentences: a mean of sentence F1 is Σ F1 / Σ 1, a corpus F1 Σ 2·matched / Σ (predicted +
gold), UAS Σ attached / Σ words. So of each sentence a numerator and
a denominator are kept, and every resample is two products.

- *Bootstrap* (Efron and Tibshirani 1993; Berg-Kirkpatrick, Burkett and Klein 2012, "An Empirical Investigation of
  Statistical Significance in NLP"): sentences are drawn with replacement. The interval holds the middle 95 % of the
  resampled scores; the paired p is the fraction of resamples in which the difference moves as far from the measured one
  as that is from 0.
- *Approximate randomisation* (Noreen 1989; Yeh 2000, "More accurate tests for the statistical significance of result
  differences"): the two systems' answers to a sentence are swapped with probability 1/2; p is the fraction of shuffles
  in which the difference, its sign ignored, is as large as the measured one.

Both p count the measured difference as one more trial, (c + 1) / (resamples + 1), so none is 0. The sentences are the
same for all systems, and a seed gives the same numbers again. Hand-worked: two systems that do not differ have p = 1.

    >>> ratios = Ratios.of([(1, 2), (2, 2), (0, 2)])
    >>> ratios.score
    0.5
    >>> difference(ratios, ratios).randomisation_p
    1.0
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.scoring.counts import Ratios

NORMAL_QUANTILE = 1.959963984540054
"""97.5 % of the standard normal distribution lie below: 95 % lie within so many standard deviations."""


class Interval(NamedTuple):
    """Bounds of a fraction, 0 … 1, or of the difference of two fractions, −1 … 1."""

    low: float
    high: float


def wilson_interval(successes: int, trials: int) -> Interval | None:
    """The 95 % score interval of a binomial proportion (Wilson 1927); None where there were no trials.

        (k + z²/2 ± z √(k (n − k) / n + z²/4)) / (n + z²)

    Unlike k/n ± z √…, it stays within 0 and 1, and is right for few trials and for fractions near 0 and 1.

    >>> [round(bound, 4) for bound in wilson_interval(6, 10)]
    [0.3127, 0.8318]
    """
    if not trials:
        return None
    k, n, z = successes, trials, NORMAL_QUANTILE
    centre, half = k + z * z / 2, z * math.sqrt(k * (n - k) / n + z * z / 4)
    return Interval(max(0.0, (centre - half) / (n + z * z)), min(1.0, (centre + half) / (n + z * z)))


RESAMPLES = 1000
LEVEL = 0.95

_DRAWS_AT_ONCE = 2**22  # sentences drawn at a time: 32 MiB of indices, however many sentences there are


class Difference(NamedTuple):
    """The second system's score less the first one's, its interval, and the p of both tests (two-sided)."""

    difference: float
    interval: Interval
    bootstrap_p: float
    randomisation_p: float


def interval(system: Ratios, resamples: int = RESAMPLES, seed: int = 1) -> Interval | None:
    """The bootstrap interval of a score; None where there is nothing to score."""
    if system.score is None:
        return None
    parts = _columns(system)
    return _middle(np.concatenate([_scores(times @ parts) for times in _resampled(len(parts), resamples, seed)]))


def difference(first: Ratios, second: Ratios, resamples: int = RESAMPLES, seed: int = 1) -> Difference | None:
    """The difference ``second`` − ``first``, with interval and tests; None if there is nothing to score.

    Raises ValueError where they have not as many sentences.
    """
    if len(first.numerators) != len(second.numerators):
        raise ValueError(f"{len(first.numerators)} sentences cannot be paired with {len(second.numerators)}")
    if first.score is None or second.score is None:
        return None
    x, y = _columns(first), _columns(second)
    measured = second.score - first.score
    moved = np.concatenate([_scores(times @ y) - _scores(times @ x) for times in _resampled(len(x), resamples, seed)])
    # Sums that are equal on paper may differ in their last bits.
    as_large = abs(measured) - 1e-12
    shuffled = []
    for swapped in _swapped(len(x), resamples, seed):
        change = swapped @ (y - x)
        shuffled.append(_scores(y.sum(0) - change) - _scores(x.sum(0) + change))
    return Difference(
        measured,
        _middle(moved),
        _fraction(np.abs(moved - measured) >= as_large),
        _fraction(np.abs(np.concatenate(shuffled)) >= as_large),
    )


def _columns(system: Ratios) -> NDArray[np.float64]:
    """[sentences, 2]: numerator and denominator."""
    return np.stack([np.frombuffer(system.numerators), np.frombuffer(system.denominators)], 1)


def _resampled(sentences: int, resamples: int, seed: int) -> Iterator[NDArray[Any]]:
    """[some resamples, sentences]: how often each sentence was drawn; in parts, so that memory stays bounded."""
    source = np.random.default_rng(seed)
    for count in _parts(sentences, resamples):
        drawn = source.integers(sentences, size=(count, sentences))
        yield np.stack([np.bincount(row, minlength=sentences) for row in drawn])


def _swapped(sentences: int, resamples: int, seed: int) -> Iterator[NDArray[Any]]:
    """[some shuffles, sentences]: 1 where the two systems are swapped."""
    source = np.random.default_rng(seed)
    for count in _parts(sentences, resamples):
        yield source.integers(2, size=(count, sentences)).astype(np.float64)


def _parts(sentences: int, resamples: int) -> Iterator[int]:
    largest = max(1, _DRAWS_AT_ONCE // sentences)
    for done in range(0, resamples, largest):
        yield min(largest, resamples - done)


def _scores(sums: NDArray[Any]) -> NDArray[np.float64]:
    """Ratios of sums [..., 2]; 0 where a resample has nothing to score."""
    scores = np.zeros(sums.shape[:-1])
    np.divide(sums[..., 0], sums[..., 1], out=scores, where=sums[..., 1] != 0)
    return scores


def _middle(values: NDArray[np.float64]) -> Interval:
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))


def _fraction(hits: NDArray[Any]) -> float:
    return (int(hits.sum()) + 1) / (len(hits) + 1)
