"""Progress on a terminal: how many items have passed, and how many in a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

SILENT_FOR = 2.0
"""Seconds of a command that need no progress."""


def counted(items: Iterable[Item], unit: str, is_shown: bool = True) -> Iterator[Item]:
    """The items, as they come. If they take more than `SILENT_FOR`, a line on standard error counts them, where that is
    a terminal; it disappears at the end. ``is_shown``: without it, nothing is written."""
    if not is_shown or not sys.stderr.isatty():
        yield from items
        return
    start = time.monotonic()
    remaining = iter(items)
    passed = 0
    for item in remaining:
        yield item
        passed += 1
        if time.monotonic() - start > SILENT_FOR:
            break
    else:
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)
        for number, item in enumerate(remaining, passed + 1):
            rate = number / (time.monotonic() - start)
            progress.update(task, description=f"{number:,} {unit}, {rate:,.0f} a second")
            yield item
