from itertools import combinations
from math import log, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from synparse.scoring.segmentation import (
    Segmented,
    boundaries_by_number,
    boundaries_by_threshold,
    matched_boundaries,
    normalised_mutual_information,
    score_segmentations,
    subtask_of_each_step,
)


def test_alignment_by_hand():
    # Gold AAABB, predicted ABBBB: steps 1 and 2 are wrong.
    assert score_segmentations([Segmented(5, (1, 2), (3,), (1,))]).alignment_accuracy == 3 / 5
    # One segment: the second subtask is never given.
    assert score_segmentations([Segmented(5, (1, 2), (3,), ())]).alignment_accuracy == 3 / 5
    # A third segment is beyond the task, whatever its subtask would be.
    assert score_segmentations([Segmented(5, (1, 2), (3,), (3, 4))]).alignment_accuracy == 4 / 5
    # A subtask that comes twice is right in another segment too: gold AABBA, predicted ABBAA.
    assert score_segmentations([Segmented(5, (1, 2, 1), (2, 4), (1, 3))]).alignment_accuracy == 3 / 5


def test_scores_are_of_all_demonstrations_together():
    scores = score_segmentations(
        [
            Segmented(4, (1, 2), (2,), (2,), (0, 0, 1, 1)),  # all right
            Segmented(10, (2, 1, 3), (4, 8), (1, 2, 5), (1, 1, 1, 1, 0, 0, 0, 0, 2, 2)),  # 5 matches 4 alone
            Segmented(3, (1,), (), (), (0, 0, 0)),  # no boundary to find, none found
        ]
    )
    # The second is 2222111133 and decoded as 21333_____: step 0 is right; the fourth segment is beyond the task.
    assert scores.alignment_accuracy == (4 + 1 + 3) / 17
    assert (scores.precision, scores.recall, scores.f1) == (2 / 4, 2 / 3, 4 / 7)
    assert scores.nmi == 1
    assert scores.demonstrations == 3


def test_the_tolerance_is_in_steps():
    demonstration = Segmented(9, (1, 2), (4,), (6,))
    scores = [score_segmentations([demonstration], tolerance).f1 for tolerance in range(4)]
    assert scores == [0, 0, 1, 1]
    assert score_segmentations([demonstration]).f1 == 0
    assert score_segmentations([demonstration._replace(predicted=(5,))]).f1 == 1


def test_what_cannot_be_scored_is_none():
    neither = score_segmentations([Segmented(3, (1,), (), ())])
    assert neither == (1, None, None, None, None, 1)
    missed = score_segmentations([Segmented(3, (1, 2), (1,), ())])
    assert (missed.precision, missed.recall, missed.f1) == (None, 0, 0)
    invented = score_segmentations([Segmented(3, (1,), (), (1,))])
    assert (invented.precision, invented.recall, invented.f1) == (0, None, 0)
    assert score_segmentations([]) == (None, None, None, None, None, 0)


@pytest.mark.parametrize(
    ("demonstration", "message"),
    [
        (Segmented(3, (1, 2), (3,), ()), r"boundaries \(3,\) do not cut 3 steps"),
        (Segmented(3, (1, 2), (1,), (0,)), r"boundaries \(0,\) do not cut 3 steps"),
        (Segmented(3, (1, 2), (1,), (2, 1)), r"boundaries \(2, 1\) do not cut 3 steps"),
        (Segmented(0, (1,), (), ()), r"boundaries \(\) do not cut 0 steps"),
        (Segmented(3, (1, 2, 3), (1,), ()), "2 gold segments for 3 subtasks"),
        (Segmented(3, (1, 2), (1,), (), (0, 0)), "2 options for 3 steps"),
    ],
)
def test_segmentations_that_are_none_are_refused(demonstration, message):
    with pytest.raises(ValueError, match=message):
        score_segmentations([demonstration])


boundaries = st.sets(st.integers(1, 15), max_size=6).map(lambda steps: tuple(sorted(steps)))


@given(boundaries, boundaries, st.integers(0, 4))
def test_as_many_boundaries_match_as_in_the_best_assignment(gold, predicted, tolerance):
    close = [[abs(boundary - other) <= tolerance for other in predicted] for boundary in gold]
    best = sum(close[i][j] for i, j in zip(*linear_sum_assignment(close, maximize=True), strict=True)) if gold else 0
    assert matched_boundaries(gold, predicted, tolerance) == best
    assert matched_boundaries(predicted, gold, tolerance) == best


@given(boundaries)
def test_each_step_has_the_subtask_of_its_segment(cuts):
    steps = subtask_of_each_step(cuts, 16, range(10, 20))
    assert steps == [10 + sum(cut <= step for cut in cuts) for step in range(16)]


def test_mutual_information_by_hand():
    # Pairs AA AB BB BB: I = Σ p log p/(p q), U = A A B B, V = A B B B.
    information = 1 / 4 * log2((1 / 4) / (1 / 2 * 1 / 4))
    information += 1 / 4 * log2((1 / 4) / (1 / 2 * 3 / 4)) + 2 / 4 * log2((2 / 4) / (1 / 2 * 3 / 4))
    entropies = 1 + 1 / 4 * log2(4) + 3 / 4 * log2(4 / 3)
    assert normalised_mutual_information([0, 0, 1, 1], [0, 1, 1, 1]) == pytest.approx(2 * information / entropies)
    assert normalised_mutual_information([0, 1, 0, 1], [0, 0, 1, 1]) == pytest.approx(0)
    assert normalised_mutual_information([3, 3, 1, 1], [0, 0, 2, 2]) == 1


def test_mutual_information_with_a_single_value():
    assert normalised_mutual_information([1, 1, 1], [2, 2, 2]) == 1
    assert normalised_mutual_information([1, 1, 1], [0, 1, 2]) == 0
    assert normalised_mutual_information([0, 1, 2], [1, 1, 1]) == 0
    assert normalised_mutual_information([], []) is None
    with pytest.raises(ValueError, match="zip"):
        normalised_mutual_information([1], [1, 2])


classes = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=25)


def entropy(values):
    shares = [values.count(value) / len(values) for value in set(values)]
    return sum(share * log(1 / share) for share in shares)


@given(classes)
def test_mutual_information_is_the_quotient_of_its_definition(pairs):
    first, second = zip(*pairs, strict=True)
    whole = entropy(first) + entropy(second)
    expected = 2 * (whole - entropy(pairs)) / whole if whole else 1
    assert normalised_mutual_information(first, second) == pytest.approx(expected, abs=1e-9)


scored = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=8)


@given(scored, st.data())
def test_a_known_number_of_segments_takes_the_highest_scores_and_the_earlier_ones(scores, data):
    segments = data.draw(st.integers(1, len(scores)))
    choices = combinations(range(1, len(scores)), segments - 1)  # in order: the first of the best has the earliest
    assert boundaries_by_number(scores, segments) == max(choices, key=lambda cuts: sum(scores[cut] for cut in cuts))


def test_too_many_segments_are_refused():
    assert boundaries_by_number([1.0, 0.1], 2) == (1,)
    for segments in (0, 3):
        with pytest.raises(ValueError, match=f"2 steps cannot be cut into {segments} segments"):
            boundaries_by_number([1.0, 0.1], segments)


def test_the_first_step_is_no_boundary_and_a_score_at_the_threshold_neither():
    assert boundaries_by_threshold([1.0]) == boundaries_by_threshold([]) == ()
    assert boundaries_by_threshold([0.9, 0.5, 0.51, 0.51]) == (2, 3)
