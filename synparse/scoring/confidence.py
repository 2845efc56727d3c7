"""How well probabilities of arcs or spans say how often these are right.

The arcs or spans are sorted by probability and cut into groups of equal size. In each, the mean probability should be
the fraction that is right. The *expected calibration error* (ECE; Naeini, Cooper and Hauskrecht, 2015, here with groups
of equal size) is the mean distance between the two, weighted by the sizes of the groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

GROUPS = 10


class Group(NamedTuple):
    """Arcs or spans with neighbouring probabilities: their number, their mean probability, and the fraction that is
    right."""

    number: int
    probability: float
    right: float


def confidence_scores(raw: ArrayLike, fitted: ArrayLike, right: ArrayLike) -> dict[str, Any]:
    """The scores of N arcs or spans (N ≥ 1) with raw and fitted probabilities [N], of which some are right [N], as
    plain values.

    number: N; precision: the fraction that is right; precision_of_half: that of the half with the highest raw
    probabilities; raw_error, fitted_error: ECE; raw, fitted: the groups, from the least confident to the most
    confident.
    """
    outcomes = np.asarray(right, np.float64)
    raw_groups, fitted_groups = reliability(raw, right), reliability(fitted, right)
    return {
        "number": len(outcomes),
        "precision": float(outcomes.mean()),
        "precision_of_half": precision_of_half(raw, right),
        "raw_error": expected_calibration_error(raw_groups),
        "fitted_error": expected_calibration_error(fitted_groups),
        "raw": [group._asdict() for group in raw_groups],
        "fitted": [group._asdict() for group in fitted_groups],
    }


def reliability(probabilities: ArrayLike, right: ArrayLike, groups: int = GROUPS) -> tuple[Group, ...]:
    """Groups of equal size, by rising probability; equal ones stay in their order."""
    values, outcomes = np.asarray(probabilities, np.float64), np.asarray(right, np.float64)
    order = np.argsort(values, kind="stable")
    return tuple(
        Group(len(group), float(values[group].mean()), float(outcomes[group].mean()))
        for group in np.array_split(order, min(groups, len(order)))
    )


def expected_calibration_error(groups: Sequence[Group]) -> float:
    """The mean distance between probability and fraction that is right.

    >>> expected_calibration_error(reliability([0.9, 0.6, 0.9, 0.6], [True, True, False, False], groups=2))
    0.25
    """
    number = sum(group.number for group in groups)
    return sum(group.number * abs(group.right - group.probability) for group in groups) / number


def precision_of_half(probabilities: ArrayLike, right: ArrayLike) -> float:
    """The fraction that is right of the half with the highest probabilities.

    Of equal probabilities at the border, as large a part counts as fits.

    >>> precision_of_half([0.9, 0.8, 0.8, 0.1], [True, True, False, False])
    0.75
    """
    values, outcomes = np.asarray(probabilities, np.float64), np.asarray(right, np.float64)
    wanted = len(values) / 2
    border = np.sort(values)[::-1][int(np.ceil(wanted)) - 1]
    above, at_border = values > border, values == border
    rest = (wanted - above.sum()) * outcomes[at_border].mean()
    return float((outcomes[above].sum() + rest) / wanted)
