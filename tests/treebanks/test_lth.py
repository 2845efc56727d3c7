"""The CoNLL shared tasks' dependencies: heads and labels by hand."""

import pytest

from synparse.treebanks.lth import convert_2007, convert_2008
from tests.treebanks.reading import root_of


def converted(convert, text, raw):
    """Each word's head and label, as one line of text."""
    result = convert(root_of(text), raw)
    return " ".join(f"{head}:{relation}" for head, relation in zip(result.heads, result.relations, strict=True))


def in_2008(text, raw=False):
    return converted(convert_2008, text, raw)


def in_2007(text, raw=False):
    return converted(convert_2007, text, raw)


@pytest.mark.parametrize(
    ("text", "relations_2008", "relations_2007"),
    [
        # she has been seen by him today: verb chain, agent, time
        (
            "(S (NP-SBJ-1 (PRP she)) (VP (VBZ has) (VP (VBN been) (VP (VBN seen) (NP (-NONE- *-1)) (PP (IN by)"
            " (NP-LGS (PRP him))) (NP-TMP (NN today))))))",
            "2:SBJ 0:ROOT 2:VC 3:VC 4:LGS 5:PMOD 4:TMP",
            "2:SBJ 0:ROOT 2:VC 3:VC 4:LGS 5:PMOD 4:ADV",
        ),
        # I know that it rains
        (
            "(S (NP-SBJ (PRP I)) (VP (VBP know) (SBAR (IN that) (S (NP-SBJ (PRP it)) (VP (VBZ rains))))))",
            "2:SBJ 0:ROOT 2:OBJ 5:SBJ 3:SUB",
            "2:SBJ 0:ROOT 5:VMOD 5:SBJ 2:OBJ",
        ),
        # I want him to go: the subject below is the object above, in 2008
        (
            "(S (NP-SBJ (PRP I)) (VP (VBP want) (S (NP-SBJ (PRP him)) (VP (TO to) (VP (VB go))))))",
            "2:SBJ 0:ROOT 2:OBJ 2:OPRD 4:IM",
            "2:SBJ 0:ROOT 5:SBJ 5:VMOD 2:OBJ",
        ),
        # keep wine in stock, keep wine dry: the predicate of a small clause has its function; a phrase may have two
        (
            "(VP (VB keep) (S (NP-SBJ (NN wine)) (PP-LOC-PRD (IN in) (NP (NN stock)))))",
            "0:ROOT 1:OBJ 1:LOC-OPRD 3:PMOD",
            "0:ROOT 3:SBJ 1:OBJ 3:PMOD",
        ),
        (
            "(VP (VB keep) (S (NP-SBJ (NN wine)) (ADJP-PRD (JJ dry))))",
            "0:ROOT 1:OBJ 1:OPRD",
            "0:ROOT 3:SBJ 1:OBJ",
        ),
        (
            "(VP (VB keep) (NP (NN wine)) (PP-MNR-LOC (IN in) (NP (NN stock))))",
            "0:ROOT 1:OBJ 1:LOC-MNR 3:PMOD",
            "0:ROOT 1:OBJ 1:ADV 3:PMOD",
        ),
        # it has been John who left, it is him who left: the clause of a cleft modifies the predicate, in 2008
        (
            "(S-CLF (NP-SBJ (PRP it)) (VP (VBZ has) (VP (VBN been) (NP-PRD (NNP John)) (SBAR (WHNP-1 (WP who))"
            " (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD left)))))))",
            "2:SBJ 0:ROOT 2:VC 3:PRD 6:SBJ 4:NMOD",
            "2:SBJ 0:ROOT 2:VC 3:PRD 6:SBJ 3:CLF",
        ),
        (
            "(S-CLF (NP-SBJ (PRP it)) (VP (VBZ is) (NP (PRP him)) (SBAR (WHNP-1 (WP who)) (S (NP-SBJ (-NONE- *T*-1))"
            " (VP (VBD left))))))",
            "2:SBJ 0:ROOT 2:PRD 5:SBJ 2:ADV",
            "2:SBJ 0:ROOT 2:PRD 5:SBJ 2:CLF",
        ),
        # he is to go: no object
        (
            "(S (NP-SBJ-1 (PRP he)) (VP (VBZ is) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB go))))))",
            "2:SBJ 0:ROOT 2:VC 3:IM",
            "2:SBJ 0:ROOT 4:VMOD 2:VC",
        ),
        # give her books: the first of two objects
        (
            "(S (VP (VB give) (NP (PRP her)) (NP (NNS books))))",
            "0:ROOT 1:OBJ 1:OBJ",
            "0:ROOT 1:IOBJ 1:OBJ",
        ),
        # men came, most of them: what goes back to its noun is not the head there
        (
            "(S (NP-SBJ (NP (NNS men)) (NP (-NONE- *ICH*-1))) (VP (VBD came)) (, ,) (NP-1 (NP (JJS most)) (PP (IN of)"
            " (NP (PRP them)))))",
            "2:SBJ 0:ROOT 2:P 1:APPO 4:NMOD 5:PMOD",
            "2:SBJ 0:ROOT 2:P 1:NMOD 4:NMOD 5:PMOD",
        ),
        # sales in 1990: a time of a noun, in 2007 in phrases of any category
        (
            "(FRAG (NP (NNS sales)) (PP-TMP (IN in) (NP (CD 1990))))",
            "0:ROOT 1:TMP 2:PMOD",
            "0:ROOT 1:NMOD 2:PMOD",
        ),
        # men (now ill in Rome): no verb, and so no adverbials of one
        (
            "(NP (NP (NNS men)) (RRC (ADVP (RB now)) (ADJP (JJ ill)) (PP (IN in) (NP (NNP Rome)))))",
            "0:ROOT 1:NMOD 2:DEP 2:DEP 4:PMOD",
            "0:ROOT 1:NMOD 2:DEP 2:DEP 4:PMOD",
        ),
        # it is there in the box: two functions at once
        (
            "(S (NP-SBJ (PRP it)) (VP (VBZ is) (PP-LOC-PRD (IN in) (NP (DT the) (NN box))) (PRT (RP down))"
            " (ADVP (RB still)) (RB not)))",
            "2:SBJ 0:ROOT 2:LOC-PRD 5:NMOD 3:PMOD 2:PRT 2:ADV 2:ADV",
            "2:SBJ 0:ROOT 2:PRD 5:NMOD 3:PMOD 2:PRT 2:ADV 2:ADV",
        ),
        # But because of rain only if it stopped
        (
            "(S (CC But) (PP (IN because) (IN of) (NP (NN rain))) (SBAR (RB only) (IN if) (S (NP-SBJ (PRP it))"
            " (VP (VBD stopped)))) (VP (VBZ goes)))",
            "9:DEP 9:ADV 2:DEP 2:PMOD 6:DEP 9:ADV 8:SBJ 6:SUB 0:ROOT",
            "9:CC 9:ADV 2:DEP 2:PMOD 6:DEP 8:VMOD 8:SBJ 9:ADV 0:ROOT",
        ),
    ],
)
def test_clauses(text, relations_2008, relations_2007):
    assert in_2008(text) == relations_2008
    assert in_2007(text) == relations_2007


@pytest.mark.parametrize(
    ("text", "relations_2008", "relations_2007"),
    [
        # Mr. John Smith Jr. 's very old dog: names, and an adverb that belongs to the adjective
        (
            "(NP (NP (NNP Mr.) (NNP John) (NNP Smith) (NNP Jr.)) (RB very) (JJ old) (NN dog))",
            "3:TITLE 3:NAME 7:NMOD 3:POSTHON 6:AMOD 7:NMOD 0:ROOT",
            "4:NMOD 4:NMOD 4:NMOD 7:NMOD 6:AMOD 7:NMOD 0:ROOT",
        ),
        ("(NP (NP (NNP Rome) (POS 's)) (NN wall))", "3:NMOD 1:SUFFIX 0:ROOT", "3:NMOD 1:NMOD 0:ROOT"),
        # Rome, a town, in Italy: an apposition
        (
            "(NP (NP (NNP Rome)) (, ,) (NP (DT a) (NN town)) (, ,) (PP-LOC (IN in) (NP (NNP Italy))))",
            "0:ROOT 1:P 4:NMOD 1:APPO 1:P 1:LOC 6:PMOD",
            "4:NMOD 4:P 4:NMOD 0:ROOT 4:P 4:ADV 6:PMOD",
        ),
        # Ann's (,) one of us: the possessor is the head where no other noun phrase is
        (
            "(NP (NP (NNP Ann) (POS 's)) (, ,) (NP (NP (CD one)) (PP (IN of) (NP (PRP us)))))",
            "4:NMOD 1:SUFFIX 4:P 0:ROOT 4:NMOD 5:PMOD",
            "4:NMOD 1:NMOD 4:P 0:ROOT 4:NMOD 5:PMOD",
        ),
        # Peoria, Ill., bank
        (
            "(NP (NAC-LOC (NNP Peoria) (, ,) (NNP Ill.) (, ,)) (NN bank))",
            "5:LOC 1:P 1:APPO 1:P 0:ROOT",
            "3:NMOD 3:P 5:ADV 3:P 0:ROOT",
        ),
        # since March 31, 1994: a date within a date
        (
            "(PP (IN since) (NP (NNP March) (CD 31) (, ,) (CD 1994)))",
            "0:ROOT 5:TMP 2:NMOD 5:P 1:PMOD",
            "0:ROOT 5:ADV 2:NMOD 5:P 1:PMOD",
        ),
        # # 30 million: the sign of the pound
        ("(NP (QP (# #) (CD 30) (CD million)))", "0:ROOT 1:DEP 1:DEP", "0:ROOT 1:DEP 1:DEP"),
    ],
)
def test_noun_phrases(text, relations_2008, relations_2007):
    assert in_2008(text) == relations_2008
    assert in_2007(text) == relations_2007


@pytest.mark.parametrize(
    ("text", "relations_2008", "relations_2007"),
    [
        # cats, dogs and mice
        (
            "(NP (NP (NNS cats)) (, ,) (NP (NNS dogs)) (CC and) (NP (NNS mice)))",
            "0:ROOT 1:P 1:COORD 3:COORD 4:CONJ",
            "4:COORD 4:P 4:COORD 0:ROOT 4:COORD",
        ),
        # both cats and dogs, neither cats nor dogs: determiners
        (
            "(NP (DT both) (NP (NNS cats)) (CC and) (NP (NNS dogs)))",
            "2:NMOD 0:ROOT 2:COORD 3:CONJ",
            "3:NMOD 3:COORD 0:ROOT 3:COORD",
        ),
        (
            "(NP (DT neither) (NP (NNS cats)) (CC nor) (NP (NNS dogs)))",
            "2:NMOD 0:ROOT 2:COORD 3:CONJ",
            "2:NMOD 3:COORD 0:ROOT 3:COORD",
        ),
        # pie and bar graphs; the stock and futures markets; cats and (probably dogs)
        (
            "(NP (NN pie) (CC and) (NN bar) (NNS graphs))",
            "4:NMOD 1:COORD 2:CONJ 0:ROOT",
            "2:COORD 4:NMOD 2:COORD 0:ROOT",
        ),
        (
            "(NP (DT the) (NN stock) (CC and) (NNS futures) (NNS markets))",
            "5:NMOD 5:COORD 5:COORD 5:COORD 0:ROOT",
            "3:COORD 3:COORD 0:ROOT 3:COORD 3:COORD",
        ),
        (
            "(NP (NP (NNS cats)) (CC and) (ADVP (RB probably)) (NP (NNS dogs)))",
            "0:ROOT 1:COORD 4:NMOD 2:CONJ",
            "2:COORD 0:ROOT 4:NMOD 2:COORD",
        ),
        # both cats and dogs (but not mice): the chain goes on from the last conjunct
        (
            "(NP (NP (CC both) (NP (NNS cats)) (CC and) (NP (NNS dogs))) (CC but) (NP (NNS mice)))",
            "2:DEP 0:ROOT 2:COORD 3:CONJ 4:COORD 5:CONJ",
            "3:CC 3:COORD 5:COORD 3:COORD 0:ROOT 5:COORD",
        ),
        # it comes; it goes.
        (
            "(S (S (NP-SBJ (PRP it)) (VP (VBZ comes))) (: ;) (S (NP-SBJ (PRP it)) (VP (VBZ goes))) (. .))",
            "2:SBJ 0:ROOT 2:P 5:SBJ 2:COORD 2:P",
            "2:SBJ 3:COORD 0:ROOT 5:SBJ 3:COORD 3:P",
        ),
        # sell and buy it now: a common dependent of the conjuncts depends on the head
        (
            "(VP (VB sell) (CC and) (VB buy) (NP (PRP it)) (ADVP-TMP (RB now)))",
            "0:ROOT 1:COORD 2:CONJ 1:OBJ 1:TMP",
            "2:COORD 0:ROOT 2:COORD 2:OBJ 2:ADV",
        ),
        (
            "(PP (IN of) (CC and) (IN by) (NP (PRP it)))",
            "0:ROOT 1:COORD 2:CONJ 1:PMOD",
            "2:COORD 0:ROOT 2:COORD 2:PMOD",
        ),
        # the Japanese and American markets
        (
            "(NP (DT the) (NNP Japanese) (CC and) (NX (NN markets)))",
            "2:NMOD 4:NMOD 2:COORD 0:ROOT",
            "2:NMOD 4:NMOD 2:CC 0:ROOT",
        ),
        # the "air force" pilot, the New York office, very old men: phrases within a noun phrase, as OntoNotes has them
        (
            "(NP (DT the) (NML (`` ``) (NN air) (NN force) ('' '')) (NN pilot))",
            "6:NMOD 4:P 4:NMOD 6:NMOD 4:P 0:ROOT",
            "6:NMOD 4:P 4:NMOD 6:NMOD 4:P 0:ROOT",
        ),
        (
            "(NP (DT the) (NML (NNP New) (NNP York)) (NN office))",
            "4:NMOD 3:NAME 4:NMOD 0:ROOT",
            "4:NMOD 3:NMOD 4:NMOD 0:ROOT",
        ),
        (
            "(NP (NN soap) (CC and) (NML (NN dog) (NN food)))",
            "0:ROOT 1:COORD 4:NMOD 2:CONJ",
            "2:COORD 0:ROOT 4:NMOD 2:COORD",
        ),
        ("(NP (JJP (RB very) (JJ old)) (NNS men))", "2:AMOD 3:NMOD 0:ROOT", "2:AMOD 3:NMOD 0:ROOT"),
        # W. Ford & Co.: in 2007 the first name depends on the second, not on the firm
        (
            "(NP (NNP W.) (NNP Ford) (CC &) (NNP Co.))",
            "2:NAME 0:ROOT 2:COORD 3:CONJ",
            "2:NMOD 3:COORD 0:ROOT 3:COORD",
        ),
        # Ford (item of a list), a fine; -- and now singing --
        (
            "(FRAG (FRAG (NP (NNP Ford)) (NP (NN fine))) (: ;))",
            "0:ROOT 1:COORD 1:P",
            "0:ROOT 1:COORD 1:P",
        ),
        (
            "(NP (NP (NN man)) (PRN (: --) (VP (VBG singing)) (: --)))",
            "0:ROOT 1:PRN 2:COORD 2:P",
            "0:ROOT 1:PRN 2:COORD 2:P",
        ),
        # a list needs three noun phrases that are not numerals, and commas; other phrases may be among them
        (
            "(NP (NP (NNS cats)) (, ,) (NP (NNS dogs)) (, ,) (NP (NNS mice)))",
            "0:ROOT 1:P 1:COORD 3:P 3:COORD",
            "4:COORD 4:P 4:COORD 0:ROOT 4:COORD",
        ),
        (
            "(NP (NP (NNS cats)) (, ,) (NP (NNS dogs)) (, ,) (ADJP (JJ small)) (, ,) (NP (NNS mice)))",
            "0:ROOT 1:P 1:COORD 3:P 3:COORD 5:P 5:COORD",
            "6:COORD 6:P 6:COORD 6:P 6:COORD 0:ROOT 6:COORD",
        ),
        (
            "(NP (NP (NNS cats)) (: ;) (NP (NNS dogs)) (: ;) (NP (NNS mice)))",
            "0:ROOT 1:P 1:APPO 1:P 1:APPO",
            "5:NMOD 5:P 5:NMOD 5:P 0:ROOT",
        ),
        (
            "(NP (NP (NN Smith)) (, ,) (NP (CD 63)) (, ,) (NP (NN clerk)))",
            "0:ROOT 1:P 1:APPO 1:P 1:APPO",
            "5:NMOD 5:P 5:NMOD 5:P 0:ROOT",
        ),
    ],
)
def test_coordination(text, relations_2008, relations_2007):
    assert in_2008(text) == relations_2008
    assert in_2007(text) == relations_2007


@pytest.mark.parametrize(
    ("text", "relations_2008", "relations_2007"),
    [
        # what does he think she said ?: "what" depends on "said", across "think"
        (
            "(SBARQ (WHNP-1 (WP what)) (SQ (VBZ does) (NP-SBJ (PRP he)) (VP (VB think) (SBAR (-NONE- 0) (S (NP-SBJ"
            " (PRP she)) (VP (VBD said) (NP (-NONE- *T*-1))))))) (. ?))",
            "6:OBJ 0:ROOT 2:SBJ 2:VC 6:SBJ 4:OBJ 2:P",
            "6:OBJ 0:ROOT 2:SBJ 2:VC 6:SBJ 4:OBJ 2:P",
        ),
        # a man came who sings
        (
            "(S (NP-SBJ (NP (DT a) (NN man)) (SBAR (-NONE- *ICH*-2))) (VP (VBD came) (SBAR-2 (WHNP-1 (WP who))"
            " (S (NP-SBJ (-NONE- *T*-1)) (VP (VBZ sings))))))",
            "2:NMOD 3:SBJ 0:ROOT 5:SBJ 2:NMOD",
            "2:NMOD 3:SBJ 0:ROOT 5:SBJ 2:NMOD",
        ),
        # it seems that he goes: extraposed, but not moved
        (
            "(S (NP-SBJ (NP (PRP it)) (SBAR (-NONE- *EXP*-1))) (VP (VBZ seems) (SBAR-1 (IN that) (S (NP-SBJ (PRP he))"
            " (VP (VBZ goes))))))",
            "2:SBJ 0:ROOT 2:EXTR 5:SBJ 3:SUB",
            "2:SBJ 0:ROOT 5:VMOD 5:SBJ 2:EXP",
        ),
        # bids, he says, fell: in 2008 he says that they fell
        (
            "(S-1 (NP-SBJ (NNS bids)) (PRN (, ,) (S (NP-SBJ (PRP he)) (VP (VBZ says) (SBAR (-NONE- 0) (S (-NONE- *T*-1)"
            ")))) (, ,)) (VP (VBD fell)))",
            "6:SBJ 4:P 4:SBJ 0:ROOT 4:P 4:OBJ",
            "6:SBJ 4:P 4:SBJ 6:PRN 4:P 0:ROOT",
        ),
    ],
)
def test_traces(text, relations_2008, relations_2007):
    assert in_2008(text) == relations_2008
    assert in_2007(text) == relations_2007


def test_the_head_of_a_fragment_is_no_mark_before_it():
    text = "(FRAG (: --) (VP (VBG hoping) (PP (IN for) (NP (NN rain)))) (. .))"
    for convert in (in_2008, in_2007):
        assert [arc.partition(":")[0] for arc in convert(text).split()] == ["2", "0", "2", "3", "2"]


def test_raw_ignores_function_tags_and_traces():
    text = (
        "(S (NP-TMP (NN today)) (NP-SBJ-1 (NNP Mr.) (NNP Ford)) (VP (VBD gave) (NP (PRP her)) (NP (NNS books))"
        " (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB read))))))"
    )
    assert in_2008(text, raw=True) == "4:VMOD 3:NAME 4:VMOD 0:ROOT 4:VMOD 4:VMOD 4:VMOD 7:IM"
    assert in_2007(text, raw=True) == "4:VMOD 3:NMOD 4:VMOD 0:ROOT 4:I 4:VMOD 8:VMOD 4:VMOD"


@pytest.mark.parametrize(
    ("text", "relations_2008"),
    [
        # some kind a city, $5 a share: a phrase with "a" is not an apposition, except after a comma
        ("(NP (NP (DT some) (NN kind)) (NP (DT a) (NN city)))", "2:NMOD 0:ROOT 4:NMOD 2:DEP"),
        ("(NP (NP (NNS cents)) (NP-ADV (DT a) (NN share)))", "0:ROOT 3:NMOD 1:DEP"),
        ("(NP (NP (NNP Rome)) (, ,) (NP (DT a) (NN town)))", "0:ROOT 1:P 4:NMOD 1:APPO"),
        # while in prison; if, uh, it goes: every dependent of a subordinator is SUB
        ("(SBAR (IN while) (PP (IN in) (NP (NN prison))))", "0:ROOT 1:SUB 2:PMOD"),
        ("(SBAR (IN if) (, ,) (UH uh) (S (NP (PRP it)) (VP (VBZ goes))))", "0:ROOT 1:P 1:SUB 5:VMOD 1:SUB"),
        # a word beside a preposition, but not after a hyphen, or an interjection in a phrase
        ("(PP (IN to) (DT the))", "0:ROOT 1:DEP"),
        ("(PP (IN post) (HYPH -) (CD 2015))", "0:ROOT 1:PMOD 1:PMOD"),
        ("(PP (PP (IN in) (NP (NN town))) (UH uh))", "0:ROOT 1:PMOD 1:PMOD"),
        # or tea; But the --: a conjunction that is the head of its phrase has one conjunct
        ("(PP (CC or) (NP (NN tea)))", "0:ROOT 1:COORD"),
        ("(FRAG (CC But) (DT the) (: --))", "0:ROOT 1:COORD 1:P"),
    ],
)
def test_raw_labels(text, relations_2008):
    assert in_2008(text, raw=True) == relations_2008


@pytest.mark.parametrize(
    ("text", "relations_2008", "relations_2007"),
    [
        # I sing, we dance and play, and it rains: in 2008 the last conjunct goes between *play* and its conjunction
        (
            "(S (S (NP (PRP I)) (VP (VBP sing))) (, ,) (S (NP (PRP we)) (VP (VP (VBP dance)) (CC and)"
            " (VP (VBP play)))) (, ,) (CC and) (S (NP (PRP it)) (VP (VBZ rains))))",
            "2:VMOD 0:ROOT 2:P 5:VMOD 2:COORD 5:COORD 9:COORD 6:P 6:CONJ 11:VMOD 9:CONJ",
            "2:VMOD 9:COORD 9:P 6:VMOD 6:COORD 9:COORD 6:COORD 9:P 0:ROOT 11:VMOD 9:COORD",
        ),
        # it rains, and often: a conjunction without a conjunct after it
        (
            "(S (S (NP (PRP it)) (VP (VBZ rains))) (, ,) (CC and) (ADVP (RB often)))",
            "2:VMOD 0:ROOT 2:P 2:COORD 2:VMOD",
            "2:VMOD 4:COORD 4:P 0:ROOT 4:VMOD",
        ),
        # it rains, does it?; cats, dogs: lists of phrases of one kind, under any parent
        (
            "(S (S (NP (PRP it)) (VP (VBZ rains))) (, ,) (SQ (VBZ does) (NP (PRP it))) (. ?))",
            "2:VMOD 0:ROOT 2:P 2:COORD 4:VMOD 2:P",
            "2:VMOD 3:COORD 0:ROOT 3:COORD 4:VMOD 3:P",
        ),
        ("(S (NP (NNS cats)) (, ,) (NP (NNS dogs)))", "0:ROOT 1:P 1:COORD", "2:COORD 0:ROOT 2:COORD"),
        # is dry and it rains: a clause beside a form of be is a conjunct
        (
            "(VP (VP (VBZ is) (ADJP (JJ dry))) (CC and) (S (NP (PRP it)) (VP (VBZ rains))))",
            "0:ROOT 1:VMOD 1:COORD 5:VMOD 3:CONJ",
            "3:COORD 1:VMOD 0:ROOT 5:VMOD 3:VMOD",
        ),
        # life-changing event: in 2007 the first word is the head if neither a conjunction nor a comma divides
        (
            "(NP (UCP (NN life) (HYPH -) (VBG changing)) (NN event))",
            "4:NMOD 1:COORD 2:COORD 0:ROOT",
            "4:NMOD 1:COORD 1:COORD 0:ROOT",
        ),
        # is dry, in town: a phrase headed by a comma
        (
            "(VP (VBZ is) (UCP (ADJP (JJ dry)) (, ,) (PP (IN in) (NP (NN town)))))",
            "0:ROOT 1:VMOD 2:P 2:COORD 4:PMOD",
            "0:ROOT 3:COORD 1:P 3:COORD 4:PMOD",
        ),
        # But it rains, it snows: in 2007 the conjunction before a list is its head
        (
            "(S (CC But) (S (NP (PRP it)) (VP (VBZ rains))) (, ,) (S (NP (PRP it)) (VP (VBZ snows))))",
            "3:DEP 3:VMOD 0:ROOT 3:P 6:VMOD 3:COORD",
            "0:ROOT 3:VMOD 1:COORD 1:P 6:VMOD 1:COORD",
        ),
        # a mark outside ASCII is a conjunct before a conjunction, and divides no list: the last clause is the head
        (
            "(NP (NP (NN man)) (PRN (: —) (CC and) (NP (NNS cats)) (: —)))",
            "0:ROOT 1:PRN 2:COORD 3:CONJ 2:P",
            "0:ROOT 3:P 1:PRN 3:COORD 3:P",
        ),
        (
            "(SBAR (SBAR (IN that) (S (VP (VBZ rains)))) (: —) (SBAR (IN that) (S (VP (VBZ snows)))))",
            "4:SUB 1:SUB 4:P 0:ROOT 4:SUB",
            "2:VMOD 5:VMOD 5:P 5:VMOD 0:ROOT",
        ),
        # without a child that head rules know, the last is the head, even a mark; but not a possessive ending
        ("(NP (PRP I) (: --))", "2:COORD 0:ROOT", "2:COORD 0:ROOT"),
        ("(NP (PRP one) (POS 's))", "0:ROOT 1:SUFFIX", "0:ROOT 1:NMOD"),
        ("(SQ (S (VP (VB Go))) (. ?))", "2:VMOD 0:ROOT", "2:VMOD 0:ROOT"),
        # who — who: of two questions, in 2007 the last is the head
        ("(WHNP (WHNP (WP who)) (: —) (WHNP (WP who)))", "0:ROOT 1:P 1:NMOD", "3:NMOD 3:P 0:ROOT"),
        # while in prison: in 2007 the phrase after the subordinator is the head
        ("(SBAR (IN while) (PP (IN in) (NP (NN prison))))", "0:ROOT 1:SUB 2:PMOD", "2:VMOD 0:ROOT 2:PMOD"),
    ],
)
def test_raw_coordination(text, relations_2008, relations_2007):
    assert in_2008(text, raw=True) == relations_2008
    assert in_2007(text, raw=True) == relations_2007


def test_unlike_conjuncts_have_no_functions():
    text = "(VP (VBZ is) (UCP-PRD (ADJP-PRD (JJ dry)) (CC and) (PP-LOC-PRD (IN in) (NP (NN town)))))"
    assert in_2008(text) == "0:ROOT 1:PRD 2:COORD 3:CONJ 4:PMOD"


def test_a_tree_of_traces_has_no_words():
    assert in_2008("((S (NP (-NONE- *))))") == in_2007("((S (NP (-NONE- *))))") == ""


SOLD = "(S (NP-SBJ (PRP they)) (VP (VP (VBP sell) (NP-1 (NN tea)) (PP-LOC-2 (IN in) (NP (NNP Rome)))) (CC and) {}))"


@pytest.mark.parametrize(
    ("conjunct", "relations_2008", "relations_2007"),
    [
        # and wine also in Oslo
        (
            "(VP (NP=1 (NN wine)) (ADVP (RB also)) (PP-LOC=2 (IN in) (NP (NNP Oslo))))",
            "6:GAP-OBJ 6:ADV 6:GAP-LOC 9:PMOD",
            "3:GAP 7:ADV 4:GAP 9:PMOD",
        ),
        # a part without a counterpart before its neighbour
        (
            "(VP (NP=3 (NN wine)) (PP-LOC=2 (IN in) (NP (NNP Oslo))))",
            "6:OBJ 6:GAP-LOC 8:PMOD",
            "8:OBJ 4:GAP 8:PMOD",
        ),
        # no part has a counterpart outside of the conjunct
        (
            "(VP (NP-4 (NN wine)) (PP-LOC=4 (IN in) (NP (NNP Oslo))))",
            "6:CONJ 7:LOC 8:PMOD",
            "6:COORD 7:ADV 8:PMOD",
        ),
    ],
)
def test_parts_of_a_conjunct_without_its_verb_go_by_their_counterparts(conjunct, relations_2008, relations_2007):
    assert in_2008(SOLD.format(conjunct)) == f"2:SBJ 0:ROOT 2:OBJ 2:LOC 4:PMOD 2:COORD {relations_2008}"
    assert in_2007(SOLD.format(conjunct)) == f"6:SBJ 6:COORD 2:OBJ 2:ADV 4:PMOD 0:ROOT {relations_2007}"
