"""Training a model on demonstrations: from their files to a model directory; and resuming a run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from synparse.files.folders import Content
from synparse.tasks.craft.demonstrations import format_demonstration, read_demonstrations
from synparse.tasks.craft.directory import imitator_files
from synparse.tasks.craft.imitation import Imitation
from synparse.tasks.craft.imitator import Imitator
from synparse.tasks.craft.recipe import CraftRecipe, craft_recipe_from, resumed_craft_recipe
from synparse.tasks.data import held_out_parts
from synparse.training.events import Note, Report, TrainingResult
from synparse.training.reading import RunSettings, names_of_files
from synparse.training.save_every import TEN_MINUTES, SaveEvery
from synparse.training.trainer import Job, Prepared, begin, read_unfinished, run


def train(
    data: Sequence[str],
    recipe: CraftRecipe,
    output: Path,
    *,
    minutes: float | None = None,
    seed: int = 1,
    device: str = "auto",
    save_every: SaveEvery = TEN_MINUTES,
    report: Report = lambda _: None,
    force: bool = False,
) -> TrainingResult:
    """Train on the demonstrations of the files ``data`` (``-`` = standard input), and keep the model under which
    held-out ones are most likely.

    Otherwise like `synparse.training.run.train`. Raises DataError also as `read_demonstrations`, and for fewer than two
    demonstrations.
    """
    settings = RunSettings(tuple(data), minutes=minutes, seed=seed)
    return run(
        begin(Job(recipe, settings, output, None, device, save_every, report), craft_recipe_from, force), _prepare
    )


def resume(
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
    settings, checkpoint = read_unfinished(directory, craft_recipe_from, data, minutes, allow_changed_corpus)
    recipe = resumed_craft_recipe(checkpoint.recipe, changes)
    return run(Job(recipe, settings, directory, checkpoint, device, save_every, report), _prepare)


def _prepare(job: Job, _: torch.device) -> Prepared:
    recipe = job.recipe
    given = list(read_demonstrations(job.settings.corpus))
    training, held_out = held_out_parts(given, recipe.training.validation_examples)
    tasks = sorted({one.task for one in given})
    fingerprint = hashlib.sha256()
    for one in given:
        fingerprint.update(format_demonstration(one).encode())
    job.report(Note(f"{len(training):,} demonstrations of {', '.join(tasks)}; {len(held_out):,} held out"))
    objective = Imitation(recipe, tasks, training, held_out)

    def files(model: Imitator, provenance: Mapping[str, Any], log: bytes) -> dict[str, Content]:
        return imitator_files(recipe, tasks, provenance, model, log)

    return Prepared(
        partial(Imitator, recipe, tasks),
        objective,
        fingerprint.hexdigest(),
        {"data": names_of_files(job.settings.corpus), "demonstrations": len(given)},
        files,
        observed=objective.observed,
    )
