"""Classes of words that are not in the vocabulary, by their endings.

The endings of a word are its last 1 to `LONGEST_ENDING` characters. A word with a hyphen gets another one at its end,
because a compound is used differently from its last part: `well-known` has the endings `own-`, `wn-`, `n-` and `-`.
Normalization leaves a placeholder for numbers, so an ending can show a number, but not upper case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

LONGEST_ENDING = 4
"""In characters."""

HYPHEN = "-"


def endings(word: str) -> list[str]:
    """The endings of a word, the longest first.

    >>> endings("parsing"), endings("re-use"), endings("a")
    (['sing', 'ing', 'ng', 'g'], ['use-', 'se-', 'e-', '-'], ['a'])
    """
    text = word + HYPHEN if HYPHEN in word else word
    return [text[-length:] for length in range(min(LONGEST_ENDING, len(text)), 0, -1)]


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
        shorter = next((ending[start:] for start in range(1, len(ending)) if ending[start:] in own), None)
        if shorter is None:
            own[ending] = count
        elif own[shorter] - count >= least:
            own[shorter] -= count
            own[ending] = count
    return list(own)
