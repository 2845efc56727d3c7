"""What takes long to make: made by one of the processes that run the tests, and read by all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder of this name, which ``make`` fills. Where another process is doing so, wait for it."""
    import fcntl  # where there is none, these tests do not run

    root = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent
    folder, whole = root / "shared" / name, root / "shared" / f"{name}.whole"
    folder.mkdir(parents=True, exist_ok=True)
    with (root / "shared" / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            make(folder)
            whole.touch()
    return folder
