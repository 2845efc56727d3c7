"""What sizes a model may have: more than any that can be trained here, and few enough to build its shapes at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from typing import Any

LARGEST_SIZE = 65_536
MOST_LAYERS = 1_000


def check_sizes(config: Any, may_be_zero: Collection[str] = ()) -> None:
    """Raises ValueError where a whole number of a model's settings, a dataclass, is no possible size.

    Sizes go from 1 (from 0 where named in ``may_be_zero``) to `LARGEST_SIZE`, numbers of layers to `MOST_LAYERS`.
    """
    for name, value in dataclasses.asdict(config).items():
        if isinstance(value, bool) or not isinstance(value, int):
            continue
        least = 0 if name in may_be_zero else 1
        most = MOST_LAYERS if name.endswith("layers") else LARGEST_SIZE
        if value < least:
            raise ValueError(f"{name} must be at least {least}, not {value}")
        if value > most:
            raise ValueError(f"{name} must be at most {most}, not {value}")
