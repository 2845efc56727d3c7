import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.lengths import equal_lengths, stacked


@given(lengths=st.lists(st.integers(0, 20), max_size=100), words=st.integers(0, 50))
def test_each_sentence_with_words_is_in_one_group_of_its_length(lengths, words):
    groups = list(equal_lengths(lengths, lambda length: words // length))
    assert sorted(itertools.chain(*groups)) == [number for number, length in enumerate(lengths) if length]
    for group in groups:
        assert len({lengths[number] for number in group}) == 1
        assert 1 <= len(group) <= max(1, words // lengths[group[0]])
    for before, after in itertools.pairwise(groups):
        length, next_length = lengths[before[0]], lengths[after[0]]
        assert length <= next_length
        if length == next_length:  # no group is smaller than it must be, and the order stays
            assert len(before) == max(1, words // length)
            assert before[-1] < after[0]


def test_no_sentences_make_no_groups():
    assert list(equal_lengths([], len)) == []
    assert list(equal_lengths([0, 0], lambda length: 1 // length)) == []


@given(st.lists(st.integers(0, 6), max_size=20), st.integers(1, 12))
def test_stacked_words_are_those_of_their_sentences(lengths, most_words):
    sentences = [np.arange(length) + 10 * number for number, length in enumerate(lengths)]
    seen = []
    for numbers, words in stacked(sentences, most_words):
        assert words.size <= most_words or len(numbers) == 1
        for number, row in zip(numbers, words, strict=True):
            assert row.tolist() == sentences[number].tolist()
        seen += numbers
    assert sorted(seen) == [number for number, length in enumerate(lengths) if length]
