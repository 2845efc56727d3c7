"""A training run on a task, from data files to a model directory."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

import synparse
from synparse.files.folders import exclusive_lock
from synparse.inducers.devices import pick_device
from synparse.tasks.directory import save_classifier
from synparse.tasks.expressions import Task, read_examples
from synparse.tasks.recipe import TaskRecipe
from synparse.tasks.training import Step, train_steps
from synparse.training.threads import own_threads


@dataclass(frozen=True)
class TaskResult:
    """What a run came to. accuracy: of the model that was kept, on held-out examples; None where none was kept."""

    directory: Path
    accuracy: float | None
    steps: int
    seconds: float
    interrupted: bool


Report = Callable[[Step], None]


def train(
    task: Task,
    data: Sequence[str],
    recipe: TaskRecipe,
    output: Path,
    *,
    minutes: float | None = None,
    seed: int = 1,
    device: str = "auto",
    report: Report = lambda _: None,
) -> TaskResult:
    """Train on the files ``data`` (``-`` = standard input) and keep the model that answers held-out examples best.

    ``minutes`` bounds the training. An interrupt (Ctrl-C) ends the run and keeps the best model so far. Raises
    DataError for bad data, for expressions that an Ordered Memory's slots cannot hold, and where nothing can be
    written; ValueError for a device that is not there, or too few examples; TrainingError where training breaks down.
    """
    chosen = pick_device(device)
    slots = recipe.architecture.slots if recipe.encoder == "ordered-memory" else None
    examples = list(read_examples(task, data, slots))
    kept: float | None = None
    step: Step | None = None
    finished = False
    with own_threads(), exclusive_lock(output), contextlib.suppress(KeyboardInterrupt):
        for step in train_steps(task, examples, recipe, seed, chosen, minutes):
            if step.weights is not None:
                kept = step.accuracy
                provenance = {
                    "data": [Path(path).name for path in data],
                    "examples": len(examples),
                    "seed": seed,
                    "device": chosen.type,
                    "threads": torch.get_num_threads(),
                    "steps": step.step,
                    "seconds": round(step.seconds, 1),
                    "held_out_accuracy": step.accuracy,
                    "versions": {"synparse": synparse.__version__, "torch": str(torch.__version__)},
                }
                save_classifier(output, task, recipe, provenance, step.weights)
            report(step)
        finished = True
    steps, seconds = (step.step, step.seconds) if step else (0, 0.0)
    return TaskResult(output, kept, steps, seconds, not finished)
