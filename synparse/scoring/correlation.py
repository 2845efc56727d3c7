"""How closely two quantities go together: Pearson's and Spearman's coefficients of correlation.

Pearson's r is the covariance over the product of the standard deviations; it is 1 or −1 where the points lie on a line.
Spearman's ρ is Pearson's r of the ranks, where equal values share the mean of their ranks, so it asks only whether one
quantity grows with the other. Neither is known where a quantity has one value alone. Hand-worked, with a tie:

    >>> round(pearson([1, 2, 3, 4], [2, 4, 5, 9]), 3)  # sum of products 11, of squares 5 and 26: 11 / √(5 · 26)
    0.965
    >>> mean_ranks([10, 30, 20, 30])
    [1.0, 3.5, 2.0, 3.5]
    >>> round(spearman([1, 2, 3, 4], [10, 30, 20, 30]), 3)  # 3 / √(5 · 4.5)
    0.632
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import frexp, fsum, ldexp, sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's r of paired values, −1 … 1; None where one of the two has a single value, or none.

    Raises ValueError where the two differ in length.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} values make no pairs")
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    x, y = _deviations(first), _deviations(second)
    together = fsum(a * b for a, b in zip(x, y, strict=True))
    r = together / sqrt(fsum(a * a for a in x)) / sqrt(fsum(b * b for b in y))
    return max(-1.0, min(1.0, r))


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's ρ of paired values, −1 … 1; None and errors as with `pearson`. O(n log n)."""
    return pearson(mean_ranks(first), mean_ranks(second))


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
    known. In float64; agrees with `pearson` to rounding."""
    import numpy as np

    def standardised(values: NDArray[Any]) -> NDArray[Any]:
        deviations = values - values.mean(0, dtype=np.float64)
        length = np.sqrt((deviations**2).sum(0))
        is_constant = (values == values[:1]).all(0) | (length == 0)
        return np.asarray(deviations / np.where(is_constant, np.nan, length))

    if not len(rows):
        return np.full((rows.shape[1], columns.shape[1]), np.nan)
    return np.asarray(np.clip(standardised(rows).T @ standardised(columns), -1.0, 1.0))


def _deviations(values: Sequence[float]) -> list[float]:
    """From the mean, scaled by a power of two so that no square overflows or vanishes."""
    mean = fsum(value / len(values) for value in values)
    deviations = [value - mean for value in values]
    _, exponent = frexp(max(map(abs, deviations)))
    return [ldexp(deviation, -exponent) for deviation in deviations]
