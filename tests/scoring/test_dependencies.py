import itertools
from collections import Counter
from dataclasses import astuple

import numpy as np
import pytest

from synparse.scoring.dependencies import (
    DependencyCounts,
    TreeCounts,
    TreePair,
    count_outcomes,
    score_heads,
    score_tree,
    word_outcomes,
)
from synparse.trees.errors import SettingError
from tests.trees.dependency_trees import all_heads

# the dog , which barked , slept .
GOLD = (2, 7, 5, 5, 2, 7, 0, 7)
KEPT = (True, True, False, True, True, False, True, False)


def test_a_hand_worked_sentence():
    predicted = (2, 7, 2, 2, 4, 7, 0, 7)  # which ↔ barked turned round
    counts = score_heads(GOLD, predicted, KEPT)
    # Words: the dog which barked slept. "which" and "barked" have wrong heads; barked–which is connected all the same.
    # Their predicted heads are the gold grandparent of "which" and the gold child of "barked".
    assert counts == DependencyCounts(words=5, attached=3, connected=4, neutral=5)
    assert counts.uas == pytest.approx(0.6)
    assert counts.uuas == pytest.approx(0.8)
    assert counts.ned == 1
    assert "las" not in counts.scores(labelled=False)


@pytest.mark.parametrize(
    ("rule", "expected"), [("word", (3, 3, 3, 3)), ("omit", (2, 2, 2, 2)), ("wrong", (3, 2, 2, 2))]
)
def test_root_rules(rule, expected):
    assert score_heads((2, 0, 2), (2, 0, 2), root=rule) == DependencyCounts(*expected)


def test_the_root_counts_when_it_is_found():
    # One dependency turned round: word 2 has its gold child for a head, word 1 its gold grandparent 0.
    assert score_heads((2, 0), (0, 1)) == DependencyCounts(words=2, attached=0, connected=1, neutral=2)


@pytest.mark.parametrize(
    ("predicted", "neutral"),
    [
        (3, True),  # the gold head
        (4, True),  # the gold grandparent
        (1, True),  # the gold child
        (5, False),  # the gold great-grandparent
        (6, False),  # the gold head's other child
        (0, False),
    ],
)
def test_a_neutral_head_is_the_gold_head_child_or_grandparent(predicted, neutral):
    gold = (2, 3, 4, 5, 0, 3)  # 1 → 2 → 3 → 4 → 5 → root, 6 → 3
    heads = (2, predicted, 4, 5, 0, 3)
    assert score_heads(gold, heads).neutral == 5 + neutral


def test_neutral_heads_of_all_small_trees():
    for gold, predicted in itertools.product(all_heads(4), repeat=2):
        head_of = dict(enumerate(gold, 1))
        children = {word: {child for child, head in head_of.items() if head == word} for word in head_of}
        near = [{head, head_of.get(head)} | children[word] for word, head in head_of.items()]
        right = sum(head in heads for head, heads in zip(predicted, near, strict=True))
        assert score_heads(gold, predicted).neutral == right


def test_labels_are_scored_where_the_head_is_right():
    pair = TreePair((2, 0, 2), (2, 0, 1), ("det", "root", "obj"), ("nsubj", "root", "obj"))
    counts = count_outcomes(Counter(word_outcomes(pair)))
    assert (counts.attached, counts.labelled) == (2, 1)
    assert counts.scores(labelled=True)["las"] == pytest.approx(1 / 3)


def test_a_tree_is_exact_where_every_scored_word_is_right():
    right, wrong, single = ((2, 0), (2, 0)), ((2, 0), (0, 1)), ((0,), (0,))

    def counts(pair, root):
        return score_tree(TreePair(*pair), word_outcomes(TreePair(*pair), root))

    assert counts(right, "word") == TreeCounts(sentences=1, exact=1, roots=1, right_roots=1)
    assert counts(wrong, "word") == TreeCounts(sentences=1, exact=0, roots=1, right_roots=0)
    assert counts(right, "wrong") == TreeCounts(sentences=1, exact=0, roots=1, right_roots=1)
    assert counts(single, "omit") == TreeCounts(sentences=0, exact=0, roots=1, right_roots=1)
    both = counts(right, "word") + counts(wrong, "word")
    assert both.scores() == {"exact_trees": 0.5, "root_accuracy": 0.5}


def test_scores_of_all_small_trees_are_symmetric_and_bounded():
    for gold, predicted in itertools.product(all_heads(3), repeat=2):
        counts, exchanged = score_heads(gold, predicted), score_heads(predicted, gold)
        # Not NED: who is a grandparent is asked of the gold tree.
        assert (counts.attached, counts.connected) == (exchanged.attached, exchanged.connected)
        assert 0 <= counts.attached <= counts.connected <= counts.neutral <= counts.words == 3
        assert (counts.uas == 1) == (gold == predicted)


def test_scores_of_any_heads_are_in_order():
    # Cycles and all: what an arg-max over heads gives is no tree.
    for gold, predicted in itertools.product(all_heads(3), itertools.product(range(4), repeat=3)):
        counts = score_heads(gold, predicted)
        assert counts.attached <= counts.connected <= counts.neutral <= counts.words


def test_nothing_to_score_is_none_and_not_zero():
    assert set(DependencyCounts().scores(labelled=True).values()) == set(TreeCounts().scores().values()) == {None}
    assert score_heads((0,), (0,), (False,)).uuas is None


def test_lengths_that_differ_and_unknown_rules_are_refused():
    for kept in ((True, True), (True, False, True, True)):
        with pytest.raises(ValueError, match=r"^3 heads, but kept says of . words"):
            score_heads((2, 3, 0), (2, 3, 0), kept)
    with pytest.raises(SettingError, match=r"^root must be word or omit or wrong, not 'left out'$"):
        score_heads((2, 3, 0), (2, 3, 0), root="left out")


def test_heads_may_be_arrays_of_numpy():
    counts = score_heads(np.array([2, 3, 0]), np.array([0, 1, 2]), np.array([True, True, False]))
    assert counts == score_heads((2, 3, 0), (0, 1, 2), (True, True, False))
    assert {type(count) for count in astuple(counts)} == {int}


def test_a_cycle_of_punctuation_is_told():
    with pytest.raises(ValueError, match="cycle"):
        score_heads((2, 0, 2), (3, 0, 3), (True, True, False))


@pytest.mark.parametrize("predicted", [(0, 1, 9), (0, 1, -1)])
def test_a_head_that_is_no_word_is_an_error(predicted):
    with pytest.raises(ValueError, match="which is no word of the sentence"):
        score_heads((0, 1, 1), predicted)
