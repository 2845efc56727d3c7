"""What a run can do in its minutes, worked out by hand."""

import math
from dataclasses import replace

import pytest

from synparse.config.recipe import recipe_from
from synparse.training.planning import adds_students, gives_way, groups_of, least_seconds, planned

STAGES = recipe_from(
    {
        "text": {},
        "stages": [
            {"grammars": "all"},
            {"trees": 30_000},
            {"network": "student", "least_words": 100_000, "training": {"epochs": 6}},
            {"grammars": "all"},
            {
                **{"network": "udgn", "seeds": 3, "training": {"epochs": 16}},
                **{"least_words": 400_000, "most_words": 1_000_000},
            },
            {"grammars": "all", "seeds": 3},
        ],
    }
).stages
COUNTED, STUDENT, NETWORKS = (0,), (1, 2, 3), (4, 5)
RATES = {"words": 200_000, "sentences": 20_000, "grammars": 60.0, "trees": 0.001, "2": 1e-4, "4": 2e-4}


def test_a_group_ends_with_grammars_or_before_trees():
    assert groups_of(STAGES) == [COUNTED, STUDENT, NETWORKS]
    assert groups_of(STAGES[1:3]) == [(0, 1)]
    assert groups_of((STAGES[4], *STAGES[1:4])) == [(0,), (1, 2, 3)]
    empty = replace(STAGES[0], settings=replace(STAGES[0].settings, parts="none"))
    assert groups_of((STAGES[4], empty, STAGES[4])) == [(0, 2)]


def test_what_a_group_needs_at_least():
    assert least_seconds(STAGES, COUNTED, RATES) == 60
    assert least_seconds(STAGES, STUDENT, RATES) == pytest.approx(10_000 * 0.001 + 100_000 * 1e-4 + 60)
    assert least_seconds(STAGES, NETWORKS, RATES) == pytest.approx(400_000 * 2e-4 + 60)
    # A text that has fewer sentences and words than that: all of them.
    few = {**RATES, "words": 10_000, "sentences": 1000}
    assert least_seconds(STAGES, STUDENT, few) == pytest.approx(1000 * 0.001 + 6 * 10_000 * 1e-4 + 60)
    assert least_seconds(STAGES, NETWORKS, few) == pytest.approx(16 * 10_000 * 2e-4 + 60)


@pytest.mark.parametrize(
    ("seconds", "sentences", "passes"),
    [
        (84, None, None),  # 79.8 s, and 80 are needed
        (100, 12_500, 1.8),  # 95 − 60 − 10 s: half of it for trees; 22.5 s of 125,000 words a pass, 12.5 s each
        (200, 20_000, 5),  # 190 − 60 − 20 s for 200,000 words a pass, 20 s each: 5.5, of which 5 are whole
        (300, 20_000, 3.25),  # 285 − 140 − 60 − 20 s: from 220 s on, what the networks need is kept for them
        (400, 20_000, 6),  # all that the recipe has
    ],
)
def test_trees_and_passes_of_a_student(seconds, sentences, passes):
    plan = planned(STAGES, STUDENT, [NETWORKS], seconds, RATES)
    if sentences is None:
        assert plan is None
        return
    trees, network = plan[1], plan[2]
    assert (trees.sentences, network.training.epochs) == (sentences, passes)
    assert plan == (STAGES[0], trees, network, *STAGES[3:])
    assert network == replace(STAGES[2], training=replace(STAGES[2].training, epochs=passes))


def test_given_trees_are_read_in_each_pass_of_a_student():
    _, trees, student, *_ = planned(STAGES, STUDENT, [NETWORKS], 200, {**RATES, "given": 1.0})
    assert (trees.sentences, student.training.epochs) == (20_000, 2.75)  # as above, of 400,000 words a pass


@pytest.mark.parametrize(
    ("seconds", "networks", "passes", "sets"),
    [
        (147, 0, 0, 0),  # 139.65 s, and 140 are needed
        (200, 1, 3.25, 1),  # 190 − 60 s of 40 s a pass
        (500, 2, 5, 1),  # a million words are 200 s; 475 − 60 − 400 s are too few for another set
        (840, 3, 5, 3),  # 798 − 60 − 600 s are two more sets
        (100_000, 3, 5, 3),  # more than the most words are of no use
    ],
)
def test_several_networks_where_each_gets_all_that_is_of_use(seconds, networks, passes, sets):
    plan = planned(STAGES, NETWORKS, [], seconds, RATES)
    if not networks:
        assert plan is None
        return
    assert (plan[4].seeds, plan[4].training.epochs, plan[5].seeds) == (networks, passes, sets)
    assert plan[5].settings == STAGES[5].settings  # never fewer passes of EM


def test_what_later_groups_need_is_kept_for_them_if_the_time_suffices_for_both():
    # 95 % of 260 s are 247: 140 for the networks, 60 for grammars, 20 for trees, and 27 of 20 s a pass.
    with_later, alone = (planned(STAGES, STUDENT, later, 260, RATES) for later in ([NETWORKS], []))
    assert with_later[1].sentences == 18_500  # half of 247 − 140 − 60 − 10 s
    assert with_later[2].training.epochs == 1.54  # 28.5 s of 185,000 words a pass
    assert (alone[1].sentences, alone[2].training.epochs) == (20_000, 6)


def test_without_rates_the_recipe_stays_as_it_is():
    assert planned(STAGES[4:5], (0,), [], 10, {"words": 1000, "sentences": 10}) == (
        replace(STAGES[4], training=replace(STAGES[4].training, epochs=16)),
    )
    text = {"words": 100_000, "sentences": 20_000}
    plan = planned(STAGES, STUDENT, [], math.inf, text)
    assert plan == (STAGES[0], replace(STAGES[1], sentences=20_000), *STAGES[2:])
    plan = planned(STAGES, NETWORKS, [], math.inf, text)  # no more words than are of use
    assert plan == (*STAGES[:4], replace(STAGES[4], training=replace(STAGES[4].training, epochs=10)), STAGES[5])


def test_several_networks_learn_less_each_if_that_is_enough():
    stages = tuple(replace(stage, least_words=100_000) if stage is STAGES[4] else stage for stage in STAGES)
    plan = planned(stages, NETWORKS, [], 260, RATES)
    # 247 − 60 s, in which four networks could read twice 100,000 words: three, of 62.3 s and 40 s a pass.
    assert (plan[4].seeds, plan[4].training.epochs, plan[5].seeds) == (3, 1.56, 1)


@pytest.mark.parametrize(
    ("seconds", "networks", "passes", "sets"),
    [
        (1000, 3, 5, 2),  # 950 s, 200 of them all that the student has use for; 690 − 600 s are another set
        (400, 1, 3, 1),  # 380 s, 200 of them for the student; 120 s are 3 passes
        (240, 1, 2, 1),  # 228 s, 88 of them what the networks leave; 80 s are two passes, the least
    ],
)
def test_the_next_group_gets_its_part_of_the_time(seconds, networks, passes, sets):
    plan = planned(STAGES, NETWORKS, [STUDENT], seconds, RATES)
    assert (plan[4].seeds, plan[4].training.epochs, plan[5].seeds) == (networks, passes, sets)


@pytest.mark.parametrize(
    ("seconds", "is_left_out"),
    [
        (84, False),  # 79.8 s, and the student needs 80: neither fits
        (85, True),  # 80.75 s
        (357, True),  # 339.15 s; all passes of the student with its trees and grammars take 200, the networks 140
        (358, False),
    ],
)
def test_networks_give_way_to_a_student_that_has_use_for_their_time(seconds, is_left_out):
    assert gives_way(STAGES, NETWORKS, [STUDENT], seconds, RATES) is is_left_out
    assert not gives_way(STAGES, NETWORKS, [], seconds, RATES)
    assert not gives_way(STAGES, STUDENT, [NETWORKS], seconds, RATES)
    assert not gives_way(STAGES, COUNTED, [STUDENT], seconds, RATES)
    assert not gives_way(STAGES, NETWORKS, [COUNTED], seconds, RATES)
    for convention in ("free", "both"):  # the networks show which function words are heads
        stages = (STAGES[0], replace(STAGES[1], function_words=convention), *STAGES[2:])
        assert not gives_way(stages, NETWORKS, [STUDENT], seconds, RATES)


def test_no_time_is_kept_for_networks_that_will_give_way():
    stages = (replace(STAGES[0], seeds=5), *STAGES[4:], *STAGES[1:4])
    networks, student = (1, 2), (3, 4, 5)
    rates = {**RATES, "1": 2e-4, "4": 1e-4}
    # 380 s, 40 % of them for the student, which has use for 200: 228 s are three sets.
    assert planned(stages, COUNTED, [networks, student], 400, rates)[0].seeds == 3
    # 418 s, which suffice for one set, networks and student, but what two sets leave of them does not: four sets.
    assert planned(stages, COUNTED, [networks, student], 440, rates)[0].seeds == 4
    # 475 s: 190 for networks, 114 for the student. What two sets leave is enough for both.
    assert planned(stages, COUNTED, [networks, student], 500, rates)[0].seeds == 2


MORE = (*STAGES[:4], replace(STAGES[2], seeds=2), replace(STAGES[3], seeds=2), *STAGES[4:])
"""With more students of the same trees before the networks. A pass of one is 20 s, and all of them take 360."""

MORE_RATES = {**RATES, "4": 1e-4, "6": 2e-4}


def test_more_students_read_the_trees_of_the_first():
    assert groups_of(MORE) == [COUNTED, STUDENT, (4, 5), (6, 7)]
    assert [adds_students(MORE, group) for group in groups_of(MORE)] == [False, False, True, False]
    few = {**MORE_RATES, "sentences": 60_000}  # half of the text is parsed
    assert least_seconds(MORE, (4, 5), few) == pytest.approx(100_000 * 1e-4 + 60)
    plan = planned(MORE, (4, 5), [], 200, few)
    assert (plan[4].seeds, plan[4].training.epochs, plan[5].seeds) == (2, 6, 1)  # 190 − 60 s for 2 · 6 · 10 s


def test_time_for_more_students_is_kept_by_networks_that_predict_words_alone():
    alone, first = (planned(MORE, STUDENT, later, 300, MORE_RATES) for later in ([], [(4, 5)]))
    assert first == alone
    stages = (MORE[0], *MORE[6:], *MORE[1:6])  # networks, the student, more students
    networks, student, more = (1, 2), (3, 4, 5), (6, 7)
    rates = {**RATES, "1": 2e-4, "4": 1e-4, "6": 1e-4}
    # 950 s, 200 of them for the student, and 300, 40 % of what is left, for the others: 390 s are two networks of 160.
    plans = [planned(stages, networks, later, 1000, rates) for later in ([student], [student, more])]
    assert [(plan[1].seeds, plan[1].training.epochs, plan[2].seeds) for plan in plans] == [(3, 5, 2), (2, 4, 2)]
