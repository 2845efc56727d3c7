"""What PyTorch's launcher tells the processes of a run, in their environment. Needs no PyTorch."""

from __future__ import annotations

import os


def is_launched() -> bool:
    """Whether PyTorch's launcher started this process as one of several."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


def is_first() -> bool:
    """Whether this process is the one that writes and reports. A process that is alone is, whatever its rank says:
    schedulers of clusters set it, too."""
    return not is_launched() or int(os.environ.get("RANK", "0")) == 0


def processes_here() -> int:
    """How many processes of the run are on this machine."""
    return int(os.environ.get("LOCAL_WORLD_SIZE", os.environ.get("WORLD_SIZE", "1")))


def restarts() -> int:
    """How often the launcher has restarted this run because one of its processes died."""
    return int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0"))
