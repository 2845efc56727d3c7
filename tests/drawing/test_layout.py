import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.drawing.layout import Bars, HeadMap, arcs_of, fractions_of, nodes_of
from synparse.trees.brackets import read_brackets
from synparse.trees.constituency import induced_tree
from tests.trees.dependency_trees import is_tree


def trees_of(count):
    """Heads of any single-rooted tree: each word but the first of some order depends on one before it."""
    return st.permutations(range(1, count + 1)).flatmap(
        lambda order: st.tuples(*(st.integers(0, position - 1) for position in range(1, count))).map(
            lambda choices: heads_from(order, choices)
        )
    )


def heads_from(order, choices):
    heads = [0] * len(order)
    for position, choice in enumerate(choices, 1):
        heads[order[position] - 1] = order[choice]
    return tuple(heads)


dependency_trees = st.integers(1, 12).flatmap(trees_of)


@given(dependency_trees)
def test_arcs_of_one_level_lie_side_by_side(heads):
    assert is_tree(heads)
    arcs = arcs_of(heads)
    assert [(arc.dependent, arc.head) for arc in arcs] == list(enumerate(heads, 1))
    drawn = [(min(arc[:2]), max(arc[:2]), arc.level) for arc in arcs if arc.head]
    for number, (left, right, level) in enumerate(drawn):
        for other_left, other_right, other_level in drawn[:number]:
            if level == other_level:
                assert right <= other_left or other_right <= left
            elif other_left <= left and right <= other_right:
                assert level < other_level
    [root] = [arc for arc in arcs if not arc.head]
    assert all(level < root.level for _, _, level in drawn)


@given(dependency_trees)
def test_no_arc_could_be_lower(heads):
    drawn = [(min(arc[:2]), max(arc[:2]), arc.level) for arc in arcs_of(heads) if arc.head]
    for left, right, level in drawn:
        below = [other for start, end, other in drawn if max(left, start) < min(right, end) and other < level]
        assert level == 1 + max(below, default=0)


def test_arcs_that_cross():
    assert [arc.level for arc in arcs_of((3, 4, 0, 3))] == [1, 2, 3, 1]


def test_nodes_by_hand():
    [(_, tree)] = read_brackets(["(ROOT (S (NP (DT the) (NN dog)) (VP barked)))"], "text")
    assert nodes_of(tree) == [
        ("ROOT", 0, 3, 3, -1),
        ("S", 0, 3, 2, 0),
        ("NP", 0, 2, 1, 1),
        ("the", 0, 1, 0, 2),
        ("dog", 1, 2, 0, 2),
        ("barked", 2, 3, 0, 1),
    ]


def test_words_may_hang_from_nothing():
    assert [node.parent for node in nodes_of(induced_tree("abc", [(1, 3)]))] == [-1, -1, 1, 1]


@given(st.lists(st.floats(-5, 5), max_size=9), st.integers(0, 3))
def test_nodes_stand_within_and_below_their_parents(distances, unary):
    count = len(distances) + 1
    spans = []
    waiting = [(0, count)]
    while waiting:
        start, end = waiting.pop()
        if end - start > 1:
            spans.append((start, end))
            split = max(range(start, end - 1), key=distances.__getitem__) + 1
            waiting += [(start, split), (split, end)]
    tree = induced_tree("w" * count, [(0, count)] * unary + spans)
    nodes = nodes_of(tree)
    assert len(nodes) == len(tree.constituents) + count
    assert [node[:3] for node in nodes if node.level] == list(tree.constituents)
    for index, node in enumerate(nodes):
        children = [child for child in nodes if child.parent == index]
        assert node.level == max((child.level + 1 for child in children), default=0)
        assert all(node.start <= child.start and child.end <= node.end for child in children)


def test_shares():
    assert fractions_of([]) == []
    assert fractions_of([2.0, 2.0, None]) == [1.0, 1.0, None]
    assert fractions_of([-1.0, math.inf, 1.0, math.nan, 0.0, -math.inf]) == [0.0, None, 1.0, None, 0.5, None]


def test_as_many_values_as_words():
    with pytest.raises(ValueError, match="2 words but 1 values"):
        Bars("heights", ("a", "b"), (1.0,))


def test_a_head_map_has_a_number_for_the_root_and_for_each_word():
    assert HeadMap(("a", "b"), ((1.0, 0.0, 0.0), None)).heads == ("root", "a", "b")
    for rows in (((1.0, 0.0), None), ((1.0, 0.0, 0.0),)):
        with pytest.raises(ValueError, match="no distribution over the root and 2 words"):
            HeadMap(("a", "b"), rows)
