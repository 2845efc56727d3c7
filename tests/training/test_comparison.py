"""Which of two parsers is worse, worked out by hand."""

import pytest

from synparse.store.models import open_model
from synparse.training import comparison
from synparse.training.comparison import LONGEST, ParserComparison, compared


def compare_branching(sentences):
    """Of each sentence: its segments, and those that left-branching and right-branching trees have; and how far these
    agree."""
    return compared("right-branching", "left-branching", [sentence.split() for sentence in sentences])


@pytest.mark.parametrize(
    ("sentence", "segments", "of_left_branching", "of_right_branching"),
    [
        ("a b , c d e", 2, 1, 1),  # the first words; the last ones
        ("a b , c d , e f .", 3, 1, 1),
        ("a , b c", 1, 0, 1),  # a segment of one word is no question
        ('" a b " c', 1, 1, 0),
    ],
)
def test_segments_of_words_between_marks_that_are_constituents(
    sentence, segments, of_left_branching, of_right_branching
):
    assert compare_branching([sentence])[:3] == ((segments,), (of_left_branching,), (of_right_branching,))


def test_agreement_is_that_of_brackets_below_the_sentence():
    assert compare_branching(["a b , c d e"]).agreement == 0.0
    assert compare_branching(["a b , c"]).agreement == 0.0
    assert compare_branching(["a , b"]).agreement == 1.0  # nothing below
    same = compared("balanced", "balanced", ["a b , c d e".split()])
    assert same.agreement == 1.0
    assert not same.is_worse


def test_long_sentences_are_left_out_and_so_are_those_without_marks_if_there_are_others(monkeypatch):
    asked = ["a b .", "a", "", ". ,", " ".join(["a", ",", *["b"] * LONGEST]), "a b , c"]
    assert compare_branching(asked).segments == (1,)
    assert len(compare_branching(asked[:4]).segments) == 4
    monkeypatch.setattr(comparison, "SENTENCES", 2)
    assert len(compare_branching(5 * asked).segments) == 2


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ([0, 0, 0], False),
        ([1, 1, 1], False),
        ([-1, 0, -1, 0], True),  # mean −0.5; variance 1/3, so 1.5 standard errors are 0.433
        ([-1, 0, 0, 0], False),  # mean −0.25; variance 1/4, so 1.5 standard errors are 0.375
        ([-1, 0, 0, 0] * 20, True),  # 1.5 standard errors are 0.073
        ([-1, *[0] * 20] * 20, False),  # mean −0.048; 1.5 standard errors are 0.016, but it is 2.4 % of two
        ([-1, -1], True),
        ([-1], False),
        ([], False),
    ],
)
def test_worse_is_what_finds_fewer_by_more_than_chance_and_tolerance(differences, expected):
    count = len(differences)
    assert (
        ParserComparison((4,) * count, (2,) * count, tuple(2 + difference for difference in differences), 0.9).is_worse
        == expected
    )


@pytest.mark.parametrize(
    ("new", "agreement", "expected"), [(2, 0.79, True), (2, 0.81, False), (3, 0.1, False), (1, 0.1, True)]
)
def test_a_parser_of_quite_other_brackets_has_to_find_more(new, agreement, expected):
    assert ParserComparison((4,) * 9, (2,) * 9, (new,) * 9, agreement).is_worse == expected


def test_a_comparison_in_words():
    text = (
        "it finds 33.3 % of the segments between punctuation, the one before 66.7 %, and 50 % of their brackets agree"
    )
    assert str(ParserComparison((2, 1), (1, 1), (1, 0), 0.5)) == text
    assert "finds 0.0 %" in str(ParserComparison((), (), (), 1.0))


def test_a_model_agrees_with_itself(tiny_grammar, sample_text):
    model = open_model(tiny_grammar)
    self_comparison = compared(model, model, [line.split() for line in sample_text[:100]])
    assert self_comparison.agreement == 1.0
    assert self_comparison.old == self_comparison.new
    assert not self_comparison.is_worse
