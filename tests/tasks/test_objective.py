"""Labelling: which examples are trained on, in which batches, and how validation counts."""

import contextlib
from types import SimpleNamespace

import pytest
import torch

from synparse.tasks import TASKS
from synparse.tasks.objective import Labelling, held_out_parts
from synparse.tasks.recipe import TaskTraining
from synparse.trees.errors import DataError

LISTOPS = TASKS["listops"]
CPU = torch.device("cpu")
CONFIG = TaskTraining(batch_size=8, validation_examples=4)


def test_one_example_is_too_few(examples):
    with pytest.raises(DataError, match="at least two"):
        Labelling(TaskTraining(), LISTOPS, examples["listops"][:1])


def test_held_out_examples_are_always_the_same_and_never_trained_on(examples):
    training, held_out = held_out_parts(examples["listops"], 3)
    assert (len(training), len(held_out)) == (37, 3)
    assert sorted(training + held_out) == sorted(examples["listops"])
    assert held_out_parts(examples["listops"], 3) == (training, held_out)
    assert len(held_out_parts(examples["listops"], 1000)[1]) == 4


def expressions(batches):
    return [one for batch in batches for row in batch.batch.expressions for one in row]


def test_an_epoch_has_every_example_once(examples):
    labelling = Labelling(CONFIG, LISTOPS, examples["listops"])
    epochs = labelling.epochs(seed=1, first=1)
    first, second = list(next(epochs)), list(next(epochs))
    trained = [one for example in labelling.examples.examples for one in example.expressions]
    assert len(first) == labelling.batches_per_epoch == 5  # 36 examples, 8 a batch
    for batches in (first, second):
        assert sorted(expressions(batches)) == sorted(trained)
        assert sum(batch.words for batch in batches) == sum(len(one.words) for one in trained)
    assert expressions(first) != expressions(second)


def test_a_later_epoch_is_the_one_that_would_have_come(examples):
    labelling = Labelling(CONFIG, LISTOPS, examples["listops"])
    epochs = labelling.epochs(seed=1, first=1)
    for _ in range(2):
        list(next(epochs))
    third = expressions(next(epochs))
    assert expressions(next(labelling.epochs(seed=1, first=3))) == third
    assert expressions(next(labelling.epochs(seed=2, first=3))) != third


def test_the_score_is_the_fraction_of_right_labels(examples):
    labelling = Labelling(CONFIG, LISTOPS, examples["listops"])
    targets = torch.cat([questions.targets for questions in labelling.held_out])
    assert len(targets) == 4

    def always(label):
        def answers(rows):
            return SimpleNamespace(logits=torch.eye(len(LISTOPS.labels))[torch.full((len(rows.words),), label)])

        return answers

    for label in range(len(LISTOPS.labels)):
        found = labelling.score(always(label), CPU, contextlib.nullcontext)
        assert found == int((targets == label).sum()) / 4
