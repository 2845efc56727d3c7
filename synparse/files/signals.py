"""Signals that end a process: SIGTERM as an exception, so that what a command has begun to write is removed on the way
out; and moments in which none may arrive."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator


class Terminated(BaseException):
    """SIGTERM has arrived."""


@contextlib.contextmanager
def terminable() -> Iterator[None]:
    """Within, SIGTERM raises `Terminated`, unless it is ignored. Python handles signals in its first thread alone; in
    another one this does nothing."""

    def terminate(*_: object) -> None:
        raise Terminated

    before = signal.getsignal(signal.SIGTERM)
    if not _is_first_thread() or before is signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def signals_wait() -> Iterator[None]:
    """Within, Ctrl-C and SIGTERM wait until the end: a process that is starting has to be known before it can be
    ended. (Blocked signals would stay blocked in the process.)"""
    received: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM) if _is_first_thread() else ()
    handlers = [signal.signal(number, lambda number, _: received.append(number)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, handlers, strict=True):
            signal.signal(number, handler)
        for late in received:
            signal.raise_signal(late)


def _is_first_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
