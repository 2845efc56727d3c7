"""What a run tells: events while it works, besides the progress of its updates, and its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Report: TypeAlias = Callable[[Any], None]
"""Told the events of a run: those below, and `synparse.training.loop.Progress`."""


@dataclass(frozen=True)
class Reading:
    """The corpus is being read: sentences so far."""

    sentences: int


@dataclass(frozen=True)
class Note:
    """A message about a run, for the user. matters: what is learned is not what was to be expected."""

    text: str
    matters: bool = False


@dataclass(frozen=True)
class Learning:
    """A stage of learning grammars, and the fraction of it that is done, 0 … 1."""

    stage: str
    fraction: float


@dataclass(frozen=True)
class StageBegins:
    """A stage of a run begins: its number among ``of``, from 1, and what it does."""

    number: int
    of: int
    stage: str


@dataclass(frozen=True)
class TrainingResult:
    """The result of a run, or of a stage of one.

    - ``measure``, ``score``: of the model that was kept, on held-out data; the score is None if no model was kept.
    - ``steps``, ``words``, ``seconds``: updates, words seen, and time, validations included.
    - ``signal``: the signal that stopped the run; None if it is finished.
    - ``is_resumable``: whether there is a checkpoint to resume from.
    - ``has_parser``: whether the directory holds the parser of the stages that are done.
    - ``stages``: what became of each stage of a run that has several, as the model's config.yaml says it.
    """

    directory: Path
    measure: str = "perplexity"
    score: float | None = None
    steps: int = 0
    words: int = 0
    seconds: float = 0.0
    signal: int | None = None
    is_resumable: bool = False
    has_parser: bool = False
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
