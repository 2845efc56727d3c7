"""Tables in tab-separated text: one row a line, the names of the columns in the first."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

Row: TypeAlias = Mapping[str, str]
"""Cells by column."""


def read_table(path: Path) -> list[Row]:
    """The rows of a table; none where there is no file. Cells are plain text without quotes."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
