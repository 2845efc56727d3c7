import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.scoring.dependencies import DependencyCounts, heads_of_kept, kept_words, score_heads
from synparse.trees.conllu import read_conllu
from synparse.trees.dependency import is_tree

# the dog , which barked , slept .
GOLD = (2, 7, 5, 5, 2, 7, 0, 7)
KEPT = (True, True, False, True, True, False, True, False)


def test_a_hand_worked_sentence():
    predicted = (2, 7, 2, 2, 4, 7, 0, 7)  # which ↔ barked turned round
    counts = score_heads(GOLD, predicted, KEPT)
    # Words: the dog which barked slept. "which" and "barked" have wrong heads; barked–which is connected all the same.
    assert counts == DependencyCounts(words=5, attached=3, connected=4)
    assert counts.uas == pytest.approx(0.6)
    assert counts.uuas == pytest.approx(0.8)


def test_words_whose_head_is_taken_out_go_to_its_nearest_kept_ancestor():
    assert heads_of_kept((3, 1, 4, 0), (True, True, False, True)) == [3, 1, 0]
    assert heads_of_kept((2, 0, 2), (True, False, True)) == [0, 0]


@pytest.mark.parametrize(("rule", "expected"), [("word", (3, 3, 3)), ("omit", (2, 2, 2)), ("wrong", (3, 2, 2))])
def test_root_rules(rule, expected):
    assert score_heads((2, 0, 2), (2, 0, 2), root=rule) == DependencyCounts(*expected)


def test_the_root_counts_when_it_is_found():
    assert score_heads((2, 0), (0, 1)) == DependencyCounts(words=2, attached=0, connected=1)


def small_trees(count):
    return [heads for heads in itertools.product(range(count + 1), repeat=count) if is_tree(heads)]


def test_scores_of_all_small_trees_are_symmetric_and_bounded():
    for gold, predicted in itertools.product(small_trees(3), repeat=2):
        one, other = score_heads(gold, predicted), score_heads(predicted, gold)
        assert one == other
        assert 0 <= one.attached <= one.connected <= one.words == 3
        assert (one.uas == 1) == (gold == predicted)


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3)))
def test_counts_add_up(values):
    counts = [DependencyCounts(*value) for value in values]
    assert sum(counts, DependencyCounts()).words == sum(value[0] for value in values)


def test_nothing_to_score_is_none_and_not_zero():
    assert DependencyCounts().uas is None
    assert score_heads((0,), (0,), (False,)).uuas is None


def test_a_cycle_of_punctuation_is_told():
    with pytest.raises(ValueError, match="cycle"):
        score_heads((2, 0, 2), (3, 0, 3), (True, True, False))


def test_punctuation_goes_by_the_best_evidence():
    words = ["Hi", ",", "$"]
    assert kept_words(words, ["INTJ", "PUNCT", "SYM"], ["UH", ",", "$"]) == [True, False, True]
    assert kept_words(words, ["_"] * 3, ["UH", ",", "$"]) == [True, False, False]
    assert kept_words(words, ["_"] * 3, ["_"] * 3) == [True, False, False]


def test_previous_word_heads_score_what_is_published(shared_data):
    # Published with punctuation: 16.5 UAS with the root scored like a word, 45.2 UUAS with the root left out.
    as_word, omitted = DependencyCounts(), DependencyCounts()
    with (shared_data / "conversion/wsj.sd.conll").open(encoding="utf-8") as lines:
        for sentence in read_conllu(lines, "wsj"):
            predicted = tuple(range(len(sentence.words)))
            as_word += score_heads(sentence.heads, predicted)
            omitted += score_heads(sentence.heads, predicted, root="omit")
    assert 100 * as_word.uas == pytest.approx(16.5, abs=0.05)
    assert 100 * omitted.uuas == pytest.approx(45.2, abs=0.05)
