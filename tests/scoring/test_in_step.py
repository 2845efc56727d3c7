"""Sentences of a prediction and of gold, one by one; the first difference is reported with its file."""

import pytest

from synparse.scoring.in_step import other_words


@pytest.mark.parametrize(
    ("ours", "message"),
    [
        ("a x c", "sentence 4 has 'x' where gold has 'b'"),
        ("a b", "sentence 4 has the end of the sentence where gold has 'c'"),
        ("a b c d", "sentence 4 has 'd' where gold has the end of the sentence"),
    ],
)
def test_the_first_other_word_is_named(ours, message):
    error = str(other_words(4, ours.split(), ["a", "b", "c"], "pred", 17, "gold"))
    assert error == f"pred:17: {message}; to have the same words, parse gold itself"


def test_words_that_only_look_the_same_are_told():
    error = str(other_words(1, ["cafe\u0301"], ["caf\u00e9"], "pred", 1, "gold"))
    assert "they look the same, but are encoded in different ways (NFC, NFD)" in error


def test_what_cannot_be_seen_is_shown():
    assert "has 'dog' where gold has 'dog\\xad'" in str(other_words(1, ["dog"], ["dog\u00ad"], "pred", 1, "gold"))


def test_white_space_in_words_is_told():
    error = str(other_words(1, ["10_000"], ["10\u00a0000"], "pred", 1, "gold"))
    assert "white space in a word is _ in brackets" in error


def test_escapes_of_penn_files_are_told():
    assert "an escape of Penn files" in str(other_words(1, ["("], ["-LRB-"], "pred", 1, "gold"))
    error = str(other_words(1, ["1/2"], ["1\\/2"], "pred", 1, "gold"))
    assert error == (
        "pred:1: sentence 1 has '1/2' where gold has '1\\/2'; one has an escape of Penn files, which convert "
        "--unescape removes; or parse gold itself"
    )
