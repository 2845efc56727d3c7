"""How a language model is tuned to the similarity of sentences: settings read from YAML. Needs no PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from synparse.config.recipe import load_sections
from synparse.config.settings import recipe_of, settings_of
from synparse.config.training import Count, ExampleTraining
from synparse.store.shipped import model_folder
from synparse.trees.errors import SettingError


@dataclass(frozen=True)
class TuningTraining(ExampleTraining):
    """How a model is tuned (see `TrainingConfig`). Its dropout is that of the model's own recipe.

    freeze_parser: whether the parts that trees are induced with stay as they are. validation_pairs: held out where no
    file is given that validates, at most a tenth of the pairs.
    """

    measure = "spearman"

    schedule: Literal["constant", "linear", "cosine"] = "linear"
    epochs: Count = 10
    batch_size: Count = 32
    freeze_parser: bool = False
    validation_pairs: Count = 1000


@dataclass(frozen=True)
class TuningRecipe:
    """model: the directory, or shipped name, of the language model to start from."""

    name: str
    model: str
    training: TuningTraining


def load_tuning_recipe(name_or_path: str, model: str, overrides: Sequence[str] = ()) -> TuningRecipe:
    """A recipe, shipped by name or from a YAML file, with ``training.key=value`` overrides, to tune this model; of a
    directory it has the absolute path.

    Raises DataError where the file is missing or not YAML, SettingError for what is unknown or mistyped.
    """
    folder = model_folder(model)
    model = str(folder.absolute()) if folder.is_dir() else model
    return load_sections(name_or_path, "similarity", ("training",), overrides, tuning_recipe_from, model=model)


def tuning_recipe_from(values: object) -> TuningRecipe:
    """A recipe from plain values, as `plain_settings` gives them. Raises SettingError for what it does not
    know."""
    values = recipe_of(values, TuningRecipe)
    if not isinstance(values.get("model"), str):
        raise SettingError("a recipe of tuning names the model to start from")
    return TuningRecipe(
        str(values.get("name")), values["model"], settings_of(TuningTraining, values.get("training"), "training")
    )
