"""The events that a training run reports, besides the progress of its updates, and its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Report: TypeAlias = Callable[[Any], None]
"""Receives the events of a run: those below, and `synparse.training.loop.Progress`."""


@dataclass(frozen=True)
class Reading:
    """The corpus is being read; sentences: how many so far."""

    sentences: int


@dataclass(frozen=True)
class Note:
    """A message about a run for the user. matters: whether it is about something unexpected that affects the result."""

    text: str
    matters: bool = False


@dataclass(frozen=True)
class Learning:
    """The progress in learning grammars: the step, and the fraction of it that is done, 0 … 1."""

    stage: str
    fraction: float


@dataclass(frozen=True)
class StageBegins:
    """A stage of a run begins. number: of the stage, from 1; of: the number of stages; stage: its name."""

    number: int
    of: int
    stage: str


@dataclass(frozen=True)
class TrainingResult:
    """The result of a run, or of a stage of one.

    - ``measure``, ``score``: the score of the best network on held-out data, and its name; None if there is none.
    - ``steps``, ``words``, ``seconds``: the number of updates, of words read, and the time, including validations.
    - ``signal``: the signal that asked the run to stop, if there was one.
    - ``is_resumable``: whether the run can be resumed.
    - ``has_parser``: whether the directory holds the parser of the completed stages.
    - ``stages``: the records of the completed stages, as in the model's config.yaml.
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
    """A message for the user whose run ends early: where the best model is."""
    if score is None:
        return "this run has no model yet"
    return f"the best model so far ({measure} {rounded(measure, score)}) is in {directory}"
