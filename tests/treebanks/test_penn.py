"""Penn trees as nodes: labels, positions, traces, depth."""

import pytest

from synparse.treebanks.penn import lower_case_label, nodes_of, split_label, without_traces, word_without_tag
from synparse.trees.constituency import ConstituencyTree, Constituent
from tests.treebanks.reading import root_of
from tests.trees.written import tree as tree_of

SENTENCE = "( (S (NP-SBJ-1 (NNS dogs)) (VP (VBD were) (VP (VBN seen) (NP (-NONE- *-1)) (PP=2 (IN by) (NP (NNS us)))))))"


@pytest.mark.parametrize(
    ("label", "parts"),
    [
        ("NP", ("NP", (), "", "")),
        ("NP-SBJ", ("NP", ("SBJ",), "", "")),
        ("NP-SBJ-1", ("NP", ("SBJ",), "1", "")),
        ("PP-LOC-PRD-TPC-3", ("PP", ("LOC", "PRD", "TPC"), "3", "")),
        ("NP=2", ("NP", (), "", "2")),
        ("NP-TMP=12", ("NP", ("TMP",), "", "12")),
        ("NP-1=2", ("NP", (), "1", "2")),
        ("ADVP|PRT", ("ADVP", (), "", "")),
        ("NP-SBJ|PRD", ("NP", ("SBJ", "PRD"), "", "")),
        ("NP-SBJ^S", ("NP", ("SBJ",), "", "")),
        ("NN^NP", ("NN", (), "", "")),
        ("NP^S-SBJ=1", ("NP", (), "", "")),
        ("-NONE-", ("-NONE-", (), "", "")),
        ("-LRB-", ("-LRB-", (), "", "")),
        ("PRP$", ("PRP$", (), "", "")),
        (":", (":", (), "", "")),
        ("", ("", (), "", "")),
        ("-", ("-", (), "", "")),
    ],
)
def test_labels_come_apart(label, parts):
    assert split_label(label) == parts


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("(S (NP dogs) (VP (VB go)))", "dogs"),
        ("(S (NP-SBJ (NN a)) (VP-X go))", "go"),
        ("(S (NN a) (_ b))", "b"),
        ("(S (X a) (INTJ b) (NN c))", None),
        ("(fcl (P+vp (AUX+v-fin foi) (PRT-AUX<+prp a)))", None),
    ],
)
def test_the_first_word_without_a_tag_is_found(text, word):
    assert word_without_tag(tree_of(text)) == word


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("(S (NP (NN a)) (VP (VB b)))", None),
        ("(s (np (NN a)) (vp (VB b)))", "s"),
        ("(S (NP (nn a)) (VP (vb b)))", "nn"),
        ("( (S (np (NN a)) (VP (VB b))))", None),
        ("(s (np-sbj (nn a)) (vp (vb b)))", "s"),
        ("(sn (espec.ms (da0ms0 el)) (grup.nom.ms (ncms000 gato)))", None),
    ],
)
def test_lower_case_labels_are_found_if_they_are_the_majority(text, label):
    assert lower_case_label(tree_of(text)) == label


def test_nodes_are_the_tree():
    root = root_of(SENTENCE)
    assert repr(root) == (
        "(ROOT (S (NP-SBJ (NNS dogs)) (VP (VBD were) (VP (VBN seen) (NP (-NONE- *-1)) (PP (IN by) (NP (NNS us)))))))"
    )
    [sentence] = root.children
    assert [child.label for child in sentence.children] == ["NP", "VP"]
    assert sentence.children[0].index == "1"
    assert sentence.children[0].functions == ("SBJ",)
    assert all(child.parent is node for node in root.preorder() for child in node.children)
    assert root.parent is None


def test_forms_are_words_in_lower_case():
    [sentence] = root_of("(S (NNP Émile) (VBD WAS))").children
    assert [node.form for node in sentence.preorder()] == ["", "émile", "was"]


def test_positions_count_words_and_traces_have_the_index_of_their_antecedent():
    leaves = root_of(SENTENCE).leaves()
    assert [(leaf.word, leaf.position) for leaf in leaves] == [
        ("dogs", 1), ("were", 2), ("seen", 3), ("*-1", 0), ("by", 4), ("us", 5),
    ]  # fmt: skip
    assert [leaf.index for leaf in leaves] == ["", "", "", "1", "", ""]
    assert [leaf.is_trace for leaf in leaves] == [False, False, False, True, False, False]


@pytest.mark.parametrize("outer", ["", "ROOT", "TOP"])
def test_an_outer_bracket_is_the_root(outer):
    assert repr(root_of(f"({outer} (S (NN a)) (S (NN b)))")) == "(ROOT (S (NN a)) (S (NN b)))"


def test_a_tree_without_an_outer_bracket_gets_one():
    assert repr(root_of("(S (NN a))")) == "(ROOT (S (NN a)))"
    assert repr(root_of("(NN a)")) == "(ROOT (NN a))"


def test_traces_and_constituents_of_traces_are_removed():
    root = root_of("( (S (NP (NP (-NONE- *))) (VP (VB go) (SBAR (-NONE- 0) (S (-NONE- *T*-1))))))")
    assert repr(without_traces(root)) == "(ROOT (S (VP (VB go))))"
    assert without_traces(root_of("( (S (NP (-NONE- *)) (-DFL- N_S)))")).children == []


def test_bottom_up_is_children_first_and_a_list():
    root = root_of("(S (NP (NN a)) (VP (VB b)))")
    order = [node.word or node.label for node in root.bottom_up()]
    assert order == ["b", "VP", "a", "NP", "S", "ROOT"]
    assert [node.word or node.label for node in root.preorder()] == order[::-1]


def test_adopted_children_know_their_parent():
    root = root_of("(S (NP (NN a)) (VP (VB b)))")
    [sentence] = root.children
    noun, verb = root.leaves()
    sentence.adopt([verb, noun])
    assert sentence.children == [verb, noun]
    assert verb.parent is noun.parent is sentence


def test_trees_of_any_depth():
    chain = tuple(Constituent("NP", 0, 1) for _ in range(50_000))
    root = nodes_of(ConstituencyTree(("dog",), ("NN",), chain))
    assert sum(1 for _ in without_traces(root).preorder()) == 50_002
