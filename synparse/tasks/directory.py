"""A trained classifier on disk: config.yaml (task, recipe, provenance), weights.safetensors and log.jsonl; and
vocabulary.txt, where the words come from the data.

Nothing is pickled, and loading runs no code from the directory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import torch
import yaml
from safetensors.torch import save_file
from torch import nn

from synparse.config.plain_yaml import read_plain_yaml
from synparse.config.settings import plain_settings
from synparse.corpora.vocabulary import Vocabulary
from synparse.files.folders import Content
from synparse.store.model_directory import (
    CONFIG,
    LOG,
    VOCABULARY,
    WEIGHTS,
    file_to_read,
    read_shapes,
    weights_to_read,
)
from synparse.store.weights import largest_dimension, read_weights, weight_shapes
from synparse.tasks.classifier import Classifier
from synparse.tasks.expressions import Task
from synparse.tasks.recipe import TaskRecipe, task_recipe_from
from synparse.trees.errors import DataError, damage_of

Model = TypeVar("Model", bound=nn.Module)


class TrainedClassifier(NamedTuple):
    """A classifier with its recipe, where it comes from, and its task, whose words are those of the classifier."""

    recipe: TaskRecipe
    provenance: Mapping[str, Any]
    model: Classifier
    task: Task


def classifier_files(
    task: Task, recipe: TaskRecipe, model: Classifier, provenance: Mapping[str, Any], log: bytes
) -> dict[str, Content]:
    """The files of a model directory, by name."""
    is_formal = recipe.text is None
    config = {
        "task": task.name,
        **({"words": list(task.words)} if is_formal else {}),
        "labels": list(task.labels),
        "recipe": plain_settings(recipe),
        "provenance": dict(provenance),
    }
    return {**({} if is_formal else {VOCABULARY: Vocabulary(task.words).write}), **task_files(config, model, log)}


def task_files(config: Mapping[str, Any], model: nn.Module, log: bytes) -> dict[str, Content]:
    """The files that a model directory of any task has, by name."""

    def write_weights(path: Path) -> None:
        save_file({name: tensor.cpu().contiguous() for name, tensor in model.state_dict().items()}, path)

    return {
        LOG: log,
        WEIGHTS: write_weights,
        CONFIG: yaml.safe_dump(config, sort_keys=False, allow_unicode=True).encode(),
    }


def task_of(directory: Path, tasks: Mapping[str, Task]) -> Task:
    """The task of a model, one of ``tasks``. Raises DataError where the directory is missing, damaged, or of none."""
    path, values = read_task_config(directory)
    task = tasks.get(str(values.get("task")))
    if task is None:
        raise DataError(f"not a model of {' or '.join(tasks)}", str(path))
    return task


def read_task_config(directory: Path) -> tuple[Path, dict[str, Any]]:
    """The config of a model directory of any task, and its path. Raises DataError where there is none, or
    without provenance."""
    if not directory.is_dir():
        raise DataError("no such directory; a model of a task is what its command train wrote", str(directory))
    path = file_to_read(directory, CONFIG, f"not a model directory of a task: it has no {CONFIG}")
    values = read_plain_yaml(path)
    if not isinstance(values, dict) or not isinstance(values.get("provenance"), dict):
        raise DataError("damaged model: its config is not that of a task's model", str(path))
    return path, values


def load_classifier(directory: Path, task: Task, device: torch.device) -> TrainedClassifier:
    """Read a model directory. Raises DataError where it is missing, damaged, or of another task."""
    path, values = read_task_config(directory)
    if values.get("task") != task.name:
        raise DataError(f"not a model of the task {task.name}", str(path))
    with damage_of("model", str(path)):
        recipe = task_recipe_from(values.get("recipe"))
    if recipe.text is not None:
        missing = "the model has no vocabulary; train it again"
        most = largest_dimension(read_shapes(directory))
        words = Vocabulary.read(file_to_read(directory, VOCABULARY, missing), most).words
        task, values = task._replace(words=words), {**values, "words": list(words)}
    if (values.get("words"), values.get("labels")) != (list(task.words), list(task.labels)):
        raise DataError(f"its words and labels are not those of {task.name}; train it again", str(path))
    model = filled(partial(Classifier, task, recipe), directory)
    return TrainedClassifier(recipe, values["provenance"], model.to(device).eval(), task)


def filled(build: Callable[[], Model], directory: Path) -> Model:
    """The model that ``build`` makes, with the weights of a model directory. Raises DataError where they are damaged or
    do not fit."""
    weights = weights_to_read(directory)
    with torch.device("meta"):  # shapes only; the file brings the values
        model = build()
    if weight_shapes(weights) != {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}:
        raise DataError(f"the weights do not fit {CONFIG}", str(weights))
    model.load_state_dict(read_weights(weights), assign=True)
    return model
