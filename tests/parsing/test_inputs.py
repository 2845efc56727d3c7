"""Sentences of all kinds become words."""

from typing import NamedTuple

import conllu
import numpy as np
import pytest
from nltk.tree import Tree

from synparse.parsing.parser import Parser


@pytest.fixture
def parser():
    return Parser.load("chain")


def test_a_string_is_text_with_a_sentence_a_line(parser):
    lines = ["the dog sees the cat .", "", "hello"]
    assert parser.parse("\n".join(lines)) == parser.parse("\n".join(lines) + "\n") == parser.parse(lines)
    assert parser.parse("") == []


class SpacyToken(NamedTuple):
    text: str

    @property
    def is_space(self):
        return self.text.isspace()


class SpacyDoc(NamedTuple):
    sents: list[list[SpacyToken]]


def test_sentences_of_spacy_are_read_by_their_tokens(parser):
    sentences = [list(map(SpacyToken, ("the", "dog", " ", "barks", "\n"))), [SpacyToken("hello")]]
    expected = parser.parse([["the", "dog", "barks"], ["hello"]])
    assert parser.parse(SpacyDoc(sentences)) == parser.parse(sentences) == expected


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        (3, "sentences must be .*a sentence a line.*, not int"),
        (b"the dog", "sentences must be .*, not bytes"),
        (Tree.fromstring("(S (N dogs) (V bark))"), "sentences must be .*, not Tree"),
        ([3], "each of the sentences must be .*, not int"),
        ([["the", 3]], "each of the sentences must be .*, not a list with int"),
        ([SpacyDoc([[SpacyToken("hello")]])], r"each of the sentences must be .* \(of doc\.sents\), not SpacyDoc"),
        ([b"the dog"], "each of the sentences must be .*, not bytes"),
        ([Tree("S", [1, 2])], "the leaves of an nltk.Tree must be strings, not int"),
        ([Tree("S", [("the", "DT")])], "the leaves of an nltk.Tree must be strings, not tuple"),
        (conllu.parse("1\tdogs" + "\t_" * 8 + "\n\n")[0], "each of the sentences must be .*, not Token"),
    ],
)
def test_what_is_no_sentence_is_told(parser, sentences, message):
    with pytest.raises(TypeError, match=f"^{message}$"):
        parser.parse(sentences)


def test_an_empty_word_is_told(parser):
    with pytest.raises(ValueError, match=r"^word 2 of a sentence is empty$"):
        parser.parse([["a", "", "b"]])


def test_words_of_numpy_become_strings(parser):
    [parse] = parser.parse(np.array([["a", "dog"]]))
    assert [type(token) for token in parse.tokens] == [str, str]
