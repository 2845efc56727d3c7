"""What punctuation leaves of gold trees, by hand."""

from functools import partial

from benchmarks.quality.ceilings import binary_parses, every_other
from benchmarks.quality.gold import Gold
from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import BRACKETS, Sentence
from synparse.trees.brackets import read_brackets
from synparse.trees.punctuation_cues import broken_costs
from synparse.trees.spans import sentence_spans

TREE = "(S (NP old (X men)) (VP saw (NP boats , (PP with (NP red sails)))))"
TOKENS = tuple("old men saw boats , with red sails".split())


def gold(*trees):
    sentences = tuple(Sentence(tree.words, tree=tree) for _, tree in read_brackets(trees, "gold"))
    return Gold(BRACKETS, trees, sentences)


def spans_left(costs):
    parse = binary_parses(gold(TREE), TextConfig(tokenizer="whitespace", punctuation="drop"), costs)[TOKENS]
    return sentence_spans(parse.tree, parse.read)


def test_binary_trees_have_all_gold_constituents():
    assert {(0, 2), (2, 7), (3, 7), (4, 7), (5, 7)} <= spans_left(None)


def test_a_comma_that_binds_both_sides_rules_out_what_crosses_it():
    """What crosses the comma, gap 4, begins at *saw* or *boats* and ends with the sentence."""
    left = spans_left(broken_costs)
    assert {(0, 2), (4, 7), (5, 7)} <= left
    assert not {(2, 7), (3, 7)} & left


def test_a_comma_that_binds_one_side_rules_out_only_what_goes_on_after_it():
    assert {(0, 2), (2, 7), (3, 7), (4, 7), (5, 7)} <= spans_left(partial(broken_costs, branching="right"))


def test_every_other_sentence():
    trees = [f"(S {word} b)" for word in "pqrst"]
    assert every_other(gold(*trees), 1).texts == ("(S q b)", "(S s b)")
