"""Keeping memory from one update to the next.

glibc returns blocks of 32 MB and more to the system as soon as they are freed, and the system clears each page before
it hands it out again: for a large UDGN, half a million pages and a tenth of the time of an update, more on processors
that compute faster. The next update needs as much memory as the last one, so the process keeps it.
"""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Of `mallopt` (malloc.h)."""


def keep_freed_memory() -> None:
    """Let this process reuse the memory that it frees, blocks of up to 1 GB too, to its end. C libraries other
    than glibc are left as they are."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, 2**30)
        mallopt(_TRIM_THRESHOLD, 2**31 - 1)
