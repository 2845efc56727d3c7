"""The tokens of a pattern and the columns of its errors."""

import re

import pytest

from synparse.search.tokens import Tokens, compiled, unquoted
from synparse.trees.errors import SettingError
from synparse.trees.limits import LONGEST_PATTERN

TOKEN = re.compile(r"[a-z]+|<<|<")


def test_tokens_are_taken_one_after_the_other():
    tokens = Tokens("  ab<< c ", TOKEN, "trees")
    assert (tokens.next(), tokens.next(1), tokens.next(2), tokens.next(9)) == ("ab", "<<", "c", "")
    assert tokens.take() == "ab"
    assert tokens.take_if(["<"]) == ""
    assert tokens.take_if(["<", "<<"]) == "<<"
    tokens.expect("c")
    assert [tokens.next(), tokens.take(), tokens.take()] == ["", "", ""]


def test_errors_have_the_column_of_the_next_token():
    tokens = Tokens("ab  c", TOKEN, "trees")
    tokens.take()
    with pytest.raises(SettingError, match=r"^column 5 of the pattern of trees: expected 'd', not 'c'$"):
        tokens.expect("d")
    tokens.take()
    with pytest.raises(SettingError, match=r"^column 6 of the pattern of trees: expected 'd', but the pattern ends$"):
        tokens.expect("d")


def test_what_is_no_token_and_what_is_too_long():
    with pytest.raises(SettingError, match=r"^column 3 of the pattern of trees: '\?' cannot begin a term"):
        Tokens("a ?", TOKEN, "trees")
    Tokens("a" * LONGEST_PATTERN, TOKEN, "trees")
    with pytest.raises(SettingError, match="more than 10000 characters"):
        Tokens("a" * (LONGEST_PATTERN + 1), TOKEN, "trees")


def test_quotes_and_expressions():
    assert [unquoted(rf'"{token}"') for token in (r"a\"b", r"a\\", r"1\/2", r"\\\"")] == ['a"b', "a\\", r"1\/2", '\\"']
    tokens = Tokens("a", TOKEN, "trees")
    assert compiled("b+", tokens).fullmatch("bb")
    assert compiled(r"\w+|\p{Greek}\d", tokens).fullmatch("लड़की")  # with its vowel signs
    with pytest.raises(SettingError, match=r"^column 1 of the pattern of trees: not a regular expression: "):
        compiled("(", tokens)
