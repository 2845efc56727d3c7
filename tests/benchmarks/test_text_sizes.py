"""Texts of growing size."""

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.text_sizes import drawn, words_in

lines = st.lists(st.text("ab ,.", min_size=1, max_size=12).filter(str.strip), max_size=30)


@given(lines, st.integers(0, 60))
def test_as_many_words_as_are_asked_for_in_their_order(text, words):
    chosen = drawn(text, words)
    assert chosen == drawn(text, words)
    remaining = iter(text)
    assert all(line in remaining for line in chosen)
    assert sum(map(words_in, chosen)) >= min(words, sum(map(words_in, text)))
    if chosen:
        assert sum(map(words_in, chosen)) - max(map(words_in, chosen)) < words
