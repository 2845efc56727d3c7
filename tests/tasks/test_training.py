import numpy as np
import pytest
import torch

from synparse.tasks import TASKS, training
from synparse.tasks.recipe import TaskTraining, load_task_recipe
from synparse.tasks.training import held_out_parts, rate_of, train_steps
from synparse.trees.errors import DataError, TrainingError

CPU = torch.device("cpu")


def steps_of(examples, recipe, encoder="lstm", seed=1, minutes=None, overrides=()):
    chosen = load_task_recipe(recipe, encoder, overrides)
    return list(train_steps(TASKS["listops"], examples["listops"], chosen, seed, CPU, minutes))


def test_the_same_seed_gives_the_same_run(examples, tiny_task_recipe):
    runs = [[step.loss for step in steps_of(examples, tiny_task_recipe, seed=seed)] for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


def test_a_rehearsal_changes_nothing(examples, tiny_task_recipe, monkeypatch):
    expected = [step.loss for step in steps_of(examples, tiny_task_recipe)]
    rehearsed = []

    def rehearse(update):
        rehearsed.append(update() or update())
        return torch.get_num_threads()

    monkeypatch.setattr(training, "threads_that_pay", rehearse)
    assert [step.loss for step in steps_of(examples, tiny_task_recipe)] == expected
    assert rehearsed


def test_a_run_ends_after_its_passes_with_a_validation(examples, tiny_task_recipe):
    steps = steps_of(examples, tiny_task_recipe, overrides=["training.epochs=2"])
    assert len(steps) == 6  # 36 examples in batches of 16
    assert [step.epoch for step in steps] == [1, 1, 1, 2, 2, 2]
    assert steps[-1].fraction == 1.0
    assert [step.accuracy is not None for step in steps] == [False] * 4 + [True, True]
    assert steps[4].weights is not None


def test_no_minutes_are_one_update(examples, tiny_task_recipe):
    steps = steps_of(examples, tiny_task_recipe, minutes=0)
    assert len(steps) == 1
    assert steps[0].is_best


def test_patience_ends_a_run(examples, tiny_task_recipe):
    overrides = [
        "training.epochs=99",
        "training.validate_every=1",
        "training.patience=2",
        "training.learning_rate=1e-9",
    ]
    steps = steps_of(examples, tiny_task_recipe, overrides=overrides)
    assert len(steps) == 3


def test_it_learns_what_can_be_learnt(examples, tiny_task_recipe):
    """Forty examples by heart."""
    overrides = ["training.epochs=40", "training.classifier_dropout=0.0", "architecture.dropout=0.0"]
    steps = steps_of(examples, tiny_task_recipe, encoder="lstm", overrides=overrides)
    assert np.mean([step.loss for step in steps[-3:]]) < 0.5 * np.mean([step.loss for step in steps[:3]])


def test_a_loss_that_is_no_number_ends_the_run(examples, tiny_task_recipe):
    overrides = ["training.learning_rate=1e30", "training.gradient_clip=1e30", "training.epochs=9"]
    with pytest.raises(TrainingError, match=r"not a number at step \d+; lower training.learning_rate"):
        steps_of(examples, tiny_task_recipe, overrides=overrides)


def test_one_example_is_too_few(examples, tiny_task_recipe):
    with pytest.raises(DataError, match="at least two"):
        steps_of({"listops": examples["listops"][:1]}, tiny_task_recipe)


def test_held_out_examples_are_always_the_same_and_never_trained_on(examples):
    training, held_out = held_out_parts(examples["listops"], 3)
    assert (len(training), len(held_out)) == (37, 3)
    assert sorted(training + held_out) == sorted(examples["listops"])
    assert held_out_parts(examples["listops"], 3) == (training, held_out)
    assert len(held_out_parts(examples["listops"], 1000)[1]) == 4


def test_the_rate_rises_and_falls():
    linear = TaskTraining(schedule="linear", warmup_steps=10, learning_rate=1.0)
    assert [rate_of(linear, step, fraction) for step, fraction in ((5, 0.0), (10, 0.5), (99, 1.0))] == [0.5, 0.5, 0.0]
    assert rate_of(TaskTraining(learning_rate=1.0), 99, 0.9) == 1.0
