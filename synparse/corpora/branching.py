"""The direction in which a language branches, and the sides of heads, estimated from raw text.

The most frequent words are function words. Where one stands before what belongs to it (a preposition, an article, a
conjunction, an auxiliary), it often follows punctuation and seldom precedes it; postpositions and final particles do
the opposite. The beginning and end of a sentence count like punctuation.

But many languages that branch to the left mark relations by endings more than by words, so the branching of a language
is taken from all words that begin and end sentences, and from their endings, unless function words clearly tell.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import filterfalse, islice
from statistics import fmean, stdev
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.normalization import normalized
from synparse.corpora.unknown_words import last_letters
from synparse.corpora.word_classes import BigramCounts
from synparse.trees.function_words import MOST_FREQUENT
from synparse.trees.punctuation import is_punctuation
from synparse.trees.spans import LEFT, RIGHT

Branching = Literal["right", "left", "none"]

UNDECIDED = 0.1
"""In nats; with a smaller difference, the direction is undecided."""

CLEAR = 0.25
"""Relators that are as strong as this on average, and two standard errors from 0, decide the direction. With weaker
ones, languages branch to either side: Chinese (0.19) to the right, Korean (0.07) to the left."""

ENDING = 2
"""In letters."""

OFTEN_AT_EDGES = 1.5
"""A word that begins, or ends, segments between punctuation this many times as often as the average word is no relator,
because it has nothing to relate to on that side: a pronoun, a clause-initial conjunction, a final auxiliary."""

RELATOR = math.log(5)
"""How much more probable a head is on the side to which a relator points, at most, in nats."""

HEAD_FINAL = math.log(3)
"""How much more probable a head on the right is in a language that branches to the left, in nats."""


class _Edges(NamedTuple):
    """The commonest words, by falling frequency, and how often they occur, begin and end what punctuation separates."""

    words: list[str]
    occurrences: NDArray[Any]
    begins: NDArray[Any]
    ends: NDArray[Any]
    mean: float  # the fraction of all words that begin something, which is also that of those that end something


class Tendency(NamedTuple):
    """How much easier the last words of sentences are to predict than the first ones, and so their endings, in nats;
    and the mean strength of `relators_of` the text, 0 if there are none, with its standard error."""

    of_words: float
    of_endings: float
    of_relators: float
    error: float

    @property
    def nats(self) -> float:
        """The mean of words and endings."""
        return (self.of_words + self.of_endings) / 2

    @property
    def of_sentences(self) -> Branching:
        """How the language branches by words and endings; none: undecided."""
        return "none" if abs(self.nats) < UNDECIDED else LEFT if self.nats > 0 else RIGHT

    @property
    def branching(self) -> Branching:
        """How the language branches; none: undecided."""
        if abs(self.of_relators) < max(CLEAR, 2 * self.error):
            return self.of_sentences
        return RIGHT if self.of_relators > 0 else LEFT


def branching_of(sentences: Iterable[Sequence[str]], counts: BigramCounts) -> Tendency:
    """To the side where words, and their endings, vary more: the mean of the differences of both entropies; or as
    relators tell, where these are clear. ``counts``: of the whole text.

    What marks relations varies little. Where it precedes what it marks, sentences begin with prepositions, articles,
    conjunctions and pronouns, and end with words of open classes; where it follows (Greenberg, 1963, universals 2 to
    4), they end with postpositions, particles, or verbs whose endings are few. Neither entropy is enough: that of words
    sees no endings, and a few first words can have many endings. Both are misled where verbs come last but phrases
    branch to the right, as in Persian: there prepositions tell.
    """
    firsts, lasts = [], []
    for tokens in sentences:
        words, from_end = filterfalse(is_punctuation, tokens), filterfalse(is_punctuation, reversed(tokens))
        beginning = tuple(islice(words, 2))
        if len(beginning) == 2:
            first, last = normalized((beginning[0], next(from_end)), counts.text)
            assert first is not None  # only punctuation has no form
            assert last is not None
            firsts.append(first)
            lasts.append(last)
    of_endings = _entropy(_endings(firsts)) - _entropy(_endings(lasts))
    relators = list(relators_of(counts).values()) or [0.0]
    error = stdev(relators) / math.sqrt(len(relators)) if len(relators) > 1 else math.inf
    return Tendency(_entropy(firsts) - _entropy(lasts), of_endings, fmean(relators), error)


def _endings(words: Iterable[str]) -> list[str]:
    return ["".join(last_letters(word, ENDING)) for word in words]


def _entropy(words: Sequence[str]) -> float:
    """Of a word among these, in nats; 0 where there are none."""
    total = max(1, len(words))
    return math.log(total) - sum(count * math.log(count) for count in Counter(words).values()) / total


def relators_of(counts: BigramCounts) -> dict[str, float]:
    """How clearly each of the commonest words is a relator that stands before what it marks (up to 1: a preposition) or
    after it (down to −1: a postposition).

    By the odds that the word begins what punctuation separates rather than ends it; 1 from odds of e² upwards.
    """
    edges = _edges(counts)
    rates = np.maximum(edges.begins, edges.ends) / np.maximum(edges.occurrences, 1)
    odds = np.log((edges.begins + 0.5) / (edges.ends + 0.5))
    strengths = np.where(rates > OFTEN_AT_EDGES * edges.mean, 0.0, np.clip(odds / 2, -1, 1))
    return {word: float(strength) for word, strength in zip(edges.words, strengths, strict=True) if strength}


def head_directions(
    words: Sequence[str], is_function: Sequence[bool], relators: Mapping[str, float], branching: str
) -> NDArray[np.float64]:
    """The log-odds that the head of each word is before it rather than after it, [T], 0 for function words.

    A relator stands between the two things that it relates (Dik, 1983, "Two Constraints on Relators and What They Can
    Do for Us"): the head of *house* in *the cat in the house* is before *in*; after a postposition it is the other way
    round. Languages with postpositions mostly have their heads last (Greenberg, 1963); those with prepositions
    differ, in that of adjectives and nouns for example.
    """
    T = len(words)
    directions = np.zeros(T)
    for place in range(T):
        if is_function[place]:
            continue
        before = relators.get(words[place - 1], 0.0) if place > 0 else 0.0
        after = relators.get(words[place + 1], 0.0) if place + 1 < T else 0.0
        directions[place] = RELATOR * (max(before, 0.0) + min(after, 0.0)) - HEAD_FINAL * (branching == LEFT)
    return directions


def _edges(counts: BigramCounts) -> _Edges:
    bigrams, forms = counts.bigrams(), counts.forms()
    size = len(forms)
    is_edge = np.arange(size) < 2  # the boundary of sentences, punctuation
    occurrences = np.bincount(bigrams.first, bigrams.counts, size) * ~is_edge
    to_word, from_word = is_edge[bigrams.first], is_edge[bigrams.second]
    begins = np.bincount(bigrams.second[to_word], bigrams.counts[to_word], size) * ~is_edge
    ends = np.bincount(bigrams.first[from_word], bigrams.counts[from_word], size) * ~is_edge
    common = [number for number in np.argsort(-occurrences, kind="stable")[:MOST_FREQUENT] if not is_edge[number]]
    mean = begins.sum() / max(1, occurrences.sum())
    return _Edges([forms[number] for number in common], occurrences[common], begins[common], ends[common], mean)
