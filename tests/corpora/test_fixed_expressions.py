"""Words that mostly follow one other word."""

import itertools
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora.fixed_expressions import FEWEST, MOSTLY, NONE, firsts_of


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=8), max_size=12), st.integers(1, 6))
def test_more_than_half_of_the_occurrences_follow_it(segments, times):
    segments = segments * times
    occurrences = Counter(word for segment in segments for word in segment)
    pairs = Counter(pair for segment in segments for pair in itertools.pairwise(segment))
    found = firsts_of([np.array(segment) for segment in segments], 5)
    for word, first in enumerate(found.tolist()):
        mostly = [a for (a, b), count in pairs.items() if b == word and count > MOSTLY * occurrences[word]]
        assert first == (mostly[0] if mostly and occurrences[word] >= FEWEST else NONE)
