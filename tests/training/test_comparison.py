import pytest

from synparse.training.comparison import LONGEST, is_worse, percent, segments_found


@pytest.mark.parametrize(
    ("sentence", "of_right_branching", "of_left_branching"),
    [
        ("a b , c d e", [1, 2], [1, 2]),  # the last words, or the first ones
        ("a b , c d , e f .", [1, 3], [1, 3]),
        ("a , b c", [1, 1], [0, 1]),  # a segment of one word is no question
        ('" a b " c', [0, 1], [1, 1]),
        (", , a b ; . c , .", [0, 1], [1, 1]),
    ],
)
def test_segments_of_words_between_marks_that_are_constituents(sentence, of_right_branching, of_left_branching):
    assert segments_found("right-branching", [sentence.split()]) == [of_right_branching]
    assert segments_found("left-branching", [sentence.split()]) == [of_left_branching]


def test_sentences_without_marks_inside_and_long_ones_are_left_out(monkeypatch):
    asked = [["a", "b", "."], ["a"], [], [".", ","], ["a", ",", *["b"] * LONGEST], ["a", "b", ",", "c"]]
    assert segments_found("right-branching", asked) == [[0, 1]]
    monkeypatch.setattr("synparse.training.comparison.SENTENCES", 2)
    assert len(segments_found("right-branching", 5 * asked)) == 2


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ([0, 0, 0], False),
        ([1, 1, 1], False),
        ([-1, 0, -1, 0], True),  # mean −0.5; variance 1/3, so 1.5 standard errors are 0.433
        ([-1, 0, 0, 0], False),  # mean −0.25; variance 1/4, so 1.5 standard errors are 0.375
        ([-1, -1], True),
        ([-1], False),
        ([], False),
    ],
)
def test_worse_by_more_than_chance(differences, expected):
    old = [[2, 4] for _ in differences]
    assert is_worse([[2 + one, 4] for one in differences], old) == expected


def test_parsers_are_compared_on_the_same_sentences():
    with pytest.raises(ValueError, match="zip"):
        is_worse([[1, 1]], [[1, 1], [1, 1]])


def test_per_cent():
    assert percent([[1, 2], [0, 1]]) == "33.3 %"
    assert percent([]) == "0.0 %"
