"""Counts that add up over sentences, and the ratios that are made of them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import add, attrgetter
from typing import ClassVar, TypeVar

Same = TypeVar("Same", bound="Counts")


@dataclass(frozen=True, slots=True)
class Counts:
    """A value of numbers that adds up field by field."""

    _values: ClassVar[Callable[[Counts], tuple[float, ...]]]

    def __init_subclass__(cls) -> None:
        cls._values = attrgetter(*cls.__annotations__)

    def __add__(self: Same, other: Same) -> Same:
        values = type(self)._values
        return type(self)(*map(add, values(self), values(other)))


def ratio(part: float, whole: float) -> float | None:
    """``part / whole``; None where there is nothing to score.

    >>> ratio(1, 4), ratio(0, 0)
    (0.25, None)
    """
    return part / whole if whole else None


@dataclass(frozen=True)
class Ratios:
    """A system's sentences: numerators and denominators of its score, 16 bytes for each."""

    numerators: array[float] = field(default_factory=lambda: array("d"))
    denominators: array[float] = field(default_factory=lambda: array("d"))

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, float]]) -> Ratios:
        ratios = cls()
        for numerator, denominator in pairs:
            ratios.append(numerator, denominator)
        return ratios

    def append(self, numerator: float, denominator: float) -> None:
        self.numerators.append(numerator)
        self.denominators.append(denominator)

    @property
    def score(self) -> float | None:
        """0 … 1; None where there is nothing to score."""
        return ratio(sum(self.numerators), sum(self.denominators))
