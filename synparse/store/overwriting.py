"""The check before a model directory is overwritten, and the removal of the earlier model once another is saved."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Container, Iterable
from pathlib import Path

from synparse.files.folders import PENDING, SAVED, stored
from synparse.inducers.table import INDUCERS
from synparse.store.model_directory import (
    BOUNDARIES,
    CARD,
    CLASSES,
    CONFIG,
    GRAMMAR,
    LABELS,
    LAST,
    LOG,
    RUN,
    VOCABULARY,
    WEIGHTS,
    is_unfinished,
)
from synparse.store.models import open_model
from synparse.trees.errors import DataError, SettingError
from synparse.trees.trivial import TRIVIAL_PARSERS

FILES = (WEIGHTS, BOUNDARIES, GRAMMAR, CLASSES, LABELS, LAST, RUN, LOG, CARD, VOCABULARY, CONFIG)
"""What may be in a model directory, and in the folders of its stages: weights first."""

STAGES = (*INDUCERS, "grammars", "trees")
"""What the names begin with of what the stages of a run leave, before a number."""


def clear_away(directory: Path, kept: Container[str] = ()) -> None:
    """Remove what an earlier model left in a directory, after another one was saved there: our own names alone, but for
    those ``kept``."""
    for name in FILES:
        if name not in kept:
            (directory / name).unlink(missing_ok=True)
    remove_stages(directory, kept)


def refuse_to_lose(what: str, models: Iterable[Path], output: Path) -> None:
    """Raises SettingError where one of the models that are read, ``what`` they are for, is in the output."""
    if any(model.resolve().is_relative_to(output.resolve()) for model in models):
        raise SettingError(f"{what} is in {output}, which would be overwritten; name another --output")


def stage_names(directory: Path) -> list[str]:
    """What the stages of a run have left in a model directory: names of folders, and of files of trees."""
    names = [path.stem.rpartition("-") for path in (directory.iterdir() if directory.is_dir() else ())]
    return [f"{kind}-{number}" for kind, _, number in names if kind in STAGES and number.isascii() and number.isdigit()]


def next_name(kind: str, taken: Iterable[str]) -> str:
    """The name of another folder of this kind in a model directory, beside those that have these names."""
    names = (name.rpartition("-") for name in taken)
    return f"{kind}-{1 + max((int(number) for other, _, number in names if other == kind), default=0)}"


def remove_stages(directory: Path, kept: Container[str] = ()) -> None:
    """Remove what the stages of a run left in a model directory, but for what is ``kept``; nothing else, and no folder
    with a file that no stage writes."""
    for path in directory.glob(".*-[0-9]*.*"):  # of a process that was killed while it read its text, or wrote trees
        if path.stem[1:].rpartition("-")[0] in STAGES:
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink()
    for name in stage_names(directory):
        if name in kept:
            continue
        folder = directory / name
        is_of_run = folder.is_dir() and not folder.is_symlink()
        if is_of_run and all(path.name in {*FILES, PENDING, SAVED} - {RUN} for path in folder.iterdir()):
            shutil.rmtree(folder)
        if name.startswith("trees-"):
            (directory / f"{name}.jsonl").unlink(missing_ok=True)


def refuse_to_overwrite(directory: Path, force: bool) -> None:
    """Raises SettingError where ``directory`` has the name of a baseline, or exists and is no model directory; and,
    without ``force``, where it holds a model or an unfinished run."""
    if str(directory) in TRIVIAL_PARSERS:  # else parse would take the baseline, and say nothing
        raise SettingError(f"--output: {directory} is the name of a baseline; name another directory")
    if not directory.exists():
        return
    if directory.is_dir() and all(path.name == PENDING for path in directory.iterdir()):  # killed in its first save
        return
    if not any(stored(directory, name).is_file() for name in (CONFIG, RUN)):
        raise SettingError(f"--output: {directory} exists and is not a model directory")
    if force:
        return
    if is_unfinished(directory):
        resumed = shlex.quote(str(directory))
        raise SettingError(
            f"--output: {directory} holds an unfinished run; --resume {resumed} continues it, --force replaces it"
        )
    raise SettingError(f"--output: {directory} holds a model; --force replaces it")


def what_is_there(directory: Path) -> str:
    """What a directory holds that no run can be resumed in."""
    if not directory.is_dir():
        return "no such directory"
    if stored(directory, LAST).is_file():
        return "its network is a stage of a run, so resume the directory above; or an earlier version began it"
    if not stored(directory, CONFIG).is_file():
        return "no run has saved anything there; begin one without --resume"
    try:
        members = open_model(directory).members.values()
    except DataError:  # what a task has trained, or a damaged config
        return "its run is finished"
    if any(member.description.packed is not None for member in members):
        return "this model is packed for parsing only"
    if all(member.description.recipe.training is None for member in members):
        return "its run is finished; for other stages, begin another one"
    return "its run is finished; synparse train --init trains its model further"
