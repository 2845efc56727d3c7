import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.brackets import read_brackets
from synparse.trees.constituency import format_brackets
from synparse.trees.distances import unbiased_spans
from synparse.trees.heads import joint_heads
from synparse.trees.spans import constituents_of_kept, sentence_spans, spans_of_gaps, subtree_spans, with_words

[(_, TREE)] = read_brackets(["(ROOT (S (NP (DT the) (NN dog)) (, ,) (VP (VP (VBD barked)) (RB loudly))))"], "text")


@pytest.mark.parametrize(
    ("spans", "count", "expected"),
    [
        ([], 1, []),
        ([(0, 1)], 1, []),
        ([], 3, [(0, 3), (0, 3)]),
        ([(0, 4), (0, 1), (1, 3), (1, 3), (3, 4)], 4, [(0, 4), (1, 3), (0, 4)]),
        ([(0, 2), (2, 4)], 5, [(0, 2), (0, 5), (2, 4), (0, 5)]),
    ],
)
def test_a_gap_is_split_in_the_smallest_span_around_it(spans, count, expected):
    assert spans_of_gaps(spans, count) == expected


@given(st.lists(st.integers(0, 3), max_size=12))
def test_each_gap_of_a_binary_tree_has_its_own_span(distances):
    spans = unbiased_spans(distances)
    by_gap = spans_of_gaps(spans, len(distances) + 1)
    assert sorted(by_gap) == sorted(span for span in spans if span[1] - span[0] > 1)
    for gap, (start, end) in enumerate(by_gap):
        assert distances[gap] == max(distances[start : end - 1])


def test_constituents_without_kept_words_are_left_out():
    kept = [True, True, False, False, True]
    assert constituents_of_kept(TREE, kept) == [("ROOT", 0, 3), ("S", 0, 3), ("NP", 0, 2), ("VP", 2, 3)]
    assert constituents_of_kept(TREE, [True] * 5) == list(TREE.constituents)
    [(_, tree)] = read_brackets(["(S (PRN (, ,) (NP (NN a)) (, ,)) (X (. .)))"], "text")
    assert format_brackets(with_words(tree, [False, True, False, False])) == "(S (PRN (NP (NN a))))"


def test_unary_chains_collapse_and_trivial_spans_are_left_out():
    assert sentence_spans(TREE) == {(0, 2), (3, 5)}


def test_positions_count_kept_words_only():
    assert sentence_spans(TREE, [True, True, False, True, True]) == {(0, 2), (2, 4)}
    assert sentence_spans(TREE, [True, False, False, True, True]) == {(1, 3)}


def test_trivial_spans_on_request():
    assert sentence_spans(TREE, whole=True) == {(0, 5), (0, 2), (3, 5)}


def test_a_sentence_of_punctuation_has_no_spans():
    assert sentence_spans(TREE, [False] * 5, whole=True) == frozenset()


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        ((0,), [(0, 1)]),
        ((2, 0), [(0, 2)]),
        ((2, 3, 0, 5, 3), [(0, 5), (0, 2), (3, 5)]),
        ((0, 1, 2, 3), [(0, 4), (1, 4), (2, 4)]),
        ((2, 3, 4, 0), [(0, 4), (0, 3), (0, 2)]),
    ],
)
def test_subtrees_as_spans(heads, expected):
    assert subtree_spans(heads) == expected


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=12))
def test_the_span_of_a_word_is_that_of_its_descendants(heights):
    count = len(heights)
    heads = joint_heads([(0, count), *((0, end) for end in range(count - 1, 1, -1))], heights)
    expected = {(0, count)}
    for word in range(1, count + 1):
        below = {word}
        for _ in range(count):
            below |= {word for word, head in enumerate(heads, 1) if head in below}
        if len(below) > 1:
            expected.add((min(below) - 1, max(below)))
    assert set(subtree_spans(heads)) == expected
