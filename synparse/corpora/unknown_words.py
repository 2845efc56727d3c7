"""Classes of words that are not in the vocabulary, by their endings.

The endings of a word are its last 1 to `LONGEST_ENDING` letters, with their accents. A word with a hyphen gets another
one at its end, because a compound is used differently from its last part: `well-known` has the endings `own-`, `wn-`,
`n-` and `-`.
Normalization leaves a placeholder for numbers, so an ending can show a number, but not upper case.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Sequence

LONGEST_ENDING = 4
"""In letters."""

READ = 32
"""Characters at the end of a word in which its last letters are looked for: a letter may have any number of accents."""

HYPHEN = "-"

_HANGUL = re.compile("[가-힣]+")
"""Syllables, each of which Unicode can write as its letters."""


def endings(word: str) -> list[str]:
    """The endings of a word, the longest first.

    >>> endings("parsing"), endings("re-use"), endings("a")
    (['sing', 'ing', 'ng', 'g'], ['use-', 'se-', 'e-', '-'], ['a'])
    """
    text = word + HYPHEN if HYPHEN in word else word
    last = last_letters(text, LONGEST_ENDING)
    return ["".join(last[start:]) for start in range(len(last))]


_SPELLINGS = (
    *(str.maketrans("'’ʼ‘ʻ`‐‑şţŞŢ", 6 * apostrophe + "--șțȘȚ") for apostrophe in "'’ʼ‘ʻ"),
    str.maketrans("șțȘȚ", "şţŞŢ"),
)
"""Characters that texts write in place of each other: apostrophes, also those that are letters, such as glottal stops;
hyphens; the cedilla or comma of Romanian."""


def respelled(word: str) -> Iterable[str]:
    """The word with the other apostrophes, hyphens or letters of `_SPELLINGS`, of which a text mostly has one kind.

    >>> list(respelled("l’")), list(respelled("ʼa")), list(respelled("a"))
    (["l'", 'lʼ', 'l‘', 'lʻ'], ["'a", '’a', '‘a', 'ʻa'], [])
    """
    if word.isascii() and "'" not in word:
        return ()
    return (other for spelling in _SPELLINGS if (other := word.translate(spelling)) != word)


def known_spelling(word: str, known: Container[str | None]) -> str | None:
    """The first other spelling of a word (`respelled`) that is ``known``; None if none is."""
    return next((other for other in respelled(word) if other in known), None)


def last_letters(word: str, most: int) -> Sequence[str]:
    """The last letters of a word, ``most`` at most, each with the accents and tone marks that follow it as characters
    of their own.

    Vowel signs of the Indic scripts are letters (their combining class is 0), and so are the two or three of which a
    Korean syllable is written: endings consist of them.

    >>> last_letters("adu\u0323\u0301ra", 3) == ["u\u0323\u0301", "r", "a"], last_letters("लड़कों", 3) == ["क", "ो", "ं"]
    (True, True)
    >>> last_letters("친구로", 3) == ["\u116e", "\u1105", "\u1169"]
    True
    """
    if word.isascii():
        return word[-most:]
    letters: list[str] = []
    for character in _HANGUL.sub(lambda syllables: unicodedata.normalize("NFD", syllables[0]), word[-READ:]):
        if letters and unicodedata.combining(character):
            letters[-1] += character
        else:
            letters.append(character)
    return letters[-most:]


def choose_classes(unknown: Iterable[tuple[str, int]], most: int, least: int) -> list[str]:
    """Up to ``most`` endings as classes, from unknown words and their counts.

    The class of a word is its longest ending that is a class. Endings are tried from the most frequent to the rarest
    (ties: shorter, then alphabetical), and skipped if the new class, or the class that its words were in so far, would
    have fewer than ``least`` occurrences: "ion" is not a class beside "on" if nearly all words in "on" end in "ion".
    O(distinct words + endings · log endings).
    """
    occurrences: Counter[str] = Counter()
    for word, count in unknown:
        for ending in endings(word):
            occurrences[ending] += count
    own: dict[str, int] = {}  # occurrences of each class, without those in longer classes
    for ending, count in sorted(occurrences.items(), key=lambda item: (-item[1], len(item[0]), item[0])):
        if len(own) == most or count < least:
            break
        # Longer endings come later, so all words with this ending are in one class so far, or in none.
        letters = last_letters(ending, LONGEST_ENDING)
        shorter_ones = ("".join(letters[start:]) for start in range(1, len(letters)))
        shorter = next((suffix for suffix in shorter_ones if suffix in own), None)
        if shorter is None:
            own[ending] = count
        elif own[shorter] - count >= least:
            own[shorter] -= count
            own[ending] = count
    return list(own)
