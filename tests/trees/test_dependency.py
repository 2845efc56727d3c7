import itertools

import pytest

from synparse.trees.dependency import (
    DependencyTree,
    WordHeads,
    columns_of,
    cycles,
    depths_of,
    fault_of_heads,
    is_projective,
    with_fixed_expressions,
)
from tests.trees.dependency_trees import all_heads, is_tree


def test_arcs_are_in_the_columns_of_heads_and_the_root_is_on_the_diagonal():
    assert columns_of([2, 0, 2]) == [1, 1, 1]
    assert columns_of([0, 1, 2]) == [0, 0, 1]
    assert columns_of([]) == []


def is_tree_by_walking(heads):
    """Every word reaches the root within as many steps as there are words, and one word is the root."""
    for word in range(1, len(heads) + 1):
        node = word
        for _ in heads:
            node = heads[node - 1] if node else 0
        if node:
            return False
    return heads.count(0) == 1


def crosses(heads):
    arcs = [(min(h, d), max(h, d)) for d, h in enumerate(heads, 1)]
    return any(a < c < b < d for (a, b), (c, d) in itertools.permutations(arcs, 2))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_is_tree_and_is_projective_equal_the_definitions_on_all_heads(count):
    for heads in itertools.product(range(count + 1), repeat=count):
        assert is_tree(heads) == is_tree_by_walking(heads)
        if is_tree(heads):
            assert is_projective(heads) == (not crosses(heads))


@pytest.mark.parametrize(
    ("heads", "fault"),
    [
        ((3, 0), "head 3"),
        ((2, 1), "no word has head 0"),
        ((0, 0), "2 words have head 0"),
        ((0, 3, 2), "cycle"),
        ((0, 2), "cycle"),
    ],
)
def test_a_fault_says_what_is_wrong(heads, fault):
    assert fault in fault_of_heads(heads)
    with pytest.raises(ValueError, match=fault):
        DependencyTree(("x",) * len(heads), heads)


def test_several_roots_are_a_tree_if_allowed():
    assert not fault_of_heads((0, 0, 1), single_root=False)


def test_each_cycle_is_found_once():
    assert cycles((2, 1, 0, 3, 6, 7, 5)) == [[1, 2], [5, 6, 7]]
    assert cycles((1,)) == [[1]]
    assert cycles((5, 5, 0, 0, 2)) == [[5, 2]]  # word 1 depends on the last word of the cycle
    assert cycles((0, 1, 2)) == []


def test_trees_are_values():
    assert DependencyTree(("a", "b"), (2, 0)) == DependencyTree(("a", "b"), (2, 0))
    assert len({DependencyTree(("a", "b"), (2, 0)), DependencyTree(("a", "b"), (0, 1))}) == 2


def test_heads_need_not_be_a_tree_but_as_many_as_words():
    assert len(WordHeads(("a", "b"), (2, 1), ("x", "y"))) == 2
    assert WordHeads(("a",), (0,)) != DependencyTree(("a",), (0,))
    with pytest.raises(ValueError, match="1 words but 2 heads"):
        WordHeads(("a",), (0, 1))
    with pytest.raises(ValueError, match="1 words but 2 relations"):
        DependencyTree(("a",), (0,), ("x", "y"))
    with pytest.raises(ValueError, match="cycle"):
        DependencyTree(("a", "b", "c"), (2, 1, 0))


def test_depths_count_arcs_up_to_the_root():
    assert depths_of((2, 3, 0)) == [0, 3, 2, 1]
    assert depths_of((0, 1, 1, 3, 0)) == [0, 1, 2, 2, 3, 1]
    assert depths_of(range(50_000))[-1] == 50_000


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_words_of_fixed_expressions_depend_on_the_first_one_in_a_tree(count):
    for heads in all_heads(count):
        for are_fixed in itertools.product([False, True], repeat=count - 1):
            changed = with_fixed_expressions(heads, [False, *are_fixed])
            assert is_tree(changed)
            first = 0
            for word, is_fixed in enumerate([False, *are_fixed], 1):
                first = first if is_fixed else word
                assert not is_fixed or changed[word - 1] == first
            if not any(are_fixed):
                assert changed == heads
