"""What becomes of memory between updates.

glibc gives blocks of 32 MB and more back to the system as soon as they are freed, and the system clears each page that
it hands out again: of a large UDGN, half a million pages per update and a tenth of its time, more on processors that
compute faster. The next update wants as much memory as the last one, so the process keeps it.
"""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Of `mallopt` (malloc.h)."""


def keep_freed_memory() -> None:
    """Let this process reuse the memory that it frees, blocks of up to 1 GB too, to its end. Other C libraries than
    glibc go on as they do."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, 2**30)
        mallopt(_TRIM_THRESHOLD, 2**31 - 1)
