"""The table of Stanford Dependencies: one sentence for each group of its rules, and no rule that can never decide."""

import pytest

from synparse.treebanks.stanford import convert
from synparse.treebanks.stanford_relations import CONDITIONS, RELATIONS, TABLE
from tests.treebanks.reading import relations_of
from tests.treebanks.relation_tables import check_every_rule_can_decide, rows

# The manual (de Marneffe and Manning 2008, revised 2016), section 2.
IN_THE_MANUAL = frozenset(
    """acomp advcl advmod agent amod appos aux auxpass cc ccomp conj cop csubj csubjpass dep det discourse dobj expl
    goeswith iobj mark mwe neg nn npadvmod nsubj nsubjpass num number parataxis pcomp pobj poss possessive preconj
    predet prep prepc prt punct quantmod rcmod root tmod vmod xcomp""".split()
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "(NP (CC both) (NNS cats) (CC and) (NNS dogs))",
            ["preconj(cats, both)", "root(ROOT, cats)", "cc(cats, and)", "conj(cats, dogs)"],
            id="coordination",
        ),
        pytest.param(
            "(S (NP (PRP They)) (VP (MD may) (VP (VB be) (VP (VBN given) (PRT (RP up))))))",
            ["nsubjpass(given, They)", "aux(given, may)", "auxpass(given, be)", "root(ROOT, given)", "prt(given, up)"],
            id="verb groups",
        ),
        pytest.param(
            "(S (NP (DT no) (NN dog)) (VP (VBD did) (RB n't) (VP (VB bark))))",
            ["neg(dog, no)", "nsubj(bark, dog)", "aux(bark, did)", "neg(bark, n't)", "root(ROOT, bark)"],
            id="negation",
        ),
        pytest.param(
            "(NP (PDT all) (PRP$ my) (CD three) (NNS dogs))",
            ["predet(dogs, all)", "poss(dogs, my)", "num(dogs, three)", "root(ROOT, dogs)"],
            id="words in noun phrases",
        ),
        pytest.param(
            "(NP (NP (DT the) (NN dog) (POS 's)) (QP (IN about) (CD 200)) (NNS teeth))",
            ["det(dog, the)", "poss(teeth, dog)", "possessive(dog, 's)", "quantmod(200, about)", "num(teeth, 200)",
             "root(ROOT, teeth)"],
            id="quantities and possessors",
        ),
        pytest.param(
            "(NP (NP (NNS cats)) (CONJP (RB as) (RB well) (IN as)) (NP (NNS dogs)))",
            ["root(ROOT, cats)", "cc(cats, well)", "conj(cats, dogs)"],
            id="expressions of several words",
        ),
        pytest.param(
            "(S (NP (EX There)) (VP (VBZ is) (NP (DT a) (NN ghost)) (NP-TMP (NN today))))",
            ["expl(is, There)", "root(ROOT, is)", "det(ghost, a)", "nsubj(is, ghost)", "tmod(is, today)"],
            id="noun phrases in clauses",
        ),
        pytest.param(
            "(S (NP (PRP She)) (VP (VBD gave) (NP (PRP me)) (NP (DT a) (NN raise))))",
            ["nsubj(gave, She)", "root(ROOT, gave)", "iobj(gave, me)", "det(raise, a)", "dobj(gave, raise)"],
            id="objects",
        ),
        pytest.param(
            "(SBARQ (WHADVP (WRB When)) (SQ (VBD did) (NP (PRP she)) (VP (VB leave))))",
            ["advmod(leave, When)", "aux(leave, did)", "nsubj(leave, she)", "root(ROOT, leave)"],
            id="what opens a question",
        ),
        pytest.param(
            "(S (NP (PRP She)) (VP (VBZ looks) (ADJP (JJ old)) (SBAR (IN if) (S (NP (PRP he)) (VP (VBZ comes))))))",
            ["nsubj(looks, She)", "root(ROOT, looks)", "acomp(looks, old)", "mark(comes, if)", "nsubj(comes, he)",
             "advcl(looks, comes)"],
            id="clauses in verb phrases",
        ),
        pytest.param(
            "(S (SBAR (IN That) (S (NP (PRP he)) (VP (VBD lied)))) (VP (VBZ matters)))",
            ["mark(lied, That)", "nsubj(lied, he)", "csubj(matters, lied)", "root(ROOT, matters)"],
            id="clauses before verb phrases",
        ),
        pytest.param(
            "(NP (NP (NNP Sam)) (, ,) (NP (PRP$ my) (NN brother)) (, ,) (VP (VBG sleeping)))",
            ["root(ROOT, Sam)", "punct(Sam, ,)", "poss(brother, my)", "appos(Sam, brother)", "punct(Sam, ,)",
             "vmod(Sam, sleeping)"],
            id="what follows a noun",
        ),
        pytest.param(
            "(S (NP (PRP We)) (VP (VBD talked) (PP (IN about) (S (VP (VBG leaving))))))",
            ["nsubj(talked, We)", "root(ROOT, talked)", "prep(talked, about)", "pcomp(about, leaving)"],
            id="prepositions",
        ),
        pytest.param(
            "(NP (ADJP (RB genetically) (VBN modified)) (NN oil) (NNS prices))",
            ["advmod(modified, genetically)", "amod(prices, modified)", "nn(prices, oil)", "root(ROOT, prices)"],
            id="modifiers",
        ),
    ],
)  # fmt: skip
def test_a_sentence_of_each_group(text, expected):
    relations = relations_of(convert, text)
    assert [relation for relation in relations if relation in expected] == expected, relations


def test_every_relation_is_in_the_manual():
    assert {relation for (relation,), *_ in rows(TABLE)} <= IN_THE_MANUAL


def test_every_condition_is_asked():
    assert {name.lstrip("!") for *_, conditions in rows(TABLE) for name in conditions} == set(CONDITIONS)
    assert RELATIONS


def test_no_rule_stands_behind_one_that_decides_before_it():
    check_every_rule_can_decide(TABLE)
