"""Counts that add up over sentences, and the ratios that are made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

Same = TypeVar("Same", bound="Counts")


@dataclass(frozen=True, slots=True)
class Counts:
    """A value of numbers (or of other counts) that adds up field by field."""

    def __add__(self: Same, other: Same) -> Same:
        return type(self)(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))


def ratio(part: float, whole: float) -> float | None:
    """``part / whole``; None where there is nothing to score.

    >>> ratio(1, 4), ratio(0, 0)
    (0.25, None)
    """
    return part / whole if whole else None
