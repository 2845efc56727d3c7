"""Brackets that are added to flat phrases: before and after, by hand."""

import pytest

from synparse.treebanks.lth_brackets import add_brackets
from tests.treebanks.reading import root_of


def bracketed(text):
    [node] = root_of(text).children
    add_brackets(node)
    return repr(node)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # dates, where something follows
        (
            "(NP (NNP March) (CD 3) (, ,) (CD 1998))",
            "(NP (NP-TMP (NNP March) (CD 3)) (, ,) (CD 1998))",
        ),
        ("(NP (NNP March) (CD 3))", "(NP (NNP March) (CD 3))"),
        ("(NP (NNP March) (CD 1998) (NNS rains))", "(NP (NNP March) (CD 1998) (NNS rains))"),
        # adverb and adjective
        ("(NP (DT a) (RB very) (JJ old) (NN dog))", "(NP (DT a) (ADJP (RB very) (JJ old)) (NN dog))"),
        ("(NP (DT a) (RB newly) (JJ old) (NN dog))", "(NP (DT a) (ADJP (RB newly) (JJ old)) (NN dog))"),
        ("(NP (RB even) (JJ old) (NNS dogs))", "(NP (RB even) (JJ old) (NNS dogs))"),
        # conjuncts before a noun
        ("(NP (NN pie) (CC and) (NN bar) (NNS graphs))", "(NP (NN (NN pie) (CC and) (NN bar)) (NNS graphs))"),
        ("(NP (NNS cats) (CC and) (NNS dogs))", "(NP (NNS cats) (CC and) (NNS dogs))"),
        # firms
        ("(NP (NNP W.) (NNP Smith) (CC &) (NNP Co.))", "(NP (NP (NNP W.) (NNP Smith)) (CC &) (NNP Co.))"),
        # a conjunct with its adverb
        (
            "(NP (NP (NNP Tom)) (CC and) (RB even) (NP (NNP Ann)))",
            "(NP (NP (NNP Tom)) (CC and) (NP (RB even) (NP (NNP Ann))))",
        ),
        # subordinators
        (
            "(SBAR (RB even) (IN though) (S (VP (VBZ rains))))",
            "(SBAR (IN (RB even) (IN though)) (S (VP (VBZ rains))))",
        ),
        ("(SBAR (IN though) (S (VP (VBZ rains))))", "(SBAR (IN though) (S (VP (VBZ rains))))"),
        # what is no noun phrase stays
        ("(VP (VBD sang) (CC and) (VBD danced))", "(VP (VBD sang) (CC and) (VBD danced))"),
    ],
)
def test_brackets_are_added(before, after):
    assert bracketed(before) == after
