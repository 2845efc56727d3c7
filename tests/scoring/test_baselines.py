from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.scoring.baselines import (
    LONGEST_FOR_CEILING,
    binary_ceiling,
    projective_ceiling,
    random_heads,
    random_spans,
    trivial_heads,
    trivial_spans,
)
from synparse.scoring.constituency import score_spans
from synparse.trees import projective as module
from synparse.trees.dependency import is_projective
from tests.trees.binary_trees import all_binary_sets
from tests.trees.dependency_trees import all_heads, is_tree


def test_trivial_spans_and_heads():
    assert trivial_spans("right-branching", 4) == {(0, 4), (1, 4), (2, 4)}
    assert trivial_spans("left-branching", 4) == {(0, 4), (0, 3), (0, 2)}
    assert trivial_spans("balanced", 4) == {(0, 4), (0, 2), (2, 4)}
    assert trivial_heads("previous word", 3) == (0, 1, 2)
    assert trivial_heads("next word", 3) == (2, 3, 0)


@given(st.integers(1, 12), st.integers(0, 99))
def test_random_trees_are_trees(count, seed):
    assert len(random_spans(count, Random(seed)) - {(0, 1)}) == count - 1
    heads = random_heads(count, Random(seed))
    assert is_tree(heads)
    assert is_projective(heads)


@st.composite
def gold_spans(draw, count=6):
    """Some of the spans of a binary tree: those of any tree."""
    tree = sorted(draw(st.sampled_from(all_binary_sets(count))) - {(0, count)})
    return frozenset(span for span in tree if draw(st.booleans()))


@given(gold_spans())
def test_no_binary_tree_has_a_higher_f1_than_the_ceiling(gold):
    whole = {(0, 6)}
    ceiling = binary_ceiling(6, gold)
    assert ceiling in all_binary_sets(6)
    best = max(score_spans(gold, tree - whole).sentence_f1 for tree in all_binary_sets(6))
    assert score_spans(gold, ceiling - whole).sentence_f1 == best


def test_the_ceiling_of_one_word_is_its_constituent_like_the_trivial_trees():
    assert binary_ceiling(1, ()) == trivial_spans("left-branching", 1) == {(0, 1)}


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_no_projective_tree_has_more_gold_heads_than_the_ceiling(count):
    projective = list(filter(is_projective, all_heads(count)))
    for gold in all_heads(count):
        ceiling = projective_ceiling(gold)
        assert ceiling in projective
        agreement = [sum(map(int.__eq__, gold, heads)) for heads in projective]
        assert sum(map(int.__eq__, gold, ceiling)) == max(agreement)
        assert (ceiling == gold) == is_projective(gold)


def test_a_very_long_sentence_is_its_own_ceiling(monkeypatch):
    gold = (3, 4, 0, 3, *range(4, LONGEST_FOR_CEILING + 1))
    assert len(gold) == LONGEST_FOR_CEILING + 1
    assert not is_projective(gold)
    charts = []
    monkeypatch.setattr(module, "projective_heads", lambda scores: charts.append(scores.shape) or ())
    assert projective_ceiling(gold) == gold
    assert charts == []
    projective_ceiling(gold[:-1])
    assert charts == [(LONGEST_FOR_CEILING, LONGEST_FOR_CEILING)]
