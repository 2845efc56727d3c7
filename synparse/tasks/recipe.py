"""How an encoder is trained on a task: settings read from YAML into frozen values that refuse what they do not know.

A recipe has a section of sizes for each encoder, so that one file makes a row of a comparison, and one of training.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synparse.config.plain_yaml import plain_yaml, read_plain_yaml
from synparse.config.recipe import TrainingConfig, refuse_settled
from synparse.config.recipe import recipe_folder as shipped_folder
from synparse.config.settings import refuse_unknown, settings_of
from synparse.tasks import ENCODERS
from synparse.trees.errors import DataError, SettingError


@dataclass(frozen=True)
class TaskTraining(TrainingConfig):
    """How a classifier is trained (see `TrainingConfig`).

    epochs: passes' worth of examples, at most. patience: validations without a better one after which the run ends.
    batch_size: examples per update, all of about one length. classifier_dropout: of the vectors that are classified and
    of the layer in between. short_fraction: fraction of the examples that is drawn by rank in length, so that short
    ones come often (`synparse.tasks.batches`). validation_examples: held out, at most a tenth of the data.
    """

    objective = "label"
    predicted = "labels of examples"
    measure = "accuracy"
    stops_early = True
    fused = False  # as the recorded results were found

    learning_rate: float = 1e-3
    schedule: str = "constant"
    gradient_clip: float = 1.0
    precision: str = "float32"
    epochs: int = 50
    validate_every: int = 500
    patience: int = 20
    batch_size: int = 128
    classifier_dropout: float = 0.1
    short_fraction: float = 0.0
    validation_examples: int = 2000

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(self.batch_size, self.validation_examples) < 1:
            raise SettingError("batch_size and validation_examples must be at least 1")
        if not 0 <= self.classifier_dropout < 1 or not 0 <= self.short_fraction < 1:
            raise SettingError("classifier_dropout and short_fraction must be at least 0 and below 1")
        if self.schedule in ("plateau", "average"):
            raise SettingError(f"schedule must be constant, linear or cosine, not {self.schedule!r}")


@dataclass(frozen=True)
class TaskRecipe:
    """The recipe of one encoder. architecture: the dataclass of its sizes; see `synparse.tasks.encoders`."""

    name: str
    encoder: str
    architecture: Any
    training: TaskTraining

    def as_mapping(self) -> dict[str, Any]:
        """The recipe as plain values, every setting written out."""
        return dataclasses.asdict(self)


def recipe_folder() -> Path:
    """The folder of shipped recipes."""
    return shipped_folder() / "tasks"


def load_task_recipe(name_or_path: str, encoder: str, overrides: Sequence[str] = ()) -> TaskRecipe:
    """The recipe of an encoder, shipped by name or from a YAML file, with ``section.key=value`` overrides, the sections
    being ``architecture`` and ``training``.

    Raises DataError where the file is missing or not YAML, SettingError for what is unknown or mistyped.
    """
    is_path = name_or_path.endswith((".yaml", ".yml"))
    path = Path(name_or_path) if is_path else recipe_folder() / f"{name_or_path}.yaml"
    if not path.is_file():
        shipped = ", ".join(sorted(found.stem for found in recipe_folder().glob("*.yaml")))
        raise DataError(f"no such recipe; shipped recipes are {shipped}", name_or_path)
    values = read_plain_yaml(path)
    if not isinstance(values, dict) or not isinstance(values.get("encoders"), dict):
        raise DataError("a recipe is a mapping with the keys about, expected_time, encoders, training", str(path))
    refuse_unknown(values, ("about", "expected_time", "encoders", "training"), "")
    refuse_unknown(values["encoders"], ENCODERS, "encoders.")
    if encoder not in values["encoders"]:
        raise SettingError(f"recipe {path.stem} has no section for {encoder}")
    sections = {"architecture": values["encoders"][encoder], "training": values.get("training")}
    return _changed({"name": path.stem, "encoder": encoder, **sections}, overrides)


def resumed_task_recipe(base: TaskRecipe, overrides: Sequence[str]) -> TaskRecipe:
    """The recipe of a run that goes on, with changes of what may change on the way (`CHANGEABLE`).

    Raises SettingError for other changes.
    """
    refuse_settled(overrides)
    return _changed(base.as_mapping(), overrides)


def task_recipe_from(values: object) -> TaskRecipe:
    """A recipe from plain values, as `TaskRecipe.as_mapping` gives them. Imports torch. Raises SettingError for what it
    does not know."""
    from synparse.tasks.encoders import encoder_kind

    if not isinstance(values, Mapping):
        raise SettingError("a recipe is a mapping with the keys name, encoder, architecture, training")
    refuse_unknown(values, [field.name for field in dataclasses.fields(TaskRecipe)], "")
    encoder = str(values.get("encoder"))
    return TaskRecipe(
        name=str(values.get("name", encoder)),
        encoder=encoder,
        architecture=settings_of(encoder_kind(encoder).config, values.get("architecture"), "architecture"),
        training=settings_of(TaskTraining, values.get("training"), "training"),
    )


def _changed(values: dict[str, Any], overrides: Sequence[str]) -> TaskRecipe:
    for override in overrides:
        key, equals, text = override.partition("=")
        section, dot, name = key.strip().partition(".")
        if not equals or not dot or section not in ("architecture", "training"):
            raise SettingError(f"--set takes training.key=value or architecture.key=value, not {override!r}")
        try:
            value = plain_yaml(text)
        except DataError:
            raise SettingError(f"--set {key}: {text!r} is no value") from None
        values[section] = {**(values[section] or {}), name: value}
    return task_recipe_from(values)
