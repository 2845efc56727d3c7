"""A recipe: every setting of a training run, read from YAML into frozen values; unknown settings are errors."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synparse.config.grammar import GrammarConfig
from synparse.config.parsing import ParsingConfig
from synparse.config.plain_yaml import plain_yaml, read_plain_yaml
from synparse.config.settings import plain_settings, refuse_unknown, settings_of
from synparse.config.training import TRAINING, TextTraining
from synparse.corpora.normalization import TextConfig
from synparse.inducers.table import BASELINES, INDUCERS, Objective, entry_of
from synparse.trees.errors import DataError, SettingError

SECTIONS = ("architecture", "text", "training", "grammar", "parsing")
"""The sections of settings of a recipe."""

CHANGEABLE = tuple(
    f"training.{name}"
    for name in ("accumulation", "epochs", "gradient_clip", "learning_rate", "precision", "validate_every")
)
"""Settings that a resumed run may change."""


@dataclass(frozen=True)
class Recipe:
    """The model and its sizes, how text is read, how the model is trained, how grammars are learned, and how it then
    parses by default.

    training: None for grammars without a network.

    about: one line for a list of recipes; expected_time: how long training takes, and on which machine.
    """

    name: str
    model: str
    about: str
    expected_time: str
    architecture: Any
    text: TextConfig
    training: TextTraining | None
    grammar: GrammarConfig
    parsing: ParsingConfig = ParsingConfig()  # noqa: RUF009 - immutable

    def as_mapping(self) -> dict[str, Any]:
        """The recipe as plain values, every setting written out."""
        return plain_settings(self)


def recipe_folder() -> Path:
    """The folder of shipped recipes and models: inside an installed package, beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "models"
    return installed if installed.is_dir() else package.parent / "models"


def shipped_recipes(folder: Path | None = None) -> list[str]:
    """The names of the recipes in ``folder``, by default `recipe_folder`."""
    return sorted(path.stem for path in (folder or recipe_folder()).glob("*.yaml"))


def load_recipe(name_or_path: str, overrides: Sequence[str] = (), model: str | None = None) -> Recipe:
    """A shipped recipe by name, or a YAML file by path, with ``section.key=value`` overrides.

    Raises DataError where the file is missing or not YAML, SettingError for an unknown or mistyped setting, or where
    the recipe is for another model than ``model``.
    """
    values, name = read_recipe(name_or_path, recipe_folder())
    return _of_model(_changed(values, name, overrides), model)


def continued_recipe(
    base: Recipe, name_or_path: str | None = None, overrides: Sequence[str] = (), model: str | None = None
) -> Recipe:
    """The recipe of a run that starts from a model trained by ``base``: that recipe, or another one of the same
    architecture, which then reads text as ``base`` does.

    Raises as `load_recipe`, and SettingError where the architectures differ.
    """
    values, name = base.as_mapping(), base.name
    if name_or_path is not None:
        text = values["text"]
        values, name = read_recipe(name_or_path, recipe_folder())
        values["text"] = text
    recipe = _of_model(_changed(values, name, overrides), model)
    if recipe.model != base.model:
        raise SettingError(f"--init: the model is a {base.model}, but recipe {name} is for a {recipe.model}")
    for key, new in changed_settings(recipe, base):
        if key.startswith("architecture."):
            old = getattr(base.architecture, key.removeprefix("architecture."))
            raise SettingError(f"--init: the model has {key} {old}, but recipe {name} has {new}")
    return recipe


def recipe_to_train(name_or_path: str | None, model: str | None, changes: Sequence[str], base: Recipe | None) -> Recipe:
    """The recipe of a run: the one named, else ``base``, that of the model to start from, else the default recipe of
    ``model`` (default: the first inducer). Raises as `load_recipe` and `continued_recipe`."""
    if base is not None:
        return continued_recipe(base, name_or_path, changes, model)
    return load_recipe(name_or_path or INDUCERS[model or next(iter(INDUCERS))].recipe, changes, model)


def resumed_recipe(base: Recipe, overrides: Sequence[str] = ()) -> Recipe:
    """The recipe of a resumed run, which may change some settings (`CHANGEABLE`).

    Raises SettingError for other changes.
    """
    refuse_settled(overrides)
    return _changed(base.as_mapping(), base.name, overrides)


def refuse_settled(overrides: Sequence[str]) -> None:
    """Raises SettingError for a change that a resumed run cannot make."""
    for setting in overrides:
        if setting.partition("=")[0].strip() not in CHANGEABLE:
            raise SettingError(f"a resumed run can change {', '.join(CHANGEABLE)}, not {setting!r}")


def changed_settings(recipe: Recipe, base: Recipe) -> list[tuple[str, Any]]:
    """The settings, as section.key, in which a recipe differs from another one, and their values."""
    ours, theirs = recipe.as_mapping(), base.as_mapping()
    return [
        (f"{section}.{key}", value)
        for section in SECTIONS
        for key, value in (ours[section] or {}).items()
        if value != (theirs[section] or {}).get(key)
    ]


def recipe_from(values: object) -> Recipe:
    """A recipe from plain values, as `Recipe.as_mapping` gives them. Raises SettingError for unknown settings."""
    if not isinstance(values, Mapping):
        raise SettingError("a recipe is a mapping with the keys model, architecture, text, training, grammar, parsing")
    refuse_unknown(values, [field.name for field in dataclasses.fields(Recipe)], "")
    model = values.get("model")
    entry = entry_of(model)
    return Recipe(
        name=str(values.get("name", model)),
        model=str(model),
        about=str(values.get("about", "")),
        expected_time=str(values.get("expected_time", "")),
        architecture=settings_of(entry.configuration, values.get("architecture"), "architecture"),
        text=settings_of(TextConfig, values.get("text"), "text"),
        training=_training(entry.objective, values.get("training")),
        grammar=_grammar(str(model), entry.objective, values.get("grammar")),
        parsing=settings_of(ParsingConfig, values.get("parsing"), "parsing"),
    )


def _training(objective: Objective, values: object) -> TextTraining | None:
    if objective == "counts":
        if values:
            raise SettingError("grammars without a network have no training settings, only grammar settings")
        return None
    return settings_of(TRAINING[objective], values, "training")


def _grammar(model: str, objective: Objective, values: object) -> GrammarConfig:
    """A student has learned from better trees than it could teach, and a model without trees teaches none."""
    if values is None and (objective == "tree" or model in BASELINES):
        return GrammarConfig(parts="none")
    config = settings_of(GrammarConfig, values, "grammar")
    if model in BASELINES and config.parts != "none":
        raise SettingError(f"grammar.parts must be none: a {model} has no trees that could teach grammars")
    return config


def read_recipe(name_or_path: str, folder: Path) -> tuple[dict[str, Any], str]:
    """The values of a recipe, shipped in ``folder`` or at a path, and its name.

    Raises DataError where there is none or it is no mapping in plain YAML.
    """
    is_path = name_or_path.endswith((".yaml", ".yml")) or os.sep in name_or_path
    path = Path(name_or_path) if is_path else folder / f"{name_or_path}.yaml"
    if not path.is_file():
        raise DataError(f"no such recipe; shipped recipes are {', '.join(shipped_recipes(folder))}", name_or_path)
    values = read_plain_yaml(path)
    if not isinstance(values, dict):
        raise DataError(
            "a recipe is a mapping with the keys model, architecture, text, training, grammar, parsing", str(path)
        )
    return values, path.stem


def overridden(
    values: Mapping[str, Any], overrides: Sequence[str], sections: Sequence[str] = SECTIONS
) -> dict[str, Any]:
    """The values of a recipe with settings ``section.key=value``. Raises SettingError where one is not such."""
    changed = dict(values)
    for setting in overrides:
        _override(changed, setting, sections)
    return changed


def _override(values: dict[str, Any], setting: str, sections: Sequence[str]) -> None:
    key, equals, text = setting.partition("=")
    section, dot, name = key.strip().partition(".")
    if not equals or not dot or not name:
        raise SettingError(f"--set takes section.key=value (training.learning_rate=0.001), not {setting!r}")
    refuse_unknown([section], sections, "")
    try:
        value = plain_yaml(text)
    except DataError:
        raise SettingError(f"--set {key}: {text!r} is no value") from None
    current = values.get(section)
    if not isinstance(current, dict | None):
        raise SettingError(f"{section} is not a section of settings in this recipe")
    values[section] = {**(current or {}), name: value}


def _changed(values: Mapping[str, Any], name: str, overrides: Sequence[str]) -> Recipe:
    return recipe_from({"name": name, **overridden(values, overrides)})


def _of_model(recipe: Recipe, model: str | None) -> Recipe:
    if model is not None and recipe.model != model:
        raise SettingError(f"recipe {recipe.name} is for the model {recipe.model}, not {model}")
    return recipe
