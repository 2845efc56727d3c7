"""A trained model of imitation on disk: config.yaml (recipe, tasks, provenance), weights.safetensors and log.jsonl.

Nothing is pickled, and loading runs no code from the directory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch

from synparse.config.settings import plain_settings
from synparse.files.folders import Content
from synparse.tasks.craft import CRAFT
from synparse.tasks.craft.imitator import Imitator
from synparse.tasks.craft.option_controller import Cells
from synparse.tasks.craft.recipe import CraftRecipe, craft_recipe_from
from synparse.tasks.craft.subtasks import parse_task
from synparse.tasks.craft.transfer import pooled
from synparse.tasks.craft.worlds import View
from synparse.tasks.directory import filled, read_task_config, task_files
from synparse.trees.errors import DataError, SettingError, damage_of


class TrainedImitator(NamedTuple):
    """A model with its recipe, the tasks it was trained on, in their order, and where it comes from."""

    recipe: CraftRecipe
    tasks: Sequence[str]
    provenance: Mapping[str, Any]
    model: Imitator


def imitator_files(
    recipe: CraftRecipe, tasks: Sequence[str], model: Imitator, provenance: Mapping[str, Any], log: bytes
) -> dict[str, Content]:
    """The files of a model directory, by name."""
    config = {
        "task": CRAFT,
        "tasks": list(tasks),
        "observation_size": recipe.view.size,
        "recipe": plain_settings(recipe),
        "provenance": dict(provenance),
    }
    return task_files(config, model, log)


def load_imitator(directory: Path, device: torch.device) -> TrainedImitator:
    """Read a model directory; its model is in evaluation mode. Raises DataError where it is missing, damaged, or no
    model of imitation."""
    path, values = read_task_config(directory)
    if values.get("task") != CRAFT or "recipe" not in values:
        raise DataError("not a model that was trained by synparse task craft train", str(path))
    tasks = values.get("tasks")
    with damage_of("model", str(path)):
        recipe = craft_recipe_from(values["recipe"])
        if not isinstance(tasks, list) or not tasks or values.get("observation_size") != recipe.view.size:
            raise SettingError("its config is not that of a model of craft")
        for task in tasks:
            parse_task(str(task))
    model = filled(partial(Imitator, recipe, tasks), directory)
    return TrainedImitator(recipe, tuple(tasks), values["provenance"], model.to(device).eval())


class Options(NamedTuple):
    """The options of several models, one after the other, and what they see."""

    cells: Cells
    view: View


def load_options(directories: Sequence[str], must_end: bool) -> Options:
    """The options of trained models. ``must_end``: they have to tell when they are done.

    Raises DataError for a damaged model, one whose options are not such, and one that sees other than the first.
    """
    trained = [load_imitator(Path(directory), torch.device("cpu")) for directory in directories]
    view = trained[0].recipe.view
    for directory, imitator in zip(directories, trained, strict=True):
        name, kind = imitator.recipe.model, imitator.model.kind
        if not kind.has_options:
            raise DataError(f"a model of the kind {name} has no options to use", directory)
        if must_end and not kind.options_end:
            raise DataError(f"the options of a {name} do not end; use --kind one-step", directory)
        if imitator.recipe.view != view:
            raise DataError(
                f"its options see {_described(imitator.recipe.view)}, those of {directories[0]} {_described(view)};"
                " only options that see the same can be used together",
                directory,
            )
    return Options(pooled([imitator.model.options for imitator in trained]), view)


def _described(view: View) -> str:
    return f"{view.near} × {view.near} cells and {view.far} × {view.far} blocks ({view.size} numbers)"
