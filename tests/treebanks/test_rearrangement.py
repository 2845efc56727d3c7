"""Brackets that flat noun phrases and quantities get before heads are looked for."""

import pytest

from synparse.treebanks.rearrangement import rearrange
from tests.treebanks.reading import root_of
from tests.trees.written import tree as tree_of


def rearranged(text):
    return repr(rearrange(root_of(text)).children[0])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "(NP (NN soya) (CC or) (NN maize) (NN oil))",
            "(NP (NP (NN soya) (CC or) (NN maize)) (NN oil))",
        ),
        (
            "(NP (DT the) (NN soya) (CC or) (NN maize) (NN oil))",
            "(NP (DT the) (NP (NN soya) (CC or) (NN maize)) (NN oil))",
        ),
        (
            "(NP (DT the) (NN phone) (NN book) (CC and) (NN tour) (NN guide))",
            "(NP (NP (DT the) (NN phone) (NN book)) (CC and) (NP (NN tour) (NN guide)))",
        ),
        (
            "(NP (NNP A) (, ,) (NNP B) (CC and) (NNP C) (NNP Corp))",
            "(NP (NP (NNP A) (, ,) (NNP B) (CC and) (NNP C)) (NNP Corp))",
        ),
        ("(NP (NN dogs) (CC and) (NN cats))", "(NP (NN dogs) (CC and) (NN cats))"),
        (
            "(NP (DT both) (NN phone) (NN book) (CC and) (NN tour) (NN guide))",
            "(NP (CC both) (NP (NN phone) (NN book)) (CC and) (NP (NN tour) (NN guide)))",
        ),
        ("(QP (JJR more) (IN than) (CD six))", "(QP (XS (JJR more) (IN than)) (CD six))"),
        ("(QP (IN at) (JJS least) (CD six))", "(QP (XS (IN at) (JJS least)) (CD six))"),
        ("(QP ($ $) (CD 2) (CD billion))", "(QP ($ $) (QP (CD 2) (CD billion)))"),
        (
            "(QP (IN between) ($ $) (CD 2) (CC and) ($ $) (CD 3))",
            "(QP (IN between) (NP ($ $) (CD 2)) (CC and) (NP ($ $) (CD 3)))",
        ),
        ("(QP (CD two) (CC or) (CD three))", "(QP (NP (CD two)) (CC or) (NP (CD three)))"),
        ("(UCP (JJ old) (CC and) (NP (NN x)))", "(ADJP (JJ old) (CC and) (NP (NN x)))"),
        ("(NP-SBJ (NP (NP (NN x))))", "(NP-SBJ (NN x))"),
        (
            "(VP (VP (VB sing)) (CC but) (RB not) (VP (VB dance)))",
            "(VP (VP (VB sing)) (CC but) (VP (RB not) (VB dance)))",
        ),
        # even stays; so belongs to a conjunction before it; a phrase of one adverb goes, but not among adjectives
        (
            "(NP (NP (NNS cats)) (CC and) (RB even) (NP (NNS dogs)))",
            "(NP (NP (NNS cats)) (CC and) (RB even) (NP (NNS dogs)))",
        ),
        (
            "(S (S (VP (VB sing))) (, ,) (ADVP (RB so)) (S (VP (VB dance))))",
            "(S (S (VP (VB sing))) (, ,) (S (ADVP (RB so)) (VP (VB dance))))",
        ),
        (
            "(S (S (VP (VB sing))) (CC and) (ADVP (RB so)) (S (VP (VB dance))))",
            "(S (S (VP (VB sing))) (CC (CC and) (ADVP (RB so))) (S (VP (VB dance))))",
        ),
        (
            "(ADJP (ADJP (JJ wet)) (CC and) (ADVP (RB also)) (ADJP (JJ cold)))",
            "(ADJP (ADJP (JJ wet)) (CC and) (ADVP (RB also)) (ADJP (JJ cold)))",
        ),
    ],
)
def test_implied_brackets_are_added(before, after):
    assert rearranged(before) == after


def test_words_stay_in_their_order():
    text = "(NP (DT either) (NNP A) (, ,) (NNP B) (, ,) (CC or) (NNP C) (CC and) (JJ d) (NN e) (CC and) (NN f) (NN g))"
    assert tuple(leaf.word for leaf in rearrange(root_of(text)).leaves()) == tree_of(text).words
