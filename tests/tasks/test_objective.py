"""Labelling: which examples are trained on, in which batches, and how validation counts."""

import contextlib
from types import SimpleNamespace

import torch

from synparse.tasks import TASKS
from synparse.tasks.objective import Labelling
from synparse.tasks.recipe import TaskTraining
from synparse.training.example_batches import held_out_parts

LISTOPS = TASKS["listops"]
CPU = torch.device("cpu")
CONFIG = TaskTraining(batch_size=8, validation_examples=4)


def labelling_of(examples):
    return Labelling(CONFIG, LISTOPS, *held_out_parts(examples["listops"], CONFIG.validation_examples))


def expressions(batches):
    return [expression for batch in batches for row in batch.batch.expressions for expression in row]


def test_an_epoch_has_every_example_once(examples):
    labelling = labelling_of(examples)
    epochs = labelling.epochs(seed=1, first=1)
    first, second = list(next(epochs)), list(next(epochs))
    trained = [expression for example in labelling.examples.examples for expression in example.expressions]
    assert len(first) == labelling.batches_per_epoch == 5  # 36 examples, 8 a batch
    for batches in (first, second):
        assert sorted(expressions(batches)) == sorted(trained)
        assert sum(batch.words for batch in batches) == sum(len(expression.words) for expression in trained)
    assert expressions(first) != expressions(second)


def test_a_later_epoch_is_the_one_that_would_have_come(examples):
    labelling = labelling_of(examples)
    epochs = labelling.epochs(seed=1, first=1)
    for _ in range(2):
        list(next(epochs))
    third = expressions(next(epochs))
    assert expressions(next(labelling.epochs(seed=1, first=3))) == third
    assert expressions(next(labelling.epochs(seed=2, first=3))) != third


def test_the_score_is_the_fraction_of_right_labels(examples):
    labelling = labelling_of(examples)
    targets = torch.cat([questions.targets for questions in labelling.held_out])
    assert len(targets) == 4

    def always(label):
        def answers(rows):
            return SimpleNamespace(logits=torch.eye(len(LISTOPS.labels))[torch.full((len(rows.words),), label)])

        return answers

    for label in range(len(LISTOPS.labels)):
        accuracy = labelling.score(always(label), CPU, contextlib.nullcontext)
        assert accuracy == int((targets == label).sum()) / 4
