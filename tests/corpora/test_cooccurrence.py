"""Positive pointwise mutual information against a direct count."""

import math
from collections import Counter

import numpy as np
import pytest

from synparse.corpora import cooccurrence
from synparse.corpora.cache import TokenCache
from synparse.corpora.cooccurrence import POSITIONS, mutual_information


def cache(sentences):
    tokens = np.array([word for sentence in sentences for word in sentence], np.int32)
    return TokenCache(tokens, np.cumsum([0, *map(len, sentences)]).astype(np.int64))


def by_hand(sentences, contexts):
    counts = Counter()
    for sentence in sentences:
        for at, word in enumerate(sentence):
            for block, position in enumerate(POSITIONS):
                if 0 <= at + position < len(sentence) and sentence[at + position] < contexts:
                    counts[word, block * contexts + sentence[at + position]] += 1
    total = sum(counts.values())
    rows, columns = Counter(), Counter()
    for (word, context), count in counts.items():
        rows[word] += count
        columns[context] += count
    information = {cell: math.log(count * total / (rows[cell[0]] * columns[cell[1]])) for cell, count in counts.items()}
    return {cell: value for cell, value in information.items() if value > 0}


@pytest.mark.parametrize("contexts", [3, 100])
@pytest.mark.parametrize("portion", [1, 4, 1000])
def test_mutual_information_equals_a_direct_count(monkeypatch, contexts, portion):
    monkeypatch.setattr(cooccurrence, "CONTEXT_WORDS", contexts)
    monkeypatch.setattr(cooccurrence, "_PORTION", portion)
    sentences = np.random.default_rng(1).integers(0, 7, (6, 5)).tolist()
    sentences += [[2], [0, 1], [6, 0, 3]]
    matrix = mutual_information(cache(sentences), 7)
    cells = {
        (int(row), int(column)): float(value)
        for row, column, value in zip(matrix.rows, matrix.columns, matrix.values, strict=True)
    }
    expected = by_hand(sentences, min(contexts, 7))
    assert cells.keys() == expected.keys()
    assert cells == {cell: pytest.approx(value, rel=1e-5) for cell, value in expected.items()}
    assert matrix.shape == (7, min(contexts, 7) * 4)


def test_only_the_beginning_of_a_long_corpus_is_counted(monkeypatch):
    monkeypatch.setattr(cooccurrence, "MOST_WORDS", 6)
    sentences = [[0, 1, 2], [2, 1, 0], [3, 4, 3]]
    assert set(mutual_information(cache(sentences), 5).rows.tolist()) <= {0, 1, 2}


def test_one_word_sentences_have_no_contexts():
    assert len(mutual_information(cache([[0], [1]]), 2).values) == 0
