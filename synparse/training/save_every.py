"""How often a run saves a checkpoint."""

from __future__ import annotations

import math
from dataclasses import dataclass

from synparse.trees.errors import SettingError

_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}


@dataclass(frozen=True)
class SaveEvery:
    """How often to save a checkpoint, besides those at validations: after a number of updates or of seconds, infinity
    for never."""

    steps: float = math.inf
    seconds: float = 600.0

    def is_due(self, steps: int, seconds: float) -> bool:
        """Whether a checkpoint is due, this many updates and seconds after the last one."""
        return steps >= self.steps or seconds >= self.seconds


TEN_MINUTES = SaveEvery()


def save_every(value: SaveEvery | int | str) -> SaveEvery:
    """A number of updates (``500``) or a time (``90s``, ``10m``, ``1h``). Raises SettingError for anything else."""
    if isinstance(value, SaveEvery):
        return value
    text = str(value)
    unit = _SECONDS.get(text[-1:])
    try:
        every = SaveEvery(int(text), math.inf) if unit is None else SaveEvery(math.inf, float(text[:-1]) * unit)
    except ValueError:
        every = SaveEvery(0)
    if not (every.steps > 0 and every.seconds > 0):
        raise SettingError(f"--save-every takes updates (500) or time (90s, 10m, 1h), not {value!r}")
    return every
