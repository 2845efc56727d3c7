"""Classes of the words that a model does not know, by how they end.

An ending is up to `LONGEST_ENDING` last characters of a word. A word with a hyphen in it counts as ending in one, for
compounds are used otherwise than what they end in: `well-known` has the endings `own-`, `wn-`, `n-` and `-`. Numbers
show where normalisation left their placeholder; whether a word was capitalised, it does not leave to be seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

LONGEST_ENDING = 4
"""Characters."""

HYPHEN = "-"


def endings(word: str) -> list[str]:
    """The endings of a word, the longest first.

    >>> endings("parsing"), endings("re-use"), endings("a")
    (['sing', 'ing', 'ng', 'g'], ['use-', 'se-', 'e-', '-'], ['a'])
    """
    marked = word + HYPHEN if HYPHEN in word else word
    return [marked[-length:] for length in range(min(LONGEST_ENDING, len(marked)), 0, -1)]


def choose_classes(unknown: Iterable[tuple[str, int]], most: int, least: int) -> list[str]:
    """Up to ``most`` endings that are classes, the most frequent ones of unknown words that occur so often.

    A word belongs to its longest ending that is a class. Endings are taken from the most frequent on (ties: shorter,
    then alphabetical), and left out where they would leave a class with fewer than ``least`` occurrences, the new one
    or the one that its words had been in: so "ion" is no class beside "on" where nearly all "on" are "ion".
    O(distinct words + endings · log endings).
    """
    occurrences: Counter[str] = Counter()
    for word, count in unknown:
        for ending in endings(word):
            occurrences[ending] += count
    own: dict[str, int] = {}  # what each class keeps, once longer ones took theirs
    for ending, count in sorted(occurrences.items(), key=lambda item: (-item[1], len(item[0]), item[0])):
        if len(own) == most or count < least:
            break
        # What is longer comes later, so all words of this ending are in one class so far, or in none.
        shorter = next((ending[start:] for start in range(1, len(ending)) if ending[start:] in own), None)
        if shorter is None:
            own[ending] = count
        elif own[shorter] - count >= least:
            own[shorter] -= count
            own[ending] = count
    return list(own)
