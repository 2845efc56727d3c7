import itertools
from collections import Counter
from functools import partial

import pytest

from synparse.corpora.sample import Sample


def test_a_sample_of_fewer_items_is_all_of_them():
    sample = Sample(5, seed=1)
    assert list(sample.of("abc", str)) == list("abc") == sample.items
    nothing = Sample(0, seed=1)
    assert list(nothing.of("abc", str)) == list("abc")
    assert nothing.items == []


def test_each_item_has_the_same_probability():
    drawn = Counter()
    for seed in range(3000):
        sample = Sample(3, seed)
        assert list(sample.of(range(10), int)) == list(range(10))
        assert len(set(sample.items)) == 3
        drawn.update(sample.items)
    # Each 900 ± 25 times; all within four deviations.
    assert all(800 < drawn[item] < 1000 for item in range(10))


@pytest.mark.parametrize("part", [0, 1])
def test_samples_of_parts_are_joined(part):
    sample, later = Sample(5, 1), Sample(5, 1, part)
    for item in "ab":
        sample.offer(partial(str, item))
    for item in "cd":
        later.offer(partial(str, item))
    sample.join(later)
    assert sample.items == list("abcd")
    sample.join(Sample(5, 1, 2))
    assert sample.items == list("abcd")
    sample.join(later)
    assert len(sample.items) == 5


@pytest.mark.parametrize("sizes", [(2, 8), (4, 0, 6)])
def test_each_item_of_joined_samples_has_the_same_probability_and_so_has_each_pair(sizes):
    drawn, pairs = Counter(), Counter()
    for seed in range(3000):
        items, sample = iter(range(10)), None
        for part, size in enumerate(sizes):
            of_part = Sample(3, seed, part)
            for item in itertools.islice(items, size):
                of_part.offer(partial(int, item))
            if sample is None:
                sample = of_part
            else:
                sample.join(of_part)
        assert len(set(sample.items)) == 3
        drawn.update(sample.items)
        pairs.update(itertools.combinations(sorted(sample.items), 2))
    # Each 900 ± 25 times, each pair 200 ± 14; all within four and a half deviations.
    assert all(800 < drawn[item] < 1000 for item in range(10))
    assert all(140 < pairs[pair] < 260 for pair in itertools.combinations(range(10), 2))
