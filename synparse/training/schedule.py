"""The learning rate over a run, and how validations change it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from synparse.config.training import TrainingConfig


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
