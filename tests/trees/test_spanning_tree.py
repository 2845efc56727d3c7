import itertools

import networkx
import numpy as np
import pytest

from synparse.trees.dependency import is_projective
from synparse.trees.projective import projective_heads
from synparse.trees.spanning_tree import maximum_spanning_heads
from tests.trees.dependency_trees import all_heads, is_tree, score_of

every_decoder = pytest.mark.parametrize(
    ("decoder", "is_possible"), [(maximum_spanning_heads, bool), (projective_heads, is_projective)]
)


@every_decoder
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_no_tree_is_better(decoder, is_possible, count):
    source = np.random.default_rng(count)
    trees = list(filter(is_possible, all_heads(count)))
    for trial in range(60):
        scores = source.normal(scale=5, size=(count, count)).astype(np.float32 if trial % 2 else np.float64)
        if trial % 3 == 1:
            scores = scores.round()  # ties
        if trial % 3 == 2:
            np.fill_diagonal(scores, scores.max() + 10)  # several roots would score higher
        heads = decoder(scores)
        assert is_tree(heads)
        assert is_possible(heads)
        assert score_of(heads, scores) == pytest.approx(max(score_of(tree, scores) for tree in trees))


@pytest.mark.parametrize("count", [8, 15])
def test_heads_equal_networkx_over_all_roots(count):
    source = np.random.default_rng(count)
    for _ in range(3):
        scores = source.normal(size=(count, count))
        best = -np.inf
        for root in range(count):
            graph = networkx.DiGraph()
            graph.add_edge("root", root, weight=scores[root, root])
            for word, head in itertools.permutations(range(count), 2):
                if word != root:
                    graph.add_edge(head, word, weight=scores[word, head])
            tree = networkx.maximum_spanning_arborescence(graph, preserve_attrs=False)
            best = max(best, sum(weight for *_, weight in tree.edges(data="weight")))
        assert score_of(maximum_spanning_heads(scores), scores) == pytest.approx(best)


def test_impossible_heads_are_used_only_if_every_tree_has_one():
    inf = np.inf
    assert maximum_spanning_heads(np.array([[0.0, -1.0], [-inf, -5.0]])) == (2, 0)
    assert is_tree(maximum_spanning_heads(np.full((5, 5), -inf)))


def test_a_sentence_without_words_has_no_heads():
    assert maximum_spanning_heads(np.zeros((0, 0))) == ()


def test_work_is_at_most_quadratic_in_the_length(lines_run):
    short, long = (np.random.default_rng(0).normal(size=(count, count)) for count in (250, 500))
    assert is_tree(maximum_spanning_heads(long))
    assert lines_run(lambda: maximum_spanning_heads(long)) < 4.4 * lines_run(lambda: maximum_spanning_heads(short))
