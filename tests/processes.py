"""Processes that tests start, and wait for. No test measures time: a limit here only ends a test that hangs."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Sequence
from multiprocessing.process import BaseProcess
from typing import Any

HANG = 300
"""Seconds after which a process that has not ended hangs: far more than any of them needs on a busy machine."""

_PAUSE = 0.02


def started(words: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """A process whose output is read. Signals end it even where the tests run in a background job, whose children
    ignore Ctrl-C."""

    def heed_signals() -> None:
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)

    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heed_signals, **options)


def wait_for(condition: Callable[[], object], process: subprocess.Popen[bytes] | BaseProcess) -> None:
    """Return once the condition holds. Fails if the process ends first, or hangs."""
    for _ in range(round(HANG / _PAUSE)):
        if condition():
            return
        assert not _ends(process), "the process ended too soon"
    raise AssertionError("the process hangs")


def _ends(process: subprocess.Popen[bytes] | BaseProcess) -> bool:
    """Whether the process ends within a moment."""
    if isinstance(process, BaseProcess):
        process.join(_PAUSE)
        return process.exitcode is not None
    try:
        process.wait(_PAUSE)
    except subprocess.TimeoutExpired:
        return False
    return True
