"""Function words, determined from word classes.

Function words are frequent, and belong to closed classes: of prepositions, articles, auxiliaries there are few, and no
text adds new ones. A word class that was learned from text is closed where a few words make up nearly all of it.

How much of a text is in closed classes differs: about half in English, French and Japanese, a sixth in Turkish.
Analytic languages mark relations by function words, synthetic ones by endings.
"""

from __future__ import annotations

import heapq
from collections.abc import Container, Sequence
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.word_classes import ClassMember, WordClasses

COMMONEST = 25
"""This number of most frequent words are function words, whatever their class. But where endings mark relations and
phrases grow to the left, these may be verbs, which end sentences and are their roots: *said* and *is* in Korean."""

SYNTHETIC = 0.25
"""A language is synthetic if frequent words of closed classes make up a smaller fraction of the text."""

MOSTLY_CLOSED = 0.75
"""If frequent words of closed classes make up a greater fraction of the text, classes do not separate function words
from others. They are about half of the text of a language, up to two thirds, but nine tenths where a small grammar
generates it."""

CLOSED = 12
"""A class is closed if the perplexity of a word, given its class, is at most this: if its words are as hard to predict
as this number of equally frequent words."""

CLOSED_AUXILIARIES = 20
"""The same for a class of auxiliaries (`synparse.corpora.verbs`), which have many forms: some forty in Basque."""

LEAST_FREQUENCY = 1 / 3000
"""Least frequency of a function word, as a fraction of all words of the text."""


def commonest_words(classes: WordClasses, count: int) -> frozenset[str]:
    """The most frequent words of the text that the classes were learned from, as normalized words."""
    words = (member for member in classes.members if not member.is_group)
    most_frequent = heapq.nsmallest(count, words, key=lambda member: (-member.occurrences, member.type))
    return frozenset(member.type for member in most_frequent)


def function_words_of_classes(
    classes: WordClasses,
    marked_by_endings: bool = False,
    auxiliaries: Sequence[int] = (),
    closed_verbs: Container[int] = (),
) -> frozenset[str]:
    """The common words of closed classes and, unless endings mark relations, the commonest words of the text, but for
    those of some classes, as normalized words. auxiliaries, closed_verbs: see `synparse.corpora.verbs.Verbs`."""
    closed = frozenset(member.type for member in _of_closed_classes(classes, auxiliaries))
    found = closed if marked_by_endings else closed | commonest_words(classes, COMMONEST)
    return found - {member.type for member in classes.members if member.word_class in closed_verbs}


def fraction_closed(classes: WordClasses) -> float:
    """The fraction of the words of the text that are common words of closed classes."""
    return sum(member.occurrences for member in _of_closed_classes(classes)) / max(1, _total(classes))


def is_synthetic(classes: WordClasses) -> bool:
    """Whether the text has so few words of closed classes that endings must mark relations."""
    return fraction_closed(classes) < SYNTHETIC


def is_mostly_closed(classes: WordClasses) -> bool:
    """Whether the text has so many words of closed classes that nouns and verbs must be among them."""
    return fraction_closed(classes) > MOSTLY_CLOSED


def _of_closed_classes(classes: WordClasses, auxiliaries: Sequence[int] = ()) -> list[ClassMember]:
    """The common words of closed classes."""
    most = np.full(classes.size, CLOSED, float)
    most[list(auxiliaries)] = CLOSED_AUXILIARIES
    is_closed = _perplexities(classes) <= most
    is_closed[-1] = False  # punctuation
    are_common = is_closed[classes.class_of] & (classes.occurrences >= LEAST_FREQUENCY * _total(classes))
    return [member for member in compress(classes.members, are_common) if not member.is_group]


def _total(classes: WordClasses) -> int:
    """How many words the text has, without punctuation."""
    return int(classes.occurrences[classes.class_of != classes.size - 1].sum())


def _perplexities(classes: WordClasses) -> NDArray[np.float64]:
    """Of the words of each class, given the class; a group of rare words counts as one word."""
    counts = np.maximum(classes.occurrences, 1.0)  # a word without occurrences adds nothing, as 1 log 1 is 0
    totals = np.maximum(np.bincount(classes.class_of, classes.occurrences, classes.size), 1.0)
    return np.exp(np.log(totals) - np.bincount(classes.class_of, counts * np.log(counts), classes.size) / totals)
