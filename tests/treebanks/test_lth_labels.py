"""The labels of the CoNLL shared tasks, one dependent at a time."""

import pytest

from synparse.treebanks.lth_labels import (
    Dependency,
    continues_verb,
    is_posthonorific,
    is_shared_object,
    relation_2007,
    relation_2008,
    role_of,
)
from tests.treebanks.reading import root_of


def word(root, form):
    """The first word of that form."""
    return next(leaf for leaf in root.leaves() if leaf.word == form)


def dependent(text, form, governor, above=0):
    """The dependent that is ``above`` the word ``form`` by so many nodes, of the word ``governor``."""
    root = root_of(text)
    node = own = word(root, form)
    for _ in range(above):
        node = node.parent
    head = word(root, governor)
    return Dependency(node, head, own, head)


SEES = "(S (NP-SBJ (PRP she)) (VP (VBZ sees) {}))"


@pytest.mark.parametrize(
    ("phrase", "form", "above", "role"),
    [
        ("(NP (NNS dogs))", "dogs", 1, "OBJ"),
        ("(NP-TMP (NN today))", "today", 1, "TMP"),
        ("(PP-LOC (IN in) (NP (NNP Rome)))", "in", 1, "LOC"),
        ("(PP (IN with) (NP (NNP Sam)))", "with", 1, "ADV"),
        ("(PP-LOC-PRD (IN in) (NP (NNP Rome)))", "in", 1, "LOC-PRD"),
        ("(PP-LOC-MNR (IN in) (NP (NN stock)))", "in", 1, "LOC-MNR"),
        ("(PP (IN by) (NP-LGS (PRP him)))", "by", 1, "LGS"),
        ("(PP (IN by) (NP-LGS (PRP him)))", "him", 1, ""),
        ("(PRT (RP up))", "up", 1, "PRT"),
        ("(ADVP (RB often))", "often", 1, "ADV"),
        ("(SBAR (IN that) (S (VP (VBZ rains))))", "that", 1, "OBJ"),
        ("(SBAR-CLR (IN that) (S (VP (VBZ rains))))", "that", 1, "ADV"),
        ("(S (VP (TO to) (VP (VB go))))", "to", 2, "OPRD"),
        ("(S (NP-SBJ (PRP it)) (VP (VBZ rains)))", "rains", 2, "OBJ"),
        ("(ADJP (JJ old))", "old", 1, ""),
    ],
)
def test_the_function_of_a_constituent_in_a_verb_phrase(phrase, form, above, role):
    phrase_dependent = dependent(SEES.format(phrase), form, "sees", above)
    assert role_of(phrase_dependent.node, phrase_dependent.word) == role


def test_a_noun_phrase_beside_a_copula_is_no_object():
    noun_phrase = dependent("(S (NP-SBJ (PRP it)) (VP (VBZ is) (NP (DT a) (NN dog))))", "dog", "is", 1)
    assert role_of(noun_phrase.node, noun_phrase.word) == ""
    assert (relation_2008(noun_phrase, raw=False), relation_2008(noun_phrase, raw=True)) == ("PRD", "VMOD")


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("(NP (NNP Smith) (NNP Jr.))", "Jr.", True),
        ("(NP (NNP Jr.) (NNP Smith))", "Jr.", False),
        ("(NP (NNP Jr.))", "Jr.", False),
        ("(NP (NNP Smith) (CC and) (NNP Co.))", "Co.", False),
        ("(NP (NNP Smith) (NNP Sam))", "Sam", False),
        ("(PP (IN with) (NNP Inc.))", "Inc.", False),
    ],
)
def test_what_ends_a_name(text, form, expected):
    assert is_posthonorific(word(root_of(text), form)) == expected


def test_an_object_of_all_prepositions_is_shared():
    preposition = word(root_of("(PP (IN of) (CC and) (IN by) (NP (PRP him)))"), "him").parent
    assert [is_shared_object(child) for child in preposition.parent.children] == [False, False, False, True]
    assert not is_shared_object(word(root_of("(PP (IN of) (NP (PRP him)))"), "him").parent)


@pytest.mark.parametrize(
    ("text", "verb", "expected"),
    [
        ("(S (NP (PRP he)) (VP (VBZ is) (S (VP (TO to) (VP (VB go))))))", "is", True),
        ("(S (NP (PRP he)) (VP (VBZ is) (S-PRP (VP (TO to) (VP (VB go))))))", "is", False),
        ("(S (NP (PRP he)) (VP (VBZ wants) (S (VP (TO to) (VP (VB go))))))", "wants", False),
    ],
)
def test_a_clause_without_a_function_continues_an_auxiliary(text, verb, expected):
    root = root_of(text)
    assert continues_verb(word(root, "to").parent.parent, word(root, verb)) == expected


GIVES = "(S (NP-SBJ (PRP I)) (VP (VBP give) (NP (PRP her)) (NP (NNS books))))"
NAME = "(NP (NNP Mr.) (NNP Sam) (NNP Smith) (NNP Jr.))"


@pytest.mark.parametrize(
    ("text", "form", "governor", "above", "label_2008", "label_2007", "raw_2008", "raw_2007"),
    [
        # verbs: subject, the two objects, adverbials, verb chains
        (GIVES, "I", "give", 1, "SBJ", "SBJ", "VMOD", "VMOD"),
        (GIVES, "her", "give", 1, "OBJ", "IOBJ", "VMOD", "I"),
        (GIVES, "books", "give", 1, "OBJ", "OBJ", "VMOD", "VMOD"),
        (SEES.format("(ADVP-TMP (RB now))"), "now", "sees", 1, "TMP", "ADV", "VMOD", "VMOD"),
        ("(S (VP (VBZ has) (VP (VBN gone))))", "gone", "has", 1, "VC", "VC", "VC", "VC"),
        ("(S (VP (TO to) (VP (VB go))))", "go", "to", 1, "IM", "IM", "IM", "IM"),
        ("(S (VP (VBZ goes)) (. .))", ".", "goes", 0, "P", "P", "P", "P"),
        ("(S (CC But) (VP (VBZ goes)))", "But", "goes", 0, "DEP", "CC", "DEP", "CC"),
        # noun phrases: modifiers, names
        ("(NP (DT the) (NN dog))", "the", "dog", 0, "NMOD", "NMOD", "NMOD", "NMOD"),
        ("(NP (NP (NNP Sam)) (POS 's))", "'s", "Sam", 0, "SUFFIX", "NMOD", "SUFFIX", "NMOD"),
        (NAME, "Mr.", "Smith", 0, "TITLE", "NMOD", "NAME", "NMOD"),
        (NAME, "Sam", "Smith", 0, "NAME", "NMOD", "NAME", "NMOD"),
        (NAME, "Jr.", "Smith", 0, "POSTHON", "NMOD", "APPO", "NMOD"),
        # prepositions, adjectives
        ("(PP (IN in) (NP (NNP Rome)))", "Rome", "in", 1, "PMOD", "PMOD", "PMOD", "PMOD"),
        ("(PP (RB even) (IN before) (NP (NNP Rome)))", "even", "before", 0, "DEP", "DEP", "DEP", "DEP"),
        ("(ADJP (RB very) (JJ old))", "very", "old", 0, "AMOD", "AMOD", "AMOD", "AMOD"),
    ],
)
def test_the_label_of_a_dependent(text, form, governor, above, label_2008, label_2007, raw_2008, raw_2007):
    edge = dependent(text, form, governor, above)
    assert (relation_2008(edge, raw=False), relation_2007(edge, raw=False)) == (label_2008, label_2007)
    assert (relation_2008(edge, raw=True), relation_2007(edge, raw=True)) == (raw_2008, raw_2007)
