"""The mean of what several models score, and the standard deviation between them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from typing import NamedTuple


class Spread(NamedTuple):
    """The mean of several models' values and their sample standard deviation, None of a single one."""

    mean: float
    deviation: float | None
    models: int


def spread(values: Iterable[float | None], factor: int = 100) -> Spread | None:
    """Of values times ``factor``, so of fractions in per cent; None where there are no values."""
    known = [factor * value for value in values if value is not None]
    if not known:
        return None
    return Spread(statistics.fmean(known), statistics.stdev(known) if len(known) > 1 else None, len(known))


def spread_cell(values: Iterable[float | None], factor: int = 100, digits: int = 2) -> str:
    """Mean and standard deviation; a dash where there is no value."""
    summary = spread(values, factor)
    if summary is None:
        return "–"
    mean = f"{summary.mean:.{digits}f}"
    return mean if summary.deviation is None else f"{mean} ± {summary.deviation:.{digits}f}"


def plain_spread(
    values: Iterable[float | None], factor: int = 100, digits: int = 2
) -> dict[str, float | int | None] | None:
    """Mean, deviation and number of values times ``factor``."""
    summary = spread(values, factor)
    if summary is None:
        return None
    mean, deviation = (rounded(value, digits=digits) for value in (summary.mean, summary.deviation))
    return {"mean": mean, "deviation": deviation, "models": summary.models}


def rounded(value: float | None, factor: int = 1, digits: int = 2) -> float | None:
    """A value times a factor with so many digits; None where it is None or no number."""
    return None if value is None or math.isnan(value) else round(factor * value, digits)
