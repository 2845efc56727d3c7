import itertools
import math

import numpy as np
import pytest

from synparse.corpora import branching
from synparse.corpora.branching import UNDECIDED, branching_of
from synparse.corpora.normalization import TextConfig
from synparse.corpora.word_classes import BigramCounts

# The same things said in languages of words without endings, and of nouns and verbs with them.
NOUNS, VERBS = "tal mik sur nop gel bim dor kef".split(), "lat run ges pok fid mur".split()
PAIRS = list(itertools.product(NOUNS, VERBS))

PREPOSITIONS = [
    f"{word} {noun} , {verb} {other} ." for word in ("in", "the") for noun, verb in PAIRS for other in NOUNS
]
POSTPOSITIONS = [" ".join(reversed(line.split())) for line in PREPOSITIONS]
CASES, TENSES = ("da", "nin", "le", "ye", "ca", ""), ("ti", "ir")
FINAL_ENDINGS = [
    f"{start}{noun}{case} {verb}{tense} ."
    for start in ("", "", "bir ")
    for case, tense in itertools.product(CASES, TENSES)
    for noun, verb in PAIRS
]
"""The commonest word of it, *bir*, stands first, as an article does elsewhere."""


def counted(lines, text=TextConfig()):  # noqa: B008 - immutable
    counts = BigramCounts(text)
    for line in lines:
        counts.add(line.split())
    return counts


def tendency_of(lines, text=TextConfig()):  # noqa: B008 - immutable
    return branching_of([line.split() for line in lines], counted(lines, text))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (PREPOSITIONS, "right"),
        (POSTPOSITIONS, "left"),
        (FINAL_ENDINGS, "left"),
        ([" ".join(reversed(line.split())) for line in FINAL_ENDINGS], "right"),
    ],
)
@pytest.mark.parametrize("punctuation", ["keep", "drop"])
def test_the_side_of_the_words_that_vary_most(lines, expected, punctuation):
    assert tendency_of(lines, TextConfig(punctuation=punctuation)).branching == expected


def test_the_mean_of_the_differences_of_entropies():
    # First words: a, a, a, b. Last ones: four, of two endings that are as frequent.
    lines = ("a x looked .", "a x talked", "a x , going .", "b x singing")
    firsts = 3 / 4 * math.log(4 / 3) + 1 / 4 * math.log(4)
    tendency = tendency_of(lines)
    of_words, of_endings = pytest.approx(firsts - math.log(4)), pytest.approx(firsts - math.log(2))
    [relator] = branching.relators_of(counted(lines)).values()
    assert tendency == (of_words, of_endings, pytest.approx(relator), math.inf)  # of one alone
    assert tendency.nats == pytest.approx(firsts - (math.log(4) + math.log(2)) / 2)
    assert tendency.of_sentences == "right"


def test_relators_decide_if_their_mean_is_large_and_certain():
    by_relators = [branching.Tendency(0.3, 0.3, mean, error).branching for mean, error in [(0.3, 0.1), (0.3, 0.2)]]
    assert by_relators == ["right", "left"]
    assert branching.Tendency(0.3, 0.3, 0.2, 0.01).branching == "left"


def test_the_standard_error_of_relators(sample_text):
    relators = list(branching.relators_of(counted(sample_text)).values())
    tendency = tendency_of(sample_text)
    assert len(relators) > 10
    assert tendency.of_relators == pytest.approx(np.mean(relators))
    assert tendency.error == pytest.approx(np.std(relators, ddof=1) / math.sqrt(len(relators)))


def test_prepositions_tell_more_than_verbs_at_the_ends_of_sentences():
    verbs_last = [
        f"{noun} in {other} {verb}{tense} ." for noun, verb in PAIRS for other in NOUNS for tense in ("ti", "ir")
    ]
    fronted = [f"in {other} , {noun} {verb}{tense} ." for noun, verb in PAIRS for other in NOUNS for tense in TENSES]
    tendency = tendency_of(verbs_last + fronted)
    assert (tendency.of_sentences, tendency.branching) == ("left", "right")
    mirrored = tendency_of([" ".join(reversed(line.split())) for line in verbs_last + fronted])
    assert (mirrored.of_sentences, mirrored.branching) == ("right", "left")


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["word .", ", . ;", ""],  # no first and last word
        ["a b", "b a"],  # the same on both sides
        ["a x a", "b x b", "a x b", "c x c"] * 9 + ["a x b"],  # nearly the same
    ],
)
def test_a_text_that_does_not_tell(lines):
    tendency = tendency_of(lines)
    assert (tendency.branching, abs(tendency.nats) < UNDECIDED) == ("none", True)


def test_the_sample_branches_to_the_right(sample_text):
    assert tendency_of(sample_text).branching == "right"


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


def test_the_sample_has_prepositions(sample_text):
    assert branching.relators_of(counted(sample_text))["in"] == 1.0
