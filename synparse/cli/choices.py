"""Option values out of a fixed set."""

from __future__ import annotations

from collections.abc import Iterable

import typer


def one_of(value: str | None, known: Iterable[str], option: str) -> None:
    """Raises a usage error that names the known values."""
    names = list(known)
    if value is not None and value not in names:
        raise typer.BadParameter(f"{value!r} is none of {', '.join(names)}", param_hint=option)
