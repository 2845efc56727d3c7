"""A random sample of a stream, in constant memory: reservoir sampling (Vitter, 1985, algorithm R)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Generic, TypeVar

Item = TypeVar("Item")
Kept = TypeVar("Kept")


class Sample(Generic[Kept]):
    """At most ``size`` items of a stream, in which every item has the same probability to be."""

    def __init__(self, size: int, seed: int) -> None:
        self.items: list[Kept] = []
        self._size = size
        self._source = Random(seed)
        self._seen = 0

    def of(self, items: Iterable[Item], part: Callable[[Item], Kept]) -> Iterator[Item]:
        """The same items, one by one; the sample keeps ``part(item)`` of those that it chooses."""
        for item in items:
            if (position := self._position()) is not None:
                self._put(position, part(item))
            yield item

    def offer(self, item: Kept) -> None:
        """The next item of the stream."""
        if (position := self._position()) is not None:
            self._put(position, item)

    def _position(self) -> int | None:
        """Where the next item of the stream goes; None: it is left out."""
        self._seen += 1
        if len(self.items) < self._size:
            return len(self.items)
        return position if (position := self._source.randrange(self._seen)) < self._size else None

    def _put(self, position: int, item: Kept) -> None:
        self.items[position : position + 1] = [item]
