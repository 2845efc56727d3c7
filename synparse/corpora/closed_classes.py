"""Which words are function words, as word classes tell.

Function words are common, and belong to closed classes: of prepositions, articles, auxiliaries there are few, and no
text adds new ones. A word class that was learned from text is closed where a few words make up nearly all of it.
"""

from __future__ import annotations

from itertools import groupby

import numpy as np

from synparse.corpora.word_classes import ClassMember, WordClasses

COMMONEST = 25
"""So many of the commonest words are function words whatever their class."""

CLOSED = 12
"""A class is closed if its words are as hard to guess as one of so many equally frequent words, or easier (the
perplexity of a word, given its class)."""

LEAST_FREQUENCY = 1 / 3000
"""A rarer word is no function word, as a fraction of all words of the text."""


def commonest_words(classes: WordClasses, count: int) -> frozenset[str]:
    """The most frequent words of the text that the classes were learned from, as normalized words."""
    words = (member for member in classes.members if not member.is_group)
    by_frequency = sorted(words, key=lambda member: (-member.occurrences, member.type))
    return frozenset(member.type for member in by_frequency[:count])


def function_words_of_classes(classes: WordClasses) -> frozenset[str]:
    """The commonest words of the text, and the common words of closed classes, as normalized words."""
    words = [member for member in classes.members if member.word_class != classes.size - 1]
    total = sum(member.occurrences for member in words)
    function_words = set(commonest_words(classes, COMMONEST))
    for _, group in groupby(words, key=lambda member: member.word_class):
        members = list(group)
        if _perplexity(members) <= CLOSED:
            frequent = (member for member in members if member.occurrences >= LEAST_FREQUENCY * total)
            function_words |= {member.type for member in frequent if not member.is_group}
    return frozenset(function_words)


def _perplexity(members: list[ClassMember]) -> float:
    """Of a word of a class, given the class; a group of rare words counts as one word."""
    counts = np.array([member.occurrences for member in members if member.occurrences], float)
    if not len(counts):
        return 1.0
    probabilities = counts / counts.sum()
    return float(np.exp(-(probabilities * np.log(probabilities)).sum()))
