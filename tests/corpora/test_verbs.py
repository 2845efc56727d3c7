import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora.verbs import (
    FEWEST_WORDS,
    MOST_PAIRS,
    MOST_WORDS,
    exclusive_classes,
    expected_pairs,
    neighbours_in_segments,
    pairs_in_segments,
    verbs_of,
)

NAMES = "determiner noun preposition verb auxiliary participle".split()
DETERMINER, NOUN, PREPOSITION, VERB, AUXILIARY, PARTICIPLE = range(6)


def clauses(count, predicates):
    """Clauses with one predicate each, and nouns with articles, by one or more prepositions."""
    source = random.Random(1)
    for _ in range(count):
        phrase = [DETERMINER, NOUN]
        others = [word for _ in range(source.randint(0, 2)) for word in (PREPOSITION, *phrase)]
        yield np.array([*phrase, *source.choice(predicates), *phrase, *others])


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=15), max_size=6))
def test_pairs_are_those_of_two_words_of_a_segment(segments):
    expected = np.zeros((4, 4))
    for segment in segments:
        if FEWEST_WORDS <= len(segment) <= MOST_WORDS:
            for first, second in itertools.permutations(segment, 2):
                expected[first, second] += 1
    np.testing.assert_array_equal(pairs_in_segments(map(np.array, segments), 4), expected)


def test_as_many_pairs_are_expected_as_there_are():
    pairs = np.array([[2.0, 4.0], [4.0, 0.0]])
    np.testing.assert_allclose(expected_pairs(pairs), [[3.6, 2.4], [2.4, 1.6]])
    assert not expected_pairs(np.zeros((2, 2))).any()


@given(st.integers(0, 10_000))
def test_no_class_that_is_added_or_removed_makes_the_exclusive_classes_better(seed):
    source = np.random.default_rng(seed)
    pairs = source.poisson(source.choice([1, 20], (6, 6))).astype(float)
    pairs += pairs.T
    allowed = source.random(6) < 0.8
    chosen = exclusive_classes(pairs, allowed)
    assert not (chosen & ~allowed).any()

    def total(members):
        return (MOST_PAIRS * expected_pairs(pairs) - pairs)[members][:, members].sum()

    assert total(chosen) >= 0
    for c in np.flatnonzero(allowed):
        assert total(chosen ^ (np.arange(6) == c)) <= total(chosen) + 1e-6


def test_verbs_exclude_each_other_and_auxiliaries_stand_beside_other_verbs():
    pairs = pairs_in_segments(clauses(300, [[VERB], [AUXILIARY, PARTICIPLE]]), 6)
    are_content = np.array([name in ("noun", "verb", "participle") for name in NAMES])
    verbs = verbs_of(pairs, are_content, None)
    assert np.flatnonzero(verbs.classes).tolist() == [VERB, AUXILIARY, PARTICIPLE]
    assert np.flatnonzero(verbs.auxiliaries).tolist() == [AUXILIARY]


def test_verbs_without_auxiliaries():
    verbs = verbs_of(pairs_in_segments(clauses(300, [[VERB], [PARTICIPLE]]), 6), np.ones(6, bool), None)
    assert np.flatnonzero(verbs.classes).tolist() == [VERB, PARTICIPLE]
    assert not verbs.auxiliaries.any()


def test_closed_classes_of_verbs_are_those_that_no_verb_follows():
    light, stem, finite = 6, 7, 8  # every clause ends with a finite verb
    verb_phrases = [*2 * [[VERB]], *2 * [[VERB, stem]], [AUXILIARY, stem], [light], []]
    segments = [np.array([*clause, finite]) for clause in clauses(2000, verb_phrases)]
    are_content = np.isin(np.arange(9), [NOUN, VERB, stem])
    pairs, before = pairs_in_segments(segments, 9), neighbours_in_segments(segments, 9)
    assert np.flatnonzero(verbs_of(pairs, are_content, before).closed).tolist() == [light]
    backwards = neighbours_in_segments([segment[::-1] for segment in segments], 9)
    assert np.flatnonzero(verbs_of(pairs, are_content, backwards.T).closed).tolist() == [light]
    assert not verbs_of(pairs, are_content, None).closed.any()


def test_neighbours_stand_in_the_same_segment():
    counts = neighbours_in_segments([np.array([0, 1, 0, 1]), np.array([2]), np.array([1, 1])], 3)
    assert counts.tolist() == [[0, 2, 0], [1, 1, 0], [0, 0, 0]]
    assert not neighbours_in_segments([], 3).any()


@pytest.mark.parametrize(
    ("segments", "classes"),
    [([], 2), ([[0, 1, 0, 1, 0]], 2), ([[0, 1, 2], [0] * (MOST_WORDS + 1)], 3), ([[0, 0, 0, 0]], 1)],
)
def test_without_classes_that_exclude_each_other_there_are_no_verbs(segments, classes):
    verbs = verbs_of(
        pairs_in_segments(map(np.array, segments), classes), np.ones(classes, bool), np.zeros((classes, classes))
    )
    assert not any(kind.any() for kind in verbs)
