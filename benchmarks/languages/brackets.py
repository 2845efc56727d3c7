"""Constituency trees of a language as they are scored: multiword units split, as in raw text, and no traces.

Sinica is in traditional characters, the text of Chinese models in simplified ones. OpenCC (``pip install opencc``)
converts its words; without OpenCC it is left out, and a message says so.
"""

from __future__ import annotations

from pathlib import Path

from synparse.treebanks.convert import ConvertOptions, convert
from synparse.trees.errors import SettingError

TRADITIONAL = "sinica"
"""Part of the name of a file in traditional Chinese characters."""


def clean_brackets(path: Path) -> str:
    """The clean trees of a file, a line each. Raises SettingError where characters cannot be converted."""
    trees = "".join(convert([str(path)], ConvertOptions("brackets", split_units=True)))
    return simplified(trees) if TRADITIONAL in path.name else trees


def simplified(text: str) -> str:
    """Text in traditional characters, as they are used in Taiwan, in simplified ones; words stay apart.

    Raises SettingError where OpenCC is not installed.
    """
    try:
        from opencc import OpenCC
    except ImportError:
        raise SettingError("Sinica is in traditional characters, so it is left out: pip install opencc") from None
    converted: str = OpenCC("tw2s").convert(text)
    return converted
