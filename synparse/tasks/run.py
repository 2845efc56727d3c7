"""Training an encoder on a task: from data files to a model directory."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import torch

from synparse.tasks.classifier import Classifier
from synparse.tasks.data import read_data
from synparse.tasks.directory import classifier_files
from synparse.tasks.expressions import Task
from synparse.tasks.objective import Labelling
from synparse.tasks.recipe import task_recipe_from
from synparse.training.events import Note
from synparse.training.reading import names_of_files
from synparse.training.trainer import Job, Kind, Prepared


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
