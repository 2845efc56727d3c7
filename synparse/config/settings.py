"""Settings from YAML as frozen values: dataclasses that refuse what they do not know."""

from __future__ import annotations

import contextlib
import difflib
import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, get_type_hints

from synparse.trees.errors import SettingError

Settings = TypeVar("Settings")

RENAMED = {
    "word_start": "embedding_init",
    "bias_start": "bias_init",
    "short_first": "curriculum_epochs",
    "sampled_words": "sampled_softmax",
    "phrase_edges": "phrase_boundaries",
    "short_share": "short_fraction",
}
"""Settings by the names that they had before 0.2: recipes and models of then are still read."""

LARGEST_NUMBER = 2**53
"""Of the whole numbers in a recipe: up to here a float holds each of them."""


def settings_of(kind: type[Settings], values: object, section: str) -> Settings:
    """Values as a settings dataclass, each of the type its field names.

    ``section`` names them in messages. Raises SettingError where they are no mapping, or one is unknown, of another
    type,
    not finite or beyond `LARGEST_NUMBER`.
    """
    if not isinstance(values, dict):
        raise SettingError(f"{section} must be a mapping of settings")
    hints = get_type_hints(kind)
    values = {RENAMED.get(str(name), str(name)): value for name, value in values.items()}
    refuse_unknown(values, list(hints), f"{section}.")
    typed = {name: _typed(value, hints[name], f"{section}.{name}") for name, value in values.items()}
    try:
        return kind(**typed)
    except SettingError as error:
        raise SettingError(f"{section}: {error}") from None


def _typed(value: object, kind: type, name: str) -> object:
    if kind is float and isinstance(value, str):  # YAML 1.1 reads 1e-3 as text
        with contextlib.suppress(ValueError):
            value = float(value)
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        raise SettingError(f"{name} is out of range: {value}")
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise SettingError(f"{name} must be of type {kind.__name__}, not {value!r}")
    if isinstance(value, float) and not math.isfinite(value):
        raise SettingError(f"{name} must be a finite number, not {value}")
    return value


def refuse_unknown(names: Mapping[str, Any] | Sequence[str], known: Sequence[str], prefix: str) -> None:
    """Raises SettingError for a name that is not known, with the nearest one that is."""
    for name in names:
        if name not in known:
            close = difflib.get_close_matches(str(name), known, 1)
            hint = f"did you mean {prefix}{close[0]}?" if close else f"there are {', '.join(known)}"
            raise SettingError(f"unknown setting {prefix}{name}; {hint}")
