"""The model directory of a run: made of the folders that its stages have written, and of copies of its teachers."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from synparse.config import renamed
from synparse.config.recipe import Recipe
from synparse.config.version import __version__
from synparse.files.folders import Content, save_together, stored
from synparse.store.cards import model_card
from synparse.store.model_directory import (
    BOUNDARIES,
    CARD,
    CONFIG,
    VOCABULARY,
    WEIGHTS,
    StoredModel,
    file_to_read,
)
from synparse.store.models import GrammarSet, Model, config_file, one_member, open_model
from synparse.trees.errors import SettingError
from synparse.trees.trivial import TRIVIAL_PARSERS


def assembled(
    output: Path,
    recipe: Recipe,
    members: Sequence[str],
    sets: Sequence[GrammarSet],
    corpus: Mapping[str, Any],
    seed: int,
    records: Sequence[Mapping[str, Any]],
) -> Model:
    """The models and sets of grammars in these folders as one parser. Raises DataError where one is damaged."""
    found = {name: StoredModel(output / name, open_model(output / name).description) for name in members}
    provenance = {
        "corpus": dict(corpus) or next(iter(found.values())).description.provenance.get("corpus", {}),
        "seed": seed,
        "versions": {"synparse": __version__, "numpy": np.__version__, "python": platform.python_version()},
        "stages": [dict(record) for record in records],
    }
    names = tuple(found)
    return Model(output, found, names, names, tuple(sets), recipe.parsing, recipe, provenance)


def files_of(model: Model, name: str) -> dict[str, Content]:
    """The files in the directory itself."""
    return {CONFIG: config_file(model), CARD: model_card(name, model)}


def teachers_of(names: Sequence[str], output: Path) -> list[StoredModel]:
    """The models behind these names. Raises SettingError for a baseline, where they read text differently, and where
    one is in ``output``, which the run overwrites."""
    found: list[StoredModel] = []
    for name in names:
        if name in TRIVIAL_PARSERS:
            raise SettingError(f"--teacher: {name} is a baseline, which has nothing to teach")
        found += open_model(name).members.values()
    if any(one.directory.resolve().is_relative_to(output.resolve()) for one in found):
        raise SettingError(f"--teacher: a teacher is in {output}, which this run overwrites; name another --output")
    if len({one.description.recipe.text.punctuation for one in found}) > 1:
        raise SettingError("--teacher: these models do not read the same tokens (text.punctuation)")
    return found


def copy_teacher(teacher: StoredModel, folder: Path) -> None:
    """The files of a model that parsing reads. Its own grammars give way to those that all models teach."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (VOCABULARY, WEIGHTS, BOUNDARIES, renamed.BOUNDARIES):
        if stored(teacher.directory, name).exists():
            shutil.copyfile(file_to_read(teacher.directory, name, "not there"), folder / name)
    save_together(folder, {CONFIG: config_file(one_member(folder, teacher.description))})
