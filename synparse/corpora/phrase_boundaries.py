"""Which words phrases begin and end with, learned from raw text with its punctuation.

A word that stands at the beginning of a sentence or after a mark begins a phrase, one before a mark or at the end ends
one (after Spitkovsky et al., 2011, "Punctuation: Making a Point in Unsupervised Dependency Parsing", and Seginer, 2007,
"Fast Unsupervised Incremental Parsing", who learn from the same places). Marks stand at the edges of long phrases only,
so this is the first of two estimates. The second one is made of trees: the best ones by the first
(`synparse.trees.phrase_boundaries`, marks being evidence), in which phrases of all sizes begin and end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.vocabulary import Vocabulary
from synparse.trees.phrase_boundaries import BoundaryScores, boundary_span_scores
from synparse.trees.punctuation_cues import Cues, cues_of
from synparse.trees.span_chart import best_binary_spans

SENTENCES = 20_000
"""A random sample of so many is learned from, however large the corpus is."""

LONGEST = 60
"""Words. Longer sentences are left out: their charts are slow, and their trees unsure."""

PRIOR = 5.0
"""Occurrences as of the average word that are added to those of each word, so that rare ones say little."""

_CHART = 1 << 18
"""Spans that are looked at together."""


class PhraseBoundaries(NamedTuple):
    """Of each word of a vocabulary, the log-probability (nats, float32) that a phrase of two words or more begins, and
    that one ends, with an occurrence of it."""

    starts: NDArray[np.float32]
    ends: NDArray[np.float32]

    def of_words(self, indices: Sequence[int] | NDArray[np.int64]) -> BoundaryScores:
        """Those of the words of a sentence."""
        return BoundaryScores(self.starts[indices], self.ends[indices])


class _Known(NamedTuple):
    """A sentence as it is learned from: the indices of its words, and the marks between them."""

    words: NDArray[np.int64]
    cues: Cues


def learn_phrase_boundaries(
    sentences: Iterable[Sequence[str]], config: TextConfig, vocabulary: Vocabulary
) -> PhraseBoundaries:
    """Learn from sentences of tokens, marks among them; of up to `LONGEST` words that are read. Time O(sentences · T³).

    Where no sentence has two words, all words are alike.
    """
    known = [one for sentence in sentences if (one := _known(sentence, config, vocabulary)) is not None]
    counts = np.bincount(
        np.concatenate([np.zeros(0, np.int64), *(one.words for one in known)]), minlength=len(vocabulary)
    )
    boundaries = _estimate(known, counts, [_boundaries_by_cues(one.cues) for one in known])
    return _estimate(known, counts, _boundaries_of_trees(known, boundaries))


def _known(sentence: Sequence[str], config: TextConfig, vocabulary: Vocabulary) -> _Known | None:
    """None for a sentence that is too short or too long to learn from."""
    forms = [normalize(token, config) for token in sentence]
    words = vocabulary.indices(form for form in forms if form is not None)
    if not 1 < len(words) <= LONGEST:
        return None
    return _Known(np.array(words), cues_of(sentence, [form is not None for form in forms]))


def _boundaries_by_cues(cues: Cues) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which words stand after a mark, and which before one; the sentence's edges are such, too."""
    marked = np.array((1, *cues.levels, 1)) > 0
    return marked[:-1], marked[1:]


def _boundaries_of_trees(
    known: Sequence[_Known], boundaries: PhraseBoundaries
) -> list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Which words phrases begin and end with in the best tree of each sentence."""
    result: dict[int, tuple[NDArray[np.bool_], NDArray[np.bool_]]] = {}
    by_length = sorted(range(len(known)), key=lambda number: len(known[number].words))
    while by_length:
        T = len(known[by_length[-1]].words)
        count = max(1, _CHART // (T + 1) ** 2)
        batch = [number for number in by_length[-count:] if len(known[number].words) == T]
        del by_length[-len(batch) :]
        span_scores = np.stack(
            [boundary_span_scores(boundaries.of_words(known[number].words), known[number].cues) for number in batch]
        )
        for number, spans in zip(batch, best_binary_spans(span_scores), strict=True):
            positions = np.array(spans)
            begins, ends = np.zeros(T, np.bool_), np.zeros(T, np.bool_)
            begins[positions[:, 0]] = ends[positions[:, 1] - 1] = True
            result[number] = begins, ends
    return [result[number] for number in range(len(known))]


def _estimate(
    known: Sequence[_Known],
    counts: NDArray[np.int64],
    boundaries: Sequence[tuple[NDArray[np.bool_], NDArray[np.bool_]]],
) -> PhraseBoundaries:
    """Shares of each word's occurrences that begin and that end a phrase, drawn to those of all words together."""

    def logs(which: int) -> NDArray[np.float32]:
        found = np.zeros(len(counts))
        for one, of_sentence in zip(known, boundaries, strict=True):
            np.add.at(found, one.words, of_sentence[which])
        average = max(found.sum(), 1.0) / max(counts.sum(), 1)
        fractions: NDArray[np.float32] = ((found + PRIOR * average) / (counts + PRIOR)).astype(np.float32)
        return np.log(fractions)

    return PhraseBoundaries(logs(0), logs(1))
