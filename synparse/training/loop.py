"""The training loop: update, validate, report. Its callers save, log and stop it."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count, islice, pairwise
from typing import Any, NamedTuple

from torch.optim.swa_utils import AveragedModel

from synparse.training.objectives import Objective, TrainingBatch
from synparse.training.updates import Updates


@dataclass(frozen=True)
class Progress:
    """The progress of a run after an update.

    step: updates done; epoch: epochs begun, from 1; words: words seen; seconds: time spent, validation included; loss:
    nats per prediction of this batch; measure: what a validation measures; score: its result, where this step
    validated; is_best: whether that is the best so far; fraction: how much of the run is done, 0 … 1; is_last: whether
    it is done; model: the one that was validated (the averaged one, where weights are averaged).
    """

    step: int
    epoch: int
    words: int
    seconds: float
    loss: float
    learning_rate: float
    measure: str
    score: float | None
    is_best: bool
    fraction: float
    is_last: bool
    model: Any


def train_steps(updates: Updates, objective: Objective, seed: int, minutes: float | None = None) -> Iterator[Progress]:
    """Train in place from ``updates.state`` on, yielding after each update. Ends after the epochs or ``minutes``, with
    early stopping once validations stop improving, or between two updates after a request to stop.

    Validates at the end of a run. A run that is stopped does not validate; its state says that it is due.
    Raises as `Updates.update`.
    """
    state, config, workers = updates.state, updates.config, updates.workers
    start = time.monotonic() - state.seconds
    steps_in_all = max(1.0, objective.batches_per_epoch) * config.epochs
    limit = math.inf if minutes is None else 60 * minutes
    batches = _batches_from(Position(state.epoch, state.batch_index), objective, seed)
    fraction = state.step / steps_in_all
    state.model.train()
    while True:
        if not state.is_validation_due:
            fraction = max((state.step + 1) / steps_in_all, state.seconds / limit if limit else 1.0)
            training_batch, position, following = next(batches)
            if not updates.update(training_batch, fraction, starts_epoch=position.batch_index == 0):
                return
            state.epoch, state.batch_index = following
            state.seconds = workers.of_first(time.monotonic() - start)
        is_last = state.epoch > config.epochs or state.seconds >= limit
        is_due = state.step % config.validate_every == 0 if config.validate_every else state.batch_index == 0
        score, is_best, validated = None, False, state.validated_model
        if is_last or is_due:
            state.is_validation_due = True
            score = updates.validation(objective)
            if score is None:
                return
            state.is_validation_due = False
            is_best = state.schedule.is_best(score)
            if state.schedule.starts_averaging(score):
                state.average = AveragedModel(state.model)
            is_last = is_last or (config.stops_early and state.schedule.stalled >= config.patience)
            state.seconds = workers.of_first(time.monotonic() - start)
        yield Progress(
            state.step,
            state.epoch - (state.batch_index == 0),
            state.words,
            state.seconds,
            state.loss,
            state.rate,
            config.measure,
            score,
            is_best,
            1.0 if is_last else min(1.0, fraction),
            is_last,
            validated,
        )
        if is_last or any(workers.sums([updates.stop.is_made])):
            return


class Position(NamedTuple):
    """Epoch, from 1, and index of a training batch in it, from 0."""

    epoch: int
    batch_index: int


def _batches_from(
    start: Position, objective: Objective, seed: int
) -> Iterator[tuple[TrainingBatch, Position, Position]]:
    """Endless training batches from a position on, each with its own position and the next one."""
    skipped = start.batch_index
    for epoch, batches in zip(count(start.epoch), objective.epochs(seed, start.epoch), strict=False):
        to_the_end = chain(islice(enumerate(batches), skipped, None), [(0, None)])
        for (index, batch), (following, _) in pairwise(to_the_end):
            assert batch is not None
            yield batch, Position(epoch, index), Position(epoch + (following == 0), following)
        skipped = 0
