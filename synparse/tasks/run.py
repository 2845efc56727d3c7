"""Training an encoder on a task, to give the label of an example: from data files to a model directory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from synparse.inducers.batch import on_device
from synparse.inducers.protocol import Learner
from synparse.tasks.classifier import Classifier, coded
from synparse.tasks.data import read_data
from synparse.tasks.directory import classifier_files
from synparse.tasks.expressions import Example, Task
from synparse.tasks.recipe import TaskTraining, task_recipe_from
from synparse.training.events import Note
from synparse.training.example_batches import batches_in_order, epochs_of
from synparse.training.objectives import TrainingBatch
from synparse.training.reading import names_of_files
from synparse.training.trainer import Job, Kind, Prepared

VALIDATION_BATCH = 256


class Labelling:
    """The `Objective` of labelling examples; those that are held out validate."""

    def __init__(
        self, config: TaskTraining, task: Task, training: Sequence[Example], held_out: Sequence[Example]
    ) -> None:
        self.config = config
        self.examples = coded(task, training)
        self.batches_per_epoch = math.ceil(len(training) / config.batch_size)
        validation = coded(task, held_out)
        self.held_out = [
            validation.questions(chosen) for chosen in batches_in_order(validation.lengths, VALIDATION_BATCH)
        ]

    def epochs(self, seed: int, first: int) -> Iterator[Iterator[TrainingBatch]]:
        config = self.config
        chosen = epochs_of(self.examples.lengths, config.batch_size, config.short_fraction, seed, first)
        return (map(self._batch, epoch) for epoch in chosen)

    def _batch(self, chosen: list[int]) -> TrainingBatch:
        questions = self.examples.questions(chosen)
        return TrainingBatch(questions, int(questions.lengths.sum()))

    @torch.no_grad()
    def score(self, model: Learner, device: torch.device, precision: Callable[[], Any]) -> float:
        """The fraction of held-out examples that get their label."""
        right = 0
        for questions in self.held_out:
            with precision():
                there = on_device(questions, device)
                right += int((model(there.rows).logits.argmax(1) == there.targets).sum())
        return right / sum(len(questions.targets) for questions in self.held_out)


def classification(task: Task) -> Kind:
    """The training of a classifier, which keeps the model that labels held-out examples best. With a file that
    validates, it is of sentences of a treebank. Raises DataError as `read_data`."""
    return Kind(partial(_prepare, task), task_recipe_from)


def _prepare(task: Task, job: Job, _: torch.device) -> Prepared:
    recipe = job.recipe
    data = read_data(task, recipe, job.settings)
    job.report(Note(f"{len(data.training):,} examples; {len(data.held_out):,} held out"))

    provenance = {
        "data": names_of_files(job.settings.corpus),
        "valid": job.settings.valid and Path(job.settings.valid).name,
        "examples": len(data.training) + len(data.held_out),
    }
    return Prepared(
        partial(Classifier, data.task, recipe),
        Labelling(recipe.training, data.task, data.training, data.held_out),
        data.fingerprint,
        provenance,
        partial(classifier_files, data.task, recipe),
    )
