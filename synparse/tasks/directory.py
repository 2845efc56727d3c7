"""A trained classifier on disk: config.yaml (task, recipe, provenance) and weights.safetensors.

Nothing is pickled, and loading runs no code from the directory.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
import yaml
from safetensors.torch import save

from synparse.files import usual_mode
from synparse.plain_yaml import read_plain_yaml
from synparse.tasks.classifier import Classifier
from synparse.tasks.expressions import Task
from synparse.tasks.recipe import TaskRecipe, task_recipe_from
from synparse.trees.errors import DataError
from synparse.weights_file import read_weights, weight_shapes

CONFIG, WEIGHTS = "config.yaml", "weights.safetensors"


class Trained(NamedTuple):
    """A classifier with its recipe and where it comes from."""

    directory: Path
    recipe: TaskRecipe
    provenance: Mapping[str, Any]
    model: Classifier


def save_classifier(
    directory: Path, task: Task, recipe: TaskRecipe, provenance: Mapping[str, Any], weights: Mapping[str, Any]
) -> None:
    """Write a model directory, or renew one that is there, file by file; each file appears whole.

    Raises DataError where the disk refuses.
    """
    config = {
        "task": task.name,
        "words": list(task.words),
        "labels": list(task.labels),
        "recipe": recipe.as_mapping(),
        "provenance": dict(provenance),
    }
    files = {
        WEIGHTS: save({name: tensor.cpu().contiguous() for name, tensor in weights.items()}),
        CONFIG: yaml.safe_dump(config, sort_keys=False, allow_unicode=True).encode(),
    }
    scratch: Path | None = None
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{directory.name}.", dir=directory.parent))
        for name, content in files.items():
            (scratch / name).write_bytes(content)
        if directory.exists():
            for name in files:
                (scratch / name).replace(directory / name)
        else:
            scratch.chmod(usual_mode(0o777))
            scratch.rename(directory)
    except OSError as error:
        raise DataError(f"the model cannot be saved: {error.strerror or error}", str(directory)) from None
    finally:
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)


def load_classifier(directory: Path, task: Task, device: torch.device) -> Trained:
    """Read a model directory. Raises DataError where it is missing, damaged, or of another task."""
    path = directory / CONFIG
    if not path.is_file():
        raise DataError(f"not a model directory of a task: it has no {CONFIG}", str(directory))
    values = read_plain_yaml(path)
    if not isinstance(values, dict) or not isinstance(values.get("provenance"), dict):
        raise DataError("damaged model: not a config of a task's model", str(path))
    if values.get("task") != task.name:
        raise DataError(f"not a model of the task {task.name}", str(path))
    if (values.get("words"), values.get("labels")) != (list(task.words), list(task.labels)):
        raise DataError(f"its words and labels are not those of {task.name}; train it again", str(path))
    try:
        recipe = task_recipe_from(values.get("recipe"))
    except ValueError as error:
        raise DataError(f"damaged model: {error}", str(path)) from None
    with torch.device("meta"):  # shapes only; the file brings the values
        model = Classifier(task, recipe)
    weights = directory / WEIGHTS
    if weight_shapes(weights) != {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}:
        raise DataError(f"the weights do not fit {CONFIG}", str(weights))
    model.load_state_dict(read_weights(weights), assign=True)
    return Trained(directory, recipe, values["provenance"], model.to(device).eval())
