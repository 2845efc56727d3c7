"""What the comparisons of brackets and of heads share: running counts, the worst sentences, ranges, baselines."""

from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.scoring.baselines import CEILING, RANDOM_SEEDS
from synparse.scoring.comparison import (
    SENTENCE_LENGTHS,
    Lowest,
    Scoreboard,
    ScoredSentence,
    SystemTally,
    Wanted,
    bucket_of,
)
from synparse.trees.constituency import ConstituencyTree
from synparse.trees.trivial import RANDOM

NO_TREE = ConstituencyTree((), (), ())


@pytest.mark.parametrize(
    ("length", "name"),
    [(1, "1-10"), (10, "1-10"), (11, "11-20"), (40, "31-40"), (41, "41+"), (5000, "41+")],
)
def test_a_range_holds_its_last_value(length, name):
    assert bucket_of(length, SENTENCE_LENGTHS) == name


@given(st.lists(st.integers(0, 4), max_size=30), st.integers(0, 6))
def test_the_lowest_scores_are_kept_the_first_of_equal_ones(scores, count):
    lowest = Lowest(count)
    for number, score in enumerate(scores, 1):
        lowest.offer(score, partial(ScoredSentence, number, gold=NO_TREE, predicted=NO_TREE))
    expected = sorted((score, number) for number, score in enumerate(scores, 1))[:count]
    assert [(sentence.score, sentence.number) for sentence in lowest.sentences] == expected


def test_counts_add_up_in_all_by_range_and_by_sentence():
    tally = SystemTally(0, {"half": lambda counts: (counts, 2 * counts)})
    for counts, ranges in ((1, ["a"]), (2, ["a", "b"]), (4, [])):
        tally.add(counts, ranges)
    assert (tally.total, tally.buckets) == (7, {"a": 3, "b": 2})
    assert list(tally.ratios["half"].numerators) == [1, 2, 4]
    assert list(tally.ratios["half"].denominators) == [2, 4, 8]


def test_the_random_baseline_is_the_mean_of_its_seeds():
    board = Scoreboard(["run"], 0, {}, ["left"], Wanted(baselines=True))
    names = ["left", *(f"{RANDOM} {seed}" for seed in RANDOM_SEEDS), CEILING]
    assert list(board.baselines) == names
    for number, name in enumerate(names):
        board.baselines[name].add(number)
    done = board.comparison(
        *("p", "gold", {}, lambda tally: {"f1": tally.total, "none": None}, lambda _: {}), [()], [{}]
    )
    left, random, ceiling = done.baselines
    assert (left.scores["f1"], ceiling.scores["f1"]) == (0, len(names) - 1)
    assert random.name == RANDOM
    assert random.scores == {"f1": Fraction(sum(range(1, len(names) - 1)), len(RANDOM_SEEDS)), "none": None}


def test_further_scores_are_those_of_the_systems_alone():
    board = Scoreboard(["one", "other"], 0, {}, [], Wanted(baselines=True))
    scores = [{"tags": 0.5}, {"tags": 0.25}]
    done = board.comparison("p", "gold", {}, lambda tally: {"f1": tally.total}, lambda _: {}, [()] * 2, scores)
    assert [system.scores for system in done.systems] == [{"f1": 0, "tags": 0.5}, {"f1": 0, "tags": 0.25}]
    assert all(system.scores.keys() == {"f1"} for system in done.baselines)
