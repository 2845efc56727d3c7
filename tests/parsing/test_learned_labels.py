"""Labels that a model has learned, in parses and in what is written of them."""

import json
from dataclasses import replace

import numpy as np

from synparse.corpora.sentences import Sentence, sentences_of
from synparse.inducers.log_linear import LogLinear, rows_of
from synparse.parsing.formats import FORMATS
from synparse.parsing.learned_labels import (
    Words,
    features_of_arcs,
    features_of_constituent,
    features_of_words,
    with_learned,
)
from synparse.parsing.parse import Parse
from synparse.parsing.windows import Numbering
from synparse.trees.constituency import induced_tree

TOKENS = ("The", "dogs", "bark", ".")
PARSE = Parse(TOKENS, induced_tree(TOKENS, [(0, 4), (0, 2)]), (2, 3, 0, 3), (True, True, True, False))


def told_by(**values):
    """A classifier that goes by single features: a name for each."""
    weights = np.zeros((1 << 12, len(values) + 1), np.float32)
    for number, feature in enumerate(values.values()):
        weights[rows_of([[feature]], len(weights))[0, 0], number] = 1
    weights[rows_of([["bias"]], len(weights))[0, 0], -1] = 0.5
    return LogLinear((*values, "other"), weights)


LEARNED = {
    "tags": told_by(DET="w=the", NOUN="2=gs"),
    "relations": told_by(det="h=dogs >", nsubj="f=the >"),
    "constituents": told_by(NP="l=dogs", S="whole=True"),
}


def test_all_examples_have_the_same_number_of_features():
    for tokens in (("a",), TOKENS):
        words, heads = Words(tokens, None), (0, 1, 2, 2)[: len(tokens)]
        sizes = {len(features) for features in (*features_of_words(words), *features_of_arcs(words, heads))}
        assert sizes == {len(features_of_words(words)[0]), len(features_of_arcs(words, heads)[0])}
        spans = [(0, 1), (0, len(tokens)), (len(tokens) - 1, len(tokens))]
        assert len({len(features_of_constituent(words, *span)) for span in spans}) == 1


def test_features_see_classes_and_the_tree():
    words = Words(TOKENS, ("C1", "C2", "C3", "PUNCT"))
    of_word, of_arc = features_of_words(words)[1], features_of_arcs(words, PARSE.heads)[1]
    assert {"w=dogs", "3=ogs", "b=the", "bca=C1 C2 C3"} <= set(of_word)
    assert {"cc=C2 C3 >", "wh=dogs bark", "d=1", "f=the >", "g=| C2 >"} <= set(of_arc)
    assert {"f=the", "l=dogs", "a=bark", "fc=C1 C2"} <= set(features_of_constituent(words, 0, 2))


def test_features_are_the_same_whatever_the_encoding_of_accents():
    composed, decomposed = (
        Words(tokens, None) for tokens in (("Él", "rió", "así"), ("E\u0301l", "rio\u0301", "asi\u0301"))
    )
    assert features_of_words(composed) == features_of_words(decomposed)
    assert "1=ó" in features_of_words(decomposed)[1]
    assert features_of_arcs(composed, (2, 0, 2)) == features_of_arcs(decomposed, (2, 0, 2))
    assert features_of_constituent(composed, 0, 3) == features_of_constituent(decomposed, 0, 3)


def test_a_parse_gets_the_labels_that_there_are():
    parse = with_learned(PARSE, LEARNED, None)
    assert parse.upos == ("DET", "NOUN", "other", "other")
    assert parse.relations == ("det", "nsubj", "root", "other")
    assert [label for label, _, _ in parse.tree.constituents] == ["S", "NP"]
    assert parse.is_labelled
    alone = with_learned(PARSE, {"relations": LEARNED["relations"]}, None)
    assert (alone.upos, alone.relations, alone.tree) == (None, parse.relations, PARSE.tree)
    nothing = with_learned(Parse((), induced_tree((), []), (), ()), LEARNED, None)
    assert (nothing.upos, nothing.relations, nothing.is_labelled) == ((), (), True)


def test_trees_of_a_parse_have_the_tags_that_the_command_writes():
    parse = with_learned(PARSE, LEARNED, None)
    written = "(S (NP (DET The) (NOUN dogs)) (other bark) (other .))"
    assert [str(parse.tree), str(parse.to_nltk())] == [written, written]
    classes = ("C1", "C2", "C3", "C4")
    with_classes = replace(PARSE, tags=classes, tree=replace(PARSE.tree, tags=classes))
    assert with_learned(with_classes, LEARNED, None).tree.tags == classes


def test_given_labels_stay():
    given = induced_tree(TOKENS, [(0, 4), (0, 2)], None, ["X", "NX"])
    parse = with_learned(Parse(TOKENS, given, None, PARSE.read), LEARNED, None)
    assert [label for label, _, _ in parse.tree.constituents] == ["S", "NX"]


def test_every_format_has_the_tags():
    parse = with_learned(PARSE, LEARNED, None)
    text = {name: "".join(write([(Sentence(TOKENS), parse)], Numbering())) for name, write in FORMATS.items()}
    assert "2\tdogs\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_\n" in text["conllu"]
    assert text["brackets"] == "(S (NP (DET The) (NOUN dogs)) (other bark) (other .))\n"
    value = json.loads(text["json"])
    assert (value["tags"], value["labels"]) == (["DET", "NOUN", "other", "other"], ["S", "NP"])


def test_tags_of_the_input_stay():
    rows = [f"{number}\t{word}\t_\t_\t_\t_\t_\t_\t_\t_" for number, word in enumerate(TOKENS, 1)]
    rows[0] = rows[0].replace("The\t_\t_\t_", "The\t_\tPRON\tDT")
    [sentence] = sentences_of([f"{row}\n" for row in rows], "x", None, "conllu")
    parse = with_learned(PARSE, LEARNED, None)
    lines = "".join(FORMATS["conllu"]([(sentence, parse)], Numbering())).splitlines()
    assert [line.split("\t")[3:5] for line in lines[:2]] == [["PRON", "DT"], ["NOUN", "_"]]
    assert "(DT The) (NOUN dogs)" in "".join(FORMATS["brackets"]([(sentence, parse)], Numbering()))
