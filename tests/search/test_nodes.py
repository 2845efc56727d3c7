"""The relations between the nodes of a tree, against their definitions on nested trees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.search.nodes import RELATIONS, Nodes, relation_of
from synparse.trees.brackets import read_brackets

WORDS = st.tuples(st.sampled_from(["_", "T", "U"]), st.sampled_from("ab"))
TREES = st.recursive(
    WORDS, lambda trees: st.tuples(st.sampled_from("AB"), st.lists(trees, min_size=1, max_size=3)), max_leaves=7
)


def brackets(tree):
    label, below = tree
    return f"({label} {below if isinstance(below, str) else ' '.join(map(brackets, below))})"


def nodes_of(text):
    [(_, tree)] = read_brackets([text], "x")
    return Nodes(tree)


def slow_nodes(tree):
    """Paths from the root (the place among the sisters at each step) with label and words, in pre-order."""
    found = []

    def add(node, path, start):
        label, below = (node, None) if isinstance(node, str) else node
        index = len(found)
        found.append(None)
        end = start
        if below is None:
            end += 1
        for place, child in enumerate([below] if isinstance(below, str) else below or ()):
            end = add(child, (*path, place), end)
        found[index] = (path, label, start, end)
        return end

    add(tree, (), 0)
    return found


def slow_relations(all_nodes):
    """Whether the second node stands in each relation to the first."""
    sizes = {}
    for path, *_ in all_nodes:
        sizes[path[:-1]] = sizes.get(path[:-1], 0) + bool(path)

    def below(a, b):
        return len(b) > len(a) and b[: len(a)] == a

    def child(a, b):
        return below(a, b) and len(b) == len(a) + 1

    def sister(a, b):
        return a and b and a[:-1] == b[:-1] and a != b

    def leftmost(a, b):
        return below(a, b) and not any(b[len(a) :])

    def rightmost(a, b):
        return below(a, b) and all(b[k] == sizes[b[:k]] - 1 for k in range(len(a), len(b)))

    down = {
        "<": lambda a, b: child(a[0], b[0]),
        "<<": lambda a, b: below(a[0], b[0]),
        "<:": lambda a, b: child(a[0], b[0]) and sizes[a[0]] == 1,
        "<,": lambda a, b: child(a[0], b[0]) and b[0][-1] == 0,
        "<-": lambda a, b: child(a[0], b[0]) and b[0][-1] == sizes[a[0]] - 1,
        "<1": lambda a, b: child(a[0], b[0]) and b[0][-1] == 0,
        "<3": lambda a, b: child(a[0], b[0]) and b[0][-1] == 2,
        "<-1": lambda a, b: child(a[0], b[0]) and b[0][-1] == sizes[a[0]] - 1,
        "<-2": lambda a, b: child(a[0], b[0]) and b[0][-1] == sizes[a[0]] - 2,
        "<<,": lambda a, b: leftmost(a[0], b[0]),
        "<<-": lambda a, b: rightmost(a[0], b[0]),
    }
    up = {sign.replace("<", ">"): (lambda a, b, holds=holds: holds(b, a)) for sign, holds in down.items()}
    forward = {
        "$": lambda a, b: sister(a[0], b[0]),
        "$+": lambda a, b: sister(a[0], b[0]) and a[0][-1] + 1 == b[0][-1],
        "$++": lambda a, b: sister(a[0], b[0]) and a[0][-1] < b[0][-1],
        ".": lambda a, b: a[3] == b[2],
        "..": lambda a, b: a[3] <= b[2],
    }
    forward |= {"$.": forward["$+"], "$..": forward["$++"]}
    turned = {"$+": "$-", "$++": "$--", "$.": "$,", "$..": "$,,", ".": ",", "..": ",,"}
    back = {other: (lambda a, b, holds=forward[sign]: holds(b, a)) for sign, other in turned.items()}
    return down | up | forward | back


@given(TREES)
def test_every_relation_is_as_defined(tree):
    nodes, slow = nodes_of(brackets(tree)), slow_nodes(tree)
    assert list(zip(nodes.labels, nodes.starts, nodes.ends, strict=True)) == [node[1:] for node in slow]
    relations = slow_relations(slow)
    assert RELATIONS.keys() <= relations.keys()
    for sign, holds in relations.items():
        relation = relation_of(sign)
        for number, node in enumerate(slow):
            expected = {other for other in range(len(slow)) if holds(node, slow[other])}
            found = list(relation(nodes, number))
            assert (set(found), len(found)) == (expected, len(expected)), sign


def test_signs_that_there_are_not():
    assert [relation_of(sign) for sign in ("", "<0", "<<1", "NP", "=", "$1")] == [None] * 6


def test_a_word_without_a_tag_has_the_tag_that_is_written():
    assert nodes_of("(X the (Y (_ old) (NN man)))").labels == ["X", "_", "the", "Y", "_", "old", "NN", "man"]


def test_a_tree_without_a_root_has_no_sisters_at_the_top():
    from synparse.trees.constituency import induced_tree

    nodes = Nodes(induced_tree(["a", "b"], []))
    assert [list(RELATIONS["$"](nodes, node)) for node in range(len(nodes))] == [[]] * 4


@pytest.mark.parametrize("sign", [*RELATIONS, "<2", ">-2"])
def test_relations_do_not_recurse(sign):
    nodes = nodes_of("(A " * 3000 + "(T a) (U b)" + ")" * 3000)
    relation = relation_of(sign)
    for node in (0, 1500, 3000, 3003):
        assert all(0 <= other < len(nodes) for other in relation(nodes, node))
