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
