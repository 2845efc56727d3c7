import pytest
import scipy.stats

from synparse.scoring.intervals import wilson_interval


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (1, 1), (3, 10), (0, 67), (67, 67), (999, 1000), (1, 60000)])
def test_the_interval_is_that_of_scipy(successes, trials):
    expected = scipy.stats.binomtest(successes, trials).proportion_ci(0.95, method="wilson")
    assert wilson_interval(successes, trials) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_nothing_tried_has_no_interval():
    assert wilson_interval(0, 0) is None
