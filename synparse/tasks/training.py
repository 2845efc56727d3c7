"""Training a classifier with Adam, and keeping the model that answers held-out examples best."""

from __future__ import annotations

import copy
import functools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from synparse.tasks.batches import training_batches
from synparse.tasks.classifier import Classifier, Coded, coded
from synparse.tasks.expressions import Example, Task
from synparse.tasks.recipe import TaskRecipe, TaskTraining
from synparse.training.threads import threads_that_pay
from synparse.trees.errors import DataError, TrainingError

VALIDATION_BATCH = 256


@dataclass(frozen=True)
class Step:
    """Where a run is after an update.

    step: updates; epoch: passes' worth of examples begun; seconds: since the start; share: how much of the run is done,
    0 … 1; loss: nats per example of this batch; accuracy: on held-out examples, where this step validated; is_best:
    whether that is the highest so far; weights: the best model's, where this is it.
    """

    step: int
    epoch: int
    seconds: float
    fraction: float
    loss: float
    accuracy: float | None
    is_best: bool
    weights: dict[str, Any] | None


def train_steps(
    task: Task,
    examples: Sequence[Example],
    recipe: TaskRecipe,
    seed: int,
    device: torch.device,
    minutes: float | None = None,
) -> Iterator[Step]:
    """Train from random weights, yielding after each update; ends after ``epochs``, ``minutes`` or ``patience``.

    Always validates at the end. Raises TrainingError where the loss is not a number, DataError where there are fewer
    than two examples.
    """
    start = time.monotonic()
    config = recipe.training
    training, held_out = (coded(task, part) for part in held_out_parts(examples, config.validation_examples))
    torch.manual_seed(seed)
    model = Classifier(task, recipe).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=config.learning_rate)
    if device.type == "cpu":
        torch.set_num_threads(threads_that_pay(functools.partial(_rehearse, model, training, config, seed)))
    steps = math.ceil(len(training.examples) / config.batch_size) * config.epochs
    best, stalled = -1.0, 0
    random = np.random.default_rng(seed)
    batches = training_batches(training.lengths, config.batch_size, config.short_fraction, random)
    for step, chosen in enumerate(batches, 1):
        fraction = step / steps
        if minutes is not None:
            fraction = max(fraction, (time.monotonic() - start) / (60 * minutes) if minutes else 1.0)
        for group in optimizer.param_groups:
            group["lr"] = rate_of(config, step, fraction)
        model.train()
        questions = training.questions(chosen, device)
        loss = functional.cross_entropy(model(questions.rows).logits, questions.labels)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), config.gradient_clip)
        optimizer.step()
        value = float(loss.detach())
        if not math.isfinite(value):
            raise TrainingError(f"the loss is not a number at step {step}; lower training.learning_rate")
        last = fraction >= 1.0
        accuracy, weights = None, None
        if last or step % config.validate_every == 0:
            accuracy = accuracy_of(model, held_out, device)
            stalled = 0 if accuracy > best else stalled + 1
            if accuracy > best:
                best, weights = accuracy, copy.deepcopy(model.state_dict())
            last = last or stalled >= config.patience
        epoch = (step * config.epochs - 1) // steps + 1
        yield Step(
            step, epoch, time.monotonic() - start, min(1.0, fraction), value, accuracy, weights is not None, weights
        )
        if last:
            return


def _rehearse(model: Classifier, training: Coded, config: TaskTraining, seed: int) -> None:
    """Compute the gradient of a run's first batch on the CPU, and leave everything as it was."""
    before = torch.get_rng_state()
    order = np.random.default_rng(seed)
    chosen = next(training_batches(training.lengths, config.batch_size, config.short_fraction, order))
    questions = training.questions(chosen, torch.device("cpu"))
    model.train()
    functional.cross_entropy(model(questions.rows).logits, questions.labels).backward()  # type: ignore[no-untyped-call]
    model.zero_grad()
    torch.set_rng_state(before)


def held_out_parts(examples: Sequence[Example], most: int) -> tuple[list[Example], list[Example]]:
    """Training and held-out examples: the same ones for every run, spread over the data.

    Raises DataError where there are fewer than two.
    """
    if len(examples) < 2:
        raise DataError("training needs at least two examples, one of them held out")
    count = max(1, min(most, len(examples) // 10))
    order = np.random.default_rng(0).permutation(len(examples)).tolist()
    return [examples[n] for n in order[count:]], [examples[n] for n in order[:count]]


def rate_of(config: TaskTraining, step: int, fraction: float) -> float:
    """The learning rate of an update, ``fraction`` of the run being done."""
    rate = config.learning_rate * min(1.0, step / max(1, config.warmup_steps))
    return rate * max(0.0, 1.0 - fraction) if config.schedule == "linear" else rate


@torch.no_grad()
def accuracy_of(model: Classifier, data: Coded, device: torch.device) -> float:
    """The share of examples that are answered rightly."""
    model.eval()
    right = 0
    order = np.argsort(data.lengths, kind="stable").tolist()
    for start in range(0, len(order), VALIDATION_BATCH):
        questions = data.questions(order[start : start + VALIDATION_BATCH], device)
        right += int((model(questions.rows).logits.argmax(1) == questions.labels).sum())
    return right / len(order)
