from dataclasses import astuple, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.scoring.conll18 import MatchCounts
from synparse.scoring.constituency import SpanCounts
from synparse.scoring.counts import Ratios
from synparse.scoring.dependencies import DependencyCounts, TreeCounts
from synparse.scoring.evalb import EvalbCounts


@pytest.mark.parametrize("kind", [SpanCounts, DependencyCounts, TreeCounts, MatchCounts, EvalbCounts])
@given(data=st.data())
def test_counts_add_up_field_by_field(kind, data):
    values = data.draw(st.lists(st.tuples(*[st.integers(0, 9)] * len(fields(kind)))))
    total = sum((kind(*value) for value in values), kind())
    assert astuple(total) == tuple(map(sum, zip(*values, strict=True))) or (not values and total == kind())


def test_a_ratio_of_sums_is_no_mean_of_ratios():
    assert Ratios.of([(1, 2), (0, 8)]).score == pytest.approx(0.1)
    assert Ratios().score is None
