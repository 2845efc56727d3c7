"""Head children → heads of words, and passive subjects."""

from synparse.treebanks.conversion import lexical_heads, with_passive_subjects
from synparse.treebanks.penn import Node


def test_lexical_heads_follow_the_chain_of_head_children():
    dog, barked = Node("NN", word="dog"), Node("VBD", word="barked")
    subject, predicate = Node("NP", [dog]), Node("VP", [barked])
    sentence = Node("S", [subject, predicate])
    sentence.head, predicate.head = predicate, barked  # the noun phrase has none
    assert lexical_heads(sentence) == {dog: dog, barked: barked, predicate: barked, sentence: barked}


def test_a_subject_is_passive_if_its_verb_has_a_passive_auxiliary():
    heads = (3, 3, 0, 5, 3)
    relations = ("csubj", "aux:pass", "root", "nsubj", "conj")
    assert with_passive_subjects(heads, relations, ":pass") == ("csubj:pass", "aux:pass", "root", "nsubj", "conj")
    assert with_passive_subjects(heads, relations, "pass") == relations
