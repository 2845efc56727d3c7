"""The number of processor cores that this process may use; in a container or under `taskset` not all of them."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
"""Where the control groups are mounted."""

MEMBERSHIP = Path("/proc/self/cgroup")
"""The file that names those of this process."""


def available_cores() -> int:
    """The number of cores that this process may use, at least 1.

    ``OMP_NUM_THREADS`` if the user has set it; otherwise the smallest of the cores that the process may run on and the
    quotas of its control groups (Linux), rounded up.
    """
    asked = asked_threads(os.environ)
    if asked is not None:
        return asked
    limits = [_reachable_cores(), *map(math.ceil, _quotas())]
    return max(1, min(limits))


def asked_threads(environment: Mapping[str, str]) -> int | None:
    """The number in ``OMP_NUM_THREADS``; None if it is not set or not a positive number.

    In a list (one number for each level of nesting) the first counts, as in OpenMP.
    """
    first = environment.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return int(first) if re.fullmatch("0*[1-9][0-9]{0,8}", first) else None


def _quotas() -> list[float]:
    """The limits of this process's control groups in cores, one for each group that has a limit.

    The limits of a group's ancestors hold for it too. In a container the named group may be outside the mounted folder;
    then the mounted folder is the process's own group.
    """
    limits = []
    for line in _text(MEMBERSHIP).splitlines():  # hierarchy:controllers:path
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if not controllers:
            limits += [_ratio(*_text(folder / "cpu.max").split()) for folder in _upwards(GROUPS, path)]
        elif "cpu" in controllers.split(","):
            for mount in dict.fromkeys((GROUPS / controllers, GROUPS / "cpu")):
                limits += [
                    _ratio(_text(folder / "cpu.cfs_quota_us").strip(), _text(folder / "cpu.cfs_period_us").strip())
                    for folder in _upwards(mount, path)
                ]
    return [quota for quota in limits if quota is not None]


def _reachable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _upwards(root: Path, path: str) -> list[Path]:
    """The folder of a group below ``root`` and its parent folders, up to ``root`` itself."""
    inside = Path(path.lstrip("/"))
    if ".." in inside.parts:
        return [root]
    return [root / inside, *(root / parent for parent in inside.parents)]


def _ratio(quota: str = "", period: str = "", *_: str) -> float | None:
    """The limit of a control group, of its quota and period in microseconds; the quota is max, or in version 1 -1, for
    none."""
    if not (quota.isdigit() and period.isdigit() and int(quota) and int(period)):
        return None
    return int(quota) / int(period)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
