"""Words between others that are alike."""

import math
import random
from collections import Counter

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from synparse.corpora import conjunctions
from synparse.corpora.conjunctions import conjunctions_of

NOUNS, VERBS, FUNCTION = range(0, 8), range(8, 16), (16, 17, 18, 19)
AND, OF, THE, RARE = FUNCTION
CLASS_OF = np.array([word // 2 for word in range(16)] + [8, 8, 9, 8])
ARE_FUNCTION = np.array([word in FUNCTION for word in range(20)])


def classes_around(segments, function_word):
    """The classes of the content words right before a function word and next after it, in the same segment."""
    for segment in segments:
        for place, word in enumerate(segment):
            later = [other for other in segment[place + 1 :] if other not in FUNCTION]
            if word == function_word and place and segment[place - 1] not in FUNCTION and later:
                yield int(CLASS_OF[segment[place - 1]]), int(CLASS_OF[later[0]])


def divergence(first, second):
    """Of Jensen and Shannon, in nats."""
    mean = {key: (first[key] + second[key]) / 2 for key in {*first, *second}}
    return sum(p[key] * math.log(p[key] / mean[key]) for p in (first, second) for key in p if p[key]) / 2


@given(st.lists(st.lists(st.integers(0, 19), min_size=1, max_size=8), max_size=30), st.sampled_from([1, 3]))
def test_the_definition(segments, fewest):
    expected = []
    for word in range(20):
        pairs = list(classes_around(segments, word)) if word in FUNCTION else []
        before, after = (
            (Counter({c: n / len(pairs) for c, n in Counter(side).items()}) for side in zip(*pairs, strict=True))
            if pairs
            else (Counter(), Counter())
        )
        alike = sum(a == b for a, b in pairs)
        chance = len(pairs) * sum(before[c] * after[c] for c in before)
        margin = divergence(before, after) - conjunctions.DIVERGENCE
        assume(abs(margin) > 1e-9)
        expected.append(len(pairs) >= fewest and alike >= conjunctions.ALIKE * chance - 1e-9 and margin < 0)
    original, conjunctions.FEWEST = conjunctions.FEWEST, fewest
    try:
        found = conjunctions_of([np.array(segment) for segment in segments], CLASS_OF, ARE_FUNCTION)
    finally:
        conjunctions.FEWEST = original
    assert found.tolist() == expected


def test_words_between_like_words_are_conjunctions_but_prepositions_are_not():
    source = random.Random(1)
    segments = []
    for _ in range(200):
        kind = source.choice((NOUNS, VERBS))
        first = source.choice(kind)
        segments.append([THE, first, AND, THE, first ^ source.randint(0, 1)])
        segments.append([THE, source.choice(NOUNS), OF, THE, source.choice(VERBS)])
    segments += [[first, RARE, first] for first in NOUNS]
    found = conjunctions_of([np.array(segment) for segment in segments], CLASS_OF, ARE_FUNCTION)
    assert np.flatnonzero(found).tolist() == [AND]


def test_without_text_there_are_none():
    assert not conjunctions_of([], CLASS_OF, ARE_FUNCTION).any()
