"""The state of a run: everything that an update changes, and that a checkpoint holds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import torch
from torch import Tensor
from torch.optim.swa_utils import AveragedModel

from synparse.config.training import TrainingConfig
from synparse.inducers.protocol import Learner


@dataclass
class Schedule:
    """base: the rate that `rate` starts from; scores: of the validations so far, `TrainingConfig.measure` says of what;
    stalled: how many of the last ones were no better than the best; is_averaging: whether weights are averaged."""

    config: TrainingConfig
    base: float
    scores: list[float] = field(default_factory=list)
    stalled: int = 0
    is_averaging: bool = False

    def rate(self, step: int, fraction: float) -> float:
        """The rate of an update, ``fraction`` of the run being done."""
        rate = self.base * min(1.0, step / max(1, self.config.warmup_steps))
        left = max(0.0, 1.0 - fraction)
        if self.config.schedule == "linear":
            return rate * left
        if self.config.schedule == "cosine":
            return rate * (1 - math.cos(math.pi * left)) / 2
        return rate

    def is_best(self, score: float) -> bool:
        """Whether a validation is better than all before: a lower perplexity, a higher accuracy or correlation."""
        if self.config.measure != "perplexity":
            return score > max(self.scores, default=-math.inf)
        return score < min(self.scores, default=math.inf)

    def starts_averaging(self, score: float) -> bool:
        """Record a validation. Returns True if averaging begins now."""
        patience = self.config.patience
        self.stalled = 0 if self.is_best(score) else self.stalled + 1
        if self.config.schedule == "plateau" and self.stalled >= patience:
            self.base, self.stalled = self.base / 2, 0
        worse = len(self.scores) > patience and score > min(self.scores[:-patience])
        self.scores.append(score)
        if self.config.schedule != "average" or self.is_averaging or not worse:
            return False
        self.is_averaging = True
        return True


@dataclass
class TrainingState:
    """A run between two updates.

    average: the mean of the weights, once averaging began; step: updates done; epoch (from 1) and batch_index (from 0):
    of the training batch to read next; words: words seen; seconds: time spent; loss: nats per prediction of the last
    update; rate: its learning rate; carried: the state that the model's loss hands on to the next batch;
    is_validation_due: the last update has yet to be validated; parts: in how many parts the gradient of a batch is
    computed; log: the validations so far, a line of JSON each; kept: the score of the model that was kept, None before
    the first.
    """

    model: Learner
    optimizer: torch.optim.Optimizer
    schedule: Schedule
    average: AveragedModel | None = None
    step: int = 0
    epoch: int = 1
    batch_index: int = 0
    words: int = 0
    seconds: float = 0.0
    loss: float = 0.0
    rate: float = 0.0
    carried: Any = None
    is_validation_due: bool = False
    parts: int = 1
    log: list[str] = field(default_factory=list)
    kept: float | None = None

    @property
    def validated_model(self) -> Learner:
        """The model that is validated and kept: the average, once there is one."""
        return self.model if self.average is None else cast(Learner, self.average.module)


def fresh_state(model: Learner, config: TrainingConfig) -> TrainingState:
    """A run before its first update."""
    schedule = Schedule(config, config.learning_rate)
    return TrainingState(model, make_optimizer(model, config), schedule, parts=config.accumulation)


def make_optimizer(model: Learner, config: TrainingConfig) -> torch.optim.Optimizer:
    """The optimizer that the recipe names."""
    kind = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}[config.optimizer]
    fused = config.fused and next(model.parameters()).device.type in ("cpu", "cuda")
    optimizer: torch.optim.Optimizer = kind(
        model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay, fused=fused
    )
    return optimizer


def random_states() -> dict[str, Tensor]:
    """The states of PyTorch's generators, by device."""
    states = {"cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        states["cuda"] = torch.cuda.get_rng_state()
    return states


def restore_random_states(states: Mapping[str, Tensor]) -> None:
    torch.set_rng_state(states["cpu"])
    if "cuda" in states and torch.cuda.is_available():
        torch.cuda.set_rng_state(states["cuda"])
