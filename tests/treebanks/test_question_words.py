"""Question words as objects of complements and of prepositions, in both schemes with semantic heads."""

import pytest

from synparse.treebanks import stanford, universal_dependencies
from tests.treebanks.reading import relations_of


def clause(verb_phrase):
    return f"(SBAR (WHNP (WP what)) (S (NP (PRP they)) {verb_phrase}))"


@pytest.mark.parametrize(
    ("verb_phrase", "head"),
    [
        ("(VP (VBP try) (S (VP (TO to) (VP (VB keep)))))", "keep"),
        ("(VP (VBP need) (S (VP (TO to) (VP (VB keep)))))", "need"),
        ("(VP (VBP are) (VP (VBG going) (S (VP (TO to) (VP (VB keep))))))", "keep"),
        ("(VP (VBP like) (S (VP (VBG keeping))))", "keeping"),
        ("(VP (VBP keep))", "keep"),
    ],
)
@pytest.mark.parametrize(("scheme", "name"), [(stanford, "dobj"), (universal_dependencies, "obj")])
def test_the_verb_whose_object_it_is(scheme, name, verb_phrase, head):
    assert relations_of(scheme.convert, clause(verb_phrase))[0] == f"{name}({head}, what)"


@pytest.mark.parametrize(("verb", "expected"), [("seem", "obj(know, who)"), ("learn", "dep(learn, who)")])
def test_a_pronoun_without_a_relation_to_its_verb(verb, expected):
    clause = f"(SBAR (NP (WP who)) (S (VP (VBP {verb}) (S (VP (TO to) (VP (VB know)))))))"
    assert relations_of(universal_dependencies.convert, f"(NP (NP (NNS people)) {clause})")[1] == expected


def test_a_preposition_without_an_object():
    text = clause("(VP (VBP look) (PP (IN for)))")
    assert relations_of(stanford.convert, text)[::3] == ["pobj(for, what)", "prep(look, for)"]
    assert relations_of(universal_dependencies.convert, text)[::3] == ["obl(look, what)", "case(what, for)"]


def test_a_noun_phrase_of_a_preposition_stays():
    text = clause("(VP (VBP look) (PP (IN for)) (PP (IN in) (NP (NN town))))")
    relations = relations_of(universal_dependencies.convert, text)
    assert relations[3:] == ["case(what, for)", "case(town, in)", "obl(look, town)"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("(WHNP (WP What)) (SQ (VBZ is) (NP (PRP it)))", "root cop nsubj"),
        ("(WHNP (WP What)) (SQ (VBZ is) (NP (PRP it)) (PP (IN about)))", "root cop nsubj dep"),
        ("(WHNP (WP What)) (SQ (VBD did) (NP (PRP it)) (VP (VB rain)))", "dobj aux nsubj root"),
        ("(WHADVP (WRB Where)) (SQ (VBZ is) (NP (PRP it)))", "advmod root nsubj"),
    ],
)
@pytest.mark.parametrize("scheme", [stanford, universal_dependencies])
def test_the_pronoun_is_the_predicate_of_a_question_with_be(scheme, question, expected):
    relations = [arc.partition("(")[0] for arc in relations_of(scheme.convert, f"(SBARQ {question})")]
    assert relations == expected.replace("dobj", "dobj" if scheme is stanford else "obj").split()
