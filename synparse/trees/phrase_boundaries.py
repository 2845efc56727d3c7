"""Span scores from phrase boundaries: good phrases begin and end with words that usually begin and end phrases.

Writers put punctuation between phrases, so raw text shows which words begin and end them (Seginer, 2007; Spitkovsky et
al., 2011; learned in `synparse.corpora.phrase_boundaries`): *the* begins many phrases and ends none. The score of a
span of words is

    log p(a phrase begins | its first word) + log p(a phrase ends | its last word)

where a boundary of the sentence, or one at a punctuation mark that is a cue, is certain and adds 0. Head scores lower
the score of a span by one nat for each arc that it is expected to lack: a phrase of n words has n − 1 arcs between its
words, and the expected number is the sum of the head probabilities inside the span. The tree is the binary tree with
the highest sum of span scores; the span scores of several models add up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from synparse import compiled
from synparse.trees.head_probabilities import word_head_probabilities


class BoundaryScores(NamedTuple):
    """For each of T words, [..., T], log p(a phrase of two words or more begins here) and log p(one ends here), in
    nats."""

    starts: NDArray[Any]
    ends: NDArray[Any]


def unbroken_phrase_scores(
    boundaries: BoundaryScores, levels: ArrayLike | None = None, head_scores: NDArray[Any] | None = None
) -> NDArray[np.float64]:
    """The score of every span by the module's formula, in nats, [..., T + 1, T + 1], at [start, end], without
    `broken_costs`, which are equal for all models of an ensemble. Of one sentence, or of several of one length. O(T²).

    levels [..., T - 1]: of the punctuation between the words (`Cues`); None ignores it. head_scores [..., T, T]: row =
    dependent, column = head, diagonal = root; None leaves arcs out.
    """
    *shape, T = boundaries.starts.shape
    starts, ends = np.zeros((2, *shape, T + 1))  # by position: the number of words before it
    is_uncertain = np.asarray(0 if levels is None else levels, np.int64) == 0
    starts[..., 1:T] = boundaries.starts[..., 1:] * is_uncertain
    ends[..., 1:T] = boundaries.ends[..., :-1] * is_uncertain
    span_scores: NDArray[np.float64] = starts[..., :, None] + ends[..., None, :]
    if head_scores is None:
        return span_scores
    return span_scores - missing_of_probabilities(word_head_probabilities(head_scores))


def outside_dependents(heads: NDArray[Any]) -> NDArray[Any]:
    """From the probabilities of heads, [..., T, T], the expected number of words outside each span that depend on a
    word in it which is not its head, because it depends on another word in the span, [..., T + 1, T + 1], of the type
    of the probabilities. No phrase has any. Arcs are taken to be independent. Time O(T³), memory O(T²)."""
    T, dtype = heads.shape[-1], heads.dtype
    expected = np.zeros((*heads.shape[:-2], T + 1, T + 1), dtype)
    if compiled.CHARTS is not None:  # synparse/compiled/outside_dependents.h
        alone = np.ascontiguousarray(heads.reshape(-1, T, T))
        compiled.CHARTS.outside_dependents(alone, expected.reshape(-1, T + 1, T + 1))
        return expected
    arcs = heads * (1 - np.eye(T, dtype=dtype))
    before = np.zeros((2, *heads.shape[:-1], T + 1), dtype)  # heads and dependents of each word, before each position
    before[0, ..., 1:], before[1, ..., 1:] = arcs.cumsum(-1), arcs.swapaxes(-1, -2).cumsum(-1)
    for word in range(T):
        of_word = before[..., word, :]
        has_head, dependents = of_word[..., None, word + 1 :] - of_word[..., : word + 1, None]
        dependents -= of_word[1, ..., -1, None, None]
        has_head *= dependents
        expected[..., : word + 1, word + 1 :] -= has_head  # less those outside, which are negative here
    return expected


def missing_of_probabilities(heads: NDArray[Any]) -> NDArray[np.float64]:
    """From the probabilities of heads, [..., T, T], how many of its n − 1 arcs each span of n words is expected to
    lack, [..., T + 1, T + 1], at [start, end]. O(T²)."""
    T = heads.shape[-1]
    links = np.triu(heads + heads.swapaxes(-1, -2), 1)
    # All arcs between words from the first of a span on and up to its last one.
    within = links.cumsum(-1, np.float64)[..., ::-1, :].cumsum(-2)[..., ::-1, :]
    word = np.arange(T)
    missing = np.zeros((*heads.shape[:-2], T + 1, T + 1))
    missing[..., :-1, 1:] = np.maximum(word - word[:, None], 0) - within
    return missing
