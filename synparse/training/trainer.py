"""The training of any model on any objective, from reading its data to its last save, new or resumed."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import torch

from synparse.config.recipe import overridden, refuse_settled
from synparse.config.settings import plain_settings
from synparse.files.folders import Content, exclusive_lock, save_together, stored
from synparse.inducers.devices import pick_device, tensor_float32
from synparse.inducers.protocol import Learner
from synparse.store.model_directory import BOUNDARIES, CARD, CONFIG, LAST, LOG, WEIGHTS, is_unfinished
from synparse.store.overwriting import clear_away, refuse_to_overwrite
from synparse.training.allocation import keep_freed_memory
from synparse.training.checkpoint import Checkpoint, checkpoint_file, read_checkpoint, restore_checkpoint
from synparse.training.distribution import joined_workers, own_device
from synparse.training.events import Note, Report, TrainingResult, rounded, what_is_kept
from synparse.training.launcher import is_first, processes_here, restarts
from synparse.training.loop import Progress, train_steps
from synparse.training.objectives import Objective
from synparse.training.reading import RunSettings, refuse_changed_corpus, versions
from synparse.training.save_every import TEN_MINUTES, SaveEvery
from synparse.training.state import TrainingState, fresh_state
from synparse.training.stopping import stop_on_signals
from synparse.training.threads import own_threads, threads_to_use
from synparse.training.updates import Updates, is_want_of_memory
from synparse.trees.errors import DataError, TrainingError


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
    report: Report = lambda _: None


@dataclass(frozen=True)
class Prepared:
    """What a run trains, after its data have been read.

    build: makes the model on the CPU, from PyTorch's random numbers. fingerprint, provenance: of the data. files: those
    of a model directory, from a model, its provenance and the log. saved: called when a model has been saved. observed:
    more numbers of a validated model, for the log alone: nothing in the run depends on them.
    """

    build: Callable[[], Learner]
    objective: Objective
    fingerprint: str
    provenance: Mapping[str, Any]
    files: Callable[[Any, Mapping[str, Any], bytes], Mapping[str, Content]]
    saved: Callable[[], None] = lambda: None
    observed: Callable[[Any], Mapping[str, float | None]] = lambda _: {}


class Kind(NamedTuple):
    """What is trained in a directory of its own: how its data are read, and its recipe from plain values."""

    prepare: Callable[[Job, torch.device], Prepared]
    recipe_from: Callable[[object], Any]


def train(
    kind: Kind,
    data: Sequence[str],
    recipe: Any,
    output: Path,
    *,
    valid: str | None = None,
    minutes: float | None = None,
    seed: int = 1,
    device: str = "auto",
    save_every: SaveEvery = TEN_MINUTES,
    report: Report = lambda _: None,
    force: bool = False,
) -> TrainingResult:
    """A new run on the files ``data`` (``-`` = standard input), which keeps the model that is best on the file
    ``valid``, or else on some of the data, held out; like `synparse.training.run.train`. If PyTorch's launcher
    restarted its processes, it starts from the checkpoint of the unfinished run with the same recipe and settings, if
    there is one.

    Raises as `run`, and SettingError if the output exists and must not be overwritten; ``force`` replaces a model.
    """
    settings = RunSettings(tuple(data), valid, minutes=minutes, seed=seed)
    job = Job(recipe, settings.absolute(), output, None, device, save_every, report)
    with exclusive_lock(output) if is_first() else nullcontext():
        if restarts() and is_unfinished(output):
            before = read_checkpoint(output, kind.recipe_from)
            is_same = (before.recipe, before.settings) == (recipe, job.settings)
            return run(replace(job, checkpoint=before if is_same else None), kind.prepare)
        refuse_to_overwrite(output, force)  # by each process, or the others would wait for the first one
        return run(job, kind.prepare)


def resume(
    kind: Kind,
    directory: Path,
    *,
    data: Sequence[str] = (),
    minutes: float | None = None,
    changes: Sequence[str] = (),
    allow_changed_corpus: bool = False,
    device: str = "auto",
    save_every: SaveEvery = TEN_MINUTES,
    report: Report = lambda _: None,
) -> TrainingResult:
    """Continue the run whose checkpoint is in ``directory``, to its end; see `synparse.training.run.resume`."""
    with exclusive_lock(directory) if is_first() and is_unfinished(directory) else nullcontext():
        checkpoint = read_checkpoint(directory, kind.recipe_from)
        if allow_changed_corpus:
            checkpoint = replace(checkpoint, fingerprint=None)
        refuse_settled(changes)
        recipe = kind.recipe_from(overridden(plain_settings(checkpoint.recipe), changes, ("training",)))
        settings = checkpoint.settings.changed(data, minutes)
        return run(Job(recipe, settings, directory, checkpoint, device, save_every, report), kind.prepare)


def run(job: Job, prepare: Callable[[Job, torch.device], Prepared]) -> TrainingResult:
    """Train what ``prepare`` reads, and keep the best model; SIGINT, SIGTERM and SIGHUP end the run with a checkpoint.
    The caller has the lock of the output.

    Raises SettingError for an unknown device, DataError for data that cannot be read or are not those of the
    checkpoint, and for an output that cannot be written, TrainingError if training fails.
    """
    start = time.monotonic()
    device = pick_device(own_device(job.device))
    settings, training, checkpoint = job.settings, job.recipe.training, job.checkpoint
    state: TrainingState | None = None
    is_finished = False
    with (
        own_threads(),
        torch.random.fork_rng(devices=[device] if device.type == "cuda" else []),
        tensor_float32(device),
        stop_on_signals() as stop,
        joined_workers(device) as workers,
    ):
        try:
            prepared = prepare(job, device)
            if not workers.agree(prepared.fingerprint):
                raise DataError("the processes of this run read different texts; give all of them the same files")
            if checkpoint is not None:
                refuse_changed_corpus(checkpoint.fingerprint, prepared.fingerprint, job.output)
            torch.manual_seed(settings.seed)
            try:
                state = fresh_state(prepared.build().to(device), training)
            except (RuntimeError, MemoryError) as error:
                if not is_want_of_memory(error):
                    raise
                raise TrainingError("out of memory: lower the sizes of the architecture") from None
            if checkpoint is not None:
                restore_checkpoint(state, checkpoint, job.output)
            if workers.size > 1:
                workers.take_first(state.model)
            if not workers.is_first:  # dropout differs between the processes
                torch.manual_seed(settings.seed + workers.rank)
            updates = Updates(state, training, device, workers, stop)
            if device.type == "cpu":
                keep_freed_memory()
                _set_threads(job, state.model.matrix_parameters())
            saver = Saver(job, prepared, device, state)
            state.seconds += time.monotonic() - start
            with stop.heeded():
                for progress in train_steps(updates, prepared.objective, settings.seed, settings.minutes):
                    if workers.is_first:
                        is_finished = progress.is_last
                        saver.after_update(progress)
                    job.report(progress)
                if stop.is_made and workers.is_first and not is_finished:
                    saver.before_leaving()
            if is_finished and state.kept is None:
                raise TrainingError("no validation gave a finite score; lower training.learning_rate")
        except KeyboardInterrupt:
            stop.signal = stop.signal or signal.SIGINT
        except TrainingError as error:
            kept = what_is_kept(job.output, training.measure, state.kept if state else None)
            raise TrainingError(f"{error}; {kept}") from None
    return TrainingResult(
        job.output,
        training.measure,
        *((None, 0, 0, 0.0) if state is None else (state.kept, state.step, state.words, state.seconds)),
        stop.signal,
        is_unfinished(job.output) and (checkpoint is not None or (state is not None and state.step > 0)),
    )


def _set_threads(job: Job, matrix_parameters: int) -> None:
    before = None if job.checkpoint is None else job.checkpoint.threads
    threads = threads_to_use(before, matrix_parameters, processes_here())
    if before not in (None, threads):
        job.report(Note(f"the run had {before} threads and continues with {threads}; results differ by rounding only"))
    torch.set_num_threads(threads)


class Saver:
    """Writes the directory of one run: the best model so far, a checkpoint to resume from, and the log. What an earlier
    run left there stays until this one has a model."""

    def __init__(self, job: Job, prepared: Prepared, device: torch.device, state: TrainingState) -> None:
        self.job, self.prepared, self.device, self.state = job, prepared, device, state
        self._saved = (state.step, state.seconds)
        self._has_model = state.kept is not None

    def after_update(self, progress: Progress) -> None:
        """Log an update and save what is due: the first update is, so that a run can be resumed from its start. Raises
        DataError if a file cannot be written."""
        steps, seconds = self._saved
        if progress.score is not None:
            self.state.log.append(json.dumps(self._row(progress)))
        elif steps and not self.job.save_every.is_due(self.state.step - steps, self.state.seconds - seconds):
            return
        if progress.is_best:
            self.state.kept = progress.score
        self._save(progress.is_best, progress.is_last)

    def before_leaving(self) -> None:
        """Save a checkpoint of a run that was asked to stop. Raises DataError if it cannot be written."""
        if self.state.step and self._saved != (self.state.step, self.state.seconds):
            self._save(with_model=False, is_finished=False)

    def _row(self, progress: Progress) -> dict[str, Any]:
        """A validation, with what else is observed of its model; all but its seconds are the same in every run of a
        seed."""
        was_training, model = progress.model.training, progress.model.eval()
        observed = self.prepared.observed(model)
        model.train(was_training)
        return {
            "step": progress.step,
            "epoch": progress.epoch,
            "words": progress.words,
            "seconds": round(progress.seconds, 1),
            "training_loss": round(progress.loss, 4),
            progress.measure: progress.score and rounded(progress.measure, progress.score),
            "learning_rate": progress.learning_rate,
            **{name: None if value is None else round(value, 4) for name, value in observed.items()},
        }

    def _save(self, with_model: bool, is_finished: bool) -> None:
        job, state = self.job, self.state
        log = "".join(f"{row}\n" for row in state.log).encode()
        files: dict[str, Content] = {LOG: log}
        if with_model or not stored(job.output, CONFIG).is_file():
            files = dict(self.prepared.files(state.validated_model, self._provenance(), log))
        elif not self._has_model:
            files = {}
        if not with_model:  # so that a directory without weights yet has a description
            files = {name: content for name, content in files.items() if name not in (WEIGHTS, BOUNDARIES, CARD)}
        if not is_finished:
            files[LAST] = checkpoint_file(state, job.recipe, job.settings, self.prepared.fingerprint)
        save_together(job.output, files, gone=[LAST] if is_finished else [])
        if with_model and not self._has_model:
            clear_away(job.output, files)
            self._has_model = True
        if with_model:
            self.prepared.saved()
        self._saved = (state.step, state.seconds)

    def _provenance(self) -> dict[str, Any]:
        """Where a model comes from: data, seed, versions and result."""
        state, measure = self.state, self.job.recipe.training.measure
        return {
            **self.prepared.provenance,
            "seed": self.job.settings.seed,
            "device": self.device.type,
            "threads": torch.get_num_threads(),
            "steps": state.step,
            "words_seen": state.words,
            "seconds": round(state.seconds, 1),
            f"held_out_{measure}": state.kept and rounded(measure, state.kept, 1),
            "versions": versions(torch=str(torch.__version__)),
        }
