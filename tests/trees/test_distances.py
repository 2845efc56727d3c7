import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.constituency import induced_tree
from synparse.trees.distances import published_spans, unbiased_spans


def literal_unbiased(distances, start=0):
    """StructFormer Algorithm 1, as it is written."""
    end = start + len(distances) + 1
    if not distances:
        return []
    k = distances.index(max(distances))
    return [
        (start, end),
        *literal_unbiased(distances[:k], start),
        *literal_unbiased(distances[k + 1 :], start + k + 1),
    ]


def literal_published(depths, start=0):
    """The recursion published with ON-LSTM, over the depths of words: (x_<i, (x_i, x_>i))."""
    end = start + len(depths)
    if len(depths) == 1:
        return []
    i = depths.index(max(depths))
    spans = [(start, end)]
    if i > 0:
        spans += literal_published(depths[:i], start)
    if end - (start + i) > 1 and i > 0:
        spans.append((start + i, end))
    if depths[i + 1 :]:
        spans += literal_published(depths[i + 1 :], start + i + 1)
    return spans


def all_small_sequences():
    for length in range(1, 6):
        yield from itertools.product(range(length), repeat=length)  # ties included


def test_unbiased_equals_algorithm_1_on_all_small_inputs():
    for distances in all_small_sequences():
        assert unbiased_spans(distances) == literal_unbiased(list(distances))


def test_published_equals_the_published_recursion_on_all_small_inputs():
    for distances in all_small_sequences():
        assert published_spans(distances) == literal_published([-math.inf, *distances])
        assert published_spans(distances[1:], first=distances[0]) == (literal_published(list(distances)) or [(0, 1)])


@pytest.mark.parametrize("decode", [unbiased_spans, published_spans])
@given(distances=st.lists(st.floats(allow_nan=False), max_size=40))
def test_the_tree_is_binary(decode, distances):
    spans = decode(distances)
    count = len(distances) + 1
    induced_tree(["x"] * count, spans)  # raises where spans cross
    assert spans[0] == (0, count)
    assert len(spans) == max(1, count - 1)
    assert spans == sorted(spans, key=lambda span: (span[0], -span[1]))


def test_the_published_split_leans_to_the_right():
    assert unbiased_spans([1.0, 3.0, 1.0, 2.0]) == [(0, 5), (0, 2), (2, 5), (2, 4)]
    assert published_spans([1.0, 3.0, 1.0, 2.0]) == [(0, 5), (0, 2), (2, 5), (3, 5)]


@pytest.mark.parametrize("decode", [unbiased_spans, published_spans])
def test_five_thousand_words_need_no_recursion(decode):
    source = random.Random(0)
    for distances in (range(5000), range(5000, 0, -1), [source.random() for _ in range(5000)], [0.0] * 5000):
        assert len(decode(list(distances))) == 5000
