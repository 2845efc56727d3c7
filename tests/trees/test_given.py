"""What is given of a tree stays: against all trees of a few words."""

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from synparse.trees.dependency import is_projective
from synparse.trees.given import (
    FORBIDDEN,
    Given,
    best_heads,
    best_spans,
    contradiction,
    given_of_kept,
    given_scores,
    given_within,
    with_given_heads,
    with_given_spans,
)
from synparse.trees.heads import phrase_heads
from synparse.trees.span_chart import best_trees
from synparse.trees.span_probabilities import scored_span_probabilities, unbiased_span_probabilities
from synparse.trees.spanning_tree import maximum_spanning_heads
from tests.trees.binary_trees import all_binary
from tests.trees.dependency_trees import all_heads

TREES = {count: all_heads(count) for count in range(1, 6)}


def agrees(heads, given):
    return all(known in (None, head) for known, head in zip(given.heads or (None,) * len(heads), heads, strict=True))


@st.composite
def trees_and_parts(draw):
    """A tree, and which of its heads are given."""
    heads = draw(st.sampled_from(TREES[draw(st.integers(1, 5))]))
    return heads, tuple(head if draw(st.booleans()) else None for head in heads)


@for_all(trees_and_parts(), st.integers(0, 1000))
def test_the_best_tree_has_the_given_heads_and_is_the_best_of_these(pair, seed):
    heads, part = pair
    count, given = len(heads), Given(part)
    assert contradiction(given) is None
    scores = np.random.default_rng(seed).normal(size=(count, count))
    term = given_scores(given, count)
    best = maximum_spanning_heads(scores + term.arcs)
    assert agrees(best, given)

    def score(tree):
        return sum(scores[word, head - 1 if head else word] for word, head in enumerate(tree))

    assert score(best) == pytest.approx(max(score(tree) for tree in TREES[count] if agrees(tree, given)))
    if None not in part:
        assert best == heads


@for_all(trees_and_parts(), st.integers(0, 1000))
def test_phrases_that_are_left_can_have_the_given_heads(pair, seed):
    heads, part = pair
    count, given = len(heads), Given(part)
    random = np.random.default_rng(seed)
    term = given_scores(given, count)
    scores = random.normal(size=(count, count)) + term.arcs
    [spans] = best_trees([random.normal(size=(count + 1, count + 1)) + term.spans])
    best = best_heads(phrase_heads(scores, spans), scores, term)
    assert agrees(best, given)
    if is_projective(best):  # then a tree of constituents fits
        assert not term.spans[tuple(zip(*spans, strict=True))].any()
        assert phrase_heads(scores, spans) == best


@for_all(st.integers(2, 6), st.integers(0, 1000), st.data())
def test_given_constituents_are_in_the_best_tree(count, seed, data):
    tree = data.draw(st.sampled_from(all_binary(0, count)))
    given = Given((), tuple(span for span in tree if data.draw(st.booleans())))
    chart = np.random.default_rng(seed).normal(size=(count + 1, count + 1))
    term = given_scores(given, count)
    [best_tree] = best_trees([chart + term.spans])
    possible = [tree for tree in all_binary(0, count) if set(given.spans) <= set(tree)]
    assert set(given.spans) <= set(best_tree)
    best = max(sum(chart[span] for span in tree) for tree in possible)
    assert sum(chart[span] for span in best_tree) == pytest.approx(best)
    assert set(given.spans) <= set(best_spans(list(all_binary(0, count)[0]), term))
    # Probabilities are those among the trees that are left.
    probabilities = scored_span_probabilities(chart + term.spans)
    weights = np.exp([sum(chart[span] for span in tree) for tree in possible])
    for span in {span for tree in possible for span in tree}:
        weight_of_span = sum(weight for weight, tree in zip(weights, possible, strict=True) if span in tree)
        assert probabilities[span] == pytest.approx(weight_of_span / weights.sum(), abs=1e-6)


def test_splits_by_distances_are_those_among_the_trees_that_are_left():
    distances = [0.3, 1.5, -0.5, 0.7]
    term = given_scores(Given((), ((1, 4),)), 5).spans
    possible = [tree for tree in all_binary(0, 5) if (1, 4) in tree]
    words = [(word, word + 1) for word in range(5)]

    def probability(tree):
        total = 1.0
        for start, end in tree:
            weights = np.exp(distances[start : end - 1])
            is_part = [start < at < end and {(start, at), (at, end)} <= {*tree, *words} for at in range(6)]
            gap = is_part.index(True)
            total *= weights[gap - start - 1] / weights.sum()
        return total

    weights = [probability(tree) for tree in possible]
    probabilities = unbiased_span_probabilities(distances, term)
    for span in {span for tree in possible for span in tree}:
        weight_of_span = sum(weight for weight, tree in zip(weights, possible, strict=True) if span in tree)
        assert probabilities[span] == pytest.approx(weight_of_span / sum(weights))
    np.testing.assert_allclose(
        unbiased_span_probabilities(distances, np.zeros((6, 6))), unbiased_span_probabilities(distances), atol=1e-12
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (Given((0, None, 0)), "words 1 and 3 both have head 0"),
        (Given((2, 3, 2)), "the heads of the words 2, 3 are a cycle"),
        (Given((1, None)), "word 1 is its own head"),
        (Given((7, None)), "word 1 has head 7, but the sentence has 2 words"),
        (Given((), ((0, 3), (1, 4))), "the constituents of words 1 to 3 and 2 to 4 cross"),
    ],
)
def test_what_no_tree_has_is_told(given, message):
    assert message in contradiction(given)


def test_what_is_given_of_words_and_of_chunks():
    given = Given((2, 0, 2, 3, 4), ((0, 2), (1, 4), (3, 5)), frozenset([(1, 4)]))
    kept = given_of_kept(given, (True, True, False, True, True))
    assert kept == Given((2, 0, None, 3), ((0, 2), (1, 3), (2, 4)), frozenset([(1, 3)]))
    assert given_within(kept, 1, 4) == Given((0, None, 2), ((0, 2), (1, 3)), frozenset([(0, 2)]))
    assert given_within(Given((), ((1, 4), (2, 9))), 0, 3) == Given((), ((1, 3),))  # of (2, 9), a single word is left
    of_one_word = given_of_kept(given, (True, True, True, True, False))  # of (3, 5), a single word is left
    assert of_one_word.spans == ((0, 2), (1, 4))
    assert given_within(Given(), 1, 4) == Given()


def test_trees_of_all_tokens_have_what_is_given():
    assert with_given_heads((2, 0, 2), Given((None, 3, None))) == (2, 3, 0)
    assert with_given_heads((2, 0, 2), Given()) == (2, 0, 2)
    spans = [(0, 6), (1, 3), (3, 6), (4, 6)]
    kept = (True, True, False, True, True, True)  # the third token is a comma, which the given constituent has
    given = Given((), ((0, 3), (3, 6)), frozenset([(3, 6)]))
    assert with_given_spans(spans, given, kept) == [(0, 6), (1, 3), None, None]
    assert with_given_spans([(0, 6), (0, 2)], given, kept) == [(0, 6), None]
    # The sentence is a constituent beside its words without a mark.
    assert with_given_spans([(0, 3), (1, 3)], Given((), ((0, 2),)), (True, True, False)) == [(0, 3), None]
    # What would cross is stretched over it.
    assert with_given_spans([(1, 3)], Given((), ((2, 5),)), kept) == [(1, 5)]
    assert with_given_spans([(2, 4)], Given((), ((0, 3),)), kept) == [(0, 4)]
    # Chunks of words that meet in a given constituent are none.
    assert with_given_spans([(0, 6), (0, 4), (4, 6)], Given((), ((3, 5),)), kept) == [(0, 6), None, None]
    assert given_scores(Given(), 3).arcs.min() == 0 > FORBIDDEN
