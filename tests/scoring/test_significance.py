import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from synparse.scoring import significance
from synparse.scoring.counts import Ratios
from synparse.scoring.significance import difference, interval, wilson_interval


def means(values):
    return Ratios.of((value, 1.0) for value in values)


def test_nothing_to_score_has_no_interval_and_no_difference():
    assert interval(Ratios()) is None
    assert difference(Ratios(), Ratios()) is None


# Scores of 40 sentences by two systems, and ratios whose denominators differ: seeded, so that they are always the same.
SOURCE = np.random.default_rng(7)
FIRST, SECOND = SOURCE.beta(4, 2, 40), SOURCE.beta(4, 2, 40) + 0.05
SIZES = SOURCE.integers(1, 30, 40)


def test_randomisation_gives_the_p_of_scipys_permutation_test():
    measured = difference(means(FIRST), means(SECOND), resamples=20_000)
    due = scipy.stats.permutation_test(
        (SECOND, FIRST), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples",
        vectorized=True, n_resamples=20_000, random_state=1,
    )  # fmt: skip
    assert measured.difference == pytest.approx(due.statistic)
    assert 0.02 < due.pvalue < 0.98
    assert measured.randomisation_p == pytest.approx(due.pvalue, abs=0.015)


def test_randomisation_of_few_sentences_gives_scipys_exact_p():
    due = scipy.stats.permutation_test(
        (SECOND[:10], FIRST[:10]), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples",
        vectorized=True, n_resamples=np.inf,
    )  # fmt: skip
    measured = difference(means(FIRST[:10]), means(SECOND[:10]), resamples=20_000)
    assert measured.randomisation_p == pytest.approx(due.pvalue, abs=0.015)


def ratio_of_sums(numerators, denominators, axis=-1):
    return np.sum(numerators, axis=axis) / np.sum(denominators, axis=axis)


def test_the_interval_of_a_ratio_of_sums_is_scipys_paired_bootstrap():
    system = Ratios.of(zip(FIRST * SIZES, SIZES.astype(float), strict=True))
    due = scipy.stats.bootstrap(
        (FIRST * SIZES, SIZES), ratio_of_sums, paired=True, vectorized=True, method="percentile",
        n_resamples=20_000, random_state=1,
    ).confidence_interval  # fmt: skip
    assert interval(system, resamples=20_000) == pytest.approx(tuple(due), abs=0.003)


def test_the_interval_of_a_difference_is_scipys_paired_bootstrap():
    systems = [Ratios.of(zip(scores * SIZES, SIZES.astype(float), strict=True)) for scores in (FIRST, SECOND)]
    measured = difference(*systems, resamples=20_000)
    due = scipy.stats.bootstrap(
        (FIRST * SIZES, SECOND * SIZES, SIZES),
        lambda first, second, sizes, axis: ratio_of_sums(second - first, sizes, axis),
        paired=True, vectorized=True, method="percentile", n_resamples=20_000, random_state=1,
    )  # fmt: skip
    assert measured.interval == pytest.approx(tuple(due.confidence_interval), abs=0.004)
    # The p of the bootstrap: how often a resampled difference is as far from the measured one as that is from 0.
    far = np.abs(due.bootstrap_distribution - measured.difference) >= abs(measured.difference)
    assert measured.bootstrap_p == pytest.approx(far.mean(), abs=0.015)


def test_a_clear_difference_has_the_least_p_and_none_has_one():
    clear = difference(means([0.1, 0.2] * 50), means([0.5, 0.6] * 50))
    assert clear.randomisation_p == clear.bootstrap_p == 1 / 1001
    assert clear.interval.low == pytest.approx(clear.interval.high)
    same = difference(means([0.1, 0.9] * 50), means([0.1, 0.9] * 50))
    assert same.randomisation_p == same.bootstrap_p == 1


values = st.lists(st.tuples(*[st.floats(0, 1)] * 2), min_size=1, max_size=20)


@given(values, st.integers(0, 9))
def test_a_seed_gives_the_same_and_turning_round_changes_the_sign(pairs, seed):
    first, second = means(pair[0] for pair in pairs), means(pair[1] for pair in pairs)
    result, again, turned = (
        difference(*systems, resamples=50, seed=seed) for systems in ((first, second), (first, second), (second, first))
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


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (1, 1), (3, 10), (0, 67), (67, 67), (999, 1000), (1, 60000)])
def test_the_interval_of_a_fraction_is_that_of_scipy(successes, trials):
    expected = scipy.stats.binomtest(successes, trials).proportion_ci(0.95, method="wilson")
    assert wilson_interval(successes, trials) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_a_fraction_of_nothing_has_no_interval():
    assert wilson_interval(0, 0) is None
