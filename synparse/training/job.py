"""The request of a run, what it trains, and the events that it reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from synparse.files.folders import Content
from synparse.files.streams import STANDARD_STREAM
from synparse.inducers.protocol import Learner
from synparse.store.overwriting import is_unfinished, refuse_to_overwrite
from synparse.training.checkpoint import Checkpoint, read_checkpoint
from synparse.training.events import Learning, Note, Reading
from synparse.training.launcher import is_restart
from synparse.training.loop import Progress
from synparse.training.objectives import Objective
from synparse.training.reading import RunSettings
from synparse.training.save_every import SaveEvery

Event: TypeAlias = Reading | Note | Learning | Progress
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
    of a model directory, from a model, its provenance and the log. minutes: limit of training, reading the data
    included. saved: called when a model has been saved. observed: more numbers of a validated model, for the log alone:
    nothing in the run depends on them.
    """

    build: Callable[[], Learner]
    objective: Objective
    fingerprint: str
    provenance: Mapping[str, Any]
    files: Callable[[Any, Mapping[str, Any], bytes], Mapping[str, Content]]
    minutes: float | None
    saved: Callable[[], None] = lambda: None
    observed: Callable[[Any], Mapping[str, float | None]] | None = None


def begin(job: Job, recipe_from: Callable[[object], Any], force: bool) -> Job:
    """A new run. If PyTorch's launcher restarted its processes, it starts from the checkpoint of the unfinished run
    with the same recipe and settings, if there is one.

    Raises SettingError if the output exists and must not be overwritten; ``force`` replaces a model.
    """
    held_out = None if job.settings.valid is None else _absolute([job.settings.valid])[0]
    job = replace(job, settings=replace(job.settings, corpus=_absolute(job.settings.corpus), valid=held_out))
    if is_restart() and is_unfinished(job.output):
        found = read_checkpoint(job.output, recipe_from)
        return replace(job, checkpoint=found) if (found.recipe, found.settings) == (job.recipe, job.settings) else job
    refuse_to_overwrite(job.output, force)
    return job


def read_unfinished(
    directory: Path,
    recipe_from: Callable[[object], Any],
    corpus: Sequence[str],
    minutes: float | None,
    allow_changed_corpus: bool,
) -> tuple[RunSettings, Checkpoint]:
    """The settings, some of them changed, and the checkpoint of the unfinished run in ``directory``."""
    checkpoint = read_checkpoint(directory, recipe_from)
    settings = checkpoint.settings
    if corpus:
        settings = replace(settings, corpus=_absolute(corpus))
    if minutes is not None:
        settings = replace(settings, minutes=minutes)
    if allow_changed_corpus:
        checkpoint = replace(checkpoint, fingerprint=None)
    return settings, checkpoint


def _absolute(paths: Sequence[str]) -> tuple[str, ...]:
    """The paths as absolute paths; ``-`` stays."""
    return tuple(path if path == STANDARD_STREAM else str(Path(path).absolute()) for path in paths)
