from collections import Counter

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
