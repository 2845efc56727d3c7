"""Phrase boundaries: how probable it is that a phrase begins or ends with each word, learned from raw text.

The first word of a sentence and a word after a punctuation cue begin a phrase; a word before a cue and the last word
end one (after Seginer, 2007, "Fast Unsupervised Incremental Parsing", and Spitkovsky et al., 2011, "Punctuation: Making
a Point in Unsupervised Dependency Parsing"). Punctuation only shows the boundaries of long phrases, so there are two
estimates: the first counts those boundaries; the second counts the boundaries of all phrases in the best trees under
the first estimate (`synparse.trees.phrase_boundaries`, with punctuation cues).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.normalization import TextConfig, normalized
from synparse.corpora.vocabulary import Vocabulary
from synparse.trees.lengths import side_by_side
from synparse.trees.phrase_boundaries import BoundaryScores, unbroken_phrase_scores
from synparse.trees.punctuation_cues import Cues, broken_costs_together, cues_of
from synparse.trees.span_chart import best_binary_spans

SENTENCES = 20_000
"""Size of the random sample of the corpus that the estimates are made from."""

LONGEST = 60
"""In words. Longer sentences are left out: their charts are slow, and their trees uncertain."""

PRIOR = 5.0
"""Weight of the prior, in occurrences: each word is counted this many more times with the average probability."""

_CHART = 1 << 18
"""Spans in one batch of charts."""

_Boundaries: TypeAlias = tuple[NDArray[np.bool_], NDArray[np.bool_]]
"""For each word of a sentence, whether a phrase begins with it, and whether one ends with it."""


class PhraseBoundaries(NamedTuple):
    """For each word of a vocabulary, log p(a phrase of two words or more begins with it) and log p(one ends with it).

    In nats, float32.
    """

    starts: NDArray[np.float32]
    ends: NDArray[np.float32]

    def scores(self, indices: Sequence[int] | NDArray[np.int64]) -> BoundaryScores:
        """The scores of the words of sentences, from their indices [..., T]."""
        return BoundaryScores(self.starts[indices], self.ends[indices])


class _Example(NamedTuple):
    """A sentence to learn from: the indices of its words, and the punctuation cues between them."""

    words: NDArray[np.int64]
    cues: Cues


def learn_phrase_boundaries(
    sentences: Iterable[Sequence[str]], config: TextConfig, vocabulary: Vocabulary
) -> PhraseBoundaries:
    """Learn from sentences of tokens, punctuation included, of 2 to `LONGEST` words. Time O(sentences · T³).

    Without such a sentence, all words have the same probabilities.
    """
    examples = [example for sentence in sentences if (example := _example(sentence, config, vocabulary)) is not None]
    counts = np.bincount(_joined([example.words for example in examples]), minlength=len(vocabulary))
    boundaries = _estimate(examples, counts, [_boundaries_by_cues(example.cues) for example in examples])
    return _estimate(examples, counts, _boundaries_of_trees(examples, boundaries))


def _joined(arrays: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(0, np.int64), *arrays])


def _example(sentence: Sequence[str], config: TextConfig, vocabulary: Vocabulary) -> _Example | None:
    """None for a sentence that is too short or too long."""
    forms = normalized(sentence, config)
    words = vocabulary.indices(form for form in forms if form is not None)
    if not 1 < len(words) <= LONGEST:
        return None
    return _Example(np.array(words), cues_of(sentence, [form is not None for form in forms]))


def _boundaries_by_cues(cues: Cues) -> _Boundaries:
    """Boundaries at punctuation cues, and at both ends of the sentence."""
    is_boundary = np.array((1, *cues.levels, 1)) > 0
    return is_boundary[:-1], is_boundary[1:]


def _boundaries_of_trees(examples: Sequence[_Example], boundaries: PhraseBoundaries) -> list[_Boundaries]:
    """Boundaries of all phrases in the best tree of each sentence."""
    lengths = [len(example.words) for example in examples]

    def decoded(batch: list[_Example]) -> Iterator[_Boundaries]:
        cues = [example.cues for example in batch]
        words = boundaries.scores(np.stack([example.words for example in batch]))
        span_scores = unbroken_phrase_scores(words, [of_sentence.levels for of_sentence in cues])
        span_scores -= broken_costs_together(cues)
        for spans in best_binary_spans(span_scores):
            positions = np.array(spans)
            begins, ends = np.zeros((2, len(batch[0].words)), np.bool_)
            begins[positions[:, 0]] = ends[positions[:, 1] - 1] = True
            yield begins, ends

    return side_by_side(decoded, examples, lengths, lambda length: _CHART // (length + 1) ** 2)


def _estimate(
    examples: Sequence[_Example], counts: NDArray[np.int64], boundaries: Sequence[_Boundaries]
) -> PhraseBoundaries:
    """The fraction of each word's occurrences that begin and that end a phrase, smoothed with the average word's."""

    words = _joined([example.words for example in examples])

    def logs(which: int) -> NDArray[np.float32]:
        are_boundaries = _joined([of_sentence[which] for of_sentence in boundaries])
        boundary_counts = np.bincount(words, are_boundaries, len(counts))
        average = max(boundary_counts.sum(), 1.0) / max(counts.sum(), 1)
        fractions: NDArray[np.float32] = ((boundary_counts + PRIOR * average) / (counts + PRIOR)).astype(np.float32)
        return np.log(fractions)

    return PhraseBoundaries(logs(0), logs(1))
