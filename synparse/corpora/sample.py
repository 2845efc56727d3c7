"""A random sample of a stream, in constant memory: reservoir sampling (Vitter, 1985, algorithm R).

Samples of the parts of a stream are joined: how many items come from each part is hypergeometric, as if so many items
had been drawn from the whole stream at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from random import Random
from typing import Generic, TypeVar

Item = TypeVar("Item")
Kept = TypeVar("Kept")


class Sample(Generic[Kept]):
    """At most ``size`` items of a stream, in which every item has the same probability to be. ``part``: the number of
    the part of a stream, from 0, whose samples are to be joined; each draws numbers of its own."""

    def __init__(self, size: int, seed: int, part: int = 0) -> None:
        self.items: list[Kept] = []
        self._size = size
        self._source = Random(seed + (part << 32))
        self._seen = 0

    def of(self, items: Iterable[Item], part: Callable[[Item], Kept]) -> Iterator[Item]:
        """The same items, one by one; the sample keeps ``part(item)`` of those that it chooses."""
        for item in items:
            self.offer(partial(part, item))
            yield item

    def offer(self, item: Callable[[], Kept]) -> None:
        """Take the next item of the stream, which is made only if it is chosen."""
        self._seen += 1
        is_full = len(self.items) == self._size
        position = self._source.randrange(self._seen) if is_full else len(self.items)
        if position < self._size:
            self.items[position : position + 1] = [item()]

    def join(self, later: Sample[Kept]) -> None:
        """Make this the sample of its stream and a later part. Time O(the smaller of the size and the items there)."""
        draws, marked = sorted((self._size, later._seen))
        self._seen += later._seen
        chosen = 0  # of the later part
        for drawn in range(draws):
            chosen += self._source.randrange(self._seen - drawn) < marked - chosen
        items = later.items if chosen == len(later.items) else self._source.sample(later.items, chosen)
        room = min(self._size, self._seen) - len(self.items)
        dropped = self._source.sample(range(len(self.items)), chosen - room)
        for position, item in zip(dropped, items[room:], strict=True):
            self.items[position] = item
        self.items += items[:room]
