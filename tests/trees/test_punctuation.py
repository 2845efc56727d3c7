import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.constituency import induced_tree
from synparse.trees.dependency import is_projective
from synparse.trees.distances import unbiased_spans
from synparse.trees.heads import joint_heads
from synparse.trees.punctuation import (
    heads_of_kept,
    is_punctuation,
    visible,
    with_punctuation_heads,
    with_punctuation_spans,
)
from synparse.trees.spans import sentence_spans
from tests.trees.dependency_trees import is_tree


@st.composite
def sentences(draw):
    """Which tokens are kept, and a random binary tree with heads over those."""
    kept = draw(st.lists(st.booleans(), min_size=1, max_size=25))
    count = sum(kept)
    floats = st.floats(0, 1)
    distances = draw(st.lists(floats, min_size=max(0, count - 1), max_size=max(0, count - 1)))
    heights = draw(st.lists(floats, min_size=count, max_size=count))
    spans = unbiased_spans(distances) if count else []
    return kept, spans, joint_heads(spans, heights)


@given(st.text())
def test_invisible_characters_do_not_make_a_word_or_a_mark(token):
    assert is_punctuation(token) == is_punctuation(visible(token))
    assert visible(visible(token)) == visible(token)


@given(sentences())
def test_removing_punctuation_restores_the_constituents(sentence):
    kept, spans, _ = sentence
    tree = induced_tree(["x"] * len(kept), with_punctuation_spans(spans, kept))
    count = sum(kept)
    assert sentence_spans(tree, kept) == {span for span in spans if span[1] - span[0] > 1} - {(0, count)}
    assert tree.constituents[0][1:] == (0, len(kept))


@given(sentences())
def test_removing_punctuation_restores_the_heads(sentence):
    kept, _, heads = sentence
    full = with_punctuation_heads(heads, kept)
    positions = [position for position, is_kept in enumerate(kept, 1) if is_kept]
    assert tuple(full[position - 1] for position in positions) == tuple(
        positions[head - 1] if head else 0 for head in heads
    )


@given(sentences())
def test_heads_of_kept_is_the_inverse_of_with_punctuation_heads(sentence):
    kept, _, heads = sentence
    assert tuple(heads_of_kept(with_punctuation_heads(heads, kept), kept)) == heads


def test_a_word_whose_head_is_removed_depends_on_its_nearest_kept_ancestor():
    assert heads_of_kept((3, 1, 4, 0), (True, True, False, True)) == [3, 1, 0]
    assert heads_of_kept((2, 0, 2), (True, False, True)) == [0, 0]
    with pytest.raises(ValueError, match="word 1 descends from a cycle"):
        heads_of_kept((2, 3, 2), (True, False, False))


@given(sentences())
def test_a_projective_tree_stays_projective(sentence):
    kept, _, heads = sentence
    full = with_punctuation_heads(heads, kept)
    assert is_tree(full)
    assert is_projective(full)


@given(st.data())
def test_any_tree_stays_a_tree(data):
    count = data.draw(st.integers(1, 12))
    order = data.draw(st.permutations(range(1, count + 1)))
    heads = [0] * count
    for k in range(1, count):
        heads[order[k] - 1] = order[data.draw(st.integers(0, k - 1))]
    kept = [True] * count
    for _ in range(data.draw(st.integers(0, 5))):
        kept.insert(data.draw(st.integers(0, len(kept))), False)
    assert is_tree(with_punctuation_heads(heads, kept))


def test_a_comma_stands_at_the_split_between_its_neighbours():
    # (the dog) , ((which barked) , slept) .
    spans = unbiased_spans([1.0, 4.0, 1.0, 2.0])
    kept = [True, True, False, True, True, False, True, False]
    assert with_punctuation_spans(spans, kept) == [(0, 8), (0, 2), (3, 7), (3, 5)]


def test_a_mark_depends_on_the_lowest_common_ancestor_of_its_neighbours():
    # the dog , which barked , slept .   dog ← slept, which barked below dog
    heads = (2, 5, 4, 2, 0)
    kept = [True, True, False, True, True, False, True, False]
    assert with_punctuation_heads(heads, kept) == (2, 7, 2, 5, 2, 7, 0, 7)


def test_a_sentence_of_punctuation_is_a_flat_tree():
    assert with_punctuation_spans([], [False, False]) == [(0, 2)]
    assert with_punctuation_heads((), [False, False, False]) == (0, 1, 1)
    assert with_punctuation_spans([(0, 1)], [True, False]) == [(0, 2)]


def test_punctuation_among_five_thousand_words():
    heads = (*range(2, 5001), 0)
    assert is_projective(with_punctuation_heads(heads, [True, False] * 5000))
    assert is_projective(with_punctuation_heads(tuple(range(5000)), [False, True] * 5000))
