"""Calibration maps, from the probabilities of arcs and spans to how often these are right; learned from gold trees.

Isotonic regression (Zadrozny and Elkan, 2002) of few points: sorted by probability, the arcs or spans of gold sentences
are cut into groups of equal size; each gives a point, its mean log-odds log p / (1 − p) and the fraction that is right.
(Many probabilities differ from 1 by less than a millionth, and log-odds tell them apart.) Neighbouring groups whose
fractions would fall with the probability share the fraction of all of them (the pool-adjacent-violators algorithm).
Between points, the map is a straight line; beyond the first and the last one, it is flat.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synparse.trees.errors import SettingError

GROUPS = 10
"""Points of a map, at most."""

DIGITS = 4
"""Digits of the numbers in a map, after the point."""

NEAREST = 1e-12
"""Probabilities nearer to 0 or 1 count as that near."""


@dataclass(frozen=True)
class CalibrationMap:
    """A map from raw probabilities to fitted ones, which never falls: its points, in order of the log-odds of raw ones.

    Raises SettingError if the points are not in order, or no probabilities.
    """

    log_odds: tuple[float, ...] = ()
    fitted: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if len(self.log_odds) != len(self.fitted) or not self.fitted:
            raise SettingError("log_odds and fitted must have the same number of points, one at least")
        if not np.isfinite(self.log_odds).all() or any(not 0 <= value <= 1 for value in self.fitted):
            raise SettingError("log_odds must be finite numbers, and fitted must be probabilities")
        if any(np.diff(self.log_odds) <= 0) or any(np.diff(self.fitted) < 0):
            raise SettingError("log_odds must rise from point to point, and fitted must not fall")

    def of(self, probabilities: ArrayLike) -> NDArray[np.float64]:
        """The fitted probability of each raw one.

        >>> CalibrationMap((-1.0, 1.0), (0.25, 0.75)).of([0.0, 0.5, 1.0]).tolist()
        [0.25, 0.5, 0.75]
        """
        fitted: NDArray[np.float64] = np.interp(log_odds_of(probabilities), self.log_odds, self.fitted)
        return fitted

    def calibrated(self, probabilities: Iterable[float | None]) -> tuple[float | None, ...]:
        """The fitted probability of each raw one; None for None."""
        return tuple(None if value is None else float(self.of(value)) for value in probabilities)


def log_odds_of(probabilities: ArrayLike) -> NDArray[np.float64]:
    """log p / (1 − p), for probabilities from `NEAREST` to 1 − `NEAREST`."""
    values = np.clip(np.asarray(probabilities, np.float64), NEAREST, 1 - NEAREST)
    log_odds: NDArray[np.float64] = np.log(values) - np.log1p(-values)
    return log_odds


def fitted_map(probabilities: ArrayLike, right: ArrayLike, groups: int = GROUPS) -> CalibrationMap:
    """The map of the raw probabilities [N] of arcs or spans (N ≥ 1), of which some are ``right`` [N]."""
    values, outcomes = log_odds_of(probabilities), np.asarray(right, np.float64)
    order = np.argsort(values, kind="stable")
    right_and_size: dict[float, NDArray[np.float64]] = {}  # of each point
    for group in np.array_split(order, min(groups, len(order))):
        centre = round(float(values[group].mean()), DIGITS)
        counts = np.array([outcomes[group].sum(), len(group)])
        right_and_size[centre] = right_and_size.get(centre, 0) + counts
    pools: list[tuple[int, NDArray[np.float64]]] = []  # how many points, and their counts
    for counts in right_and_size.values():
        pools.append((1, counts))
        while len(pools) > 1 and _fraction(pools[-2]) >= _fraction(pools[-1]):
            (points, counts), (others, other_counts) = pools[-2:]
            pools[-2:] = [(points + others, counts + other_counts)]
    return CalibrationMap(tuple(right_and_size), tuple(_fraction(pool) for pool in pools for _ in range(pool[0])))


def _fraction(pool: tuple[int, NDArray[np.float64]]) -> float:
    right, size = pool[1]
    return round(float(right / size), DIGITS)
