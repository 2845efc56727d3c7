"""Confidence intervals of fractions."""

from __future__ import annotations

import math
from typing import NamedTuple

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
