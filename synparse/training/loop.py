"""The training loop: rate, update, validate, report. Saving, logging and stopping are its callers'."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel

from synparse.config.training import StreamTraining, TrainingConfig, WordTraining
from synparse.corpora.cache import Corpus, TokenCache
from synparse.inducers.batch import Batch
from synparse.inducers.devices import mixed_precision
from synparse.training.distribution import Workers
from synparse.training.gradients import BatchLoss, add_gradients, loss_module, on_device
from synparse.training.objectives import Objective, TrainingBatch, objective_of
from synparse.training.sampling import inclusion_probabilities, with_candidates
from synparse.training.state import TrainingState, random_states, restore_random_states
from synparse.training.stopping import Abandoned, StopRequest
from synparse.trees.errors import TrainingError

REHEARSED_WORDS = 8


@dataclass(frozen=True)
class Progress:
    """Where a run is after an update.

    step: updates done; epoch: passes begun, from 1; words: words seen; seconds: time spent, validation
    included; loss: nats per predicted word of this batch; perplexity: on held-out words, where this step validated;
    is_best: whether that is the lowest so far; share: how much of the run is done, 0 … 1; is_last: whether it is done;
    model: the one that was validated (the averaged one, where weights are averaged).
    """

    step: int
    epoch: int
    words: int
    seconds: float
    loss: float
    learning_rate: float
    perplexity: float | None
    is_best: bool
    fraction: float
    is_last: bool
    model: Any


def train_steps(
    state: TrainingState,
    corpus: Corpus,
    config: TrainingConfig,
    seed: int,
    device: torch.device,
    minutes: float | None = None,
    stop: StopRequest | None = None,
    workers: Workers = Workers(),  # noqa: B008 - an immutable value
) -> Iterator[Progress]:
    """Train in place from where ``state`` is, yielding after each update; ends after ``config.epochs`` passes or
    ``minutes``, or between two updates once ``stop`` was asked for.

    Always validates at the end of a run, but not where it is stopped: then ``state`` says that a validation is due.
    Raises TrainingError where the loss is not a number, and where memory does not suffice; SettingError for a precision
    that the device cannot do.
    """
    start = time.monotonic() - state.seconds
    objective = objective_of(config)
    held_out = objective.validation(corpus.valid)
    precision = mixed_precision(device, config.precision, state.model)
    way = Way(config, device, precision, workers, StopRequest() if stop is None else stop)
    module = loss_module(state.model, device, workers)
    sampled = config.sampled_softmax if isinstance(config, WordTraining) else 0
    inclusion = inclusion_probabilities(len(corpus.vocabulary), sampled) if sampled else None
    steps_in_all = max(1.0, objective.batches_per_epoch(corpus.train)) * config.epochs
    portions = _portions(objective, corpus.train, seed, state.epoch, state.batch_of_words)
    fraction = state.step / steps_in_all
    state.model.train()
    while True:
        if not state.is_validation_due:
            fraction = (state.step + 1) / steps_in_all
            if minutes is not None:
                fraction = max(fraction, state.seconds / (60 * minutes))
            batch_of_words, position, following = next(portions)
            if inclusion is not None:
                batch_of_words = batch_of_words._replace(
                    batch=with_candidates(batch_of_words.batch, inclusion, (seed, *position))
                )
            if not update(state, module, batch_of_words, fraction, position.batch_of_words == 0, way):
                return
            state.epoch, state.batch_of_words = following
            state.seconds = workers.of_first(time.monotonic() - start)
        is_last = state.epoch > config.epochs or (minutes is not None and state.seconds >= 60 * minutes)
        is_due = state.step % config.validate_every == 0 if config.validate_every else state.batch_of_words == 0
        perplexity, is_best, validated = None, False, state.validated_model
        if is_last or is_due:
            state.is_validation_due = True
            perplexity = _validated(state, held_out, way)
            if perplexity is None:
                return
            state.is_validation_due = False
            is_best = perplexity < state.schedule.best
            if state.schedule.starts_averaging(perplexity):
                state.average = AveragedModel(state.model)
            state.seconds = workers.of_first(time.monotonic() - start)
        yield Progress(
            state.step,
            state.epoch - (state.batch_of_words == 0),
            state.words,
            state.seconds,
            state.loss,
            state.rate,
            perplexity,
            is_best,
            1.0 if is_last else min(1.0, fraction),
            is_last,
            validated,
        )
        if is_last or any(workers.sums([way.stop.is_made])):
            return


class Rehearsal(NamedTuple):
    """An update that changes nothing: the function that computes its gradient, and the floating-point operations of
    that, those of embeddings and of the output left out."""

    update: Callable[[], None]
    operations: float


def rehearsal(
    state: TrainingState, corpus: Corpus, config: TrainingConfig, seed: int, device: torch.device
) -> Rehearsal:
    """The first update of a run, to be rehearsed before it; of a stream, its first words, for each word is a step like
    the others."""
    batch = next(objective_of(config).training(corpus.train, seed, 1)).batch
    if isinstance(config, StreamTraining):
        batch = _beginning(batch, REHEARSED_WORDS)
    precision = mixed_precision(device, config.precision, state.model)
    module = loss_module(state.model, device, Workers())

    def rehearse() -> None:
        before = random_states()
        state.model.train()
        add_gradients(module, batch, Workers(), device, state.parts, precision)
        state.optimizer.zero_grad()
        restore_random_states(before)

    return Rehearsal(rehearse, 6.0 * state.model.matrix_parameters() * batch.words.numel())


def _beginning(batch: Batch, words: int) -> Batch:
    """The first words of each row of a stream."""
    assert batch.targets is not None
    return Batch(batch.words[:, :words], batch.lengths.clamp(max=words), batch.targets[:, :words])


class Way(NamedTuple):
    """How updates are made: settings, device, the context of a precision, the processes, and what may stop them."""

    config: TrainingConfig
    device: torch.device
    precision: Callable[[], Any]
    workers: Workers
    stop: StopRequest


def update(
    state: TrainingState,
    module: nn.Module,
    batch_of_words: TrainingBatch,
    fraction: float,
    starts_epoch: bool,
    way: Way,
) -> bool:
    """Make one update, ``fraction`` of the run being done after it.

    False, and nothing is changed, where the run was asked to stop before the gradient was there.
    """
    step = state.step + 1
    rate = state.schedule.rate(step, fraction) * batch_of_words.rate_factor
    batch = batch_of_words.batch._replace(state=None if starts_epoch else state.carried)
    before = random_states()
    try:
        found = _gradient(state, module, batch, before, way)
    except Abandoned:
        restore_random_states(before)
        return False
    loss = way.workers.sums([found.total])[0] / max(1, found.predictions)
    if not math.isfinite(loss):
        raise TrainingError(
            f"the loss is not a number at step {step}; lower training.learning_rate (it was {rate:.3g} there) "
            "or training.gradient_clip, or lengthen training.warmup_steps"
        )
    if found.predictions:
        for group in state.optimizer.param_groups:
            group["lr"] = rate
        torch.nn.utils.clip_grad_norm_(state.model.parameters(), way.config.gradient_clip)
        state.optimizer.step()
    if state.average is not None:
        state.average.update_parameters(state.model)
    state.step, state.loss, state.rate, state.carried = step, loss, rate, found.state
    state.words += batch_of_words.words
    return True


def _gradient(
    state: TrainingState, module: nn.Module, batch: Batch, before: Mapping[str, Tensor], way: Way
) -> BatchLoss:
    """The gradient of a batch, in as many parts as the device has memory for; ``state`` remembers how many.

    ``before``: the random states that each attempt begins with.
    """
    is_alone = way.workers.size == 1  # processes that wait for each other finish their step
    while True:
        state.optimizer.zero_grad()
        try:
            with way.stop.abandoning() if is_alone else contextlib.nullcontext():
                return add_gradients(module, batch, way.workers, way.device, state.parts, way.precision)
        except (RuntimeError, MemoryError) as error:
            if not _is_want_of_memory(error):
                if is_alone:
                    raise
                raise TrainingError(f"step {state.step + 1}: another process of the run is gone ({error})") from None
            if way.device.type == "cpu" or not is_alone or state.parts >= len(batch.words):
                raise TrainingError(_out_of_memory(state, batch, way.config)) from None
        state.parts *= 2
        restore_random_states(before)
        torch.cuda.empty_cache()


def _is_want_of_memory(error: Exception) -> bool:
    return isinstance(error, (torch.OutOfMemoryError, MemoryError)) or "can't allocate memory" in str(error)


def _out_of_memory(state: TrainingState, batch: Batch, config: TrainingConfig) -> str:
    rows, length = batch.words.shape
    size = "training.streams" if isinstance(config, StreamTraining) else "training.batch_tokens"
    return (
        f"out of memory at step {state.step + 1}, on a batch of {rows} × {length} words in {state.parts} parts; raise "
        f"training.accumulation, which leaves the updates what they are, or lower {size}"
    )


class Place(NamedTuple):
    """Epoch, from 1, and portion in it, from 0."""

    epoch: int
    batch_of_words: int


def _portions(
    objective: Objective, cache: TokenCache, seed: int, epoch: int, done: int
) -> Iterator[tuple[TrainingBatch, Place, Place]]:
    """The portions from a place on, for ever, each with its own place and that of the one that follows."""
    for now in count(epoch):
        portions = enumerate(objective.training(cache, seed, now))
        held: tuple[int, TrainingBatch] | None = None
        for number, batch_of_words in islice(portions, done, None):
            if held is not None:
                yield held[1], Place(now, held[0]), Place(now, number)
            held = number, batch_of_words
        if held is not None:
            yield held[1], Place(now, held[0]), Place(now + 1, 0)
        done = 0


def _validated(state: TrainingState, batches: list[Batch], way: Way) -> float | None:
    """The held-out perplexity, which the first process finds; None where the run was asked to stop before it was
    there."""
    perplexity = -1.0
    if way.workers.is_first:
        with contextlib.suppress(Abandoned), way.stop.abandoning():
            perplexity = validate(state.validated_model, batches, way.device, way.precision)
        state.model.train()
    perplexity = way.workers.of_first(perplexity)
    return None if perplexity < 0 else perplexity


@torch.no_grad()
def validate(model: Any, batches: list[Batch], device: torch.device, precision: Callable[[], Any]) -> float:
    """Perplexity per predicted word, the batches read in order; infinite where it overflows."""
    model.eval()
    nats, predictions, state = 0.0, 0, None
    for batch in batches:
        with precision():
            loss = model.loss(on_device(batch, device)._replace(state=state))
        nats += float(loss.total)
        predictions += loss.predictions
        state = loss.state
    model.train()
    mean = nats / max(1, predictions)
    return math.exp(mean) if mean < 700 else math.inf
