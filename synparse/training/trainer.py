"""A training run of any model on any objective, from reading its data to its last save, new or resumed."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import torch

from synparse.files.folders import exclusive_lock
from synparse.inducers.devices import pick_device, tensor_float32
from synparse.inducers.kernels.products import fastest_library, using_library
from synparse.store.overwriting import is_unfinished
from synparse.training.allocation import keep_freed_memory
from synparse.training.checkpoint import Checkpoint, restore_checkpoint
from synparse.training.distribution import Workers, joined_workers, own_device
from synparse.training.events import Note
from synparse.training.job import Job, Prepared
from synparse.training.launcher import processes_here
from synparse.training.loop import train_steps
from synparse.training.reading import refuse_changed_corpus
from synparse.training.result import TrainingResult, what_is_kept
from synparse.training.saving import Saver
from synparse.training.state import TrainingState, fresh_state
from synparse.training.stopping import stop_on_signals
from synparse.training.threads import own_threads, threads_to_use
from synparse.training.updates import Updates, rehearsal
from synparse.trees.errors import DataError, TrainingError


def run(job: Job, prepare: Callable[[Job, torch.device], Prepared]) -> TrainingResult:
    """Train what ``prepare`` reads, and keep the best model; SIGINT and SIGTERM end the run with a checkpoint.

    Raises SettingError for an unknown device, DataError for data that cannot be read or are not those of the
    checkpoint, and for an output that cannot be written, TrainingError if training fails.
    """
    start = time.monotonic()
    device = pick_device(own_device(job.device))
    settings, training, checkpoint = job.settings, job.recipe.training, job.checkpoint
    state: TrainingState | None = None
    saver: Saver | None = None
    with (
        own_threads(),
        tensor_float32(device),
        # Large products are made by the library that made them before the interruption, or by the fastest one.
        using_library((checkpoint and checkpoint.products) or fastest_library())
        if device.type == "cpu"
        else nullcontext(),
        stop_on_signals() as stop,
        joined_workers(device) as workers,
        exclusive_lock(job.output) if workers.is_first else nullcontext(),
    ):
        try:
            prepared = prepare(job, device)
            _check_data(prepared, checkpoint, workers, job.output)
            torch.manual_seed(settings.seed)
            state = fresh_state(prepared.build().to(device), training)
            if checkpoint is not None:
                restore_checkpoint(state, checkpoint, job.output)
            if workers.size > 1:
                workers.take_first(state.model)
            if not workers.is_first:  # dropout differs between the processes
                torch.manual_seed(settings.seed + workers.rank)
            updates = Updates(state, training, device, workers, stop)
            if device.type == "cpu":
                keep_freed_memory()
                _set_threads(job, partial(rehearsal, updates, prepared.objective, settings.seed))
            state.seconds += time.monotonic() - start
            saver = Saver(job, prepared, device)
            with stop.heeded():
                steps = train_steps(updates, prepared.objective, settings.seed, prepared.minutes)
                for progress in steps:
                    if workers.is_first:
                        saver.after_update(progress, state)
                    job.report(progress)
                if stop.is_made and workers.is_first:
                    saver.before_leaving(state)
            if saver.is_finished and saver.kept is None:
                raise TrainingError("no validation gave a finite score; lower training.learning_rate")
        except KeyboardInterrupt:
            stop.signal = stop.signal or signal.SIGINT
        except TrainingError as error:
            kept = what_is_kept(job.output, training.measure, saver.kept if saver else None)
            raise TrainingError(f"{error}; {kept}") from None
    return TrainingResult(
        job.output,
        training.measure,
        saver.kept if saver else None,
        *((0, 0, 0.0) if state is None else (state.step, state.words, state.seconds)),
        stop.signal if is_unfinished(job.output) or not (saver and saver.is_finished) else None,
        is_unfinished(job.output),
    )


def _check_data(prepared: Prepared, checkpoint: Checkpoint | None, workers: Workers, output: Path) -> None:
    if not workers.agree(prepared.fingerprint):
        raise DataError("the processes of this run read different texts; give all of them the same files")
    if checkpoint is not None:
        refuse_changed_corpus(checkpoint.fingerprint, prepared.fingerprint, output)


def _set_threads(job: Job, rehearsed: Callable[[], tuple[Callable[[], None], float]]) -> None:
    before = None if job.checkpoint is None else job.checkpoint.threads
    threads = threads_to_use(before, rehearsed, processes_here())
    if before not in (None, threads):
        job.report(Note(f"the run had {before} threads and continues with {threads}; results differ by rounding only"))
    torch.set_num_threads(threads)
