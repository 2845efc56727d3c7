"""Stanford Dependencies: sentences worked by hand from the manual."""

import pytest

from synparse.treebanks import stanford
from synparse.treebanks.penn import nodes_of
from synparse.trees.brackets import read_brackets
from synparse.trees.dependency import fault_of_heads


def converted(text):
    tree = next(read_brackets([text], "test")).tree
    result = stanford.convert(nodes_of(tree))
    words = [word for word, tag in zip(tree.words, tree.tags, strict=True) if tag != "-NONE-"]
    names = ["ROOT", *words]
    return [
        f"{relation}({names[head]}, {word})"
        for word, head, relation in zip(words, result.heads, result.relations, strict=True)
    ]


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
    assert converted(tree) == EXAMPLES[tree]


def test_traces_and_function_tags_leave_no_words_behind():
    text = (
        "( (S (NP-SBJ-1 (NNP Rudolph) ) (VP (VBD was) (VP (VBN named) (NP (-NONE- *-1)) "
        "(NP-TMP (NN yesterday)))) (. .)))"
    )
    assert converted(text) == [
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
    assert not fault_of_heads(stanford.convert(nodes_of(next(read_brackets([text], "test")).tree)).heads)


@pytest.mark.parametrize(
    ("trees_file", "gold_file", "stripped", "heads_least", "labels_least"),
    [
        ("wsj/trees.mrg", "wsj.sd.conll", False, 0.998, 0.991),
        ("wsj/trees.mrg", "wsj.sd.conll", True, 0.998, 0.984),
        ("gum/dev.ptb", "gum-dev.sd.conll", False, 0.996, 0.983),
    ],
)
def test_it_agrees_with_the_converter(agreement, trees_file, gold_file, stripped, heads_least, labels_least):
    heads, labels = agreement(stanford.convert, trees_file, gold_file, stripped)
    assert heads >= heads_least
    assert labels >= labels_least
