"""A trained classifier on disk: config.yaml (task, recipe, provenance), weights.safetensors and log.jsonl.

Nothing is pickled, and loading runs no code from the directory.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
import yaml
from safetensors.torch import save_file

from synparse.config.plain_yaml import read_plain_yaml
from synparse.files.folders import Content, stored
from synparse.store.model_directory import CONFIG, LOG, WEIGHTS
from synparse.store.weights import read_weights, weight_shapes
from synparse.tasks.classifier import Classifier
from synparse.tasks.expressions import Task
from synparse.tasks.recipe import TaskRecipe, task_recipe_from
from synparse.trees.errors import DataError, SettingError


class Trained(NamedTuple):
    """A classifier with its recipe and where it comes from."""

    recipe: TaskRecipe
    provenance: Mapping[str, Any]
    model: Classifier


def classifier_files(
    task: Task, recipe: TaskRecipe, provenance: Mapping[str, Any], model: Classifier, log: bytes
) -> dict[str, Content]:
    """The files of a model directory, by name."""
    config = {
        "task": task.name,
        "words": list(task.words),
        "labels": list(task.labels),
        "recipe": recipe.as_mapping(),
        "provenance": dict(provenance),
    }
    return {
        LOG: log,
        WEIGHTS: lambda path: save_file(
            {name: tensor.cpu().contiguous() for name, tensor in model.state_dict().items()}, path
        ),
        CONFIG: yaml.safe_dump(config, sort_keys=False, allow_unicode=True).encode(),
    }


def load_classifier(directory: Path, task: Task, device: torch.device) -> Trained:
    """Read a model directory. Raises DataError where it is missing, damaged, or of another task."""
    path = stored(directory, CONFIG)
    if not path.is_file():
        raise DataError(f"not a model directory of a task: it has no {CONFIG}", str(directory))
    values = read_plain_yaml(path)
    if not isinstance(values, dict) or not isinstance(values.get("provenance"), dict):
        raise DataError("damaged model: its config is not that of a task's model", str(path))
    if values.get("task") != task.name:
        raise DataError(f"not a model of the task {task.name}", str(path))
    if (values.get("words"), values.get("labels")) != (list(task.words), list(task.labels)):
        raise DataError(f"its words and labels are not those of {task.name}; train it again", str(path))
    try:
        recipe = task_recipe_from(values.get("recipe"))
    except SettingError as error:
        raise DataError(f"damaged model: {error}", str(path)) from None
    with torch.device("meta"):  # shapes only; the file brings the values
        model = Classifier(task, recipe)
    weights = stored(directory, WEIGHTS)
    if weight_shapes(weights) != {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}:
        raise DataError(f"the weights do not fit {CONFIG}", str(weights))
    model.load_state_dict(read_weights(weights), assign=True)
    return Trained(recipe, values["provenance"], model.to(device).eval())
