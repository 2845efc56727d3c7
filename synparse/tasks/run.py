"""Training an encoder on a task: from data files to a model directory; and resuming a run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from synparse.files.folders import Content
from synparse.tasks.classifier import Classifier
from synparse.tasks.directory import classifier_files
from synparse.tasks.expressions import Task, format_example, read_examples
from synparse.tasks.objective import Labelling
from synparse.tasks.recipe import TaskRecipe, resumed_task_recipe, task_recipe_from
from synparse.training.events import Note
from synparse.training.job import Job, Prepared, Report, begin, in_silence, read_unfinished
from synparse.training.reading import RunSettings, names_of_files
from synparse.training.save_every import TEN_MINUTES, SaveEvery
from synparse.training.trainer import TrainingResult, run


def train(
    task: Task,
    data: Sequence[str],
    recipe: TaskRecipe,
    output: Path,
    *,
    minutes: float | None = None,
    seed: int = 1,
    device: str = "auto",
    save_every: SaveEvery = TEN_MINUTES,
    report: Report = in_silence,
    force: bool = False,
) -> TrainingResult:
    """Train on the files ``data`` (``-`` = standard input) and keep the model that labels held-out examples best.

    Otherwise like `synparse.training.run.train`. Raises DataError also for expressions that an Ordered Memory's slots
    cannot hold, and for fewer than two examples.
    """
    settings = RunSettings(tuple(data), minutes=minutes, seed=seed)
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
    report: Report = in_silence,
) -> TrainingResult:
    """Continue the run whose checkpoint is in ``directory``, to its end; see `synparse.training.run.resume`."""
    settings, checkpoint = read_unfinished(directory, task_recipe_from, data, minutes, allow_changed_corpus)
    recipe = resumed_task_recipe(checkpoint.recipe, changes)
    return run(Job(recipe, settings, directory, checkpoint, device, save_every, report), partial(_prepare, task))


def _prepare(task: Task, job: Job, _: torch.device) -> Prepared:
    recipe = job.recipe
    slots = recipe.architecture.slots if recipe.encoder == "ordered-memory" else None
    examples = list(read_examples(task, job.settings.corpus, slots))
    objective = Labelling(recipe.training, task, examples)
    held_out = sum(len(questions.targets) for questions in objective.held_out)
    job.report(Note(f"{len(examples) - held_out:,} examples; {held_out:,} held out"))
    text = hashlib.sha256(task.name.encode())
    for example in examples:
        text.update(format_example(task, example).encode())

    def files(model: Classifier, provenance: Mapping[str, Any], log: bytes) -> dict[str, Content]:
        return classifier_files(task, recipe, provenance, model, log)

    provenance = {"data": names_of_files(job.settings.corpus), "examples": len(examples)}
    return Prepared(
        partial(Classifier, task, recipe), objective, text.hexdigest(), provenance, files, job.settings.minutes
    )
