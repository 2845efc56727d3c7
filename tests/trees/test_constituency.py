"""What a tree is, and that nothing else can be made."""

import itertools
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.constituency import ConstituencyTree, Constituent, induced_tree, unescaped
from synparse.trees.distances import unbiased_spans

SPANS = [(start, end) for start in range(-1, 4) for end in range(5)]


def is_tree(spans, count):
    """By pairs: each is in the sentence, and a later one is inside an earlier one or after it."""
    if not all(0 <= start < end <= count for start, end in spans):
        return False
    pairs = itertools.combinations(spans, 2)
    return all(after[0] >= before[1] or before[0] <= after[0] < after[1] <= before[1] for before, after in pairs)


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_of_all_lists_of_spans_over_three_words_the_trees_alone_are_taken(size):
    words, tags = ("a", "b", "c"), ("", "", "")
    for spans in itertools.product(SPANS, repeat=size):
        constituents = tuple(Constituent("X", *span) for span in spans)
        if is_tree(spans, 3):
            assert ConstituencyTree(words, tags, constituents).constituents == constituents
        else:
            with pytest.raises(ValueError, match="constituent X"):
                ConstituencyTree(words, tags, constituents)


def test_each_word_has_a_tag_or_an_empty_one():
    with pytest.raises(ValueError, match="2 words but 1 tags"):
        ConstituencyTree(("a", "b"), ("DT",), ())


@given(st.lists(st.integers(0, 5), max_size=8), st.randoms())
def test_spans_come_in_any_order_and_the_tree_is_a_value(distances, source):
    spans = unbiased_spans(distances)
    words = [f"w{number}" for number in range(len(distances) + 1)]
    shuffled = source.sample(spans, len(spans))
    tree = induced_tree(words, shuffled)
    assert tree.constituents == tuple(("X", *span) for span in spans)
    labels = [f"{start}-{end}" for start, end in shuffled]
    assert induced_tree(words, shuffled, labels=labels).constituents == tuple(
        (f"{start}-{end}", start, end) for start, end in spans
    )
    assert len(tree) == len(words)
    assert {tree: 1}[induced_tree(words, spans)] == 1
    assert pickle.loads(pickle.dumps(tree)) == tree


def test_ten_thousand_levels_are_compared_and_copied():
    deep, other = (induced_tree(["w"] * 10_000, [(start, 10_000) for start in range(10_000)]) for _ in range(2))
    assert deep == other
    assert hash(deep) == hash(pickle.loads(pickle.dumps(other)))


def test_a_tree_prints_as_its_brackets():
    assert (
        str(induced_tree(["the", "(", "dog"], [(0, 3), (1, 3)], ["DT", "", "NN"]))
        == "(X (DT the) (X (_ -LRB-) (NN dog)))"
    )


def test_escaped_words_are_unescaped():
    words = ["-LRB-", "-RRB-", "-LSB-", "-RCB-", "1\\/2", "\\*\\*", "-LRB-x", "a"]
    assert list(map(unescaped, words)) == ["(", ")", "[", "}", "1/2", "**", "(x", "a"]
