"""Stanford Dependencies: sentences worked by hand from the manual."""

import pytest

from synparse.treebanks.stanford import convert
from synparse.trees.dependency import fault_of_heads
from tests.treebanks.reading import relations_of, root_of

# From the manual of de Marneffe and Manning (2008), bracketed as the Penn treebank would.
EXAMPLES = {
    "(S (NP (NNP Bell)) (, ,) (VP (VBZ makes) (CC and) (VBZ distributes) (NP (JJ electronic) (NNS products))) (. .))": [
        "nsubj(makes, Bell)",
        "punct(makes, ,)",
        "root(ROOT, makes)",
        "cc(makes, and)",
        "conj(makes, distributes)",
        "amod(products, electronic)",
        "dobj(makes, products)",
        "punct(makes, .)",
    ],
    "(S (NP (NNP Bill)) (VP (VBZ is) (NP (DT an) (JJ honest) (NN man))))": [
        "nsubj(man, Bill)",
        "cop(man, is)",
        "det(man, an)",
        "amod(man, honest)",
        "root(ROOT, man)",
    ],
    "(S (NP (NNP Dole)) (VP (VBD was) (VP (VBN defeated) (PP (IN by) (NP (NNP Clinton))))))": [
        "nsubjpass(defeated, Dole)",
        "auxpass(defeated, was)",
        "root(ROOT, defeated)",
        "prep(defeated, by)",
        "pobj(by, Clinton)",
    ],
    "(S (NP (PRP He)) (VP (VBZ says) (SBAR (IN that) (S (NP (PRP you)) (VP (VBP like)"
    " (S (VP (TO to) (VP (VB swim)))))))))": [
        "nsubj(says, He)",
        "root(ROOT, says)",
        "mark(like, that)",
        "nsubj(like, you)",
        "ccomp(says, like)",
        "aux(swim, to)",
        "xcomp(like, swim)",
    ],
    "(NP (NP (DT the) (NN man)) (SBAR (WHNP (WP whom)) (S (NP (PRP you)) (VP (VBP love)))))": [
        "det(man, the)",
        "root(ROOT, man)",
        "dobj(love, whom)",
        "nsubj(love, you)",
        "rcmod(man, love)",
    ],
    "(S (NP (EX There)) (VP (VBZ is) (NP (NP (DT a) (NN ghost)) (PP (IN in) (NP (DT the) (NN room))))))": [
        "expl(is, There)",
        "root(ROOT, is)",
        "det(ghost, a)",
        "nsubj(is, ghost)",
        "prep(ghost, in)",
        "det(room, the)",
        "pobj(in, room)",
    ],
    "(S (NP (PRP I)) (VP (VBD lost) (NP (QP ($ $) (CD 3.2) (CD billion)))))": [
        "nsubj(lost, I)",
        "root(ROOT, lost)",
        "dobj(lost, $)",
        "number(billion, 3.2)",
        "num($, billion)",
    ],
    "(NP (QP (JJR More) (IN than) (CD 200)) (NNS people))": [
        "mwe(than, More)",
        "quantmod(200, than)",
        "num(people, 200)",
        "root(ROOT, people)",
    ],
    "(S (NP (PRP They)) (VP (VBP want) (S (NP (PRP him)) (VP (TO to) (VP (VB go))))))": [
        "nsubj(want, They)",
        "root(ROOT, want)",
        "dobj(want, him)",
        "aux(go, to)",
        "xcomp(want, go)",
    ],
    "(NP (DT the) (JJ new) (NN phone) (NN book) (CC and) (NN tour) (NN guide))": [
        "det(book, the)",
        "amod(book, new)",
        "nn(book, phone)",
        "root(ROOT, book)",
        "cc(book, and)",
        "nn(guide, tour)",
        "conj(book, guide)",
    ],
}  # fmt: skip


@pytest.mark.parametrize("tree", EXAMPLES)
def test_examples_of_the_manual(tree):
    assert relations_of(convert, tree) == EXAMPLES[tree]


# What the converter gives for trees without function tags: a tree, and the relations of its words in order.
TAGLESS = {
    # coordinated clauses without a subject in verb phrases: whether an object stands before them
    "(VP (VB eat) (S (VP (VP (TO to) (VP (VB live))) (CC and) (VP (TO to) (VP (VB work))))))": (
        "root aux ccomp cc aux conj"
    ),
    "(VP (VB eat) (NP (NN rice)) (S (VP (VP (VBG singing)) (CC and) (VP (VBG dancing)))))": "root dobj dep cc conj",
    "(VP (VBZ asks) (, ,) (SQ (VBZ does) (NP (PRP it)) (VP (VB rain))))": "root punct aux nsubj dep",
    "(NP (QP (CD six) (NNS years) (IN to) (CD ten)))": "number root quantmod number",
    # time by its word: adverbial, but an object before another noun phrase of time
    "(S (NP (PRP I)) (VP (VBD left) (NP (JJ last) (NN week))))": "nsubj root amod tmod",
    "(S (NP (NN today)) (NP (PRP we)) (VP (VBP rest)))": "tmod nsubj root",
    "(S (NP (NN today)) (VP (VBZ rocks)))": "nsubj root",
    "(S (NP (PRP I)) (VP (VBD saw) (NP (PRP him)) (NP (NN yesterday))))": "nsubj root dobj tmod",
    "(S (NP (PRP I)) (VP (VBD gave) (NP (PRP him)) (NP (NNS books))))": "nsubj root iobj dobj",
    "(S (VP (VB raise) (NP (PRP$ their) (NN pay)) (NP (NN money))))": "root poss dep dobj",
    # measures before adverbs and adjectives
    "(ADVP (NP (CD two) (NNS years)) (RB ago))": "num npadvmod root",
    "(NP (ADJP (NN peer) (HYPH -) (VBN reviewed)) (NNS papers))": "npadvmod punct amod root",
    "(ADJP (JJ pure) (JJ white))": "advmod root",
    "(ADJP (JJ South) (JJ African))": "amod root",
    # brackets: a name is an apposition
    "(NP (NP (NN bank)) (PRN (-LRB- -LRB-) (NP (NNP IMF)) (-RRB- -RRB-)))": "root punct appos punct",
    "(NP (NP (NN bank)) (PRN (-LRB- -LRB-) (ADVP (RB now)) (-RRB- -RRB-)))": "root punct dep punct",
    "(NP (NP (PRP$ her) (NN son)) (NP (NNP Tom)))": "poss root appos",
    "(NP (NNP Rome) (PRN (-LRB- -LRB-) (NP (NN city)) (-RRB- -RRB-)) (NNS maps))": "nn punct appos punct root",
    # what is no word of a noun, and no conjunction: either without a second conjunct, phrases of unlike words
    "(NP (NX (NN how) (HYPH -) (TO to)) (NN book))": "dep punct dep root",
    "(NP (CC either) (DT a) (NN book))": "dep det root",
    "(VP (CONJP (RB not) (RB only)) (VBP sing))": "neg dep root",
    "(NP (WP What) (NN sector))": "det root",
    "(SBAR (WHADVP (WRB how) (CC and) (WRB when)) (S (NP (PRP it)) (VP (VBZ rains))))": "advmod cc dep nsubj root",
    "(VP (VB wash) (UCP (ADVP (RB alone)) (CC or) (PP (IN with) (NP (NN salt)))))": "root advmod cc conj pobj",
    # predicates: adjectives alone or after a passive, nouns after a passive or an infinitive, participles of becoming
    # deliberately otherwise than the converter: 's before been is has
    "(S (NP (PRP He)) (VP (VBZ 's) (VP (VBN been) (ADJP (JJ ill)))))": "nsubj aux cop root",
    "(S (NP (PRP He)) (VP (VBZ 's) (VP (VBN been) (VP (VBN seen)))))": "nsubjpass aux auxpass root",
    "(S (NP (PRP it)) (VP (VBD was) (VP (VBN made) (S (ADJP (JJ easy))))))": "nsubjpass auxpass root xcomp",
    "(S (NP (PRP it)) (VP (VBD was) (VP (VBN found) (S (ADJP (VBG wanting))))))": "nsubjpass auxpass root dep",
    "(S (NP (PRP it)) (VP (VBD was) (VP (VBN made) (, ,) (S (ADJP (JJ easy))))))": "nsubjpass auxpass root punct dep",
    "(VP (VB keep) (S (ADJP (JJ quiet))))": "root acomp",
    "(VP (VB keep) (S (ADJP (RB quiet))))": "root dep",
    "(VP (VB call) (S (NP (DT a) (NN game))))": "root det xcomp",
    "(VP (VB call) (S (`` ``) (NP (DT a) (NN game)) ('' '')))": "root punct det dep punct",
    "(VP (VBD called) (S (NP (DT a) (NN game))))": "root det dep",
    "(VP (VBD became) (VP (VBN known)))": "root acomp",
    # clauses of verbs
    "(S (NP (PRP I)) (VP (VBP know) (SBAR (WHADVP (WRB why)) (S (NP (PRP it)) (VP (VBZ rains))))))": (
        "nsubj root advmod nsubj ccomp"
    ),
    "(S (NP (PRP I)) (VP (VBP stay) (SBAR (WHADVP (WRB when)) (S (NP (PRP it)) (VP (VBZ rains))))))": (
        "nsubj root advmod nsubj advcl"
    ),
    "(S (NP (PRP I)) (VP (VBP stay) (SBAR (IN till) (S (NP (PRP it)) (VP (VBZ rains))))))": (
        "nsubj root mark nsubj advcl"
    ),
    "(S (NP (PRP I)) (VP (VBP tell) (NP (PRP him)) (SBAR (S (NP (PRP it)) (VP (VBZ rains))))))": (
        "nsubj root dobj nsubj ccomp"
    ),
    "(S (NP (PRP I)) (VP (VBP show) (NP (PRP him)) (SBAR (S (NP (PRP it)) (VP (VBZ rains))))))": (
        "nsubj root dobj nsubj dep"
    ),
    # clauses beside clauses
    "(S (S (NP (PRP it)) (VP (VBZ rains))) (, ,) (NP (PRP he)) (VP (VBZ says)))": "nsubj ccomp punct nsubj root",
    "(S (S (VP (VBG working))) (, ,) (NP (PRP he)) (VP (VBZ sings)))": "vmod punct nsubj root",
    "(S (S (VP (VBG working))) (VP (VBZ helps)))": "csubj root",
    "(S (ADVP (RB now)) (, ,) (SBAR (IN if) (S (NP (PRP it)) (VP (VBZ rains)))) (, ,) (VP (VBP go)))": (
        "advmod punct mark nsubj dep punct root"
    ),
    "(VP (VBD said) (PRN (, ,) (NP (PRP he)) (VP (VBZ thinks)) (, ,)) (NP (NNS lies)))": (
        "root punct nsubj parataxis punct dobj"
    ),
    # relatives
    "(NP (NP (NN man)) (SBAR (SBAR (WHNP (WP who)) (S (VP (VBZ sings)))) (CC and) (SBAR (WHNP (WP who))"
    " (S (VP (VBZ eats))))))": "root nsubj rcmod cc nsubj conj",
    "(NP (DT the) (NN fact) (SBAR (S (NP (PRP it)) (VP (VBZ rains)))))": "det root nsubj ccomp",
    # prepositions: what they take, and only right after them
    "(PP (UH like) (NP (PRP him)))": "root dep",
    "(PP (JJ due) (PP (TO to) (NP (NN rain))))": "root prep pobj",
    "(PP (IN of) (, ,) (S (VP (VBG going))))": "root punct dep",
    # adverbs modify no fragments; numbers in a list are no conjuncts; marks of a list are numbers
    "(FRAG (ADVP (RB now)) (NP (NNS men)))": "dep root",
    "(NP (CD 1) (, ,) (CD 2) (CC and) (CD 3))": "root punct num cc conj",
    "(S (LST (LS b) (. .)) (VP (VB Go)))": "num punct root",
    # subjects before verbs that no auxiliary precedes; of modals without a verb; with a mark before the predicate
    "(SINV (ADVP (RB so)) (NP (PRP it)) (VP (VBZ rains)))": "advmod dep root",
    "(SINV (VBD had) (NP (PRP it)) (VP (VBN rained)))": "aux nsubj root",
    "(SQ (MD Will) (NP (PRP it)) (. ?))": "root dep punct",
    "(VP (VB call) (S (NP (PRP it)) (`` ``) (NP (NN fun)) ('' '')))": "root dep punct dep punct",
    "(VP (VB call) (S (NP (PRP it)) (NP (NN fun))))": "root nsubj xcomp",
    # an adverb before the question word, and clauses without a sentence
    "(VP (VB sing) (SBAR (RB only) (WHADVP (WRB when)) (S (NP (PRP it)) (VP (VBZ rains)))))": (
        "root advmod advmod nsubj advcl"
    ),
    "(VP (VB sing) (SBAR (WHADVP (WRB when)) (FRAG (ADJP (JJ possible)))))": "root advmod advcl",
    # after a conjunction in a verb phrase, a clause is a conjunct unless it is finite
    "(VP (VP (VB sing)) (CC and) (S (VP (TO to) (VP (VB dance)))))": "root cc aux conj",
    "(VP (VP (VB sing)) (CC but) (S (NP (PRP it)) (VP (VBZ rains))))": "root cc nsubj ccomp",
    # a clause without an object, or with one, or a form of be, or a noun phrase of time above
    "(NP (NP (RB as) (JJ much)) (SBAR (IN as) (S (NP (PRP they)) (VP (VBP eat)))))": "advmod root mark nsubj rcmod",
    "(NP (NP (JJ much)) (SBAR (IN as) (S (NP (PRP they)) (VP (VBP eat) (NP (PRP it))))))": "root mark nsubj dep dobj",
    "(NP (NP (NN way)) (SBAR (IN for) (S (NP (PRP us)) (VP (TO to) (VP (VB live) (PP (IN in)))))))": (
        "root mark nsubj aux vmod prep"
    ),
    "(NP (NP (NN way)) (SBAR (IN for) (S (NP (PRP us)) (VP (TO to) (VP (VB go))))))": "root mark nsubj aux rcmod",
    "(NP (NP (JJR more)) (SBAR (IN than) (S (NP (PRP we)) (VP (VBD were)))))": "root mark nsubj dep",
    "(NP (NP (NN man)) (SBAR (NP (WDT that)) (S (NP (PRP I)) (VP (VBP 'm) (VP (VBG going))))))": (
        "root dep nsubj aux rcmod"
    ),
    "(NP (NP-TMP (NN noon)) (SBAR (WHADVP (WRB when)) (S (NP (PRP we)) (VP (VBP eat)))))": "root advmod nsubj dep",
    # beside a conjunction the first conjunct is the head, an auxiliary as well; there is (in) the subject
    "(S (NP (PRP I)) (VP (VBP 've) (CC either) (VP (VBN got) (NP (PRP it)))))": "nsubj root dep conj dobj",
    "(S (NP (NN hope) (SBAR (IN that) (S (NP (EX there)) (VP (VBZ is))))) (VP (VBZ is) (NP (NN joy))))": (
        "nsubj mark expl ccomp root dep"
    ),
    # time is no object, nor are coordinated verbs without one; coordinated participles are passive
    "(VP (VBD met) (NP-TMP (NN noon)) (S (VP (TO to) (VP (VB eat)))))": "root tmod aux xcomp",
    "(VP (VBD met) (NP (PRP him)) (S (VP (TO to) (VP (VB eat)))))": "root dobj aux vmod",
    "(VP (VP (VBD knelt)) (CC and) (VP (VBD stared)) (, ,) (S (VP (VBG grinning))))": "root cc conj punct vmod",
    "(S (NP (PRP it)) (VP (VBZ is) (ADJP (ADJP (VBN overdone)) (CC and) (ADJP (JJ mean)))))": (
        "nsubjpass auxpass root cc conj"
    ),
    # the last of a list after a mark; the head of a question's adverbs and of adjectives is the last
    "(S (S (VP (VB sing))) (CC and) (S (VP (VB dance))) (: ;) (S (VP (VB rest))))": "root cc conj punct conj",
    "(SBAR (WHADVP (RB even) (WRB when)) (S (NP (PRP it)) (VP (VBZ rains))))": "advmod advmod nsubj root",
    "(NP (ADJP (DT a) (JJ few) (JJR more)) (NNS scans))": "det advmod amod root",
    "(S (MD will) (NP (PRP it)) (VP (VB rain)))": "dep nsubj root",
    "(S (S (NP (PRP it)) (VP (VBZ rains))) (CC and) (ADVP (RB so)) (S (NP (PRP we)) (VP (VBP rest))))": (
        "nsubj root cc dep nsubj conj"
    ),
    # a participle before a comma and a subject, or without one
    "(S (S (VP (VBG eating))) (, ,) (NP (PRP we)) (VP (VBP rest)))": "vmod punct nsubj root",
    "(S (S (VP (VBG eating))) (, ,) (INTJ (UH uh)) (NP (PRP we)) (VP (VBP rest)))": "dep punct discourse nsubj root",
    # what it is in
    "(SBAR (WHNP (WDT what) (NN box)) (S (NP (PRP it)) (VP (VBZ lies) (PP (IN in)))))": "det pobj nsubj root prep",
}  # fmt: skip


@pytest.mark.parametrize("tree", TAGLESS)
def test_trees_without_function_tags(tree):
    relations = relations_of(convert, tree)
    assert " ".join(relation.split("(")[0] for relation in relations) == TAGLESS[tree]


@pytest.mark.parametrize(
    ("tree", "relations"),
    [
        # an adverb between a conjunction and a conjunct that it does not belong to
        (
            "(NP (NP (NNS cats)) (CC and) (RB even) (NP (NNS dogs)))",
            ["root(ROOT, cats)", "cc(cats, and)", "advmod(cats, even)", "dep(cats, dogs)"],
        ),
        ("(NP (NP (PRP they)) (DT all))", ["root(ROOT, they)", "det(they, all)"]),
        ("(NP (DT both) (PRP$ your) (NNS arms))", ["det(arms, both)", "poss(arms, your)", "root(ROOT, arms)"]),
        ("(NP (NP (NNS cats)) (FW etc))", ["root(ROOT, cats)", "conj(cats, etc)"]),
        (
            "(NP (NP (NNS cats)) (, ,) (NP (NNS dogs)) (FW etc))",
            ["root(ROOT, cats)", "punct(cats, ,)", "conj(cats, dogs)", "conj(cats, etc)"],
        ),
        (
            "(NP (NP (NN word)) (PRN (-LRB- -LRB-) (INTJ (FW e.g.)) (, ,) (NP (NN dog)) (-RRB- -RRB-)))",
            [
                "root(ROOT, word)",
                *(
                    "punct(dog, -LRB-)",
                    "discourse(dog, e.g.)",
                    "punct(dog, ,)",
                    "appos(word, dog)",
                    "punct(dog, -RRB-)",
                ),
            ],
        ),
        # a word that was written in two, and a possessive tagged as a verb
        ("(NP (GW m) (NNS etings))", ["goeswith(etings, m)", "root(ROOT, etings)"]),
        ("(NP (NP (NNP Court)) (VBZ 's))", ["root(ROOT, Court)", "possessive(Court, 's)"]),
    ],
)
def test_words_in_noun_phrases(tree, relations):
    assert relations_of(convert, tree) == relations


def test_a_passive_that_is_turned_around_is_a_passive():
    tree = "(SINV (VP (VBN Hidden) (PP (IN in) (NP (NN sand)))) (VP (VBD was)) (NP (DT a) (NN key)))"
    assert relations_of(convert, tree) == [
        "root(ROOT, Hidden)",
        *("prep(Hidden, in)", "pobj(in, sand)", "auxpass(Hidden, was)", "det(key, a)", "nsubjpass(Hidden, key)"),
    ]


def test_a_question_has_one_subject():
    tree = "(SQ (VBZ Is) (NP (PRP it)) (VP (VBG raining)) (, ,) (NP (NNP Ann)))"
    assert relations_of(convert, tree) == [
        *("aux(raining, Is)", "nsubj(raining, it)", "root(ROOT, raining)", "punct(raining, ,)", "dep(raining, Ann)"),
    ]


def test_traces_and_function_tags_add_no_words():
    text = (
        "( (S (NP-SBJ-1 (NNP Rudolph) ) (VP (VBD was) (VP (VBN named) (NP (-NONE- *-1)) "
        "(NP-TMP (NN yesterday)))) (. .)))"
    )
    assert relations_of(convert, text) == [
        "nsubjpass(named, Rudolph)",
        "auxpass(named, was)",
        "root(ROOT, named)",
        "tmod(named, yesterday)",
        "punct(named, .)",
    ]


@pytest.mark.parametrize(
    "text", ["(X (Y (Z word)))", "(NP (NN a))", "(FRAG (. .) (, ,))", "(S (QQ (AA b)) (CC and) (CC or))"]
)
def test_any_brackets_become_a_tree(text):
    assert not fault_of_heads(convert(root_of(text)).heads)
