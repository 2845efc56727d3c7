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

HALF = 0.5
"""The coverage at which precision is reported, beside that of all arcs or spans."""


class Group(NamedTuple):
    """Arcs or spans with neighbouring probabilities: their number, their mean probability, and the fraction that is
    right."""

    number: int
    probability: float
    right: float


class ConfidenceScores(NamedTuple):
    """number: of arcs or spans; precision: the fraction that is right; precision_of_half: of the half with the highest
    raw probabilities; raw_error, fitted_error: ECE; raw, fitted: the groups, from the least confident to the most
    confident."""

    number: int
    precision: float
    precision_of_half: float
    raw_error: float
    fitted_error: float
    raw: tuple[Group, ...]
    fitted: tuple[Group, ...]


def confidence_scores(raw: ArrayLike, fitted: ArrayLike, right: ArrayLike) -> ConfidenceScores:
    """The scores of N arcs or spans (N ≥ 1) with raw and fitted probabilities [N], of which some are right [N]."""
    outcomes = np.asarray(right, np.float64)
    raw_groups, fitted_groups = reliability(raw, right), reliability(fitted, right)
    return ConfidenceScores(
        len(outcomes),
        float(outcomes.mean()),
        precision_of_confident(raw, right, HALF),
        expected_calibration_error(raw_groups),
        expected_calibration_error(fitted_groups),
        raw_groups,
        fitted_groups,
    )


def values_of(raw: ArrayLike, fitted: ArrayLike, right: ArrayLike) -> dict[str, Any]:
    """`confidence_scores` as plain values."""
    scores = confidence_scores(raw, fitted, right)
    groups = {kind: [group._asdict() for group in getattr(scores, kind)] for kind in ("raw", "fitted")}
    return {**scores._asdict(), **groups}


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


def precision_of_confident(probabilities: ArrayLike, right: ArrayLike, coverage: float) -> float:
    """The fraction that is right of the ``coverage`` (above 0, up to 1) with the highest probabilities.

    Of equal probabilities at the border, as large a part counts as fits.

    >>> precision_of_confident([0.9, 0.8, 0.8, 0.1], [True, True, False, False], 0.5)
    0.75
    """
    values, outcomes = np.asarray(probabilities, np.float64), np.asarray(right, np.float64)
    wanted = coverage * len(values)
    border = np.sort(values)[::-1][int(np.ceil(wanted)) - 1]
    above, at_border = values > border, values == border
    rest = (wanted - above.sum()) * outcomes[at_border].mean()
    return float((outcomes[above].sum() + rest) / wanted)
