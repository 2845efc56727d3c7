"""What is coordinated: conjunctions and lists without one, by hand."""

import pytest

from synparse.treebanks.lth_coordination import conjunctions, is_flat, is_list
from tests.treebanks.reading import root_of


def node(text):
    [child] = root_of(text).children
    return child


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        ("(NP (NNS cats) (CC and) (NNS dogs))", [1]),
        ("(NP (NNS cats) (, ,) (NNS cows) (CC and) (NNS dogs))", [3]),
        ("(NP (CC both) (NNS cats) (CC and) (NNS dogs))", [2]),
        ("(S (CC But) (NP (PRP he)) (VP (VBD sang)))", []),
        ("(S (`` ``) (CC But) (NP (PRP he)) (VP (VBD sang)))", []),
        ("(S (`` “) (CC But) (NP (PRP he)) (VP (VBD sang)))", [1]),
        ("(NP (NNS cats) (CC etc.))", []),
        ("(ADJP (JJ rich) (CONJP (CC but) (RB also)) (JJ kind))", [1]),
    ],
)
def test_conjunctions_join_what_is_before_and_after_them(text, positions):
    assert conjunctions(node(text).children) == positions


@pytest.mark.parametrize(
    ("text", "flat"),
    [
        ("(NP (NNS cats) (CC and) (NNS dogs))", True),
        ("(NP (NNS cats) (, ,) (CC and) (NNS dogs))", True),
        ("(NP (JJ old) (NNS cats) (CC and) (NNS dogs))", False),
    ],
)
def test_flat_is_where_each_is_a_conjunct_by_itself(text, flat):
    assert is_flat(node(text).children) == flat


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("(S (S (VP (VB go))) (, ,) (S (VP (VB stay))))", True),
        ("(S (S (VP (VB go))) (: ;) (SINV (VP (VB stay))))", True),
        ("(S (S (VP (VB go))) (S (VP (VB stay))))", False),
        ("(S (S (VP (VB go))) (, ,) (NP (PRP it)) (VP (VB stay)))", False),
        ("(NP (NP (NN a)) (, ,) (NP (NN b)) (, ,) (NP (NN c)))", True),
        ("(NP (NP (NN a)) (, ,) (NP (NN b)))", False),
        ("(NP (NP (NN a)) (: ;) (NP (NN b)) (, ,) (NP (NN c)))", False),
        ("(NP (NP (NN a)) (, ,) (NP (CD 63)) (, ,) (NP (NN c)))", False),
        ("(UCP (ADJP (JJ a)) (PP (IN b)))", True),
        ("(VP (MD may) (VP (VB go)) (, ,) (VP (VB stay)))", True),
        # marks outside ASCII: no list
        ("(S (S (VP (VB go))) (: —) (S (VP (VB stay))))", False),
        ("(S (S (VP (VB go))) (, ,) (S (VP (VB stay))) ('' \"))", True),
        ("(S (S (VP (VB go))) (, ,) (S (VP (VB stay))) ('' ”))", False),
    ],
)
def test_lists_without_a_conjunction(text, is_one):
    assert is_list(node(text)) == is_one
