"""Training an encoder on a task: from data files to a model directory; and resuming a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from synparse.files.folders import Content
from synparse.tasks.classifier import Classifier
from synparse.tasks.data import read_data
from synparse.tasks.directory import classifier_files
from synparse.tasks.expressions import Task
from synparse.tasks.objective import Labelling
from synparse.tasks.recipe import TaskRecipe, task_recipe_from
from synparse.training import trainer
from synparse.training.events import Note, TrainingResult
from synparse.training.reading import RunSettings, names_of_files
from synparse.training.trainer import Job, Kind, Prepared


def train(
    task: Task,
    data: Sequence[str],
    recipe: TaskRecipe,
    output: Path,
    *,
    valid: str | None = None,
    minutes: float | None = None,
    seed: int = 1,
    **options: Any,
) -> TrainingResult:
    """Train on the files ``data`` (``-`` = standard input) and keep the model that labels held-out examples best.

    ``valid``: a treebank whose sentences validate; otherwise some examples are held out; ``options``: those of
    `trainer.train`. Otherwise like `synparse.training.run.train`. Raises DataError also as `read_data`.
    """
    settings = RunSettings(tuple(data), valid, minutes=minutes, seed=seed)
    return trainer.train(_kind(task), recipe, settings, output, **options)


def resume(task: Task, directory: Path, **options: Any) -> TrainingResult:
    """Continue the run in ``directory``, to its end; ``options``: those of `trainer.resume`."""
    return trainer.resume(_kind(task), directory, **options)


def _kind(task: Task) -> Kind:
    return Kind(partial(_prepare, task), task_recipe_from)


def _prepare(task: Task, job: Job, _: torch.device) -> Prepared:
    recipe = job.recipe
    data = read_data(task, recipe, job.settings)
    job.report(Note(f"{len(data.training):,} examples; {len(data.held_out):,} held out"))

    def files(model: Classifier, provenance: Mapping[str, Any], log: bytes) -> dict[str, Content]:
        return classifier_files(data.task, recipe, provenance, model, log)

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
        files,
    )
