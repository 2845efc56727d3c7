"""How closely two quantities go together: Pearson's and Spearman's coefficients of correlation.

Pearson's r is the covariance over the product of the standard deviations; it is 1 or −1 where the points lie on a line.
Spearman's ρ is Pearson's r of the ranks, where equal values share the mean of their ranks, so it asks only whether one
quantity grows with the other. Neither is known where a quantity has one value alone. Hand-worked, with a tie:

    >>> mean_ranks([10, 30, 20, 30])
    [1.0, 3.5, 2.0, 3.5]
    >>> round(spearman([1, 2, 3, 4], [10, 30, 20, 30]), 3)  # 3 / √(5 · 4.5)
    0.632
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's ρ of paired values, −1 … 1; None where one of the two has a single value, or none. O(n log n).

    Raises ValueError where the two differ in length.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} values make no pairs")
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    mean = (len(first) + 1) / 2
    x, y = ([rank - mean for rank in mean_ranks(values)] for values in (first, second))
    together = sum(a * b for a, b in zip(x, y, strict=True))
    rho = together / sqrt(sum(a * a for a in x)) / sqrt(sum(b * b for b in y))
    return max(-1.0, min(1.0, rho))


def mean_ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value, from 1 for the least; equal values have the mean of the ranks that they take up."""
    ranks = [0.0] * len(values)
    before = 0
    for _, equal in groupby(sorted(range(len(values)), key=values.__getitem__), key=values.__getitem__):
        positions = list(equal)
        for position in positions:
            ranks[position] = before + (len(positions) + 1) / 2
        before += len(positions)
    return ranks


def correlation_matrix(rows: NDArray[Any], columns: NDArray[Any]) -> NDArray[Any]:
    """Pearson's r of each column of ``rows`` [N, R] with each column of ``columns`` [N, K]: [R, K], NaN where it is not
    known. In float64."""
    import numpy as np

    def standardised(values: NDArray[Any]) -> NDArray[Any]:
        deviations = values - values.mean(0, dtype=np.float64)
        length = np.sqrt((deviations**2).sum(0))
        is_constant = (values == values[:1]).all(0) | (length == 0)
        return np.asarray(deviations / np.where(is_constant, np.nan, length))

    if not len(rows):
        return np.full((rows.shape[1], columns.shape[1]), np.nan)
    return np.asarray(np.clip(standardised(rows).T @ standardised(columns), -1.0, 1.0))
