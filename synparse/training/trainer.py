"""A run of any model on any objective: from reading its data to its last save, after an interruption too."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import torch

from synparse.files.folders import exclusive_lock
from synparse.files.streams import STANDARD_STREAM
from synparse.inducers.devices import pick_device
from synparse.inducers.kernels.products import fastest_library, using_library
from synparse.store.overwriting import is_unfinished, refuse_to_overwrite
from synparse.training.allocation import keep_freed_memory
from synparse.training.checkpoint import Checkpoint, RunSettings, read_checkpoint, restore_checkpoint
from synparse.training.distribution import Workers, is_restart, joined_workers, own_device, processes_here
from synparse.training.loop import Progress, train_steps
from synparse.training.save_every import SaveEvery
from synparse.training.saving import Prepared, Saver, rounded
from synparse.training.state import TrainingState, fresh_state
from synparse.training.stopping import stop_on_signals
from synparse.training.threads import own_threads, threads_to_use
from synparse.training.updates import Rehearsal, Updates, rehearsal
from synparse.trees.errors import DataError, TrainingError


@dataclass(frozen=True)
class TrainingResult:
    """What a run came to. score: of the model that was kept, on held-out data (`TrainingConfig.measure` says what it
    measures), None where none was; signal: the one that stopped the run, None where it is finished; is_resumable:
    whether there is a checkpoint to go on from."""

    directory: Path
    measure: str
    score: float | None
    steps: int
    words: int
    seconds: float
    signal: int | None
    is_resumable: bool

    @property
    def interrupted(self) -> bool:
        return self.signal is not None


@dataclass(frozen=True)
class Reading:
    """The corpus is being read: sentences so far."""

    sentences: int


@dataclass(frozen=True)
class Note:
    """What those who watch a run should know of it."""

    text: str


Event: TypeAlias = Reading | Note | Progress
Report: TypeAlias = Callable[[Event], None]
Prepare: TypeAlias = Callable[[torch.device, Report], Prepared]


def in_silence(_: Event) -> None:
    """The report of a run that nobody watches."""


def absolute(paths: Sequence[str]) -> tuple[str, ...]:
    """The paths as they are from any folder."""
    return tuple(path if path == STANDARD_STREAM else str(Path(path).absolute()) for path in paths)


def unfinished_or_new(
    output: Path, recipe: Any, settings: RunSettings, recipe_from: Callable[[object], Any], force: bool
) -> Checkpoint | None:
    """What a run goes on from that is to be written to ``output``: where PyTorch's launcher has started its processes
    anew, the unfinished run of the same recipe and settings; None elsewhere.

    Raises SettingError where something that must not be overwritten is there.
    """
    if not (is_restart() and is_unfinished(output)):
        refuse_to_overwrite(output, force)
        return None
    checkpoint = read_checkpoint(output, recipe_from)
    return checkpoint if (checkpoint.recipe, checkpoint.settings) == (recipe, settings) else None


def resumed(
    checkpoint: Checkpoint, corpus: Sequence[str], minutes: float | None, allow_changed_corpus: bool
) -> Checkpoint:
    """A checkpoint with what may be said anew when its run is resumed; see `synparse.training.run.resume`."""
    settings = checkpoint.settings
    if corpus:
        settings = replace(settings, corpus=absolute(corpus))
    if minutes is not None:
        settings = replace(settings, minutes=minutes)
    return replace(checkpoint, settings=settings, fingerprint=None if allow_changed_corpus else checkpoint.fingerprint)


def run(
    prepare: Prepare,
    recipe: Any,
    output: Path,
    settings: RunSettings,
    checkpoint: Checkpoint | None,
    device: str,
    save_every: SaveEvery,
    report: Report,
) -> TrainingResult:
    """Train what ``prepare`` reads on a device, by ``recipe.training``, from the beginning or from a checkpoint, and
    keep the best model in ``output``. SIGINT and SIGTERM end the run; see `synparse.training.run.train`."""
    start = time.monotonic()
    chosen = pick_device(own_device(device))
    state: TrainingState | None = None
    saver: Saver | None = None
    with (
        own_threads(),
        _products(checkpoint) if chosen.type == "cpu" else nullcontext(),
        stop_on_signals() as stop,
        joined_workers(chosen) as workers,
        exclusive_lock(output) if workers.is_first else nullcontext(),
    ):
        try:
            prepared = prepare(chosen, report)
            _check_data(prepared, checkpoint, workers, output)
            torch.manual_seed(settings.seed)
            state = fresh_state(prepared.build(checkpoint is None).to(chosen), recipe.training)
            if checkpoint is not None:
                restore_checkpoint(state, checkpoint, output)
            if not workers.is_first:  # each process drops out neurons of its own
                torch.manual_seed(settings.seed + workers.rank)
            workers.take_first(state.model)
            updates = Updates(state, recipe.training, chosen, workers, stop)
            if chosen.type == "cpu":
                keep_freed_memory()
                _set_threads(checkpoint, partial(rehearsal, updates, prepared.objective, settings.seed), report)
            state.seconds += time.monotonic() - start
            saver = Saver(output, recipe, settings, prepared, chosen, save_every, checkpoint)
            with stop.heeded():
                for progress in train_steps(updates, prepared.objective, settings.seed, settings.minutes):
                    if workers.is_first:
                        saver.after_update(progress, state)
                    report(progress)
                if stop.is_made and workers.is_first:
                    saver.before_leaving(state)
            if saver.is_finished and saver.kept is None:
                raise TrainingError("no validation gave a number; lower training.learning_rate")
        except KeyboardInterrupt:
            stop.signal = stop.signal or signal.SIGINT
        except TrainingError as error:
            raise TrainingError(f"{error}; {_what_is_kept(saver)}") from None
    steps, words, seconds = (state.step, state.words, state.seconds) if state else (0, 0, 0.0)
    return TrainingResult(
        output,
        recipe.training.measure,
        None if saver is None else saver.kept,
        steps,
        words,
        seconds,
        None if saver and saver.is_finished else stop.signal,
        is_unfinished(output),
    )


def _products(checkpoint: Checkpoint | None) -> AbstractContextManager[None]:
    """Within, large products are made by the library that made them before the interruption, or by the fastest one."""
    return using_library((checkpoint and checkpoint.products) or fastest_library())


def _check_data(prepared: Prepared, checkpoint: Checkpoint | None, workers: Workers, output: Path) -> None:
    if not workers.agree(prepared.fingerprint):
        raise DataError("the processes of this run read different texts; give all of them the same files")
    if checkpoint is not None and checkpoint.fingerprint not in (None, prepared.fingerprint):
        raise DataError(
            "the corpus is not the one that this run began with; --allow-changed-corpus goes on nevertheless",
            str(output),
        )


def _set_threads(checkpoint: Checkpoint | None, rehearsed: Callable[[], Rehearsal], report: Report) -> None:
    before = None if checkpoint is None else checkpoint.threads
    threads = threads_to_use(before, rehearsed, processes_here())
    if before not in (None, threads):
        report(Note(f"the run had {before} threads and goes on with {threads}, the same but for rounding"))
    torch.set_num_threads(threads)


def _what_is_kept(saver: Saver | None) -> str:
    if saver is None or saver.kept is None:
        return "no model was kept"
    measure = saver.recipe.training.measure
    return f"the best model so far ({measure} {rounded(measure, saver.kept)}) is in {saver.output}"
