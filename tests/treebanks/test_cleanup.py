"""Clean, collapsed and binarized trees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.treebanks.cleanup import binarized, cleaned, with_units_split, without_unary_chains
from synparse.trees.constituency import ConstituencyTree, Constituent, format_brackets, induced_tree
from synparse.trees.distances import unbiased_spans
from tests.trees.written import tree as tree_of


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (
            "( (S (NP-SBJ-1 (NNS dogs)) (VP (VBD were) (VP (VBN seen) (NP (-NONE- *-1))))))",
            "(S (NP (NNS dogs)) (VP (VBD were) (VP (VBN seen))))",
        ),
        ("( (S (NP=2 (NP (-NONE- *)) (PRN (-LRB- -LRB-) (NN a)))))", "(S (NP (PRN (-LRB- -LRB-) (NN a))))"),
        ("( (S (NN a)) (. .))", "(ROOT (S (NN a)) (. .))"),
        ("( (NN a))", "(ROOT (NN a))"),
        ("(TOP (S-IMP (VB go)))", "(TOP (S (VB go)))"),
        ("(NN a)", "(NN a)"),
        (  # Switchboard
            r"( (S (EDITED (RM (-DFL- \[)) (NP (PRP I)) (IP (-DFL- \+))) (NP (PRP we)) (VP (VBD go)) (-DFL- E_S)))",
            "(S (EDITED (NP (PRP I))) (NP (PRP we)) (VP (VBD go)))",
        ),
        ("(S (NP-SBJ (NN-SBJ dog)) (VP (VBZ|NN barks)))", "(S (NP (NN dog)) (VP (VBZ barks)))"),
        ("(S (NP-SB (ART-NK das) (NN-NK Haus)) ($, ,))", "(S (NP (ART das) (NN Haus)) ($, ,))"),
        ("(S (-LRB- -LRB-) (PRP$ my) (P+v-fin foi) ($. .) (-- --))",) * 2,
    ],
)
def test_clean_up(text, clean):
    assert format_brackets(cleaned(tree_of(text))) == clean


def test_a_tree_of_traces_has_no_words():
    assert cleaned(tree_of("( (S (NP (-NONE- *)) (VP (-NONE- *?*))))")) == ConstituencyTree((), (), ())


@pytest.mark.parametrize(
    ("text", "split"),
    [
        (
            "(sp (prep (sps00 a_pesar_de)) (sn (pp ello)))",
            "(sp (prep (sps00 (sps00 a) (sps00 pesar) (sps00 de))) (sn (pp ello)))",
        ),
        (
            "(np (prop São_Paulo) (cu (n a) (prop FC_Porto)) (prop Jornal_de_Notícias))",
            "(np (prop (prop São) (prop Paulo)) (cu (n a) (prop (prop FC) (prop Porto))) "
            "(prop (prop Jornal) (prop de) (prop Notícias)))",
        ),
        ("(A (B a_b c) (C _) (D _d) (E e__))", "(A (B (_ (_ a) (_ b)) (_ c)) (C _) (D _d) (E e__))"),
        ("(A (B Primavera_/__Verão))", "(A (B (B Primavera) (B /) (B Verão)))"),
        ("(NN a_b)", "(NN (NN a) (NN b))"),
        ("(S (NN a) (NN b))", "(S (NN a) (NN b))"),
    ],
)
def test_multiword_units_become_flat_constituents(text, split):
    expected = tree_of(split)
    bare = tuple("" if label == "_" else label for label, _, _ in expected.constituents)
    split_tree = with_units_split(tree_of(text))
    assert (split_tree.words, split_tree.tags) == (expected.words, expected.tags)
    spans = [(start, end) for _, start, end in expected.constituents]
    assert [(start, end) for _, start, end in split_tree.constituents] == spans
    assert tuple(label for label, _, _ in split_tree.constituents) == bare


@pytest.mark.parametrize(
    ("text", "collapsed"),
    [
        ("(S (VP (VB go) (ADVP (RB home))))", "(S+VP (VB go) (ADVP (RB home)))"),
        ("(ROOT (S (VP (VB go))))", "(S+VP (VB go))"),
        ("(TOP (NN a))", "(TOP (NN a))"),
        ("(S (NP (NP (NN a))) (VP (VB b)))", "(S (NP+NP (NN a)) (VP (VB b)))"),
        ("(NN a)", "(NN a)"),
    ],
)
def test_unary_chains_become_one_constituent(text, collapsed):
    assert format_brackets(without_unary_chains(tree_of(text))) == collapsed


@pytest.mark.parametrize(
    ("text", "left", "right"),
    [
        ("(A (B b) (C c))", "(A (B b) (C c))", "(A (B b) (C c))"),
        ("(A (X (Y y)) )", "(A (X (Y y)))", "(A (X (Y y)))"),
        (
            "(A (B b) (C c) (D d) (E e))",
            "(A (A| (A| (B b) (C c)) (D d)) (E e))",
            "(A (B b) (A| (C c) (A| (D d) (E e))))",
        ),
        (
            "(A (S (B (X x) (Y y) (Z z))) (C c) (D (V v) (W w)))",
            "(A (A| (S (B (B| (X x) (Y y)) (Z z))) (C c)) (D (V v) (W w)))",
            "(A (S (B (X x) (B| (Y y) (Z z)))) (A| (C c) (D (V v) (W w))))",
        ),
        ("(A (A2 (B b) (C c) (D d)))", "(A (A2 (A2| (B b) (C c)) (D d)))", "(A (A2 (B b) (A2| (C c) (D d))))"),
        ("(N n)", "(N n)", "(N n)"),
    ],
)
def test_binarization(text, left, right):
    assert format_brackets(binarized(tree_of(text), "left")) == left
    assert format_brackets(binarized(tree_of(text), "right")) == right


@given(st.lists(st.floats(0, 1), max_size=9), st.data())
def test_binarized_trees_have_a_span_for_each_split(distances, data):
    count = len(distances) + 1
    some = data.draw(st.lists(st.sampled_from([(0, count), *unbiased_spans(distances)]), unique=True))
    tree = induced_tree(["w"] * count, {(0, count), *some})
    for direction in ("left", "right"):
        result = binarized(tree, direction)
        assert sum(end - start > 1 for _, start, end in result.constituents) == count - 1
        assert [constituent for constituent in result.constituents if constituent.label == "X"] == list(
            tree.constituents
        )


def test_trees_of_any_depth():
    deep = ConstituencyTree(("a",) * 3, ("NN",) * 3, tuple(Constituent("NP", 0, 3) for _ in range(20_000)))
    assert len(binarized(cleaned(deep), "left").constituents) == 20_001
    assert without_unary_chains(deep).constituents[0].label == "+".join(["NP"] * 20_000)
