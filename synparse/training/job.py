"""The request of a run, what it trains, and the events that it reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from synparse.files.folders import Content
from synparse.files.streams import STANDARD_STREAM
from synparse.store.overwriting import is_unfinished, refuse_to_overwrite
from synparse.training.checkpoint import Checkpoint, RunSettings, read_checkpoint
from synparse.training.distribution import is_restart
from synparse.training.loop import Progress
from synparse.training.objectives import Objective
from synparse.training.save_every import SaveEvery


@dataclass(frozen=True)
class Reading:
    """The corpus is being read: sentences so far."""

    sentences: int


@dataclass(frozen=True)
class Note:
    """A message about a run, for the user."""

    text: str


Event: TypeAlias = Reading | Note | Progress
Report: TypeAlias = Callable[[Event], None]


def in_silence(_: Event) -> None:
    """A report that does nothing."""


@dataclass(frozen=True)
class Job:
    """The request of a run. recipe: with the settings of its ``training``; checkpoint: to resume from, None in a new
    run; device: by name."""

    recipe: Any
    settings: RunSettings
    output: Path
    checkpoint: Checkpoint | None
    device: str
    save_every: SaveEvery
    report: Report


@dataclass(frozen=True)
class Prepared:
    """What a run trains, after its data have been read.

    build: makes the model on the CPU, from PyTorch's random numbers. fingerprint, provenance: of the data. files: those
    of a model directory, from a model, its provenance and the log.
    """

    build: Callable[[], Any]
    objective: Objective
    fingerprint: str
    provenance: Mapping[str, Any]
    files: Callable[[Any, Mapping[str, Any], bytes], Mapping[str, Content]]


def new_job(
    recipe: Any,
    settings: RunSettings,
    output: Path,
    recipe_from: Callable[[object], Any],
    force: bool,
    device: str,
    save_every: SaveEvery,
    report: Report,
) -> Job:
    """A new run. If PyTorch's launcher restarted its processes, it starts from the checkpoint of the unfinished
    run with the same recipe and settings, if there is one.

    Raises SettingError if ``output`` exists and must not be overwritten; ``force`` replaces a model.
    """
    held_out = None if settings.valid is None else _absolute([settings.valid])[0]
    settings = replace(settings, corpus=_absolute(settings.corpus), valid=held_out)
    checkpoint = None
    if is_restart() and is_unfinished(output):
        found = read_checkpoint(output, recipe_from)
        checkpoint = found if (found.recipe, found.settings) == (recipe, settings) else None
    else:
        refuse_to_overwrite(output, force)
    return Job(recipe, settings, output, checkpoint, device, save_every, report)


def resumed_job(
    directory: Path,
    recipe_from: Callable[[object], Any],
    changed: Callable[[Any], Any],
    corpus: Sequence[str],
    minutes: float | None,
    allow_changed_corpus: bool,
    device: str,
    save_every: SaveEvery,
    report: Report,
) -> Job:
    """The rest of the run whose checkpoint is in ``directory``, with its recipe ``changed``."""
    checkpoint = read_checkpoint(directory, recipe_from)
    settings = checkpoint.settings
    if corpus:
        settings = replace(settings, corpus=_absolute(corpus))
    if minutes is not None:
        settings = replace(settings, minutes=minutes)
    if allow_changed_corpus:
        checkpoint = replace(checkpoint, fingerprint=None)
    return Job(changed(checkpoint.recipe), settings, directory, checkpoint, device, save_every, report)


def _absolute(paths: Sequence[str]) -> tuple[str, ...]:
    """The paths as absolute paths; ``-`` stays."""
    return tuple(path if path == STANDARD_STREAM else str(Path(path).absolute()) for path in paths)
