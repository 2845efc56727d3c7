"""How a model learns to imitate demonstrations: settings read from YAML into frozen values that refuse what they do not
know.

A recipe has a section of sizes for each model, so that one file makes a row of a comparison, one of what is seen of a
world, and one of training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from synparse.config.recipe import load_sections
from synparse.config.settings import recipe_of, settings_of
from synparse.config.training import Count, ExampleTraining
from synparse.inducers.configurations import NonNegative
from synparse.tasks.craft import MODELS
from synparse.tasks.craft.worlds import View


@dataclass(frozen=True)
class ImitationTraining(ExampleTraining):
    """How a model is trained by behaviour cloning (see `TrainingConfig`).

    batch_size: demonstrations per update, all of about one length. balance: weight of KL(mean choice of options over
    the steps of a batch ‖ uniform), in nats, which keeps every option in use while they become different; 0 in the
    paper, and without effect on a model that has no options. end_cost: what it costs that an option is done, in nats
    per step, so that it goes on where that makes no difference (the deliberation cost of Harb et al., When Waiting is
    not an Option, 2018); 0 in the paper, and without effect on a model whose options cannot go on. end_cost_from: the
    first epoch in which it does; from the beginning, it would make options of whole tasks. validation_examples:
    demonstrations held out, at most a tenth.
    """

    measure = "log_likelihood"

    batch_size: Count = 512
    balance: NonNegative = 0.0
    end_cost: NonNegative = 0.0
    end_cost_from: Count = 1
    validation_examples: Count = 2000


@dataclass(frozen=True)
class CraftRecipe:
    """The recipe of one model. architecture: the dataclass of its sizes; see `synparse.tasks.craft.kinds`."""

    name: str
    model: str
    architecture: Any
    view: View
    training: ImitationTraining


def load_craft_recipe(name_or_path: str, model: str, overrides: Sequence[str] = ()) -> CraftRecipe:
    """The recipe of a model, shipped by name or from a YAML file, with ``section.key=value`` overrides. Imports torch.

    Raises DataError where the file is missing or not YAML, SettingError for what is unknown or mistyped.
    """
    kinds = "models", model, MODELS
    sections = "view", "training"
    return load_sections(name_or_path, "tasks", sections, overrides, craft_recipe_from, kinds, model=model)


def craft_recipe_from(values: object) -> CraftRecipe:
    """A recipe from plain values, as `plain_settings` gives them. Imports torch. Raises SettingError for what
    it does not know."""
    from synparse.tasks.craft.kinds import kind_of

    values = recipe_of(values, CraftRecipe)
    model = str(values.get("model"))
    return CraftRecipe(
        name=str(values.get("name", model)),
        model=model,
        architecture=settings_of(kind_of(model).config, values.get("architecture"), "architecture"),
        view=settings_of(View, values.get("view"), "view"),
        training=settings_of(ImitationTraining, values.get("training"), "training"),
    )
