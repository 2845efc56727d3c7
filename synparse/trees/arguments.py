"""What callers in Python give where the command line reads text: paths, lists of names, and numbers."""

from __future__ import annotations

import math
import numbers
import os
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

from synparse.trees.errors import SettingError

Name: TypeAlias = str | os.PathLike[str]
"""A string, or a path, which stands for its string."""

Names: TypeAlias = Name | Iterable[Name]
"""One name or several."""

LARGEST_SEED = 2**63 - 1
"""Seeds of PyTorch have 64 bits, and those of the networks of a run are somewhat larger than its own."""

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


def named_once(paths: Iterable[str]) -> list[str]:
    """The paths without those that name an earlier one, perhaps in other words (a, ./a, a/): it would count twice."""
    first: dict[str, str] = {}
    for path in paths:
        first.setdefault(os.path.realpath(path), path)
    return list(first.values())


def refuse_repeated(paths: Sequence[str]) -> None:
    """Raises SettingError where `named_once` would leave out a path."""
    once = named_once(paths)
    for number, path in enumerate(paths):
        if number >= len(once) or path != once[number]:
            raise SettingError(f"{path} is named twice; name it once")


def number_given(name: str, value: Any, least: float, most: float = math.inf, is_whole: bool = True) -> Any:
    """A number as Python's own int or float, because what is saved and seeded takes no number of NumPy. Raises
    SettingError for what is no number from ``least`` to ``most``, is not finite, or not whole where that is needed."""
    is_number = isinstance(value, numbers.Integral if is_whole else numbers.Real)
    if not is_number or not least <= value <= most or value == math.inf:
        bounds = f"of at least {least:g}" if most == math.inf else f"between {least:g} and {most}"
        raise SettingError(f"{name} must be a {'whole ' * is_whole}number {bounds}, not {value!r}")
    return int(value) if isinstance(value, numbers.Integral) else float(value)
