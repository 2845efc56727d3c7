import numpy as np
import pytest

from synparse.scoring.confidence import (
    Group,
    confidence_scores,
    expected_calibration_error,
    precision_of_half,
    reliability,
)


def test_hand_worked_groups():
    raw, right = [0.9, 0.2, 0.8, 0.4], [True, False, False, True]
    groups = reliability(raw, right, groups=2)
    assert groups == (Group(2, pytest.approx(0.3), 0.5), Group(2, pytest.approx(0.85), 0.5))
    assert expected_calibration_error(groups) == pytest.approx((0.2 + 0.35) / 2)
    scores = confidence_scores(raw, [0.7, 0.3, 0.7, 0.3], right)
    assert scores["raw"] == [group._asdict() for group in reliability(raw, right)]
    assert [group["probability"] for group in scores["fitted"]] == [0.3, 0.3, 0.7, 0.7]
    assert (scores["number"], scores["precision"], scores["precision_of_half"]) == (4, 0.5, 0.5)
    assert (scores["raw_error"], scores["fitted_error"]) == pytest.approx(((0.1 + 0.2 + 0.8 + 0.6) / 4, 0.5))


def test_a_sure_parser_that_is_right_has_no_error():
    scores = confidence_scores([1.0, 1.0], [1.0, 1.0], [True, True])
    assert (scores["raw_error"], scores["precision"], len(scores["raw"])) == (0.0, 1.0, 2)


def test_probabilities_that_are_true_have_a_small_error():
    rng = np.random.default_rng(1)
    values = rng.random(20_000)
    right = rng.random(20_000) < values
    scores = confidence_scores(values, np.full(20_000, 0.5), right)
    assert scores["raw_error"] < 0.01
    assert scores["fitted_error"] < 0.02  # half of all are right
    assert scores["precision_of_half"] == pytest.approx(0.75, abs=0.01)


def test_precision_of_the_most_confident_half():
    assert precision_of_half([0.9, 0.7, 0.5, 0.3], [True, True, False, True]) == 1.0
    assert precision_of_half([0.5] * 4, [True, True, False, True]) == 0.75  # nothing tells them apart
    assert precision_of_half([0.5], [True]) == 1.0
    assert precision_of_half([0.9, 0.5, 0.1], [True, False, True]) == pytest.approx(2 / 3)  # and half of the second
