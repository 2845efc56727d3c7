"""What callers in Python give where the command line reads text: paths, and lists of names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeAlias, TypeVar

from synparse.trees.errors import SettingError

Name: TypeAlias = str | os.PathLike[str]
"""A string, or a path, which stands for its string."""

Names: TypeAlias = Name | Iterable[Name]
"""One name or several."""

Given = TypeVar("Given")


def name_given(value: Name | Given) -> str | Given:
    """A path as text; any other value as it is."""
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def names_given(values: Names) -> tuple[str, ...]:
    """One name or several, as text: a lone string is one name, not its letters. Raises SettingError for other
    values."""
    listed = (values,) if isinstance(values, str) or not isinstance(values, Iterable) else values
    names = [os.fspath(value) if isinstance(value, str | os.PathLike) else value for value in listed]
    if others := [name for name in names if not isinstance(name, str)]:
        raise SettingError(f"a name or a path, or a list of these, is needed here, not {others[0]!r}")
    return tuple(names)
