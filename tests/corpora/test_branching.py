import math

import numpy as np
import pytest

from synparse.corpora import branching
from synparse.corpora.branching import branching_of
from synparse.corpora.normalization import TextConfig
from synparse.corpora.word_classes import BigramCounts

PREPOSITIONS = ["in the house , the dog sleeps .", "the cat , in the garden , sees the bird .", "the end ."]


def counted(lines, text=TextConfig()):  # noqa: B008 - immutable
    counts = BigramCounts(text)
    for line in lines:
        counts.add(line.split())
    return counts


@pytest.fixture(autouse=True)
def _few_function_words(monkeypatch):
    monkeypatch.setattr(branching, "MOST_FREQUENT", 2)  # the, in


def test_words_before_what_belongs_to_them_tell_right():
    assert branching_of(counted(PREPOSITIONS)) == "right"


def test_the_mirror_image_tells_left():
    assert branching_of(counted([" ".join(reversed(line.split())) for line in PREPOSITIONS])) == "left"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("b a x , c a y", "right"),  # a follows punctuation never, and precedes it never
        ("a x a y a", "right"),  # as often at the beginning as at the end
        ("a x a , y a", "left"),  # once at the beginning, twice before punctuation or the end
        ("a , a x a y", "right"),  # twice at the beginning or after punctuation, once before it
    ],
)
def test_beginnings_and_ends_are_counted(monkeypatch, line, expected):
    monkeypatch.setattr(branching, "MOST_FREQUENT", 1)
    assert branching_of(counted([line])) == expected


@pytest.mark.parametrize("punctuation", ["keep", "drop"])
def test_punctuation_counts_whether_the_model_reads_it_or_not(punctuation):
    for lines, expected in ((PREPOSITIONS, "right"), ([line[::-1] for line in PREPOSITIONS], "left")):
        assert branching_of(counted(lines, TextConfig(punctuation=punctuation))) == expected


def test_no_text_tells_nothing():
    assert branching_of(counted([])) == "right"


def test_the_sample_branches_to_the_right(sample_text, monkeypatch):
    monkeypatch.undo()
    assert branching_of(counted(sample_text)) == "right"


def lines_of(*parts):
    return [line for count, line in parts for _ in range(count)]


def test_relators_stand_before_or_after_what_they_mark(monkeypatch):
    monkeypatch.setattr(branching, "MOST_FREQUENT", 4)
    # "in" begins 1 of 10, ends none; "ga" the mirror image; "he" begins all and "is" ends all, so they are none.
    counts = counted(lines_of((9, "he a in b ga is"), (1, "in a b ga")))
    relators = branching.relators_of(counts)
    assert relators == {"in": pytest.approx(math.log(3) / 2), "ga": pytest.approx(-math.log(3) / 2)}


def test_clear_odds_count_as_one(monkeypatch):
    monkeypatch.setattr(branching, "MOST_FREQUENT", 3)
    counts = counted(lines_of((30, "x in y"), (10, "in x y")))
    assert branching.relators_of(counts) == {"in": 1.0}


def test_the_head_is_on_the_side_to_which_a_relator_points():
    relators = {"in": 1.0, "ga": -0.5, "of": 0.25}
    words = ["cat", "in", "the", "house", "of", "stone", "ga", "sees"]
    is_function = [word in ("in", "the", "of", "ga") for word in words]
    directions = branching.head_directions(words, is_function, relators, "right") / math.log(5)
    # "house" follows "the", which is none; "stone" follows "of" and precedes "ga".
    np.testing.assert_allclose(directions, [0, 0, 0, 0, 0, 0.25 - 0.5, 0, 0])
    after = branching.head_directions(["cat", "in", "house"], [False, True, False], relators, "right")
    np.testing.assert_allclose(after, [0, 0, math.log(5)])


def test_heads_are_on_the_right_where_the_language_branches_to_the_left():
    directions = branching.head_directions(["a", "ga", "b"], [False, True, False], {}, "left")
    np.testing.assert_allclose(directions, [-math.log(3), 0, -math.log(3)])


@pytest.mark.parametrize("words", [[], ["in"], ["cat"]])
def test_directions_of_short_sentences(words):
    assert branching.head_directions(words, [False] * len(words), {"in": 1.0}, "right").tolist() == [0.0] * len(words)


def test_the_sample_has_prepositions(sample_text, monkeypatch):
    monkeypatch.undo()
    assert branching.relators_of(counted(sample_text))["in"] == 1.0
