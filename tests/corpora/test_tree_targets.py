"""Tree targets over the words that are read, and over pieces of sentences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora.sentences import Sentence, sentences_of
from synparse.corpora.tree_targets import NOWHERE, has_trees, rows_of_piece, tree_rows
from synparse.trees.constituency import induced_tree
from synparse.trees.distances import unbiased_spans
from synparse.trees.errors import DataError
from synparse.trees.heads import joint_heads
from synparse.trees.punctuation import with_punctuation_heads, with_punctuation_spans
from synparse.trees.spans import constituents_of_kept, spans_of_gaps

TOKENS = ("the", "dog", ",", "barked", ".")
NONE = [NOWHERE, NOWHERE]


def conllu(*heads):
    lines = [f"{number}\tw" + "\t_" * 4 + f"\t{head}" + "\t_" * 3 + "\n" for number, head in enumerate(heads, 1)]
    [sentence] = sentences_of(lines, "x.conllu", str.split, "conllu")
    return sentence


@st.composite
def trees(draw, most=12):
    """Distances and heights of a random tree, and which of its tokens are words."""
    count = draw(st.integers(1, most))
    numbers = st.integers(0, 4)  # with ties
    distances = draw(st.lists(numbers, min_size=count - 1, max_size=count - 1))
    heights = draw(st.lists(numbers, min_size=count, max_size=count))
    spans = unbiased_spans(distances)
    return count, spans, joint_heads(spans, heights)


def test_a_sentence_with_punctuation():
    tree = induced_tree(TOKENS, [(0, 5), (0, 2)])
    rows = tree_rows(Sentence(TOKENS, tree=tree, heads=(2, 4, 2, 0, 4)), [True, True, False, True, False])
    assert rows.tolist() == [[1, 0, 2], [2, 0, 3], [2, *NONE]]


@pytest.mark.parametrize("part", ["tree", "heads"])
def test_targets_without_a_tree_are_nowhere(part):
    whole = {"tree": induced_tree(TOKENS, [(0, 5)]), "heads": (2, 4, 2, 0, 4)}
    rows = tree_rows(Sentence(TOKENS, **{part: whole[part]}), [True] * 5)
    assert (rows[:, 0] == NOWHERE).all() == (part == "tree")
    assert (rows[:, 1:] == NOWHERE).all() == (part == "heads")


def test_a_sentence_has_trees_if_it_came_with_heads_or_constituents():
    assert not has_trees(Sentence(TOKENS))
    assert has_trees(conllu(2, 0))
    [bracketed] = sentences_of(["(S (NP (DT the) (-NONE- *T*) (NN dog)) (VBD barked))"], "x", str.split, "brackets")
    assert tree_rows(bracketed, [True] * 3)[:, 1:].tolist() == [[0, 2], [0, 3], NONE]


def test_heads_of_conllu_may_be_several_trees_but_no_cycle():
    assert tree_rows(conllu(0, 1, 0), [True] * 3)[:, 0].tolist() == [0, 0, 2]
    assert tree_rows(conllu(2, 0, 2), [True, False, True])[:, 0].tolist() == [0, 1]
    with pytest.raises(DataError, match=r"x.conllu:1: not a tree: word 1 is in a cycle"):
        tree_rows(conllu(2, 1, 0), [True] * 3)
    with pytest.raises(DataError, match=r"x.conllu:2: word 2 \(w\) has no head; synparse parse --keep heads"):
        tree_rows(conllu(0, "_"), [True] * 2)
    with pytest.raises(DataError, match=r"heads of JSON are null; .* --keep heads"):
        tree_rows(Sentence(("a", "b"), heads=(2, None)), [True] * 2)


@given(trees(), st.lists(st.booleans(), max_size=20))
def test_added_punctuation_does_not_change_the_targets(tree, is_mark_before):
    count, spans, heads = tree
    kept = [True] * count
    for position, is_mark in enumerate(is_mark_before):
        if is_mark:
            kept.insert(position % len(kept), False)
    tokens = ("w",) * len(kept)
    full = induced_tree(tokens, with_punctuation_spans(spans, kept))
    rows = tree_rows(Sentence(tokens, tree=full, heads=with_punctuation_heads(heads, kept)), kept)
    plain = tree_rows(Sentence(("w",) * count, tree=induced_tree(["w"] * count, spans), heads=heads), [True] * count)
    assert rows.tolist() == plain.tolist()


@given(trees(), st.data())
def test_targets_of_a_piece_are_the_tree_over_its_words(tree, data):
    count, spans, heads = tree
    start = data.draw(st.integers(0, count - 1))
    end = data.draw(st.integers(start + 1, count))
    # n-ary trees too
    spans = [span for span in spans if span == (0, count) or data.draw(st.booleans())]
    whole = induced_tree(["w"] * count, spans)
    piece = rows_of_piece(tree_rows(Sentence(whole.words, tree=whole, heads=heads), [True] * count), start, end)
    inside = [(position if head == 0 else head - 1) - start for position, head in enumerate(heads[start:end], start)]
    assert piece[:, 0].tolist() == [head if 0 <= head < end - start else NOWHERE for head in inside]
    restricted = constituents_of_kept(whole, [start <= position < end for position in range(count)])
    expected = spans_of_gaps([(first, last) for _, first, last in restricted], end - start)
    assert piece[:, 1:].tolist() == [*map(list, expected), NONE]


def test_targets_of_a_piece_without_trees_are_nowhere():
    rows = np.full((5, 3), NOWHERE, np.int32)
    assert (rows_of_piece(rows, 1, 4) == NOWHERE).all()
