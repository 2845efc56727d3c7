import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora.cache import TokenCache
from synparse.corpora.streams import segments, stream_length
from synparse.corpora.vocabulary import END_INDEX, UNKNOWN_INDEX

sentences_of_words = st.lists(st.lists(st.integers(4, 99), min_size=1, max_size=9), min_size=1, max_size=12)


def cache_of(sentences, **options):
    offsets = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    return TokenCache(np.array(list(itertools.chain(*sentences)), np.int32), offsets, **options)


def stream_of(sentences):
    return [END_INDEX, *itertools.chain.from_iterable([*sentence, END_INDEX] for sentence in sentences)]


@given(sentences_of_words, st.integers(1, 7), st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_every_word_is_predicted_once_in_order(sentences, rows, lengths):
    cache, stream = cache_of(sentences), stream_of(sentences)
    assert stream_length(cache) == len(stream)
    read = list(segments(cache, rows, itertools.cycle(lengths)))
    words, following, known = (np.concatenate(parts, 1) for parts in zip(*read, strict=True))
    assert following[known].tolist() == stream[1:]  # row by row, and rows follow one another
    assert words[known].tolist() == stream[:-1]


@given(sentences_of_words, st.integers(1, 7))
def test_a_row_goes_on_where_its_last_segment_ended(sentences, rows):
    before = None
    for words, following, known in segments(cache_of(sentences), rows, itertools.repeat(3)):
        if before is not None:
            assert (words[:, 0] == before)[known[:, 0]].all()
        before = following[:, -1]


@pytest.mark.parametrize("lengths", [[4], [2, 3]])
def test_segments_have_the_given_lengths_except_the_last(lengths):
    cache = cache_of([[5] * 9, [6] * 9])
    widths = [segment.words.shape[1] for segment in segments(cache, 2, itertools.cycle(lengths))]
    assert sum(widths) == 10
    assert widths[:-1] == list(itertools.islice(itertools.cycle(lengths), len(widths) - 1))


@given(sentences_of_words, st.integers(1, 7), st.integers(4, 100))
def test_classes_of_unknown_words_are_inputs_and_targets_are_unk(sentences, rows, first_class):
    plain = segments(cache_of(sentences), rows, itertools.repeat(5))
    for segment, classed in zip(
        plain, segments(cache_of(sentences, first_class=first_class), rows, itertools.repeat(5)), strict=True
    ):
        assert (classed.words == segment.words).all()
        is_class = segment.following >= first_class
        assert (classed.following == np.where(is_class, UNKNOWN_INDEX, segment.following)).all()
