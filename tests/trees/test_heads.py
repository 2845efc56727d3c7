import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.dependency import is_projective
from synparse.trees.distances import unbiased_spans
from synparse.trees.heads import argmax_heads, joint_heads, phrase_heads
from synparse.trees.spans import subtree_spans
from tests.trees.dependency_trees import all_heads, is_tree, one_head_each

pytestmark = pytest.mark.usefixtures("charts")


def literal_joint(distances, heights, start=0):
    """StructFormer Algorithm 3 as it is written: arcs (dependent, head) and the head of the whole."""
    if not distances:
        return [], start
    k = distances.index(max(distances))
    left, left_head = literal_joint(distances[:k], heights, start)
    right, right_head = literal_joint(distances[k + 1 :], heights, start + k + 1)
    if heights[left_head] > heights[right_head]:
        return [*left, *right, (right_head, left_head)], left_head
    return [*left, *right, (left_head, right_head)], right_head


@given(st.data())
def test_joint_heads_are_algorithm_3(data):
    count = data.draw(st.integers(1, 12))
    number = st.integers(0, 6)  # few values, so that there are ties
    distances = data.draw(st.lists(number, min_size=count - 1, max_size=count - 1))
    heights = data.draw(st.lists(number, min_size=count, max_size=count))
    arcs, root = literal_joint(distances, heights)
    expected = [0] * count
    for dependent, head in arcs:
        expected[dependent] = head + 1
    heads = joint_heads(unbiased_spans(distances), heights)
    assert heads == tuple(expected)
    assert heads.index(0) == root
    assert is_tree(heads)
    assert is_projective(heads)


def test_joint_heads_of_a_flat_constituent_all_depend_on_the_highest_word():
    assert joint_heads([(0, 4)], [1.0, 3.0, 2.0, 0.0]) == (2, 0, 2, 2)
    assert joint_heads([(0, 4)], [1.0, 3.0, 3.0, 0.0]) == (3, 3, 0, 3)  # the last of equal words


def test_the_example_of_figure_1():
    # "I like cats": "like" is the head of (like cats) and of the sentence.
    assert joint_heads(unbiased_spans([3.0, 1.0]), [1.0, 4.0, 2.0]) == (2, 0, 2)


def scores(rows):
    return np.array(rows, dtype=np.float32)


def test_argmax_takes_every_words_best_head():
    assert argmax_heads(scores([[-5, -1, -2], [-3, -0.1, -4], [-9, -1, -7]])) == (2, 0, 2)


def test_a_cycle_is_broken_at_its_best_root():
    # 1 and 2 are each other's best heads, 3 is the root; 2 has the better root score of the two.
    assert argmax_heads(scores([[-9, -1, -5], [-1, -3, -5], [-4, -4, -1]])) == (2, 3, 0)


@given(st.integers(0, 9), st.integers(0, 10**6), st.booleans())
def test_argmax_always_gives_a_tree(count, seed, ties):
    source = np.random.default_rng(seed)
    matrix = source.normal(size=(count, count))
    if ties:
        matrix = matrix.round()
    matrix[source.random((count, count)) < 0.2] = -np.inf
    assert is_tree(argmax_heads(matrix))


@pytest.mark.parametrize("value", [0.0, -np.inf])
def test_argmax_of_equal_scores_is_a_tree(value):
    assert is_tree(argmax_heads(np.full((4, 4), value)))


def test_joint_heads_of_five_thousand_words():
    source = random.Random(0)
    heights = [source.random() for _ in range(5000)]
    assert is_projective(joint_heads(unbiased_spans(list(range(4999))), heights))


@given(T=st.integers(1, 5), seed=st.integers(0, 9999))
def test_phrase_heads_are_the_best_of_all_heads_that_give_each_phrase_one_head(T, seed):
    random = np.random.default_rng(seed)
    spans = unbiased_spans(random.random(T - 1).tolist())
    log_probabilities = random.normal(size=(T, T)).round(seed % 3)  # often with ties
    heads = phrase_heads(log_probabilities, spans)

    def score(heads):
        arcs = sum(log_probabilities[word, head - 1 if head else word] for word, head in enumerate(heads))
        with_head = [(word, head - 1) for word, head in enumerate(heads) if head]
        return arcs + sum(math.log(longest_without(word, head)) for word, head in with_head)

    def longest_without(word, head):
        """The length of the longest constituent that contains the word and not its head."""
        containing = [(start, end) for start, end in spans if start <= word < end and not start <= head < end]
        return max((end - start for start, end in containing), default=1)

    heads_of_phrases = [candidate for candidate in all_heads(T) if one_head_each(candidate, spans)]
    assert score(heads) == pytest.approx(max(map(score, heads_of_phrases)))
    assert heads in heads_of_phrases


@given(T=st.integers(1, 40), seed=st.integers(0, 9999), impossible=st.floats(0, 1))
def test_phrase_heads_form_a_projective_tree_whatever_the_scores(T, seed, impossible):
    random = np.random.default_rng(seed)
    log_probabilities = np.where(random.random((T, T)) < impossible, -np.inf, random.normal(size=(T, T)))
    spans = unbiased_spans(random.random(T - 1).tolist())
    heads = phrase_heads(log_probabilities, spans)
    assert is_tree(heads)
    assert is_projective(heads)
    assert set(subtree_spans(heads)) <= set(spans) | {(0, T)}


def test_phrase_heads_by_hand():
    # ((the dog) barks): the best head of "the" is "barks", but "dog" is in its phrase.
    log_probabilities = scores([[-9, -2, -1], [-9, -5, -1], [-9, -3, -1]])
    assert phrase_heads(log_probabilities, [(0, 3), (0, 2)]) == (2, 3, 0)
    assert phrase_heads(scores([[0]]), [(0, 1)]) == (0,)
    # (sees (the dog)): as the head of "sees", "dog" scores higher than the reverse, but it is in the longer part.
    log_probabilities = scores([[-2, -9, -1], [-9, -9, 0], [-1.5, -9, -2]])
    assert phrase_heads(log_probabilities, [(0, 3), (1, 3)]) == (0, 3, 1)
    log_probabilities[2, 0] -= 0.2  # more than log 2 below the reverse
    assert phrase_heads(log_probabilities, [(0, 3), (1, 3)]) == (3, 3, 0)
