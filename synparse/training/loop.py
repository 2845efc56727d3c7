"""The training loop: update, validate, report. Its callers save, log and stop it."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count, islice, pairwise

from torch.optim.swa_utils import AveragedModel

from synparse.inducers.protocol import Learner
from synparse.training.objectives import Objective, TrainingBatch
from synparse.training.state import TrainingState
from synparse.training.updates import Updates


@dataclass(frozen=True)
class Progress:
    """The progress of a network's training after an update.

    step: number of updates; epoch: current epoch, from 1; words: number of words read; seconds: time spent, including
    validations; loss: of this batch, in nats per prediction; measure: the name of the validation score; score: the
    validation score, None if this step did not validate; is_best: whether it is the best so far; fraction: the fraction
    of training that is done, 0 … 1; is_last: whether training is done; model: the validated model (the average, if
    weights are averaged).
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
    model: Learner


def train_steps(updates: Updates, objective: Objective, seed: int, minutes: float | None = None) -> Iterator[Progress]:
    """Train in place from ``updates.state`` on, yielding after each update. Training ends after the epochs or
    ``minutes``, by early stopping once validation scores no longer improve, or after the current update if a stop is
    requested.

    The end of training is validated. A stopped training is not validated; its state records that this is to be done.
    Raises as `Updates.update`.
    """
    state, config, workers = updates.state, updates.config, updates.workers
    start = time.monotonic() - state.seconds
    steps_in_all = max(1.0, objective.batches_per_epoch) * config.epochs
    limit = math.inf if minutes is None else 60 * minutes
    batches = _batches_from(state.epoch, state.batch_index, objective, seed)
    fraction = state.step / steps_in_all
    state.model.train()
    while True:
        if not state.is_validation_due:
            fraction = max((state.step + 1) / steps_in_all, state.seconds / limit if limit else 1.0)
            training_batch, following = next(batches)
            if not updates.update(training_batch, fraction):
                return
            state.epoch, state.batch_index = following
            state.seconds = workers.of_first(time.monotonic() - start)
        is_last = _is_over(state, config.epochs, steps_in_all) or state.seconds >= limit
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


def _is_over(state: TrainingState, epochs: float, steps: float) -> bool:
    """Whether all epochs are done, or, of a number that is not whole, as many updates as there are in them."""
    return state.epoch > epochs if epochs == int(epochs) else state.step >= steps


def _batches_from(
    epoch: int, skipped: int, objective: Objective, seed: int
) -> Iterator[tuple[TrainingBatch, tuple[int, int]]]:
    """The training batches from an epoch on, without the first ones, for ever; each with the position of the one after
    it: epoch, from 1, and index in it, from 0."""
    for number, batches in zip(count(epoch), objective.epochs(seed, epoch), strict=False):
        to_the_end = chain(islice(enumerate(batches), skipped, None), [(0, None)])
        for (_, batch), (following, _) in pairwise(to_the_end):
            assert batch is not None
            yield batch, (number + (following == 0), following)
        skipped = 0
