"""Requests to stop a run: Ctrl-C (SIGINT), SIGTERM and SIGHUP. The run saves its state first.

An update takes seconds at the papers' sizes, a validation minutes. Work that does not change the model is
abandoned half-way, so that a run stops within seconds; a second Ctrl-C stops it at once.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

from synparse.files.signals import TERMINATING, signals_handled


class Abandoned(BaseException):
    """The run was asked to stop during work that it can abandon."""


class StopRequest:
    """signal: the one that asked the run to stop, None as long as there was none."""

    def __init__(self) -> None:
        self.signal: int | None = None
        self._is_saving_possible = False
        self._is_abandonable = False

    @property
    def is_made(self) -> bool:
        return self.signal is not None

    @contextlib.contextmanager
    def heeded(self) -> Iterator[None]:
        """Within, a first signal only asks; elsewhere, it raises KeyboardInterrupt."""
        self._is_saving_possible = True
        try:
            yield
        finally:
            self._is_saving_possible = False

    @contextlib.contextmanager
    def abandoning(self) -> Iterator[None]:
        """Within, a first signal raises `Abandoned`."""
        if self.signal is not None:
            raise Abandoned
        self._is_abandonable = True
        try:
            yield
        finally:
            self._is_abandonable = False

    def receive(self, number: int, _: FrameType | None) -> None:
        """Note a signal. Raises KeyboardInterrupt where nothing can be saved, and at a second Ctrl-C."""
        is_second = self.is_made
        if is_second and number != signal.SIGINT:
            return
        self.signal = self.signal or number
        if is_second or not self._is_saving_possible:
            raise KeyboardInterrupt
        if self._is_abandonable:
            self._is_abandonable = False
            raise Abandoned


@contextlib.contextmanager
def stop_on_signals() -> Iterator[StopRequest]:
    """Within, SIGINT, SIGTERM and SIGHUP go to the request, as `synparse.files.signals.signals_handled` says."""
    request = StopRequest()
    with signals_handled(dict.fromkeys((signal.SIGINT, *TERMINATING), request.receive)):
        yield request
