"""Several models behind one name: a directory whose config.yaml says which of its sub-directories parse together.

    members:
      brackets: [on-lstm-1, structformer-1]   # whose constituents are averaged
      heads: [udgn-1, structformer-1]         # whose scores of heads are added up
    parse:                                    # how, where nobody says otherwise; may be left out
      punctuation: evidence
      function_words: leaves
      brackets: unbiased
      heads: projective

Each member is a model directory, whole or packed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synparse.config.settings import refuse_unknown
from synparse.store.model_directory import MEMBERS, read_config
from synparse.trees.errors import DataError, SettingError

RENAMED_DECODERS = {"edges": "boundaries"}
"""Decoders by the names that they had before 0.2."""

MOST_MEMBERS = 100
"""Of each part."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

_PARTS = ("brackets", "heads")
_CHOICES = ("punctuation", "function_words", *_PARTS)


@dataclass(frozen=True)
class Bundle:
    """Names of members by what they are asked for, and how they parse by default: what is done with punctuation
    and with function words, and the decoders of brackets and of heads; None where nothing is said."""

    brackets: tuple[str, ...]
    heads: tuple[str, ...]
    punctuation: str | None = None
    function_words: str | None = None
    tree_decoder: str | None = None
    head_decoder: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Each member once."""
        return tuple(dict.fromkeys((*self.brackets, *self.heads)))

    def as_mapping(self) -> dict[str, Any]:
        """The bundle as `read_bundle` reads it."""
        members = {"brackets": list(self.brackets), "heads": list(self.heads)}
        chosen = self.punctuation, self.function_words, self.tree_decoder, self.head_decoder
        choices = zip(_CHOICES, chosen, strict=True)
        return {
            MEMBERS: {part: names for part, names in members.items() if names},
            "parse": {name: value for name, value in choices if value is not None},
        }


def read_bundle(directory: Path) -> Bundle | None:
    """None for a directory of one model. Raises DataError where its config is damaged, or a member is not in it."""
    path, values = read_config(directory)
    if MEMBERS not in values:
        return None
    try:
        refuse_unknown(values, (MEMBERS, "parse"), "")
        members, choices = _section(values, MEMBERS, _PARTS), _section(values, "parse", _CHOICES)
        brackets, heads = (_names(members.get(part, []), f"{MEMBERS}.{part}") for part in _PARTS)
        if not brackets and not heads:
            raise SettingError(f"{MEMBERS} names no model")
        for name, value in choices.items():
            if not isinstance(value, str):
                raise SettingError(f"parse.{name} must be a word, not {value!r}")
    except SettingError as error:
        raise DataError(f"damaged model: {error}", str(path)) from None
    choices = {name: RENAMED_DECODERS.get(value, value) for name, value in choices.items()}
    bundle = Bundle(brackets, heads, *(choices.get(name) for name in _CHOICES))
    for name in bundle.names:
        member = directory / name
        if not member.is_dir():
            raise DataError(f"a member is missing: no directory {name}", str(directory))
        if not member.resolve().is_relative_to(directory.resolve()):
            raise DataError("a link that leads out of the model directory; copy the member there", str(member))
    return bundle


def _section(values: Mapping[str, Any], name: str, known: tuple[str, ...]) -> dict[str, Any]:
    section = values.get(name)
    section = {} if section is None else section
    if not isinstance(section, dict):
        raise SettingError(f"{name} must be a mapping")
    refuse_unknown(section, known, f"{name}.")
    return section


def _names(values: object, what: str) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(name, str) and _NAME.fullmatch(name) for name in values):
        raise SettingError(f"{what} must be a list of directory names")
    if len(set(values)) < len(values):
        raise SettingError(f"a name stands twice in {what}")
    if len(values) > MOST_MEMBERS:
        raise SettingError(f"{what} names more than {MOST_MEMBERS} models")
    return tuple(values)
