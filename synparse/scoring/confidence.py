"""How well probabilities of arcs or spans say how often these are right.

The arcs or spans are sorted by probability and cut into groups of equal size. In each, the mean probability should be
the fraction that is right. The *expected calibration error* (ECE; Naeini, Cooper and Hauskrecht, 2015, here with groups
of equal size) is the mean distance between the two, weighted by the sizes of the groups.

    >>> scores = confidence_scores([0.9, 0.6, 0.9, 0.6], [0.5, 0.5, 0.5, 0.5], [True, True, False, False], groups=2)
    >>> scores.precision, scores.precision_of_half, round(scores.raw_error, 2), round(scores.fitted_error, 2)
    (0.5, 0.5, 0.25, 0.0)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

GROUPS = 10

HALF = 0.5
"""The coverage at which precision is reported, beside that of all arcs or spans."""


class Group(NamedTuple):
    """Arcs or spans with neighbouring probabilities: their number, their mean raw and fitted probability, and the
    fraction that is right."""

    number: int
    raw: float
    fitted: float
    right: float


class ConfidenceScores(NamedTuple):
    """number: of arcs or spans; precision: the fraction that is right; precision_of_half: of the most confident half;
    raw_error, fitted_error: ECE; groups: from the least confident to the most confident."""

    number: int
    precision: float
    precision_of_half: float
    raw_error: float
    fitted_error: float
    groups: tuple[Group, ...]


def confidence_scores(raw: ArrayLike, fitted: ArrayLike, right: ArrayLike, groups: int = GROUPS) -> ConfidenceScores:
    """The scores of N arcs or spans (N ≥ 1) with raw and fitted probabilities [N], of which some are right [N].

    Fitted probabilities must not fall where raw ones rise, so both have the same groups.
    """
    of_raw, of_fitted, outcomes = (np.asarray(values, np.float64) for values in (raw, fitted, right))
    order = np.argsort(of_raw, kind="stable")
    found = tuple(
        Group(len(group), *(float(values[group].mean()) for values in (of_raw, of_fitted, outcomes)))
        for group in np.array_split(order, min(groups, len(order)))
    )
    return ConfidenceScores(
        len(order),
        float(outcomes.mean()),
        precision_of_confident(of_raw, outcomes, HALF),
        sum(one.number * abs(one.right - one.raw) for one in found) / len(order),
        sum(one.number * abs(one.right - one.fitted) for one in found) / len(order),
        found,
    )


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
