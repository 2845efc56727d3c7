"""What an encoder is trained to do on a task: give the label of an example. Its accuracy validates it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from synparse.inducers.batch import on_device
from synparse.inducers.protocol import Learner
from synparse.tasks.classifier import coded
from synparse.tasks.expressions import Example, Task
from synparse.tasks.recipe import TaskTraining
from synparse.training.example_batches import batches_in_order, epochs_of
from synparse.training.objectives import TrainingBatch

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
