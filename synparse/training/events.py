"""What a run reports while it works, besides the progress of its updates."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    """The corpus is being read: sentences so far."""

    sentences: int


@dataclass(frozen=True)
class Note:
    """A message about a run, for the user."""

    text: str


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
