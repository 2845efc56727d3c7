import math

import pytest

from synparse.config.training import MaskedTraining
from synparse.language_models.tuning_recipe import TuningTraining
from synparse.tasks.recipe import TaskTraining
from synparse.training.state import Schedule


def schedule(**settings):
    config = MaskedTraining(learning_rate=0.8, **settings)
    return Schedule(config, config.learning_rate)


def after(scores, **settings):
    """The schedule after these validations, and for each whether averaging began with it."""
    rate_schedule = schedule(**settings)
    return rate_schedule, [rate_schedule.starts_averaging(score) for score in scores]


@pytest.mark.parametrize(
    ("kind", "step", "fraction", "rate"),
    [
        ("constant", 1, 0.0, 0.2),
        ("constant", 3, 0.5, 0.6),
        ("constant", 4, 0.9, 0.8),
        ("constant", 900, 1.0, 0.8),
        ("linear", 2, 0.5, 0.2),
        ("linear", 9, 0.25, 0.6),
        ("linear", 9, 1.0, 0.0),
        ("linear", 9, 1.2, 0.0),
        ("cosine", 9, 0.0, 0.8),
        ("cosine", 9, 1 / 3, 0.6),
        ("cosine", 9, 0.5, 0.4),
        ("cosine", 9, 2 / 3, 0.2),
        ("cosine", 9, 1.0, 0.0),
        ("plateau", 9, 0.5, 0.8),
        ("average", 9, 0.5, 0.8),
    ],
)
def test_the_rate_of_an_update(kind, step, fraction, rate):
    """After a warm-up of four updates."""
    assert schedule(schedule=kind, warmup_steps=4).rate(step, fraction) == pytest.approx(rate, abs=1e-12)


def test_without_warm_up_the_first_update_has_the_whole_rate():
    assert schedule(schedule="constant").rate(1, 0.0) == 0.8


@pytest.mark.parametrize(
    ("scores", "base", "stalled"),
    [
        ([5, 4, 3], 0.8, 0),
        ([5, 4, 4], 0.8, 1),
        ([5, 4, 4, 6], 0.4, 0),
        ([5, 4, 4, 6, 5], 0.4, 1),
        ([5, 4, 4, 6, 5, 3], 0.4, 0),
        ([5, 4, 4, 6, 5, 5], 0.2, 0),
    ],
)
def test_a_plateau_halves_the_rate_after_the_patience(scores, base, stalled):
    rate_schedule, began = after(scores, schedule="plateau", patience=2)
    assert (rate_schedule.base, rate_schedule.stalled, rate_schedule.scores) == (base, stalled, scores)
    assert rate_schedule.rate(9, 0.5) == base
    assert not any(began)


def test_averaging_begins_once_where_validation_is_worse_than_the_patience_ago():
    rate_schedule, began = after([5, 4, 3, 4.5, 4.5, 9, 9], schedule="average", patience=2)
    assert began == [False, False, False, False, True, False, False]  # 4.5 is above 4, the best two validations ago
    assert rate_schedule.is_averaging
    assert rate_schedule.base == 0.8


def test_other_schedules_never_average():
    for kind in ("constant", "linear", "cosine", "plateau"):
        assert not any(after([1, 2, 3, 4, 5, 6], schedule=kind, patience=1)[1])


def test_a_lower_perplexity_and_a_higher_accuracy_or_correlation_are_better():
    perplexity, accuracy, spearman = schedule(), Schedule(TaskTraining(), 1.0), Schedule(TuningTraining(), 1.0)
    for rate_schedule in (perplexity, accuracy, spearman):
        assert rate_schedule.is_best(0.5)
        assert not rate_schedule.is_best(math.nan)
        rate_schedule.scores += [0.5, 0.6]
    assert [perplexity.is_best(score) for score in (0.4, 0.5, 0.7)] == [True, False, False]
    for rate_schedule in (accuracy, spearman):
        assert [rate_schedule.is_best(score) for score in (0.4, 0.6, 0.7)] == [False, False, True]
