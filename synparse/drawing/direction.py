"""The writing direction of a sentence, by Unicode's bidirectional classes (UAX #9).

Pictures of sentences in Hebrew, Arabic and other scripts from right to left begin at the right. The letters within a
word are left to the program that shows the text, which knows how they join.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

_SIDES = {"L": "left", "R": "right", "AL": "right"}

_ISOLATE, _END = "\u2067", "\u2069"  # right-to-left isolate, pop directional isolate

_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def runs_from_right(words: Iterable[str]) -> bool:
    """Whether more words run from right to left than from left to right. Numbers and punctuation do not count.

    >>> runs_from_right(["הכלב", "נבח", "PC"]), runs_from_right(["the", "הכלב"]), runs_from_right(["12", "."])
    (True, False, False)
    """
    sides = Counter(_side(word) for word in words)
    return sides["right"] > sides["left"]


def is_from_right(word: str, sentence_from_right: bool) -> bool:
    """Whether a word is written from right to left: by its first letter, or, if it has none, as its sentence is.

    >>> is_from_right("C++", True), is_from_right("(", True), is_from_right("שלום!", False)
    (False, True, True)
    """
    side = _side(word)
    return side == "right" or (sentence_from_right and not side)


def isolated(text: str) -> str:
    """Text that a terminal or editor shows from right to left by itself, whatever stands beside it.

    Without this, two Hebrew words in a line would change their places. The characters around it take no room.
    """
    return f"{_ISOLATE}{_CONTROLS.sub('', text)}{_END}"


def _side(word: str) -> str:
    """The side at which a word begins, by its first letter; "" where it has no letter."""
    if word.isascii():
        return "left" if any(map(str.isalpha, word)) else ""
    return next((_SIDES[category] for category in map(unicodedata.bidirectional, word) if category in _SIDES), "")
