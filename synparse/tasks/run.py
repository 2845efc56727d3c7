"""Training an encoder on a task: from data files to a model directory, and on with a run that was stopped or killed."""

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
from synparse.training.checkpoint import RunSettings, read_checkpoint
from synparse.training.save_every import TEN_MINUTES, SaveEvery
from synparse.training.saving import Prepared, names_of_files
from synparse.training.trainer import (
    Note,
    Report,
    TrainingResult,
    absolute,
    in_silence,
    resumed,
    run,
    unfinished_or_new,
)


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

    As `synparse.training.run.train` in all else. Raises DataError also for expressions that an Ordered Memory's slots
    cannot hold, and for fewer than two examples.
    """
    settings = RunSettings(absolute(data), minutes=minutes, seed=seed)
    checkpoint = unfinished_or_new(output, recipe, settings, task_recipe_from, force)
    prepare = partial(_prepare, task, recipe, settings)
    return run(prepare, recipe, output, settings, checkpoint, device, save_every, report)


def resume(
    task: Task,
    directory: Path,
    *,
    data: Sequence[str] = (),
    minutes: float | None = None,
    changes: Sequence[str] = (),
    device: str = "auto",
    save_every: SaveEvery = TEN_MINUTES,
    report: Report = in_silence,
) -> TrainingResult:
    """Go on with the run whose checkpoint is in ``directory``, to its end; see `synparse.training.run.resume`."""
    checkpoint = resumed(read_checkpoint(directory, task_recipe_from), data, minutes, allow_changed_corpus=False)
    recipe, settings = resumed_task_recipe(checkpoint.recipe, changes), checkpoint.settings
    prepare = partial(_prepare, task, recipe, settings)
    return run(prepare, recipe, directory, settings, checkpoint, device, save_every, report)


def _prepare(task: Task, recipe: TaskRecipe, settings: RunSettings, _: torch.device, report: Report) -> Prepared:
    slots = recipe.architecture.slots if recipe.encoder == "ordered-memory" else None
    examples = list(read_examples(task, settings.corpus, slots))
    objective = Labelling(recipe.training, task, examples)
    held_out = sum(len(questions.targets) for questions in objective.held_out)
    report(Note(f"{len(examples) - held_out:,} examples; {held_out:,} held out"))
    text = hashlib.sha256(task.name.encode())
    for example in examples:
        text.update(format_example(task, example).encode())

    def files(model: Any, provenance: Mapping[str, Any], log: bytes) -> dict[str, Content]:
        return classifier_files(task, recipe, provenance, model, log)

    provenance = {"data": names_of_files(settings.corpus), "examples": len(examples)}
    return Prepared(lambda _: Classifier(task, recipe), objective, text.hexdigest(), provenance, files)
