"""The check before a model directory is overwritten, and clearing it."""

from __future__ import annotations

from pathlib import Path

from synparse.files.folders import PENDING, settle, stored
from synparse.store.model_directory import BOUNDARIES, CARD, CLASSES, CONFIG, GRAMMAR, LOG, VOCABULARY, WEIGHTS
from synparse.trees.errors import SettingError

LAST = "last.safetensors"
"""The file of a model directory that an unfinished run resumes from."""


def is_unfinished(directory: Path) -> bool:
    """Whether a run in this directory can be resumed."""
    return stored(directory, LAST).is_file()


def clear_away(directory: Path) -> None:
    """Take an earlier model out of a directory, its weights first, so that they never stand beside another's config."""
    settle(directory)
    for name in (WEIGHTS, BOUNDARIES, GRAMMAR, CLASSES, LAST, LOG, CARD, VOCABULARY, CONFIG):
        (directory / name).unlink(missing_ok=True)


def refuse_to_overwrite(directory: Path, force: bool) -> None:
    """Raises SettingError where ``directory`` exists and is no model directory; and, without ``force``, where it holds
    a model or an unfinished run."""
    if not directory.exists():
        return
    if directory.is_dir() and all(path.name == PENDING for path in directory.iterdir()):  # killed in its first save
        return
    if not stored(directory, CONFIG).is_file():
        raise SettingError(f"--output: {directory} exists and is not a model directory")
    if force:
        return
    if is_unfinished(directory):
        raise SettingError(
            f"--output: {directory} holds an unfinished run; --resume {directory} continues it, --force replaces it"
        )
    raise SettingError(f"--output: {directory} holds a model; --force replaces it")
