"""The direction in which a language branches, as its raw text tells."""

from __future__ import annotations

from typing import Literal

import numpy as np

from synparse.corpora.word_classes import BigramCounts
from synparse.trees.function_words import MOST_FREQUENT

Branching = Literal["right", "left"]


def branching_of(counts: BigramCounts) -> Branching:
    """``right`` where the commonest words more often begin what punctuation separates than end it, else ``left``.

    The commonest words are function words. Where they stand before what belongs to them (prepositions, articles,
    conjunctions, auxiliaries), they often follow punctuation and seldom precede it, and phrases mostly grow to the
    right; postpositions and final particles tell the opposite (Greenberg, 1963, universals 2 to 4). The beginning and
    end of a sentence count like punctuation.
    """
    bigrams = counts.bigrams()
    size = len(counts.forms())
    is_edge = np.arange(size) < 2  # the boundary of sentences, punctuation
    occurrences = np.bincount(bigrams.first, bigrams.counts, size) * ~is_edge
    is_common = np.zeros(size, bool)
    is_common[np.argsort(-occurrences, kind="stable")[:MOST_FREQUENT]] = True
    begins = bigrams.counts[is_edge[bigrams.first] & is_common[bigrams.second]].sum()
    ends = bigrams.counts[is_common[bigrams.first] & is_edge[bigrams.second]].sum()
    return "right" if begins >= ends else "left"
