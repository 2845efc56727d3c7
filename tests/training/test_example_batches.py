from collections import Counter
from itertools import islice

import numpy as np

from synparse.training.example_batches import batches_in_order, training_batches

LENGTHS = np.random.default_rng(0).integers(1, 30, 1000)


def drawn(count, short_fraction=0.0, seed=1):
    return list(islice(training_batches(LENGTHS, 10, short_fraction, np.random.default_rng(seed)), count))


def test_a_pass_holds_every_example_once_in_batches_of_about_one_length():
    batches = drawn(200)
    for some in (batches[:100], batches[100:]):
        assert sorted(n for batch in some for n in batch) == list(range(1000))
    assert batches[:100] != batches[100:]
    assert np.mean([np.ptp(LENGTHS[batch]) for batch in batches]) < 3
    firsts = [LENGTHS[batch[0]] for batch in batches]
    assert firsts != sorted(firsts)


def test_the_seed_gives_the_batches():
    assert drawn(150, 0.5, seed=1) == drawn(150, 0.5, seed=1) != drawn(150, 0.5, seed=2)


def test_short_examples_are_drawn_by_rank_beside_the_passes():
    rank = np.argsort(np.argsort(LENGTHS, kind="stable"))
    counts = Counter(n for batch in drawn(8000, 0.75) for n in batch)
    passes = min(counts.values())
    assert passes == 20  # a quarter of eighty thousand draws from a thousand examples
    by_rank = Counter(int(np.log10(rank[n] + 1)) for n in counts for _ in range(counts[n] - passes))
    assert by_rank.total() == 60_000
    assert all(abs(by_rank[decade] - 20_000) < 600 for decade in range(3))


def test_one_example_is_enough():
    for short_fraction in (0.0, 0.5):
        batches = training_batches(np.array([3]), 10, short_fraction, np.random.default_rng(1))
        assert set(next(batches)) == {0}


def test_all_examples_in_batches_the_shortest_first_and_equal_ones_in_their_order():
    assert list(batches_in_order(np.array([3, 1, 2, 1, 9]), 2)) == [[1, 3], [2, 0], [4]]
    assert list(batches_in_order(-np.array([3, 1, 2, 1, 9]), 2)) == [[4, 0], [2, 1], [3]]
