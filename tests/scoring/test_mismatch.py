"""The first difference is told, with the file that it is in."""

import pytest

from synparse.scoring.mismatch import ends_early, other_words


@pytest.mark.parametrize(
    ("prediction_ended", "message"),
    [
        (True, "pred: ends after 2 sentences, but gold goes on"),
        (False, "gold: ends after 2 sentences, but pred goes on"),
    ],
)
def test_the_shorter_file_is_named(prediction_ended, message):
    assert str(ends_early(3, prediction_ended, "pred", "gold")) == message


@pytest.mark.parametrize(
    ("ours", "message"),
    [
        ("a x c", "sentence 4 has 'x' where gold has 'b'"),
        ("a b", "sentence 4 has the end of the sentence where gold has 'c'"),
        ("a b c d", "sentence 4 has 'd' where gold has the end of the sentence"),
    ],
)
def test_the_first_other_word_is_named(ours, message):
    assert str(other_words(4, ours.split(), ["a", "b", "c"], "pred", 17, "gold")) == f"pred:17: {message}"
