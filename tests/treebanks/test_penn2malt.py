"""Penn2Malt: auxiliaries, coordination, punctuation, and one head for each constituent."""

import pytest
from hypothesis import given

from synparse.treebanks.penn import nodes_of
from synparse.treebanks.penn2malt import convert
from synparse.trees.dependency import is_projective
from tests.treebanks.reading import root_of
from tests.treebanks.test_schemes import trees
from tests.trees.dependency_trees import is_tree


def heads(text):
    return convert(root_of(text)).heads


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # she has been seen: each auxiliary is the head of the verb after it
        ("(S (NP (PRP she)) (VP (VBZ has) (VP (VBN been) (VP (VBN seen)))))", (2, 0, 2, 3)),
        # to see her: "to" depends on the verb
        ("(S (VP (TO to) (VP (VB see) (NP (PRP her)))))", (2, 0, 2)),
        # cats and dogs: the last noun
        ("(NP (NNS cats) (CC and) (NNS dogs))", (3, 3, 0)),
        # in Rome: the preposition
        ("(PP (IN in) (NP (NNP Rome)))", (0, 1)),
        # out of Rome: the first preposition; to, and from, Rome: the one that is no phrase
        ("(PP (IN out) (IN of) (NP (NNP Rome)))", (0, 1, 1)),
        ("(PP (PP (TO to)) (CC and) (IN from) (NP (NNP Rome)))", (3, 3, 0, 3)),
        # seen and ate; is to see: the first verb, of any kind, before "to"
        ("(VP (VBN seen) (CC and) (VBD ate))", (0, 1, 1)),
        ("(VP (TO to) (VB see))", (2, 0)),
        # so that if he sees: the last of those that begin clauses; not the clause
        ("(SBAR (RB so) (IN that) (IN if) (S (NP (PRP he)) (VP (VBZ sees))))", (3, 3, 0, 5, 3)),
        # he sees as do: the verb phrase
        ("(S (NP (PRP he)) (VP (VBZ sees)) (SBAR (IN as) (S (VP (VB do)))))", (2, 0, 2, 3)),
        # said he; five to ten; old and grey
        ("(SINV (VP (VBD said)) (NP (PRP he)))", (0, 1)),
        ("(QP (CD five) (TO to) (CD ten))", (3, 3, 0)),
        ("(ADJP (JJ old) (CC and) (JJ grey))", (3, 3, 0)),
        # ( see ): punctuation is never a head, inside or on either side
        ("(PRN (-LRB- -LRB-) (S (VP (VB see))) (-RRB- -RRB-))", (2, 0, 2)),
        # ! ?: only punctuation
        ("(X (. !) (. ?))", (2, 0)),
        # a category that is not in the table
        ("(NEW (NN a) (NN b))", (2, 0)),
        # a trace is not a word, and its phrase not a head
        ("(S (NP-SBJ-1 (NNS dogs)) (VP (VBD were) (VP (VBN seen) (NP (-NONE- *-1)))))", (2, 0, 2)),
        ("((S (NP (-NONE- *))))", ()),
    ],
)
def test_head_rules(text, expected):
    assert heads(text) == expected


@given(tree=trees())
def test_each_constituent_has_one_head_and_nothing_crosses(tree):
    """Whatever the tree: of a constituent's words one alone depends on a word outside, or is the root."""
    root = nodes_of(tree)
    heads = convert(root).heads
    assert is_tree(heads)
    assert is_projective(heads)
    for node in root.preorder():
        inside = {leaf.position for leaf in node.leaves()} - {0}
        assert sum(heads[word - 1] not in inside for word in inside) == bool(inside)
