"""Training a model to do the actions of demonstrations: from their files to a model directory.

The likelihood of the demonstrations that are held out validates it. The log of a run also tells how well their segments
fit the true subtasks. Nothing in a run depends on these numbers: neither training nor the choice of the model sees
where subtasks end.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import torch

from synparse.inducers.batch import on_device
from synparse.inducers.protocol import Learner
from synparse.scoring.segmentation import score_segmentations
from synparse.tasks.craft.demonstrations import (
    Demonstration,
    all_subtask_ends,
    format_demonstration,
    read_demonstrations,
)
from synparse.tasks.craft.directory import imitator_files
from synparse.tasks.craft.imitator import Imitator, coded
from synparse.tasks.craft.recipe import CraftRecipe, craft_recipe_from
from synparse.tasks.craft.segmentation import BATCH, compared, segmentations
from synparse.training.events import Note
from synparse.training.example_batches import batches_in_order, epochs_of, held_out_parts
from synparse.training.objectives import TrainingBatch
from synparse.training.reading import names_of_files
from synparse.training.trainer import Job, Kind, Prepared


class Imitation:
    """The `Objective` of doing the actions of demonstrations; those that are held out validate."""

    def __init__(
        self,
        recipe: CraftRecipe,
        tasks: Sequence[str],
        training: Sequence[Demonstration],
        held_out: Sequence[Demonstration],
    ) -> None:
        self.config = recipe.training
        self.training = coded(training, tasks, recipe.view)
        self.held_out = coded(held_out, tasks, recipe.view)
        self._held_out = held_out
        self._ends = all_subtask_ends(held_out)
        self.batches_per_epoch = math.ceil(len(training) / recipe.training.batch_size)

    def epochs(self, seed: int, first: int) -> Iterator[Iterator[TrainingBatch]]:
        chosen = epochs_of(self.training.steps.lengths, self.config.batch_size, 0.0, seed, first)
        return (map(partial(self._batch, epoch), batches) for epoch, batches in enumerate(chosen, first))

    def _batch(self, epoch: int, chosen: list[int]) -> TrainingBatch:
        has_cost = epoch >= self.config.end_cost_from
        batch = self.training.batch(chosen, self.config.end_cost if has_cost else 0.0)
        return TrainingBatch(batch, int(batch.lengths.sum()))

    @torch.no_grad()
    def score(self, model: Learner, device: torch.device, precision: Callable[[], Any]) -> float:
        """Log-likelihood of held-out demonstrations per action, in nats."""
        nats = 0.0
        for chosen in batches_in_order(-self.held_out.steps.lengths, BATCH):
            with precision():
                nats += float(model.loss(on_device(self.held_out.batch(chosen), device)).total)
        return -nats / len(self.held_out.steps.actions)

    def observed(self, model: Imitator) -> dict[str, float | None]:
        """How well the segments of the held-out demonstrations fit their true subtasks, and how often the most probable
        action is the one that was done; for the log."""
        predicted = segmentations(model, self._held_out, self.held_out)
        scores = score_segmentations(map(compared, self._held_out, predicted, self._ends))
        return {
            "nmi": scores.nmi,
            "alignment_accuracy": scores.alignment_accuracy,
            "boundary_f1": scores.f1,
            "action_accuracy": sum(segmentation.right for segmentation in predicted) / len(self.held_out.steps.actions),
        }


def _prepare(job: Job, _: torch.device) -> Prepared:
    recipe = job.recipe
    given = list(read_demonstrations(job.settings.corpus))
    training, held_out = held_out_parts(given, recipe.training.validation_examples)
    tasks = sorted({demonstration.task for demonstration in given})
    fingerprint = hashlib.sha256()
    for demonstration in given:
        fingerprint.update(format_demonstration(demonstration).encode())
    job.report(Note(f"{len(training):,} demonstrations of {', '.join(tasks)}; {len(held_out):,} held out"))
    objective = Imitation(recipe, tasks, training, held_out)

    return Prepared(
        partial(Imitator, recipe, tasks),
        objective,
        fingerprint.hexdigest(),
        {"data": names_of_files(job.settings.corpus), "demonstrations": len(given)},
        partial(imitator_files, recipe, tasks),
        observed=objective.observed,
    )


IMITATION = Kind(_prepare, craft_recipe_from)
"""The training that keeps the model under which held-out demonstrations are most likely. Raises DataError as
`read_demonstrations`, and for fewer than two of them."""
