"""Training a model on demonstrations: from their files to a model directory."""

from __future__ import annotations

import hashlib
from functools import partial

import torch

from synparse.tasks.craft.demonstrations import format_demonstration, read_demonstrations
from synparse.tasks.craft.directory import imitator_files
from synparse.tasks.craft.imitation import Imitation
from synparse.tasks.craft.imitator import Imitator
from synparse.tasks.craft.recipe import craft_recipe_from
from synparse.training.events import Note
from synparse.training.example_batches import held_out_parts
from synparse.training.reading import names_of_files
from synparse.training.trainer import Job, Kind, Prepared


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
