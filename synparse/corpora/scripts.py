"""The scripts of a text, by the Unicode names of its letters."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping

LEAST = 0.02
"""Least fraction of the letters; rarer scripts are those of names and quotations."""

_NAMES = {"Cjk": "Han"}


def scripts_of(words: Mapping[str, int]) -> str:
    """The scripts of a text in which each word occurs so often, the most frequent one first; "" without letters.

    >>> scripts_of({"дом": 3, "house": 1}), scripts_of({"3": 1})
    ('Cyrillic 64 %, Latin 36 %', '')
    >>> scripts_of({"家": 9}), scripts_of({"בַּיִת": 1})
    ('Han', 'Hebrew')
    """
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for letter in filter(str.isalpha, word):
            name = unicodedata.name(letter, "").partition(" ")[0].title()
            counts[_NAMES.get(name, name)] += count
    shares = [(name, count / counts.total()) for name, count in counts.most_common()]
    often = [(name, share) for name, share in shares if share >= LEAST]
    return often[0][0] if len(often) == 1 else ", ".join(f"{name} {100 * share:.0f} %" for name, share in often)
