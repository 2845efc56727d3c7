import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.averaging import averaged_spans, normalized_scores, vote_scores
from synparse.trees.constituency import induced_tree
from synparse.trees.distances import binary_spans, unbiased_spans
from synparse.trees.projective import projective_heads
from synparse.trees.spanning_tree import maximum_spanning_heads
from synparse.trees.spans import subtree_spans

ALL_BINARY = {
    count: sorted({tuple(unbiased_spans(order)) for order in itertools.permutations(range(count - 1))})
    for count in range(1, 8)
}


@st.composite
def binary_trees(draw, longest=7):
    """One to five binary trees over the same words."""
    count = draw(st.integers(1, longest))
    distances = st.lists(st.integers(0, 9), min_size=count - 1, max_size=count - 1)
    return [unbiased_spans(gaps) for gaps in draw(st.lists(distances, min_size=1, max_size=5))]


@st.composite
def any_trees(draw, longest=7):
    """One to five trees over the same words; constituents have any number of parts."""
    source = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = draw(st.integers(1, longest))
    matrices = source.normal(size=(draw(st.integers(1, 5)), count, count))
    return [subtree_spans(projective_heads(scores)) for scores in matrices]


def agreement(tree, trees):
    """How many spans a tree has in common with all the trees, and with the first."""
    return sum(len(set(tree) & set(other)) for other in trees), len(set(tree) & set(trees[0]))


@pytest.mark.parametrize(("count", "trees"), [(1, 1), (2, 1), (3, 2), (4, 5), (5, 14), (6, 42), (7, 132)])
def test_the_oracle_has_all_binary_trees(count, trees):
    assert len(ALL_BINARY[count]) == trees


@given(st.one_of(binary_trees(), any_trees()))
def test_no_binary_tree_has_more_spans_in_common_with_the_trees(trees):
    best = max(agreement(tree, trees) for tree in ALL_BINARY[trees[0][0][1]])
    assert agreement(averaged_spans(trees), trees) == best
    binary = binary_spans(averaged_spans(trees), trees)
    assert tuple(binary) in ALL_BINARY[trees[0][0][1]]
    assert agreement(binary, trees) == best


@given(st.one_of(binary_trees(40), any_trees(20)))
def test_every_span_is_in_some_tree_and_spans_of_all_trees_are_kept(trees):
    spans = averaged_spans(trees)
    assert set.intersection(*map(set, trees)) <= set(spans) <= set.union(*map(set, trees))
    assert spans == sorted(set(spans), key=lambda span: (span[0], -span[1]))
    induced_tree(["x"] * trees[0][0][1], spans)  # raises where spans cross


@given(st.one_of(binary_trees(40), any_trees(20)), st.integers(1, 4))
def test_the_average_of_equal_trees_is_that_tree(trees, times):
    assert averaged_spans(trees[:1] * times) == trees[0]


@given(binary_trees(40))
def test_of_two_binary_trees_the_first_wins(trees):
    assert averaged_spans([trees[0], trees[-1]]) == trees[0]


@given(binary_trees(6), st.randoms())
def test_the_order_of_trees_only_matters_in_ties(trees, source):
    mixed = source.sample(trees, len(trees))
    totals = sorted((agreement(tree, trees)[0] for tree in ALL_BINARY[trees[0][0][1]]), reverse=True)
    assert agreement(averaged_spans(mixed), trees)[0] == totals[0]
    if len(totals) == 1 or totals[0] > totals[1]:
        assert averaged_spans(mixed) == averaged_spans(trees)


def test_spans_of_two_trees_win_against_those_of_one():
    first = [(0, 5), (0, 2), (2, 5), (2, 4)]
    second = [(0, 5), (0, 4), (0, 2), (2, 4)]
    third = [(0, 5), (1, 5), (2, 5), (3, 5)]
    for trees in itertools.permutations([first, second, third]):
        assert averaged_spans(trees) == first


def test_ties_prefer_shorter_parts_from_the_right():
    trees = [[(0, 4)], [(0, 4), (1, 3)], [(0, 4), (0, 2)], [(0, 4), (2, 4)], [(0, 4), (1, 4)]]
    assert averaged_spans(trees) == [(0, 4), (0, 2), (2, 4)]
    assert averaged_spans([trees[0], trees[1], *trees[3:]]) == [(0, 4), (1, 4), (1, 3)]
    assert averaged_spans([trees[0], [(0, 4), (0, 3)], [(0, 4), (1, 4)]]) == [(0, 4), (0, 3)]


def test_a_constituent_without_inner_spans_splits_where_it_cuts_the_fewest_spans():
    flat = [(0, 4)]
    assert binary_spans(flat, [flat]) == [(0, 4), (1, 4), (2, 4)]
    assert binary_spans(flat, [flat, [(0, 4), (0, 2)], [(0, 4), (0, 3)]]) == [(0, 4), (0, 3), (0, 2)]


def five_trees(count, kind):
    source = np.random.default_rng(0)
    leaning = -np.arange(count - 1) + source.normal(scale=5, size=(5, count - 1))
    apart = source.normal(size=(5, count - 1))
    distances = {"right": leaning, "left": leaning[:, ::-1], "apart": apart}[kind]
    return [unbiased_spans(row.tolist()) for row in distances]


@pytest.mark.parametrize("kind", ["right", "left", "apart"])
def test_work_is_at_most_quadratic_in_the_length(lines_run, kind):
    def average(trees):
        return binary_spans(averaged_spans(trees), trees)

    short, long = five_trees(100, kind), five_trees(200, kind)
    assert len(average(five_trees(1000, kind))) == 999
    assert lines_run(lambda: average(long)) < 4.4 * lines_run(lambda: average(short))


@given(st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_rows_are_distributions(count, seed):
    source = np.random.default_rng(seed)
    scores = source.normal(scale=100, size=(count, count))
    scores[source.random((count, count)) < 0.3] = -np.inf
    log_probabilities = normalized_scores(scores)
    np.testing.assert_allclose(np.exp(log_probabilities).sum(1), 1)
    np.testing.assert_allclose(np.exp(normalized_scores(log_probabilities)), np.exp(log_probabilities), atol=1e-12)
    np.testing.assert_allclose(np.exp(vote_scores([0] * count)).sum(1), 1, rtol=1e-5)


@given(any_trees(9))
def test_one_vote_wins_alone_and_two_win_against_one(trees):
    count = trees[0][0][1]
    heads = tuple(range(count))  # a chain
    assert maximum_spanning_heads(vote_scores(heads)) == heads
    others = vote_scores([*range(2, count + 1), 0])
    assert maximum_spanning_heads(2 * vote_scores(heads) + others) == heads


def test_votes_give_way_to_a_model_that_is_certain():
    votes, certain = vote_scores([0, 1, 1]), normalized_scores(np.array([[9.0, 0, 0], [0, 0, 9], [9, 0, 0]]))
    assert maximum_spanning_heads(votes + certain) == (0, 3, 1)
    assert maximum_spanning_heads(votes + normalized_scores(np.zeros((3, 3)))) == (0, 1, 1)
