"""Penn2Malt: auxiliaries, coordination, punctuation, and NLTK's dependency treebank."""

from itertools import zip_longest

import pytest

from synparse.treebanks.penn import nodes_of, without_traces
from synparse.treebanks.penn2malt import convert
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import read_conllu


def heads(text):
    [(_, tree)] = read_brackets([text], "text")
    return convert(nodes_of(tree)).heads


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # she has been seen: each auxiliary is the head of the verb after it
        ("(S (NP (PRP she)) (VP (VBZ has) (VP (VBN been) (VP (VBN seen)))))", (2, 0, 2, 3)),
        # to see her: "to" depends on the verb
        ("(S (VP (TO to) (VP (VB see) (NP (PRP her)))))", (2, 0, 2)),
        # cats and dogs: the last noun
        ("(NP (NNS cats) (CC and) (NNS dogs))", (3, 3, 0)),
        # in Rome: the preposition
        ("(PP (IN in) (NP (NNP Rome)))", (0, 1)),
        # ( see ): punctuation is never a head, inside or on either side
        ("(PRN (-LRB- -LRB-) (S (VP (VB see))) (-RRB- -RRB-))", (2, 0, 2)),
        # ! ?: only punctuation
        ("(X (. !) (. ?))", (2, 0)),
        # a category that is not in the table
        ("(NEW (NN a) (NN b))", (2, 0)),
        # a trace is not a word, and its phrase not a head
        ("(S (NP-SBJ-1 (NNS dogs)) (VP (VBD were) (VP (VBN seen) (NP (-NONE- *-1)))))", (2, 0, 2)),
        ("((S (NP (-NONE- *))))", ()),
    ],
)
def test_head_rules(text, expected):
    assert heads(text) == expected


@pytest.mark.parametrize("stripped", [False, True])
def test_conversion_equals_the_reference_converter_on_every_word(shared_data, stripped):
    trees_file, gold_file = shared_data / "wsj" / "trees.mrg", shared_data / "conversion" / "wsj.penn2malt.conll"
    with trees_file.open(encoding="utf-8") as lines, gold_file.open(encoding="utf-8") as gold:
        for one, other in zip_longest(read_brackets(lines, "trees"), read_conllu(gold, "gold")):
            root = nodes_of(one.tree)
            if stripped:
                for node in without_traces(root).preorder():
                    node.functions = ()
            assert convert(root).heads == other.heads, f"line {one.line}"
