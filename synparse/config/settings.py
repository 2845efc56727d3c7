"""Settings from YAML as frozen dataclasses; unknown settings are errors.

Each dataclass declares types, bounds and choices in its annotations, and msgspec checks them. They are dataclasses
rather than `msgspec.Struct` so that `dataclasses.asdict` and `replace` work on them and on what holds them.
"""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from synparse.config import renamed
from synparse.trees.errors import SettingError

Settings = TypeVar("Settings")

LARGEST_NUMBER = 2**53
"""Largest absolute value of a whole number: up to here a float holds every whole number."""

_WORDS = {
    **{"int": "a whole number", "float": "a number", "str": "text", "bool": "true or false", "array": "a list"},
    **{">=": "of at least", "<=": "of at most", ">": "above", "<": "below", "|": "or"},
}
"""What msgspec writes of a type or bound, in plain words."""


def plain_settings(settings: Any) -> dict[str, Any]:
    """A dataclass of settings as plain values, as YAML and JSON have them: the inverse of `settings_of`."""
    return dataclasses.asdict(
        settings,
        dict_factory=lambda pairs: {key: list(value) if isinstance(value, tuple) else value for key, value in pairs},
    )


def settings_of(kind: type[Settings], values: object, section: str) -> Settings:
    """Values as the dataclass ``kind``; None gives the defaults, and names of version 0.1 are read as the present ones.

    ``section`` is put before names in messages. Raises SettingError where ``values`` is no mapping, or a setting is
    unknown or missing, not of its type, not finite, out of its bounds or beyond `LARGEST_NUMBER`.
    """
    types = get_type_hints(kind)
    named = mapping_of(values, section).items()
    settings: dict[str, Any] = {
        renamed.SETTINGS.get(str(name), str(name)): value for name, value in named if name not in renamed.DROPPED
    }
    refuse_unknown(settings, names_in(kind), f"{section}.")
    for name, value in settings.items():
        if types[name] is float and isinstance(value, str):  # YAML 1.1 reads 1e-3 as text
            with contextlib.suppress(ValueError):
                settings[name] = value = float(value)
        for number in value if isinstance(value, list) else [value]:
            if isinstance(number, float) and not math.isfinite(number):
                raise SettingError(f"{section}.{name} must be a finite number, not {number}", name)
            if isinstance(number, int) and abs(number) > LARGEST_NUMBER:
                raise SettingError(f"{section}.{name} must be at most {LARGEST_NUMBER}, not {number}", name)
    try:
        return msgspec.convert(settings, kind)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$.")
        if not path:  # Object missing required field `name`
            raise SettingError(f"{section}.{problem.split('`')[1]} is missing") from None
        name, is_element, _ = path.rstrip("`").partition("[")  # heads[0] is in the list heads
        needed = "a list of " * bool(is_element) + _required(problem, types[name])
        raise SettingError(f"{section}.{name} must be {needed}, not {settings[name]!r}", name) from None
    except SettingError as error:
        raise SettingError(f"{section}: {error}", error.key) from None


def names_in(kind: Any) -> list[str]:
    """The names of the settings of a dataclass."""
    return [field.name for field in dataclasses.fields(kind)]


def recipe_of(values: object, kind: Any) -> Mapping[str, Any]:
    """The values of the dataclass ``kind``. Raises SettingError where they are no mapping, or a key is unknown."""
    if not isinstance(values, Mapping):
        raise SettingError(f"a recipe is a mapping with the keys {', '.join(names_in(kind))}")
    refuse_unknown(values, names_in(kind), "")
    return values


def mapping_of(values: object, section: str) -> Mapping[str, Any]:
    """The values of a section, none for None. Raises SettingError where they are no mapping."""
    if not isinstance(values, Mapping | None):
        raise SettingError(f"{section} must be a mapping of settings")
    return values or {}


def _required(problem: str, kind: object) -> str:
    """What a setting must be, of msgspec's ``Expected `int` >= 1`` or ``Expected `int`, got `str```."""
    if get_origin(kind) is Literal:
        return f"one of {', '.join(map(str, get_args(kind)))}"
    expected = problem.removeprefix("Expected ").partition(", got")[0].replace("`", "")
    return " ".join(_WORDS.get(word, word) for word in expected.split())


def refuse_unknown(names: Iterable[object], known: Sequence[str], prefix: str) -> None:
    """Raises SettingError for a name that is not known, with the nearest one that is."""
    for name in names:
        if name not in known:
            close = difflib.get_close_matches(str(name), known, 1)
            hint = f"did you mean {prefix}{close[0]}?" if close else f"there are {', '.join(known)}"
            raise SettingError(f"unknown setting {prefix}{name}; {hint}", str(name))
