"""The given models of a run: teachers of its first stage, and a model with which it starts."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from synparse.config import renamed
from synparse.config.recipe import NetworkStage, Recipe
from synparse.files.folders import save_together, stored
from synparse.store.model_directory import BOUNDARIES, CONFIG, VOCABULARY, WEIGHTS, StoredModel, file_to_read
from synparse.store.models import config_file, one_member, open_model
from synparse.store.overwriting import refuse_to_lose
from synparse.trees.errors import SettingError
from synparse.trees.trivial import TRIVIAL_PARSERS


def start_of(init: str) -> tuple[Recipe, StoredModel]:
    """The recipe of a model to start from, and its one network. Raises SettingError where it has none, or several, or
    is packed."""
    opened = open_model(init)
    if len(opened.members) > 1:
        raise SettingError(f"--init: {init} holds several models ({', '.join(opened.members)}); name the folder of one")
    [member] = opened.members.values()
    network = member.description.recipe
    if member.description.packed is not None:
        raise SettingError("--init: this model is packed for parsing only; name the model that it was packed from")
    if opened.recipe is not None and opened.recipe.networks:
        return opened.recipe, member
    if network.training is None:
        raise SettingError("--init: grammars are learned by counting, so there is no network to start from")
    stage = NetworkStage(network.model, network.architecture, network.text, network.training)
    return Recipe(network.name, "", "", network.text, (stage,), opened.parsing), member


def teachers_of(names: Sequence[str], output: Path) -> list[StoredModel]:
    """The networks behind these names. Raises SettingError for what has none, such as a baseline, where they read text
    differently, and where one is in ``output``, which the run overwrites."""
    models: list[StoredModel] = []
    for name in names:
        if name in TRIVIAL_PARSERS:
            raise SettingError(f"--teacher: {name} is a baseline, which has nothing to teach")
        members = open_model(name).members.values()
        if not (networks := [member for member in members if member.description.recipe.training is not None]):
            raise SettingError(f"--teacher: {name} has only grammars, which do not teach others; name a network")
        models += networks
    refuse_to_lose("--teacher: a teacher", (model.directory for model in models), output)
    if len({model.description.recipe.text.punctuation for model in models}) > 1:
        raise SettingError("--teacher: these models do not read the same tokens (text.punctuation)")
    return models


def copy_teacher(teacher: StoredModel, folder: Path) -> None:
    """Copy the files of a model that parsing reads, but not its grammars: all models together teach new ones."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (VOCABULARY, WEIGHTS, BOUNDARIES, renamed.BOUNDARIES):
        if stored(teacher.directory, name).exists():
            shutil.copyfile(file_to_read(teacher.directory, name, "not there"), folder / name)
    save_together(folder, {CONFIG: config_file(one_member(folder, teacher.description))})
