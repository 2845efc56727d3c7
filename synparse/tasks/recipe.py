"""How an encoder is trained on a task: settings read from YAML into frozen values that refuse what they do not know.

A recipe has a section of sizes for each encoder, so that one file makes a row of a comparison, and one of training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from synparse.config.recipe import load_sections
from synparse.config.settings import recipe_of, settings_of
from synparse.config.training import Count, CountOrZero, ExampleTraining
from synparse.inducers.configurations import Probability
from synparse.tasks import ENCODERS


@dataclass(frozen=True)
class TaskTraining(ExampleTraining):
    """How a classifier is trained (see `TrainingConfig`).

    epochs: each reads as many examples as there are, in batches of about one length. classifier_dropout: of the vectors
    that are classified and of the layer in between. short_fraction: fraction of the examples that is drawn by rank in
    length, so that short ones come often (`synparse.training.example_batches`). validation_examples: held out, at most
    a tenth of the data.
    """

    measure = "accuracy"
    fused = False  # as the recorded results were found

    epochs: Count = 50
    validate_every: CountOrZero = 500
    patience: Count = 20
    classifier_dropout: Probability = 0.1
    short_fraction: Probability = 0.0
    validation_examples: Count = 2000


@dataclass(frozen=True)
class TreebankText:
    """How a treebank becomes examples.

    phrases: whether each phrase of a tree is an example to train on, or only the whole sentence. min_count: words seen
    fewer times than this in the sentences to train on are unknown.
    """

    phrases: bool = True
    min_count: Count = 2


@dataclass(frozen=True)
class TaskRecipe:
    """The recipe of one encoder. architecture: the dataclass of its sizes; see `synparse.tasks.encoders`; text: None
    for a formal language."""

    name: str
    encoder: str
    architecture: Any
    training: TaskTraining
    text: TreebankText | None = None


def load_task_recipe(name_or_path: str, encoder: str, overrides: Sequence[str] = ()) -> TaskRecipe:
    """The recipe of an encoder, shipped by name or from a YAML file, with ``section.key=value`` overrides, the sections
    being ``architecture``, ``text`` and ``training``.

    Raises DataError where the file is missing or not YAML, SettingError for what is unknown or mistyped.
    """
    kinds = "encoders", encoder, ENCODERS
    sections = "text", "training"
    return load_sections(name_or_path, "tasks", sections, overrides, task_recipe_from, kinds, encoder=encoder)


def task_recipe_from(values: object) -> TaskRecipe:
    """A recipe from plain values, as `plain_settings` gives them. Imports torch. Raises SettingError for what it
    does not know."""
    from synparse.tasks.encoders import encoder_kind

    values = recipe_of(values, TaskRecipe)
    encoder = str(values.get("encoder"))
    return TaskRecipe(
        name=str(values.get("name", encoder)),
        encoder=encoder,
        architecture=settings_of(encoder_kind(encoder).config, values.get("architecture"), "architecture"),
        training=settings_of(TaskTraining, values.get("training"), "training"),
        text=None if values.get("text") is None else settings_of(TreebankText, values["text"], "text"),
    )
