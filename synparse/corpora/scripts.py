"""The scripts of a text, by the Unicode names of its letters."""

from __future__ import annotations

import functools
import unicodedata
from collections import Counter
from collections.abc import Mapping

LEAST = 0.02
"""Least fraction of the letters; rarer scripts are those of names and quotations."""

_NAMES = {"Cjk": "Han"}

_WITHOUT_BLANKS = {"Hiragana": "ja", "Katakana": "ja", "Han": "zh"}
_WITHOUT_BLANKS |= {"Thai": "th", "Lao": "lo", "Khmer": "km", "Myanmar": "my"}
_WITHOUT_BLANKS |= {"Javanese": "jv-java", "Balinese": "ban-bali"}
"""Scripts without blanks between words, and the code of the language that is mostly written in them."""


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
            counts[_script_of(letter)] += count
    fractions = [(name, count / counts.total()) for name, count in counts.most_common()]
    often = [(name, fraction) for name, fraction in fractions if fraction >= LEAST]
    return often[0][0] if len(often) == 1 else ", ".join(f"{name} {100 * fraction:.0f} %" for name, fraction in often)


def language_without_blanks(text: str) -> str:
    """The code of the language of a text in a script without blanks between words; "" if most letters are of others.

    >>> language_without_blanks("猫坐在垫子上"), language_without_blanks("猫が座った"), language_without_blanks("cat")
    ('zh', 'ja', '')
    """
    letters = {letter: count for letter, count in Counter(text).items() if letter.isalpha()}
    counts: Counter[str] = Counter()
    for letter, count in letters.items():
        counts[_WITHOUT_BLANKS.get(_script_of(letter), "")] += count
    if counts["ja"] >= LEAST * counts.total():  # beside Han, kana show Japanese
        counts["ja"] += counts.pop("zh", 0)
    code, count = max(counts.items(), key=lambda pair: pair[1])
    return code if 2 * count > counts.total() else ""


@functools.cache
def _script_of(letter: str) -> str:
    name = unicodedata.name(letter, "").partition(" ")[0].title()
    return _NAMES.get(name, name)
