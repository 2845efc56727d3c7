"""The table of Universal Dependencies: one sentence for each group of its rules, and no rule that can never decide."""

import pytest

from synparse.treebanks.universal_dependencies import convert
from synparse.treebanks.universal_relations import CONDITIONS, EXPRESSIONS, TABLE
from tests.treebanks.reading import relations_of
from tests.treebanks.relation_tables import check_every_rule_can_decide, rows

# https://universaldependencies.org/u/dep/
UNIVERSAL = frozenset(
    """acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed
    flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative
    xcomp""".split()
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "(NP (CC both) (NNS cats) (CC and) (NNS dogs))",
            ["cc:preconj(cats, both)", "root(ROOT, cats)", "cc(dogs, and)", "conj(cats, dogs)"],
            id="coordination",
        ),
        pytest.param(
            "(S (NP (PRP They)) (VP (MD may) (VP (VB be) (VP (VBN given) (PRT (RP up))))))",
            ["nsubj:pass(given, They)", "aux(given, may)", "aux:pass(given, be)", "root(ROOT, given)",
             "compound:prt(given, up)"],
            id="verb groups",
        ),
        pytest.param(
            "(NP (PDT all) (PRP$ my) (CD three) (JJ old) (NN oil) (NNS lamps))",
            ["det:predet(lamps, all)", "nmod:poss(lamps, my)", "nummod(lamps, three)", "amod(lamps, old)",
             "compound(lamps, oil)", "root(ROOT, lamps)"],
            id="noun phrases",
        ),
        pytest.param(
            "(NP (NP (DT the) (NN dog)) (SBAR (WHNP (WDT that)) (S (VP (VBD barked)))))",
            ["det(dog, the)", "root(ROOT, dog)", "nsubj(barked, that)", "acl:relcl(dog, barked)"],
            id="clauses in noun phrases",
        ),
        pytest.param(
            "(NP (NP (NNS tales)) (PP (IN of) (NP (DT the) (NN sea))))",
            ["root(ROOT, tales)", "case(sea, of)", "det(sea, the)", "nmod(tales, sea)"],
            id="prepositional phrases",
        ),
        pytest.param(
            "(S (NP (PRP It)) (VP (VBZ is) (ADJP (RB very) (JJ old))))",
            ["nsubj(old, It)", "cop(old, is)", "advmod(old, very)", "root(ROOT, old)"],
            id="adjective and adverb phrases",
        ),
        pytest.param(
            "(S (NP (PRP She)) (VP (VBD gave) (NP (PRP me)) (NP (DT a) (NN raise)) (NP-TMP (NN today))))",
            ["nsubj(gave, She)", "root(ROOT, gave)", "iobj(gave, me)", "det(raise, a)", "obj(gave, raise)",
             "obl:tmod(gave, today)"],
            id="arguments of verbs",
        ),
        pytest.param(
            "(S (NP (PRP He)) (VP (VBZ says) (SBAR (IN that) (S (NP (PRP it)) (VP (VBZ rains))))))",
            ["nsubj(says, He)", "root(ROOT, says)", "mark(rains, that)", "nsubj(rains, it)", "ccomp(says, rains)"],
            id="clauses in clauses",
        ),
        pytest.param(
            "(S (SBAR (IN If) (S (NP (PRP it)) (VP (VBZ rains)))) (, ,) (NP (PRP we)) (VP (VBP leave)))",
            ["mark(rains, If)", "nsubj(rains, it)", "advcl(leave, rains)", "punct(leave, ,)", "nsubj(leave, we)",
             "root(ROOT, leave)"],
            id="clauses before clauses",
        ),
    ],
)  # fmt: skip
def test_a_sentence_of_each_group(text, expected):
    assert relations_of(convert, text) == expected


def test_every_relation_is_universal_or_of_a_kind_of_one():
    assert {relation.partition(":")[0] for (relation,), *_ in rows(TABLE)} <= UNIVERSAL


def test_every_condition_that_is_asked_is_there():
    assert {name.lstrip("!") for *_, conditions in rows(TABLE) for name in conditions} <= set(CONDITIONS)


def test_no_rule_stands_behind_one_that_decides_before_it():
    check_every_rule_can_decide(TABLE)


def test_expressions_are_words():
    for expressions in EXPRESSIONS.values():
        assert all(len(words) > 1 and words == [word.lower() for word in words] for words in expressions)
