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
from synparse.tasks.recipe import TaskRecipe, resumed_task_recipe, task_recipe_from
from synparse.training.events import Note, Report, TrainingResult
from synparse.training.reading import RunSettings, names_of_files
from synparse.training.save_every import TEN_MINUTES, SaveEvery
from synparse.training.trainer import Job, Prepared, begin, read_unfinished, run


def train(
    task: Task,
    data: Sequence[str],
    recipe: TaskRecipe,
    output: Path,
    *,
    valid: str | None = None,
    minutes: float | None = None,
    seed: int = 1,
    device: str = "auto",
    save_every: SaveEvery = TEN_MINUTES,
    report: Report = lambda _: None,
    force: bool = False,
) -> TrainingResult:
    """Train on the files ``data`` (``-`` = standard input) and keep the model that labels held-out examples best.

    ``valid``: a treebank whose sentences validate; otherwise some examples are held out. Otherwise like
    `synparse.training.run.train`. Raises DataError also as `read_data`.
    """
    settings = RunSettings(tuple(data), valid, minutes=minutes, seed=seed)
    job = Job(recipe, settings, output, None, device, save_every, report)
    return run(begin(job, task_recipe_from, force), partial(_prepare, task))


def resume(
    task: Task,
    directory: Path,
    *,
    data: Sequence[str] = (),
    minutes: float | None = None,
    changes: Sequence[str] = (),
    allow_changed_corpus: bool = False,
    device: str = "auto",
    save_every: SaveEvery = TEN_MINUTES,
    report: Report = lambda _: None,
) -> TrainingResult:
    """Continue the run whose checkpoint is in ``directory``, to its end; see `synparse.training.run.resume`."""
    settings, checkpoint = read_unfinished(directory, task_recipe_from, data, minutes, allow_changed_corpus)
    recipe = resumed_task_recipe(checkpoint.recipe, changes)
    return run(Job(recipe, settings, directory, checkpoint, device, save_every, report), partial(_prepare, task))


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
