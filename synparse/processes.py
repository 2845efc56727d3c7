"""Work on a stream by several processes, in order and in memory that does not grow."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from synparse.trees.errors import DataError

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 3
"""Items that each process may have waiting."""


def map_in_order(function: Callable[[Item], Result], items: Iterable[Item], jobs: int) -> Iterator[Result]:
    """``function`` of each item, in the order of the items; ``jobs`` processes where that is more than one.

    Items are read as there is room for them. What ``function`` raises is raised here, in its turn; DataError where a
    process dies. Ctrl-C is this process's business: the others finish the item they have, and no other.
    """
    if jobs == 1:
        yield from map(function, items)
        return
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    pool = ProcessPoolExecutor(jobs, initializer=_ignore_interrupts)
    waiting: deque[Future[Result]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise DataError("a process was killed, perhaps for want of memory; try fewer --jobs") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
