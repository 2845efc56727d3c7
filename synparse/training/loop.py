"""The training loop: rate, update, validate, report. Saving, logging and stopping are its callers'."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import torch

from synparse.corpora.batches import Piece, batches_by_length, padded, shuffled_batches
from synparse.corpora.cache import Corpus, TokenCache
from synparse.inducers.batch import Batch
from synparse.recipe import TrainingConfig
from synparse.training.objectives import mask_words

ADAM_BETAS = (0.9, 0.999)
VALIDATION_SEED = 0
"""Of the masks of the held-out words: the same for every run, so that perplexities can be compared."""


class TrainingError(RuntimeError):
    """The run cannot go on; the text says why and what to change."""


@dataclass(frozen=True)
class Progress:
    """Where a run is after an update.

    step: updates done; epoch: passes begun, from 1; words: words seen; seconds: time since the start, validation
    included; loss: nats per predicted word of this batch; perplexity: on held-out words, where this step validated;
    is_best: whether that is the lowest so far; share: how much of the run is done, 0 … 1.
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
    generator = torch.Generator().manual_seed(seed)
    held_out = validation_batches(corpus.valid, config, device)
    optimizer = torch.optim.Adam(
        model.parameters(), lr=config.learning_rate, betas=ADAM_BETAS, weight_decay=config.weight_decay, fused=True
    )
    steps_per_epoch = max(1.0, corpus.train.words / config.batch_tokens)
    words = stalled = 0
    best, rate = math.inf, config.learning_rate
    model.train()
    for step, (epoch, pieces, ends_epoch) in enumerate(_batches(corpus.train, config, seed), 1):
        share = step / (steps_per_epoch * config.epochs)
        if minutes is not None:
            share = max(share, (time.monotonic() - start) / (60 * minutes))
        current_rate = rate * min(1.0, step / max(1, config.warmup_steps))
        if config.schedule == "linear":
            current_rate *= max(0.0, 1.0 - share)
        for group in optimizer.param_groups:
            group["lr"] = current_rate

        batch = _masked(corpus.train, pieces, config.mask_rate, generator, device)
        loss = model.loss(batch)
        if loss.predictions:
            mean_loss = loss.total / loss.predictions
            optimizer.zero_grad()
            mean_loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), config.gradient_clip)
            optimizer.step()
        loss_value = float(loss.total.detach()) / max(1, loss.predictions)
        if not math.isfinite(loss_value):
            raise TrainingError(f"the loss is not a number at step {step}; lower training.learning_rate")
        words += sum(piece.end - piece.start for piece in pieces)

        out_of_time = minutes is not None and time.monotonic() - start >= 60 * minutes
        last = out_of_time or (ends_epoch and epoch == config.epochs)
        due = step % config.validate_every == 0 if config.validate_every else ends_epoch
        perplexity = validate(model, held_out) if due or last else None
        is_best = perplexity is not None and perplexity < best
        if perplexity is not None:
            best = min(best, perplexity)
            stalled = 0 if is_best else stalled + 1
            if config.schedule == "plateau" and stalled >= config.patience:
                rate, stalled = rate / 2, 0
        seconds = time.monotonic() - start
        share = 1.0 if last else min(1.0, share)
        yield Progress(step, epoch, words, seconds, loss_value, current_rate, perplexity, is_best, share)
        if last:
            return


def _batches(cache: TokenCache, config: TrainingConfig, seed: int) -> Iterator[tuple[int, list[Piece], bool]]:
    """Epoch (from 1), batch, and whether it is the last of its epoch; for ever."""
    for epoch in count(1):
        batches = shuffled_batches(cache, config.batch_tokens, (seed, epoch))
        pieces = next(batches)
        for following in batches:
            yield epoch, pieces, False
            pieces = following
        yield epoch, pieces, True


def _masked(
    cache: TokenCache, pieces: list[Piece], rate: float, generator: torch.Generator, device: torch.device
) -> Batch:
    words, lengths = padded([cache[piece.sentence][piece.start : piece.end] for piece in pieces])
    batch = mask_words(torch.from_numpy(words), torch.from_numpy(lengths), rate, generator)
    return Batch(*(tensor.to(device) for tensor in batch if tensor is not None))


def validation_batches(cache: TokenCache, config: TrainingConfig, device: torch.device) -> list[Batch]:
    """The held-out sentences (up to ``config.validation_words`` words), masked once for all validations."""
    generator = torch.Generator().manual_seed(VALIDATION_SEED)
    sentences = max(1, int((cache.offsets[1:] <= config.validation_words).sum()))
    lengths = cache.lengths[:sentences].tolist()
    return [
        _masked(cache, pieces, config.mask_rate, generator, device)
        for pieces in batches_by_length(lengths, range(sentences), config.batch_tokens)
    ]


@torch.no_grad()
def validate(model: Any, batches: list[Batch]) -> float:
    """Perplexity per masked word; infinite where it overflows."""
    model.eval()
    losses = [model.loss(batch) for batch in batches]
    model.train()
    nats = sum(float(loss.total) for loss in losses) / max(1, sum(loss.predictions for loss in losses))
    return math.exp(nats) if nats < 700 else math.inf
