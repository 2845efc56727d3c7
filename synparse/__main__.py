"""``synparse`` and ``python -m synparse``."""

from __future__ import annotations

import atexit
import contextlib
import gc
import io
import os
import signal
import sys

from synparse.files.signals import TERMINATING, Terminated, terminable

BY_SIGNAL = 128
"""The exit code of a command that a signal has ended, less the signal's number."""

YOUNG_OBJECTS = 100_000
"""Objects after which the collector of reference cycles looks for some, 700 by default. Imports make objects that stay:
to look at them again and again takes a third of the time in which PyTorch is imported."""


def main() -> None:
    """Run the command line and exit."""
    gc.set_threshold(YOUNG_OBJECTS)
    # Read as NumPy is imported, which would else start a thread for each core; its products here are small.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    atexit.register(gc.freeze)  # or all of them would be looked at once more, before the process ends
    try:
        with terminable():
            code = _run()
    except KeyboardInterrupt:
        code = _stopped("interrupted", signal.SIGINT)
    except Terminated as error:
        code = _stopped("terminated", error.number)
    for number in (signal.SIGINT, *TERMINATING):  # all is done and said, and Python would print where it was
        signal.signal(number, signal.SIG_IGN)
    sys.exit(code)


def _run() -> int:
    from synparse.cli.app import run
    from synparse.files.streams import TEXT_OUT, open_closed_streams

    open_closed_streams()
    if isinstance(sys.stdout.buffer, io.RawIOBase):  # PYTHONUNBUFFERED: what is written in part would be lost
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(sys.stdout.buffer))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # UTF-8 with line feeds, whatever the locale
            stream.reconfigure(**TEXT_OUT)
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # told already, but Python flushes once more at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code


def _stopped(how: str, number: int) -> int:
    with contextlib.suppress(OSError):  # the terminal may be closed
        print(f"synparse: {how}", file=sys.stderr)
    return BY_SIGNAL + number


if __name__ == "__main__":
    main()
