from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora.batches import batches_by_length, padded, shuffled_batches
from synparse.corpora.cache import TokenCache

lengths = st.lists(st.integers(1, 60), min_size=1, max_size=80)


def cache_of(sizes):
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    return TokenCache(np.arange(offsets[-1], dtype=np.int32), offsets.astype(np.int64))


@given(lengths, st.integers(1, 100))
def test_every_word_is_in_one_batch_and_no_batch_is_too_large(sizes, batch_tokens):
    seen = Counter()
    for batch in batches_by_length(sizes, range(len(sizes)), batch_tokens):
        longest = max(piece.end - piece.start for piece in batch)
        assert longest * len(batch) <= batch_tokens
        seen.update((piece.sentence, word) for piece in batch for word in range(piece.start, piece.end))
    assert seen == Counter((sentence, word) for sentence, size in enumerate(sizes) for word in range(size))


@given(lengths, st.integers(1, 50))
def test_a_pass_has_every_word_once(sizes, batch_tokens):
    cache = cache_of(sizes)
    seen = Counter()
    for batch in shuffled_batches(cache, batch_tokens, (1, 1)):
        for piece in batch:
            seen.update(cache[piece.sentence][piece.start : piece.end].tolist())
    assert seen == Counter(range(sum(sizes)))


def test_the_order_depends_only_on_the_seed():
    cache = cache_of([3, 5, 2, 8] * 50)
    first, again, other = (list(shuffled_batches(cache, 20, (seed, 1))) for seed in (1, 1, 2))
    assert first == again != other


def test_sentences_of_a_batch_have_about_the_same_length():
    sizes = np.random.default_rng(0).integers(1, 60, 5000)
    batches = list(shuffled_batches(cache_of(sizes), 512, (1, 1)))
    room = sum(max(p.end - p.start for p in batch) * len(batch) for batch in batches)
    assert room < 1.05 * sizes.sum()


def test_short_sentences_are_padded():
    words, sizes = padded([[5, 6, 7], [8]])
    assert words.tolist() == [[5, 6, 7], [8, 0, 0]]
    assert sizes.tolist() == [3, 1]
