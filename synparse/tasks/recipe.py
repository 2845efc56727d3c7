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
from synparse.config.recipe import recipe_folder
from synparse.config.settings import refuse_unknown, settings_of
from synparse.tasks import ENCODERS
from synparse.trees.errors import DataError, SettingError


@dataclass(frozen=True)
class TaskTraining:
    """How a classifier is trained, with Adam.

    learning_rate: after warm-up; warmup_steps: updates over which it rises from 0; schedule: ``linear`` falls to 0 at
    the end of the run, ``constant`` does not. batch_size: examples per update, all of about one length. gradient_clip:
    largest norm. classifier_dropout: of the vectors that are classified and of the layer in between. epochs: passes'
    worth of examples, at most. short_fraction: fraction of the examples that is drawn by rank in length, so that short
    ones
    come often (`synparse.tasks.batches`). validate_every: updates. patience: validations without a better one after
    which the run ends. validation_examples: held out, at most a tenth of the data.
    """

    learning_rate: float = 1e-3
    warmup_steps: int = 0
    schedule: str = "constant"
    batch_size: int = 128
    gradient_clip: float = 1.0
    classifier_dropout: float = 0.1
    epochs: int = 50
    short_fraction: float = 0.0
    validate_every: int = 500
    patience: int = 20
    validation_examples: int = 2000

    def __post_init__(self) -> None:
        counts = ("batch_size", "epochs", "validate_every", "patience", "validation_examples")
        if any(getattr(self, name) < 1 for name in counts) or self.warmup_steps < 0:
            raise SettingError(f"{', '.join(counts)} must be at least 1, warmup_steps at least 0")
        if self.learning_rate <= 0 or self.gradient_clip <= 0:
            raise SettingError("learning_rate and gradient_clip must be above 0")
        if not 0 <= self.short_fraction < 1:
            raise SettingError(f"short_fraction must be at least 0 and below 1, not {self.short_fraction}")
        if self.schedule not in ("constant", "linear"):
            raise SettingError(f"schedule must be constant or linear, not {self.schedule!r}")


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


def load_task_recipe(name_or_path: str, encoder: str, overrides: Sequence[str] = ()) -> TaskRecipe:
    """The recipe of an encoder, shipped by name or from a YAML file, with ``section.key=value`` overrides, the sections
    being ``architecture`` and ``training``.

    Raises DataError where the file is missing or not YAML, SettingError for what is unknown or mistyped.
    """
    is_path = name_or_path.endswith((".yaml", ".yml"))
    path = Path(name_or_path) if is_path else recipe_folder() / "tasks" / f"{name_or_path}.yaml"
    if not path.is_file():
        shipped = ", ".join(sorted(found.stem for found in (recipe_folder() / "tasks").glob("*.yaml")))
        raise DataError(f"no such recipe; shipped recipes are {shipped}", name_or_path)
    values = read_plain_yaml(path)
    if not isinstance(values, dict) or not isinstance(values.get("encoders"), dict):
        raise DataError("a recipe is a mapping with the keys about, expected_time, encoders, training", str(path))
    refuse_unknown(values, ("about", "expected_time", "encoders", "training"), "")
    refuse_unknown(values["encoders"], ENCODERS, "encoders.")
    if encoder not in values["encoders"]:
        raise SettingError(f"recipe {path.stem} has no section for {encoder}")
    sections = {"architecture": values["encoders"][encoder], "training": values.get("training")}
    for override in overrides:
        _override(sections, override)
    return task_recipe_from({"name": path.stem, "encoder": encoder, **sections})


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


def _override(sections: dict[str, Any], override: str) -> None:
    key, equals, text = override.partition("=")
    section, dot, name = key.strip().partition(".")
    if not equals or not dot or section not in sections:
        raise SettingError(f"--set takes training.key=value or architecture.key=value, not {override!r}")
    try:
        value = plain_yaml(text)
    except DataError:
        raise SettingError(f"--set {key}: {text!r} is no value") from None
    sections[section] = {**(sections[section] or {}), name: value}
