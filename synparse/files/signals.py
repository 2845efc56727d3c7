"""Signals that end a process: Ctrl-C, SIGTERM and SIGHUP as exceptions, so that what a command has begun to write is
removed on the way out; and moments in which none may arrive."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import TypeAlias

TERMINATING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals to end, beside Ctrl-C. SIGHUP, where there is one, says that the terminal has been closed."""

Handler: TypeAlias = Callable[[int, "FrameType | None"], object]

_PAUSE = 0.05
"""In seconds, until a signal that has arrived during an import comes again."""

_IMPORTS = "<frozen importlib._bootstrap>"
"""The file of the functions that import modules, as frames have it."""


class Terminated(BaseException):
    """One of `TERMINATING` has arrived: ``number``."""

    def __init__(self, number: int) -> None:
        self.number = number


@contextlib.contextmanager
def terminable() -> Iterator[None]:
    """Within, `TERMINATING` raise `Terminated` and Ctrl-C KeyboardInterrupt, after the imports at hand; a signal that
    is ignored, as SIGHUP is by nohup, stays so. Python handles signals in its first thread alone; in another one this
    does nothing."""

    def terminate(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)  # of a closed terminal, the shell and the system both tell
        raise Terminated(number)

    with signals_handled({signal.SIGINT: signal.default_int_handler, **dict.fromkeys(TERMINATING, terminate)}):
        yield


@contextlib.contextmanager
def signals_handled(handlers: Mapping[int, Handler]) -> Iterator[None]:
    """Within, signals have these handlers, as in `terminable`: what is raised in an import may be printed and lost, as
    in its callbacks of weak references, or become another error in libraries like PyTorch."""
    before = {number: signal.getsignal(number) for number in handlers if _is_first_thread()}
    handled = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in handled:
        signal.signal(number, _after_imports(handlers[number]))
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, before[number])


def _after_imports(handle: Handler) -> Handler:
    def handle_or_wait(number: int, frame: FrameType | None) -> None:
        if not _is_importing(frame):
            handle(number, frame)
            return
        again = threading.Timer(_PAUSE, _send, [threading.get_ident(), number])
        again.daemon = True
        again.start()

    return handle_or_wait


def _send(thread: int, number: int) -> None:
    if sys.platform == "win32":  # where the first thread handles what any of them raises
        signal.raise_signal(number)
    else:
        signal.pthread_kill(thread, number)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTS:
            return True
        frame = frame.f_back
    return False


@contextlib.contextmanager
def signals_wait() -> Iterator[None]:
    """Within, Ctrl-C and `TERMINATING` wait until the end: a process that is starting has to be known before it can be
    ended. (Blocked signals would stay blocked in the process.)"""
    received: list[int] = []
    numbers = (signal.SIGINT, *TERMINATING) if _is_first_thread() else ()
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
