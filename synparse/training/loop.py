"""The training loop: rate, update, validate, report. Saving, logging and stopping are its callers'."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import torch
from torch.optim.swa_utils import AveragedModel

from synparse.corpora.cache import Corpus, TokenCache
from synparse.devices import compiled, mixed_precision
from synparse.inducers.batch import Batch, Loss
from synparse.recipe import TrainingConfig
from synparse.training.objectives import Objective, Portion, objective_of

Scorer = Callable[[Batch], Loss]


class TrainingError(RuntimeError):
    """The run cannot go on; the text says why and what to change."""


@dataclass(frozen=True)
class Progress:
    """Where a run is after an update.

    step: updates done; epoch: passes begun, from 1; words: words seen; seconds: time since the start, validation
    included; loss: nats per predicted word of this batch; perplexity: on held-out words, where this step validated;
    is_best: whether that is the lowest so far; share: how much of the run is done, 0 … 1; model: the one that was
    validated (the averaged one, once averaging began).
    """

    step: int
    epoch: int
    words: int
    seconds: float
    loss: float
    learning_rate: float
    perplexity: float | None
    is_best: bool
    share: float
    model: Any


def train_steps(
    model: Any,
    corpus: Corpus,
    config: TrainingConfig,
    seed: int,
    device: torch.device,
    minutes: float | None = None,
) -> Iterator[Progress]:
    """Train in place, yielding after each update; ends after ``config.epochs`` passes or ``minutes``.

    Always validates at the end. Raises TrainingError where the loss is not a number.
    """
    start = time.monotonic()
    objective = objective_of(config)
    held_out = objective.validation(corpus.valid)
    optimizer = make_optimizer(model, config)
    schedule = _Schedule(config)
    precision = mixed_precision(device, config.precision)
    score = compiled(model.loss, device)
    average: AveragedModel | None = None
    steps_per_epoch = max(1.0, objective.portions_per_epoch(corpus.train))
    words, state = 0, None
    model.train()
    for step, (epoch, portion, starts_epoch, ends_epoch) in enumerate(_portions(objective, corpus.train, seed), 1):
        share = step / (steps_per_epoch * config.epochs)
        if minutes is not None:
            share = max(share, (time.monotonic() - start) / (60 * minutes))
        rate = schedule.rate(step, share) * portion.rate_factor
        for group in optimizer.param_groups:
            group["lr"] = rate

        batch = on_device(portion.batch, device)._replace(state=None if starts_epoch else state)
        with precision():
            loss = score(batch)
        state = loss.state
        if loss.predictions:
            optimizer.zero_grad()
            (loss.total / loss.predictions + loss.penalty).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), config.gradient_clip)
            optimizer.step()
        loss_value = float(loss.total.detach()) / max(1, loss.predictions)
        if not math.isfinite(loss_value):
            raise TrainingError(
                f"the loss is not a number at step {step}; lower training.learning_rate (it was {rate:.3g} there) "
                "or training.gradient_clip, or lengthen training.warmup_steps"
            )
        if average is not None:
            average.update_parameters(model)
        words += portion.words

        out_of_time = minutes is not None and time.monotonic() - start >= 60 * minutes
        last = out_of_time or (ends_epoch and epoch == config.epochs)
        due = step % config.validate_every == 0 if config.validate_every else ends_epoch
        validated = model if average is None else average.module
        perplexity = validate(validated, held_out, device, precision) if due or last else None
        is_best = perplexity is not None and perplexity < schedule.best
        if perplexity is not None and schedule.starts_averaging(perplexity):
            average = AveragedModel(model)
        seconds = time.monotonic() - start
        share = 1.0 if last else min(1.0, share)
        yield Progress(step, epoch, words, seconds, loss_value, rate, perplexity, is_best, share, validated)
        if last:
            return


def make_optimizer(model: Any, config: TrainingConfig) -> torch.optim.Optimizer:
    """The optimizer that the recipe names."""
    kind = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}[config.optimizer]
    fused = next(model.parameters()).device.type in ("cpu", "cuda")
    optimizer: torch.optim.Optimizer = kind(
        model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay, fused=fused
    )
    return optimizer


class _Schedule:
    """The learning rate over a run, and what validation does to it."""

    def __init__(self, config: TrainingConfig) -> None:
        self.config = config
        self.base = config.learning_rate
        self.perplexities: list[float] = []
        self.stalled = 0
        self.is_averaging = False

    @property
    def best(self) -> float:
        return min(self.perplexities, default=math.inf)

    def rate(self, step: int, share: float) -> float:
        """The rate of an update, ``share`` of the run being done."""
        rate = self.base * min(1.0, step / max(1, self.config.warmup_steps))
        left = max(0.0, 1.0 - share)
        if self.config.schedule == "linear":
            return rate * left
        if self.config.schedule == "cosine":
            return rate * (1 - math.cos(math.pi * left)) / 2
        return rate

    def starts_averaging(self, perplexity: float) -> bool:
        """Take note of a validation; True where averaging is to begin."""
        patience = self.config.patience
        self.stalled = 0 if perplexity < self.best else self.stalled + 1
        if self.config.schedule == "plateau" and self.stalled >= patience:
            self.base, self.stalled = self.base / 2, 0
        worse = len(self.perplexities) > patience and perplexity > min(self.perplexities[:-patience])
        self.perplexities.append(perplexity)
        if self.config.schedule != "average" or self.is_averaging or not worse:
            return False
        self.is_averaging = True
        return True


def _portions(objective: Objective, cache: TokenCache, seed: int) -> Iterator[tuple[int, Portion, bool, bool]]:
    """Epoch (from 1), portion, and whether it is the first and the last of its epoch; for ever."""
    for epoch in count(1):
        portions = objective.training(cache, seed, epoch)
        portion, starts = next(portions), True
        for following in portions:
            yield epoch, portion, starts, False
            portion, starts = following, False
        yield epoch, portion, starts, True


def on_device(batch: Batch, device: torch.device) -> Batch:
    """The batch with its tensors on that device."""
    return Batch(*(tensor.to(device) for tensor in batch if tensor is not None))


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
