"""Probabilities of arcs and spans → how often such arcs and spans are right, learned from gold trees (supervised).

Isotonic regression (Zadrozny and Elkan, 2002) of few points: sorted by probability, the arcs or spans of gold sentences
are cut into groups of equal size; each gives a point, its mean probability and the fraction that is right. Neighbouring
groups whose fractions would fall with the probability are joined (the pool-adjacent-violators algorithm). Between
points, the map is a straight line; beyond the first and the last one, it is flat.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synparse.trees.errors import SettingError

GROUPS = 10
"""Points of a map, at most."""

DIGITS = 6
"""Digits of the numbers in a map, after the point."""


@dataclass(frozen=True)
class CalibrationMap:
    """A map from raw probabilities to fitted ones, which never falls: its points, in order.

    Raises SettingError if the points are not in order, or no probabilities.
    """

    raw: tuple[float, ...] = ()
    fitted: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if len(self.raw) != len(self.fitted) or not self.raw:
            raise SettingError("raw and fitted must have the same number of points, one at least")
        if any(not 0 <= value <= 1 for value in (*self.raw, *self.fitted)):
            raise SettingError("raw and fitted must be probabilities")
        if any(np.diff(self.raw) <= 0) or any(np.diff(self.fitted) < 0):
            raise SettingError("raw must rise from point to point, and fitted must not fall")

    def of(self, probabilities: ArrayLike) -> NDArray[np.float64]:
        """The fitted probability of each raw one.

        >>> CalibrationMap((0.25, 0.75), (0.0, 0.5)).of([0.0, 0.5, 1.0]).tolist()
        [0.0, 0.25, 0.5]
        """
        found: NDArray[np.float64] = np.interp(np.asarray(probabilities, np.float64), self.raw, self.fitted)
        return found

    def of_known(self, probabilities: Iterable[float | None]) -> tuple[float | None, ...]:
        """The same; None stays None."""
        return tuple(None if value is None else float(self.of(value)) for value in probabilities)


def fitted_map(probabilities: ArrayLike, right: ArrayLike, groups: int = GROUPS) -> CalibrationMap:
    """The map of the raw probabilities [N] of arcs or spans (N ≥ 1), of which some are ``right`` [N]."""
    values, outcomes = np.asarray(probabilities, np.float64), np.asarray(right, np.float64)
    order = np.argsort(values, kind="stable")
    pools: list[tuple[float, float, int]] = []  # the sum of probabilities, how many are right, how many there are
    for group in np.array_split(order, min(groups, len(order))):
        pools.append((float(values[group].sum()), float(outcomes[group].sum()), len(group)))
        while len(pools) > 1 and not _rises(*pools[-2:]):
            (one, right_of_one, size), (other, right_of_other, size_of_other) = pools[-2:]
            pools[-2:] = [(one + other, right_of_one + right_of_other, size + size_of_other)]
    points = [(round(total / size, DIGITS), round(right_of / size, DIGITS)) for total, right_of, size in pools]
    return CalibrationMap(*map(tuple, zip(*points, strict=True)))


def _rises(one: tuple[float, float, int], other: tuple[float, float, int]) -> bool:
    """Whether the second group has a higher probability, and a higher fraction that is right."""
    return all(round(one[k] / one[2], DIGITS) < round(other[k] / other[2], DIGITS) for k in (0, 1))
