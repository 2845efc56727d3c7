"""Universal Dependencies: what the guidelines say about English, and any tree at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.treebanks.penn import Node
from synparse.treebanks.universal_dependencies import convert
from synparse.trees.dependency import fault_of_heads
from tests.treebanks.reading import relations_of, root_of

EXAMPLES = {
    # Content words head clauses and prepositional phrases
    "(S (NP (PRP We)) (VP (MD will) (VP (VB live) (PP (IN in) (NP (NNP Rome))))) (. .))": [
        "nsubj(live, We)",
        "aux(live, will)",
        "root(ROOT, live)",
        "case(Rome, in)",
        "obl(live, Rome)",
        "punct(live, .)",
    ],
    "(S (NP (PRP They)) (VP (VBP are) (RB not) (PP (IN in) (NP (NNP Rome)))))": [
        "nsubj(Rome, They)",
        "cop(Rome, are)",
        "advmod(Rome, not)",
        "case(Rome, in)",
        "root(ROOT, Rome)",
    ],
    "(S (NP (EX There)) (VP (VBZ is) (NP (DT a) (NN ghost))))": [
        "expl(is, There)",
        "root(ROOT, is)",
        "det(ghost, a)",
        "nsubj(is, ghost)",
    ],
    # Passives
    "(S (NP (PRP It)) (VP (VBD was) (VP (VBN seen) (PP (IN by) (NP (NNS dogs))))))": [
        "nsubj:pass(seen, It)",
        "aux:pass(seen, was)",
        "root(ROOT, seen)",
        "case(dogs, by)",
        "obl(seen, dogs)",
    ],
    "(S (S (VP (VBG Leaving))) (VP (VBD got) (VP (VBN postponed))))": [
        "csubj:pass(postponed, Leaving)",
        "aux:pass(postponed, got)",
        "root(ROOT, postponed)",
    ],
    # A conjunction depends on the conjunct that it introduces
    "(NP (NP (NNS cats)) (, ,) (NP (NNS dogs)) (CC and) (NP (NNS mice)))": [
        "root(ROOT, cats)",
        "punct(cats, ,)",
        "conj(cats, dogs)",
        "cc(mice, and)",
        "conj(cats, mice)",
    ],
    "(NP (CC both) (NP (NNS cats)) (CC and) (NP (NNS dogs)))": [
        "cc:preconj(cats, both)",
        "root(ROOT, cats)",
        "cc(dogs, and)",
        "conj(cats, dogs)",
    ],
    "(VP (VP (VB sing)) (CONJP (RB as) (RB well) (IN as)) (VP (VB dance)))": [
        "root(ROOT, sing)",
        "cc(dance, as)",
        "fixed(as, well)",
        "fixed(as, as)",
        "conj(sing, dance)",
    ],
    "(VP (CONJP (RB not) (RB only)) (VP (VB sing)) (CONJP (CC but) (RB also)) (VP (VB dance)))": [
        "advmod(sing, not)",
        "advmod(sing, only)",
        "root(ROOT, sing)",
        "cc(dance, but)",
        "advmod(dance, also)",
        "conj(sing, dance)",
    ],
    # Multiword expressions of function words
    "(NP (NP (NNS cities)) (PP (JJ such) (IN as) (NP (NNP Rome))))": [
        "root(ROOT, cities)",
        "case(Rome, such)",
        "fixed(such, as)",
        "nmod(cities, Rome)",
    ],
    "(VP (VB fail) (PP (VBG according) (PP (TO to) (NP (PRP them)))))": [
        "root(ROOT, fail)",
        "case(them, according)",
        "fixed(according, to)",
        "obl(fail, them)",
    ],
    "(NP (QP (JJR more) (IN than) (CD 200)) (NNS people))": [
        "advmod(200, more)",
        "fixed(more, than)",
        "nummod(people, 200)",
        "root(ROOT, people)",
    ],
    "(NP (QP (RB as) (JJ many) (IN as) (CD 200)) (NNS people))": [
        "advmod(200, as)",
        "advmod(200, many)",
        "advmod(200, as)",
        "nummod(people, 200)",
        "root(ROOT, people)",
    ],
    "(NP (ADVP (IN at) (JJS least)) (DT some) (NN bread))": [
        "case(least, at)",
        "advmod(bread, least)",
        "det(bread, some)",
        "root(ROOT, bread)",
    ],
    "(VP (VB eat) (ADVP (RB just) (RB as) (RB well)))": [
        "root(ROOT, eat)",
        "advmod(well, just)",
        "advmod(well, as)",
        "advmod(eat, well)",
    ],
    # Phrases without a noun: the last number or adjective; after a preposition, the last word
    "(NP (DT the) (ADJP (RBS most) (JJ famous)) (CD one))": [
        "det(one, the)",
        "advmod(famous, most)",
        "amod(one, famous)",
        "root(ROOT, one)",
    ],
    "(PP (IN over) (RB there))": ["case(there, over)", "root(ROOT, there)"],
    # Noun phrases
    "(NP (PDT all) (DT the) (JJ old) (NN phone) (NNS books))": [
        "det:predet(books, all)",
        "det(books, the)",
        "amod(books, old)",
        "compound(books, phone)",
        "root(ROOT, books)",
    ],
    "(NP (NP (NNP Ann) (POS 's)) (NN dog))": ["nmod:poss(dog, Ann)", "case(Ann, 's)", "root(ROOT, dog)"],
    "(NP (NP (NNP Ann)) (, ,) (NP (PRP$ my) (NN dog)) (, ,))": [
        "root(ROOT, Ann)",
        "punct(Ann, ,)",
        "nmod:poss(dog, my)",
        "appos(Ann, dog)",
        "punct(Ann, ,)",
    ],
    "(NP (NP (NNP Ann)) (, ,) (NP (CD 61)) (, ,))": [
        "root(ROOT, Ann)",
        "punct(Ann, ,)",
        "amod(Ann, 61)",
        "punct(Ann, ,)",
    ],
    "(NP (NP (NN agency)) (PRN (-LRB- -LRB-) (ADVP (RB now)) (-RRB- -RRB-)))": [
        "root(ROOT, agency)",
        "punct(now, -LRB-)",
        "dep(agency, now)",
        "punct(now, -RRB-)",
    ],
    "(VP (VB stay) (SBAR (IN till) (S (NP (PRP it)) (VP (VBZ rains)))))": [
        "root(ROOT, stay)",
        "mark(rains, till)",
        "nsubj(rains, it)",
        "advcl(stay, rains)",
    ],
    "(VP (VB know) (SBAR (WHADVP (WRB why)) (S (NP (PRP it)) (VP (VBZ rains)))))": [
        "root(ROOT, know)",
        "advmod(rains, why)",
        "nsubj(rains, it)",
        "ccomp(know, rains)",
    ],
    "(NP (NP (NN agency)) (PRN (-LRB- -LRB-) (NP (NNP NASA)) (-RRB- -RRB-)))": [
        "root(ROOT, agency)",
        "punct(NASA, -LRB-)",
        "appos(agency, NASA)",
        "punct(NASA, -RRB-)",
    ],
    "(NP (NP ($ $) (CD 5)) (NP-ADV (DT a) (NN share)))": [
        "root(ROOT, $)",
        "nummod($, 5)",
        "det(share, a)",
        "obl:npmod($, share)",
    ],
    # Clauses that modify nouns
    "(NP (NP (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBZ sings)))))": [
        "root(ROOT, man)",
        "nsubj(sings, who)",
        "acl:relcl(man, sings)",
    ],
    "(NP (NP (NN man)) (SBAR (WHNP (WP whom)) (S (NP (PRP I)) (VP (VBP like)))))": [
        "root(ROOT, man)",
        "obj(like, whom)",
        "nsubj(like, I)",
        "acl:relcl(man, like)",
    ],
    "(NP (NP (NN shop)) (SBAR (WHNP (WDT that)) (S (NP (PRP I)) (VP (VBP live) (PP (IN in))))))": [
        "root(ROOT, shop)",
        "obl(live, that)",
        "nsubj(live, I)",
        "acl:relcl(shop, live)",
        "case(that, in)",
    ],
    "(NP (DT the) (NN hope) (SBAR (IN that) (S (NP (PRP he)) (VP (VBZ sings)))))": [
        "det(hope, the)",
        "root(ROOT, hope)",
        "mark(sings, that)",
        "nsubj(sings, he)",
        "ccomp(hope, sings)",
    ],
    "(NP (NP (NN way)) (PP (IN of) (S (VP (VBG singing)))))": [
        "root(ROOT, way)",
        "mark(singing, of)",
        "acl(way, singing)",
    ],
    # A conjunct without its verb
    "(VP (VP (VB sell) (NP-1 (NN tea)) (ADVP-2 (RB now))) (CC and) (VP (NP=1 (NN wine)) (, ,) (ADVP=2 (RB then))))": [
        "root(ROOT, sell)",
        "obj(sell, tea)",
        "advmod(sell, now)",
        "cc(wine, and)",
        "conj(sell, wine)",
        "orphan(wine, ,)",
        "orphan(wine, then)",
    ],
    # Objects, and clauses as objects
    "(VP (TO to) (VB eat))": ["root(ROOT, to)", "dep(to, eat)"],
    "(VP (VB give) (NP (PRP her)) (NP (DT a) (NN dog)) (NP (NN today)))": [
        "root(ROOT, give)",
        "iobj(give, her)",
        "det(dog, a)",
        "obj(give, dog)",
        "obl:tmod(give, today)",
    ],
    "(VP (VB become) (NP (NN king)))": ["root(ROOT, become)", "xcomp(become, king)"],
    "(VP (VB give) (PRT (RP up)))": ["root(ROOT, give)", "compound:prt(give, up)"],
    "(VP (VB want) (S (NP (PRP him)) (VP (TO to) (VP (VB go)))))": [
        "root(ROOT, want)",
        "obj(want, him)",
        "mark(go, to)",
        "xcomp(want, go)",
    ],
    "(VP (VB let) (S (NP (PRP him)) (VP (VB go))))": ["root(ROOT, let)", "nsubj(go, him)", "ccomp(let, go)"],
    "(VP (VB think) (SBAR (S (NP (PRP he)) (VP (VBZ sings)))))": [
        "root(ROOT, think)",
        "nsubj(sings, he)",
        "ccomp(think, sings)",
    ],
    "(VP (VB eat) (SBAR (IN because) (S (NP (PRP he)) (VP (VBZ sings)))))": [
        "root(ROOT, eat)",
        "mark(sings, because)",
        "nsubj(sings, he)",
        "advcl(eat, sings)",
    ],
    "(VP (VB buy) (NP (NN bread)) (S (VP (TO to) (VP (VB eat)))))": [
        "root(ROOT, buy)",
        "obj(buy, bread)",
        "mark(eat, to)",
        "advcl(buy, eat)",
    ],
    "(VP (VB ask) (NP (NNP Ann)) (S (VP (TO to) (VP (VB eat)))))": [
        "root(ROOT, ask)",
        "obj(ask, Ann)",
        "mark(eat, to)",
        "xcomp(ask, eat)",
    ],
    "(S (S (NP (PRP It)) (VP (VBZ rains))) (, ,) (NP (PRP he)) (VP (VBD said)))": [
        "nsubj(rains, It)",
        "ccomp(said, rains)",
        "punct(said, ,)",
        "nsubj(said, he)",
        "root(ROOT, said)",
    ],
    "(S (S (NP (PRP It)) (VP (VBZ rains))) (: ;) (S (NP (PRP we)) (VP (VBP sleep))))": [
        "nsubj(rains, It)",
        "root(ROOT, rains)",
        "punct(rains, ;)",
        "nsubj(sleep, we)",
        "parataxis(rains, sleep)",
    ],
}  # fmt: skip


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples(text):
    assert relations_of(convert, text) == EXAMPLES[text]


# A tree, and the relations of its words in order.
RELATIONS = {
    # coordinated clauses without a subject in verb phrases: whether an object stands before them
    "(VP (VB eat) (S (VP (VP (TO to) (VP (VB live))) (CC and) (VP (TO to) (VP (VB work))))))": (
        "root mark ccomp cc mark conj"
    ),
    "(VP (VB eat) (NP (NN rice)) (S (VP (VP (VBG singing)) (CC and) (VP (VBG dancing)))))": "root obj dep cc conj",
    # clauses without a verb phrase of their own
    "(VP (VB make) (S (ADJP (JJ sure)) (SBAR (IN that) (S (NP (PRP it)) (VP (VBZ rains))))))": (
        "root dep mark nsubj xcomp"
    ),
    "(VP (VB find) (S (NP (PRP it)) (ADJP (JJ hard)) (S (VP (TO to) (VP (VB eat))))))": "root nsubj dep mark xcomp",
    # a gerund before a verb phrase
    "(S (S (VP (VBG Eating))) (ADVP (RB just)) (VP (VBD hurt)))": "csubj advmod root",
    "(VP (VBZ asks) (, ,) (SQ (VBZ does) (NP (PRP it)) (VP (VB rain))))": "root punct aux nsubj dep",
    # prepositional phrases beside clauses, and elsewhere
    "(S (NP (DT a) (NN man)) (PP (IN in) (NP (NN town))))": "det root case dep",
    "(S (PP (IN in) (NP (NN town))) (NP (PRP we)) (VP (VBP eat)))": "case obl nsubj root",
    "(SBAR (IN although) (PP (IN in) (NP (NN town))))": "root case dep",
    # adjective and adverb phrases
    "(NP (ADJP (JJ third) (JJS largest)) (NN bank))": "amod dep root",
    "(ADJP (RBR more) (JJ likely) (JJR later))": "advmod root dep",
    "(NP (ADJP (NN drug) (VBN made)) (NN gain))": "dep amod root",
    "(S (NP (PRP It)) (VP (VBZ is) (ADJP (NN self) (VBN inflicted))))": "nsubj:pass aux:pass dep root",
    "(ADVP (DT no) (RBR longer))": "dep root",
    "(ADVP (DT all) (JJ much))": "det root",
    "(ADJP (NN walk) (RP off))": "root dep",
    "(ADJP (VBN worn) (RP off))": "root compound:prt",
    # words in phrases of other kinds
    "(INTJ (JJ Good) (NN morning))": "amod root",
    "(INTJ (PRP$ my) (NN god))": "nmod:poss root",
    "(NP (NNP Li) (FW et) (FW al.))": "root compound dep",
    "(NP (DT both) (PRP$ her) (NNS arms))": "det nmod:poss root",
    "(NP (DT all) (DT the) (NNS arms))": "det:predet det root",
    "(NP (QP (CD six) (NNS years) (IN to) (CD ten)))": "compound root advmod compound",
    "(NP (NP (NN man)) (RRC (ADVP (RB once)) (VP (VBN named) (NP (NN king)))))": "root advmod acl:relcl obj",
    "(VP (VBZ is) (NP (NN host)) (NP (NNP Dave)))": "cop root dep",
    "(NP (NP (NN man)) (SBAR (WHNP (WP who)) (S (NP-TMP (NN today)) (VP (VBD ate)))))": (
        "root nsubj obl:tmod acl:relcl"
    ),
    "(NP (DT the) (JJ first) (DT half))": "det root dep",
    "(NP (NP (PRP us)) (DT all))": "root det",
    "(NP (ADJP (NNP Rome) (HYPH -) (VBN based)) (NN bank))": "obl punct amod root",
    "(NP (NP (PRP we)) (NP (NNS dogs)))": "root dep",
    "(NP (NP (NN word)) (NP (NNP Rome)))": "root appos",
    "(NP (NX (NN how) (HYPH -) (TO to)) (NN book))": "dep punct dep root",
    "(NP (NP (NN tea)) (, ,) (NP (NN milk)) (FW etc))": "root punct conj conj",
    "(NP (NP (NN tea)) (, ,) (NP (NN milk)) (ADVP (FW etc)))": "root punct conj conj",
    "(NP (GW m) (NNS etings))": "goeswith root",
    "(NP (NP (NN nothing)) (ADVP (IN at) (DT all)))": "root case nmod",
    "(NP (DT a) (ADJP (NNP Nobel) (NNP Prize) (VBG winning)) (NN author))": "det amod amod amod root",
    # verbs whose tag is AUX, and a passive that is turned around
    "(S (NP (PRP It)) (VP (AUX is) (ADJP (JJ cold))))": "nsubj cop root",
    "(S (NP (PRP It)) (VP (AUX is) (VP (VBG raining))))": "nsubj aux root",
    "(S (NP (PRP It)) (VP (AUX was) (VP (VBN seen))))": "nsubj:pass aux:pass root",
    # deliberately otherwise than the converter: 's before been is has
    "(S (NP (PRP He)) (VP (VBZ 's) (VP (VBN been) (ADJP (JJ ill)))))": "nsubj aux cop root",
    "(S (NP (PRP He)) (VP (VBZ 's) (VP (VBN been) (VP (VBN seen)))))": "nsubj:pass aux aux:pass root",
    "(SQ (VBZ 's) (NP (PRP he)) (VP (VBN been) (ADJP (JJ ill))))": "aux nsubj cop root",
    "(SINV (VP (VBN Hidden) (PP (IN in) (NP (NN sand)))) (VP (VBD was)) (NP (DT a) (NN key)))": (
        "root case obl aux:pass det nsubj:pass"
    ),
    # nothing is the object of a copular clause, and no second noun phrase its subject
    "(S (NP (NNP Ann)) (VP (VBD was) (NP (DT a) (NN girl)) (ADJP (JJR younger))))": "nsubj cop det dep root",
    "(SQ (VBZ Is) (NP (PRP it)) (VP (VBG raining)) (, ,) (NP (NNP Ann)) (. ?))": "aux nsubj root punct dep punct",
    "(PP (IN than) (ADVP (RB ever)) (ADVP (RB before)))": "case root dep",
    "(SBAR (WHADVP (WRB how) (CC and) (WRB when)) (S (NP (PRP it)) (VP (VBZ rains))))": (
        "advmod cc dep nsubj root"
    ),
    # questions whose question word is in a noun phrase; prepositional phrases after a verb phrase
    "(SBARQ (NP (WP What)) (VBZ is) (NP (DT this)) (. ?))": "root dep dep punct",
    "(S (VP (VBG eating)) (PP (IN in) (NP (NN town))))": "root case obl",
    # after a colon, a finite clause is a complement unless it follows an object, other clauses are beside the verb
    "(VP (VBP say) (: :) (S (NP (PRP it)) (VP (VBZ rains))))": "root punct nsubj ccomp",
    "(VP (VBP tell) (NP (PRP me)) (: :) (S (NP (PRP it)) (VP (VBZ rains))))": "root obj punct nsubj parataxis",
    "(VP (VBG eating) (: --) (S (VP (VBG drinking))))": "root punct parataxis",
    # conjunctions of several words, none of them a CC
    "(NP (NP (NNS cats)) (, ,) (CONJP (IN along) (IN with)) (NP (NNS dogs)))": "root punct cc dep conj",
    "(NP (NP (NN word)) (, ,) (CONJP (RB not) (TO to) (VB mention)) (NP (NN deed)))": "root punct cc fixed fixed conj",
    # no conjuncts in fragments, and none across an adverb that is no phrase
    "(NP (NP (NNS months)) (CC and) (RB even) (NP (NNS years)))": "root cc advmod dep",
    "(FRAG (ADJP (JJ Tame)) (CC but) (ADJP (JJ cool)))": "root cc dep",
    # after a conjunction in a verb phrase, a clause is a conjunct unless it is finite
    "(VP (VP (VB sing)) (CC and) (S (VP (TO to) (VP (VB dance)))))": "root cc mark conj",
    "(VP (VP (VB sing)) (CC but) (S (NP (PRP it)) (VP (VBZ rains))))": "root cc nsubj ccomp",
    "(VP (VP (VB buy)) (, ,) (CC or) (VP (VB sell)) (, ,) (NP (NNS houses)))": "root punct cc conj punct conj",
    # subjects before verbs that no auxiliary precedes; of modals without a verb
    "(SINV (ADVP (RB so)) (NP (PRP it)) (VP (VBZ rains)))": "advmod dep root",
    "(SINV (VBD had) (NP (PRP it)) (VP (VBN rained)))": "aux nsubj root",
    "(SQ (MD Will) (NP (PRP it)) (. ?))": "root dep punct",
    # a clause below two prepositions, but not below a participle; comparisons; the participle after a participle
    "(VP (VBG dancing) (PP (IN in) (PP (IN between) (S (VP (VBG saying))))))": "root case mark dep",
    "(VP (VBP take) (PP (VBG depending) (PP (IN on) (SBAR (WHNP (WP what)) (S (VP (VBZ comes)))))))": (
        "root case mark nsubj advcl"
    ),
    "(NP (NP (JJR more) (NN food)) (SBAR (IN than) (S (NP (PRP we)) (VP (VBP sell)))))": "amod root mark nsubj advcl",
    "(VP (VBG watching) (S (NP (PRP him)) (VP (VBG dancing))))": "root nsubj advcl",
    # a clause without an object, or with one, or a form of be, or a noun phrase of time above
    "(NP (NP (RB as) (JJ much)) (SBAR (IN as) (S (NP (PRP they)) (VP (VBP eat)))))": "advmod root mark nsubj acl:relcl",
    "(NP (NP (JJ much)) (SBAR (IN as) (S (NP (PRP they)) (VP (VBP eat) (NP (PRP it))))))": "root mark nsubj dep obj",
    "(NP (NP (NN way)) (SBAR (IN for) (S (NP (PRP us)) (VP (TO to) (VP (VB go))))))": "root mark nsubj mark acl:relcl",
    "(NP (NP (NN way)) (SBAR (IN for) (S (NP (NN it)) (VP (TO to) (VP (VB be) (VP (VBN sold)))))))": (
        "root mark nsubj:pass mark aux:pass acl"
    ),
    "(NP (NP (JJR more)) (SBAR (IN than) (S (NP (PRP we)) (VP (VBD were)))))": "root mark nsubj dep",
    "(NP (NP-TMP (NN noon)) (SBAR (WHADVP (WRB when)) (S (NP (PRP we)) (VP (VBP eat)))))": "root advmod nsubj dep",
    # beside a conjunction the first conjunct is the head, a copula as well; there is (in) the subject
    "(S (NP (PRP It)) (VP (VBZ is) (NP (NN trip)) (CC but) (ADJP (JJ nice))))": "nsubj cop root cc conj",
    "(S (NP (NN hope) (SBAR (IN that) (S (NP (EX there)) (VP (VBZ is))))) (VP (VBZ is) (NP (NN joy))))": (
        "nsubj mark expl ccomp root dep"
    ),
    "(S (NP (PRP I)) (VP (VBP get) (VP (JJ done))))": "nsubj aux root",
    # a phrase before an adverb of degree; the thing given to one's own; a participle after coordinated verbs
    "(ADJP (NP-ADV (DT a) (NN bit)) (RBR more) (JJ likely))": "det dep advmod root",
    "(VP (VB give) (NP (PRP$ your) (NN dog)) (NP (NN rice)))": "root nmod:poss dep obj",
    "(VP (VP (VBD knelt)) (CC and) (VP (VBD stared)) (, ,) (S (VP (VBG grinning))))": "root cc conj punct advcl",
    "(S (`` ``) (CC But) (NP (PRP you)) (VP (VBP eat)))": "punct cc nsubj root",
    # a participle before a comma and a subject, or without one; coordinated clauses after a quotation mark, or without
    "(S (S (VP (VBG eating))) (, ,) (NP (PRP we)) (VP (VBP rest)))": "advcl punct nsubj root",
    "(S (S (VP (VBG eating))) (, ,) (VP (VB rest)))": "dep punct root",
    "(VP (VBZ says) (`` ``) (S (S (NP (PRP it)) (VP (VBZ rains))) (CC or) (S (NP (PRP we)) (VP (VBP rest)))))": (
        "root punct nsubj ccomp cc nsubj conj"
    ),
    "(VP (VBP mean) (, ,) (S (S (NP (PRP it)) (VP (VBZ rains))) (CC or) (S (NP (PRP we)) (VP (VBP rest)))))": (
        "root punct nsubj xcomp cc nsubj conj"
    ),
    # the preposition of what it is in
    "(SBAR (WHNP (WDT what) (NN box)) (S (NP (PRP it)) (VP (VBZ lies) (PP (IN in)))))": "det obl nsubj root case",
    "(NP (NP (NN scent)) (PP (PP (IN of) (NP (NN rain))) (, ,) (PP (IN of) (NP (NN hay)))))": (
        "root case nmod punct case obl"
    ),
    # with a straight apostrophe an auxiliary
    "(S (NP (PRP We)) (VP (VBP 've) (VP (VBN eaten))))": "nsubj aux root",
    "(S (NP (PRP We)) (VP (VBP ’ve) (VP (VBN eaten))))": "nsubj root dep",
    # determiners without a phrase of their own
    "(X (X (DT the) (RBR better)))": "det root",
    "(NP (WP What) (NN sector))": "det root",
    # either without a second conjunct is no conjunction, wherever it stands
    "(S (NP (PRP I)) (VP (VBP sing) (CC either)))": "nsubj root dep",
}  # fmt: skip


@pytest.mark.parametrize("text", RELATIONS)
def test_relations_of_words_in_order(text):
    assert " ".join(arc.partition("(")[0] for arc in relations_of(convert, text)) == RELATIONS[text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(NP (NP (NN fish)) (CC and) (NP (NN rice)))", "cc(rice, and)"),
        ("(NP (NP (NN fish)) (CC and) (RB maybe) (NP (NN rice)))", "cc(fish, and)"),
        ("(ADVP (RB now) (CC and) (RB then))", "cc(then, and)"),
        ("(VP (VB sing) (CC and) (SBAR (IN if) (S (NP (PRP it)) (VP (VBZ rains)))))", "cc(sing, and)"),
        ("(NP (NP (NN rain)) (CC and) (SBAR (IN if) (S (NP (PRP it)) (VP (VBZ rains)))))", "cc(rains, and)"),
    ],
)
def test_a_conjunction_depends_on_the_conjunct_right_after_it(text, expected):
    assert relations_of(convert, text)[1] == expected


def test_traces_are_not_words_and_function_tags_mark_adverbials():
    text = "( (S (NP-SBJ-1 (NNP Ann) ) (VP (VBD was) (VP (VBN named) (NP (-NONE- *-1)) (NP-TMP (NN noon)))) (. .)))"
    assert relations_of(convert, text) == [
        "nsubj:pass(named, Ann)",
        "aux:pass(named, was)",
        "root(ROOT, named)",
        "obl:tmod(named, noon)",
        "punct(named, .)",
    ]
    assert convert(root_of("((S (NP (-NONE- *))))")) == ((), (), ())


# Words may have the label of a phrase: (S (VP go)).
TAGS = "NN NNP CD $ DT JJ RB IN TO CC VBD VBN MD , POS ?! S VP NP PP SBAR ADJP ADVP QP XS CONJP PRN UCP WHNP".split()
WORDS = st.builds(
    Node,
    st.sampled_from(TAGS),
    word=st.sampled_from(["is", "such", "as", "well", "more", "than", "not", "according", "to", "days", "Łódź", "%"]),
)
LABELS = st.sampled_from("S VP NP PP SBAR ADJP ADVP QP XS CONJP PRN UCP SQ SBARQ WHNP NX FRAG X NP-TMP foo".split())
TREES = st.recursive(
    WORDS, lambda trees: st.builds(Node, LABELS, st.lists(trees, min_size=1, max_size=6)), max_leaves=25
)


@given(st.lists(TREES, min_size=1, max_size=3))
def test_any_brackets_become_a_tree_with_one_root(trees):
    root = Node("ROOT", trees)
    leaves = root.leaves()
    for position, leaf in enumerate(leaves, 1):
        leaf.position = position
    heads, relations, upos = convert(root)
    assert not fault_of_heads(heads)
    assert [relation == "root" for relation in relations] == [head == 0 for head in heads]
    assert len(relations) == len(upos) == len(leaves)


@pytest.mark.parametrize(
    "text",
    [
        "(NP " * 5000 + "(NN a)" + ")" * 5000,
        "(S (VP (TO to) " * 2000 + "(NN a)" + "))" * 2000,
        "(SBAR " * 5000 + "(IN that) (S (VP (VB go)))" + ")" * 5000,
        "(NP " + "(NN a) " * 1000 + ")",
        "(NP " + "(NN a) (CC and) " * 500 + "(NN a))",
    ],
    ids=["unary", "deep", "clauses", "flat", "coordinated"],
)
def test_deep_and_flat_trees(text):
    heads = convert(root_of(text)).heads
    assert not fault_of_heads(heads)
