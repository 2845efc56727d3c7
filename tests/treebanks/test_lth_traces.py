"""What was moved is put where it was moved from: trees by hand, before and after."""

import pytest

from synparse.treebanks.lth_traces import resolve_traces
from tests.treebanks.reading import root_of


def resolved(text, raises=True):
    root = root_of(text)
    resolve_traces(root, raises)
    return repr(root).removeprefix("(ROOT ").removesuffix(")")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # a question word, which takes the functions of its place
        (
            "(SBARQ (WHNP-1 (WP what)) (SQ (VBD did) (NP-SBJ (PRP he)) (VP (VB say) (NP (-NONE- *T*-1)))))",
            "(SBARQ (SQ (VBD did) (NP-SBJ (PRP he)) (VP (VB say) (NP (WHNP (WP what))))))",
        ),
        # a topic loses its own functions
        (
            "(S (NP-TPC-1 (NN tea)) (NP-SBJ (PRP I)) (VP (VBP like) (NP (-NONE- *T*-1))))",
            "(S (NP-SBJ (PRP I)) (VP (VBP like) (NP (NP (NN tea)))))",
        ),
        # what two conjuncts share goes to the first
        (
            "(VP (VP (VBD wrote) (NP (-NONE- *RNR*-1))) (CC and) (VP (VBD sold) (NP (-NONE- *RNR*-1))) (NP-1 (NN it)))",
            "(VP (VP (VBD wrote) (NP (NP (NN it)))) (CC and) (VP (VBD sold) (NP (-NONE- *RNR*-1))))",
        ),
        # an extraposed clause stays, and is marked
        (
            "(S (NP-SBJ (NP (PRP it)) (S (-NONE- *EXP*-1))) (VP (VBZ seems) (S-1 (VP (TO to) (VP (VB rain))))))",
            "(S (NP-SBJ (NP (PRP it)) (S (-NONE- *EXP*-1))) (VP (VBZ seems) (S-EXTR (VP (TO to) (VP (VB rain))))))",
        ),
        # a passive subject stays where it is; so does what has no trace
        (
            "(S (NP-SBJ-1 (NN tea)) (VP (VBD was) (VP (VBN drunk) (NP (-NONE- *-1)))))",
            "(S (NP-SBJ (NN tea)) (VP (VBD was) (VP (VBN drunk) (NP (-NONE- *-1)))))",
        ),
    ],
)
def test_what_was_moved_goes_back(before, after):
    assert resolved(before) == after


PARENTHESIS = (
    "(S-1 (NP-SBJ (NN tea)) (PRN (, ,) (S (NP-SBJ (PRP he)) (VP (VBD said) (S (-NONE- *T*-1)))) (, ,)) (VP (VBZ is)))"
)


def test_a_clause_around_its_own_trace_becomes_part_of_its_parenthesis_if_that_is_wanted():
    clause = "(S (NP-SBJ (NN tea)) (VP (VBZ is)))"
    assert resolved(f"(X {PARENTHESIS})") == (
        f"(X (PRN (, ,) (S (NP-SBJ (PRP he)) (VP (VBD said) (S {clause}))) (, ,)))"
    )
    assert resolved(f"(X {PARENTHESIS})", raises=False) == f"(X {PARENTHESIS.replace('S-1', 'S')})"
