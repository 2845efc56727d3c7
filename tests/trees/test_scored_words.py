import pytest

from synparse.trees.brackets import read_brackets
from synparse.trees.scored_words import kept_leaves, kept_words


def test_punctuation_goes_by_tag_and_without_tags_by_form():
    [(_, tagged)] = read_brackets(["(S (NN Hi) (, ,) ($ $) (-NONE- *) (HYPH -))"], "text")
    assert kept_leaves(tagged) == [True, False, False, False, False]
    [(_, bare)] = read_brackets(["(S Hi , 'll $)"], "text")
    assert kept_leaves(bare) == [True, False, True, False]


def test_punctuation_goes_by_the_best_evidence():
    words = ["Hi", ",", "$"]
    assert kept_words(words, ["INTJ", "PUNCT", "SYM"], ["UH", ",", "$"]) == [True, False, True]
    assert kept_words(words, ["_"] * 3, ["UH", ",", "$"]) == [True, False, False]
    assert kept_words(words, ["_"] * 3, ["_"] * 3) == [True, False, False]


@pytest.mark.parametrize("xpos", [["NN", "SYM", ","], ["_"] * 3])
def test_penn_tags_in_the_place_of_upos_are_penn_tags(xpos):
    assert kept_words(["a", "*", ","], ["NN", "SYM", ","], xpos) == [True, True, False]


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        ("auto", [True, True, False, True]),
        ("upos", [True, True, False, True]),
        ("tag", [True, False, True, False]),
        ("form", [True, False, True, True]),
        ("keep", [True] * 4),
    ],
)
def test_punctuation_rules_by_name(rule, kept):
    words, upos, xpos = ["Hi", "$", "and", "-x"], ["INTJ", "SYM", "PUNCT", "NOUN"], ["UH", "$", "CC", "HYPH"]
    assert kept_words(words, upos, xpos, rule) == kept


@pytest.mark.parametrize(("rule", "what"), [("upos", "no UPOS"), ("tag", "no Penn tags")])
def test_rules_that_need_tags_ask_for_them(rule, what):
    with pytest.raises(ValueError, match=what):
        kept_words(["Hi"], ["_"], ["_"], rule)
