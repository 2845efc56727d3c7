from synparse.trees.brackets import read_brackets
from synparse.trees.spans import sentence_spans

[(_, TREE)] = read_brackets(["(ROOT (S (NP (DT the) (NN dog)) (, ,) (VP (VP (VBD barked)) (RB loudly))))"], "text")


def test_unary_chains_collapse_and_trivial_spans_are_left_out():
    assert sentence_spans(TREE) == {(0, 2), (3, 5)}


def test_words_that_are_left_out_do_not_count():
    assert sentence_spans(TREE, [True, True, False, True, True]) == {(0, 2), (2, 4)}
    assert sentence_spans(TREE, [True, False, False, True, True]) == {(1, 3)}


def test_trivial_spans_on_request():
    assert sentence_spans(TREE, whole=True) == {(0, 5), (0, 2), (3, 5)}
    assert sentence_spans(TREE, single=True) == {(0, 2), (3, 5), (3, 4)}


def test_nothing_is_left_of_a_sentence_of_punctuation():
    assert sentence_spans(TREE, [False] * 5, whole=True, single=True) == frozenset()
