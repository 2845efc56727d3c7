import doctest
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synparse.scoring import significance
from synparse.scoring.significance import Ratios, difference, interval


def test_the_example_of_the_docstring():
    assert doctest.testmod(significance).failed == 0


def means(values):
    return Ratios.of((value, 1.0) for value in values)


def test_a_ratio_of_sums_is_no_mean_of_ratios():
    assert Ratios.of([(1, 2), (0, 8)]).score == pytest.approx(0.1)
    assert Ratios().score is None
    assert interval(Ratios()) is None
    assert difference(Ratios(), Ratios()) is None


def test_randomisation_comes_near_the_exact_test():
    # Eight sentences, one system ahead in seven by 0.1 and behind in one by 0.1: all 256 shuffles counted.
    gains = [0.1] * 7 + [-0.1]
    first = [0.5] * 8
    second = [value + gain for value, gain in zip(first, gains, strict=True)]
    shuffles = [
        sum(sign * gain for sign, gain in zip(signs, gains, strict=True))
        for signs in itertools.product((1, -1), repeat=8)
    ]
    exact = sum(abs(value) >= sum(gains) - 1e-9 for value in shuffles) / len(shuffles)
    result = difference(means(first), means(second), resamples=10_000)
    assert exact == pytest.approx(18 / 256)
    assert result.difference == pytest.approx(0.075)
    assert result.randomisation_p == pytest.approx(exact, abs=0.01)


def test_the_interval_is_that_of_the_binomial():
    # 400 sentences, half of them right: the standard error is 0.025.
    low, high = interval(means([1.0, 0.0] * 200), resamples=4000)
    assert low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.005)
    assert high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.005)


def test_a_clear_difference_has_the_least_p_and_none_has_one():
    clear = difference(means([0.1, 0.2] * 50), means([0.5, 0.6] * 50))
    assert clear.randomisation_p == clear.bootstrap_p == 1 / 1001
    assert clear.interval.low == pytest.approx(clear.interval.high)
    same = difference(means([0.1, 0.9] * 50), means([0.1, 0.9] * 50))
    assert same.randomisation_p == same.bootstrap_p == 1


values = st.lists(st.tuples(*[st.floats(0, 1)] * 2), min_size=1, max_size=20)


@settings(max_examples=25, deadline=None)
@given(values, st.integers(0, 9))
def test_a_seed_gives_the_same_and_turning_round_changes_the_sign(pairs, seed):
    one, other = means(pair[0] for pair in pairs), means(pair[1] for pair in pairs)
    result, again, turned = (
        difference(*systems, resamples=50, seed=seed) for systems in ((one, other), (one, other), (other, one))
    )
    assert result == again
    assert turned.difference == pytest.approx(-result.difference)
    assert turned.randomisation_p == pytest.approx(result.randomisation_p)
    assert 0 < result.bootstrap_p <= 1
    assert result.interval.low <= result.interval.high


def test_systems_over_other_sentences_cannot_be_paired():
    with pytest.raises(ValueError, match="1 sentences cannot be paired with 2"):
        difference(means([1]), means([1, 1]))


def test_many_sentences_are_drawn_in_parts(monkeypatch):
    whole = interval(means([0.0, 1.0] * 30), resamples=40)
    monkeypatch.setattr(significance, "_DRAWS_AT_ONCE", 100)
    assert interval(means([0.0, 1.0] * 30), resamples=40) == whole
