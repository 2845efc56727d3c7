from synparse.scoring.spread import Spread, plain_spread, rounded, spread, spread_cell


def test_means_and_sample_deviations():
    assert spread([0.8, 0.9]) == Spread(85.0, 50**0.5, 2)
    assert spread([0.5, None]) == Spread(50.0, None, 1)
    assert spread([None]) is spread([]) is None


def test_cells_and_plain_values():
    assert [spread_cell(values) for values in ([0.8, 0.9], [0.5], [None])] == ["85.00 ± 7.07", "50.00", "–"]
    assert spread_cell([0.12345, 0.12345], factor=1, digits=4) == "0.1235 ± 0.0000"
    assert plain_spread([0.8, 0.9, None]) == {"mean": 85.0, "deviation": 7.07, "models": 2}
    assert plain_spread([]) is rounded(None) is rounded(float("nan")) is None
