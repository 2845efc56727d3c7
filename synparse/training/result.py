"""The result of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class TrainingResult:
    """The result of a run, or of a stage of one.

    - ``measure``, ``score``: of the model that was kept, on held-out data; the score is None if no model was kept.
    - ``steps``, ``words``, ``seconds``: updates, words seen, and time, validations included.
    - ``signal``: the signal that stopped the run; None if it is finished.
    - ``is_resumable``: whether there is a checkpoint to resume from.
    - ``stages``: what became of each stage of a run that has several, as the model's config.yaml says it.
    """

    directory: Path
    measure: str
    score: float | None
    steps: int
    words: int
    seconds: float
    signal: int | None
    is_resumable: bool
    stages: tuple[Mapping[str, Any], ...] = ()

    @property
    def interrupted(self) -> bool:
        return self.signal is not None


_DIGITS = {"perplexity": 2, "accuracy": 4, "spearman": 4, "log_likelihood": 4}


def rounded(measure: str, score: float, more: int = 0) -> float:
    """A score, rounded for display; with ``more`` digits, for the model's provenance."""
    return round(score, _DIGITS[measure] + more)


def what_is_kept(directory: Path, measure: str, score: float | None) -> str:
    """Where the best model of a run is, for those who see it end early."""
    if score is None:
        return "no model was kept"
    return f"the best model so far ({measure} {rounded(measure, score)}) is in {directory}"
