"""A random sample of what passes by, in memory that does not grow with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Generic, TypeVar

Item = TypeVar("Item")
Kept = TypeVar("Kept")


class Sample(Generic[Kept]):
    """At most ``size`` items: each that passed is as likely in it as any other."""

    def __init__(self, size: int, seed: int) -> None:
        self.items: list[Kept] = []
        self._size = size
        self._source = Random(seed)
        self._seen = 0

    def of(self, items: Iterable[Item], part: Callable[[Item], Kept]) -> Iterator[Item]:
        """The items, as they come; of those in the sample, this part is kept."""
        for item in items:
            self._seen += 1
            if len(self.items) < self._size:
                self.items.append(part(item))
            elif (position := self._source.randrange(self._seen)) < self._size:
                self.items[position] = part(item)
            yield item
