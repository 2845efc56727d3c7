"""The state of an unfinished run: the file `RUN` of its model directory."""

from __future__ import annotations

import contextlib
import json
import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
from safetensors import SafetensorError

from synparse.config.recipe import Recipe, name_of, recipe_from
from synparse.config.settings import settings_of
from synparse.files.folders import Content
from synparse.store.model_directory import RUN, file_to_read
from synparse.store.models import GrammarSet, grammar_set_from, plain_set
from synparse.store.overwriting import STAGES, next_name
from synparse.training.grammars import SIZES
from synparse.training.reading import RunSettings
from synparse.trees.errors import DataError, SettingError, unreadable

FORMAT = 4
"""Version of the file; other versions of this program write other numbers."""

DAMAGE = (
    *(SafetensorError, SettingError, msgspec.ValidationError),
    *(ValueError, KeyError, TypeError, AttributeError, OverflowError, RuntimeError),
)
"""The errors that reading a damaged file may raise."""


@dataclass
class RunState:
    """recipe: as far as it is decided, the stages as they are run; settings: of the first command.

    groups: how many groups of stages have been decided on; stages: how many stages are done. units: names of the
    folders that the stage in progress makes, of which units_done are finished; names: all names so far; earlier: those
    of a model that the run is to overwrite, None once it is gone. not_taken: positions of stages whose parser was worse
    than the one before, or that were left out. members, sets, trees: what the next stage learns from: names of models,
    grammars, and a file of trees; init: the folder of the model with which the first network starts, and the SHA-256 of
    its weights, if there is one; origins: that model and the teachers, see `synparse.store.cards.origin_of`;
    has_parser: whether the directory holds the parser of a group of stages. records: what became of each stage. corpus:
    what was read, as models say it; rates: the seconds of the last set of grammars, and the size of the vocabulary;
    sizes: from how many sentences grammars are learned, where minutes leave fewer; starts: when the stage in progress
    and its sets of grammars began, in seconds of the run; seconds: spent so far.
    """

    recipe: Recipe
    settings: RunSettings
    groups: int = 0
    stages: int = 0
    units: list[str] = field(default_factory=list)
    units_done: int = 0
    names: list[str] = field(default_factory=list)
    earlier: list[str] | None = None
    not_taken: list[int] = field(default_factory=list)
    members: list[str] = field(default_factory=list)
    sets: list[GrammarSet] = field(default_factory=list)
    trees: str | None = None
    init: dict[str, str] = field(default_factory=dict)
    origins: list[dict[str, Any]] = field(default_factory=list)
    has_parser: bool = False
    records: list[dict[str, Any]] = field(default_factory=list)
    corpus: dict[str, Any] = field(default_factory=dict)
    rates: dict[str, float] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    starts: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    began: float = field(default_factory=time.monotonic)

    def seed_of(self, number: int) -> int:
        """The seed of a network or a set of grammars, numbered from 0: the first one has that of the run, the others
        seeds that no run of another small seed has."""
        return self.settings.seed + 1_000_003 * number

    def spent(self) -> float:
        """Seconds of the run so far, without the time when it was stopped."""
        return self.seconds + time.monotonic() - self.began

    def spent_on(self, what: str) -> float:
        """Seconds of the run since this was first asked in the stage in progress."""
        return self.spent() - self.starts.setdefault(what, self.spent())

    def left(self) -> float:
        """Remaining seconds of the time limit."""
        return math.inf if self.settings.minutes is None else 60 * self.settings.minutes - self.spent()

    def record(self, position: int, result: str, minutes: float = 0.0) -> None:
        """Record what became of a stage."""
        stage = name_of(self.recipe.stages[position])
        self.records.append({"number": position + 1, "stage": stage, "minutes": minutes, "result": result})

    def new_name(self, kind: str) -> str:
        """The name of the next folder of this kind."""
        name = next_name(kind, (*self.names, *(self.earlier or ())))
        self.names.append(name)
        return name

    def file(self) -> dict[str, Content]:
        """The file that the run resumes from."""
        values = {part.name: getattr(self, part.name) for part in fields(self) if part.name != "began"}
        values |= {"recipe": self.recipe.as_mapping(), "settings": asdict(self.settings), "seconds": self.spent()}
        values["sets"] = list(map(plain_set, self.sets))
        return {RUN: json.dumps({"format": FORMAT, **values}).encode()}


def read_run(directory: Path) -> RunState:
    """Raises DataError where there is nothing to resume, or what is there is damaged."""
    path = file_to_read(directory, RUN, "there is nothing to resume")
    with damage_reported(path):
        values = described(path.read_text(encoding="utf-8"), FORMAT, path)
        recipe, settings = (values.pop(name) for name in ("recipe", "settings"))
        sets = values.pop("sets")
        types = get_type_hints(RunState)
        plain = {name: msgspec.convert(value, types[name]) for name, value in values.items()}
        state = RunState(recipe_from(recipe), settings, **plain)
        state.sets = [grammar_set_from(entry, state.names) for entry in sets]
        _check(state)
        return state


def _check(state: RunState) -> None:
    """Raises ValueError for numbers that cannot be, and for names of others: a run writes what they name, and
    removes it."""
    stages = len(state.recipe.stages)
    if not (0 <= state.stages <= stages and 0 <= state.groups <= stages and 0 <= state.units_done <= len(state.units)):
        raise ValueError("it has done more stages than there are")
    if not all(name in SIZES and size > 0 for name, size in state.sizes.items()):
        raise ValueError("it has impossible numbers of sentences")
    trees = [state.trees.removesuffix(".jsonl")] if state.trees else []
    used = [*state.units, *state.members, *trees, *(grammars.folder for grammars in state.sets)]
    for name in (*state.names, *(state.earlier or ())):
        kind, _, number = name.rpartition("-")
        if kind not in STAGES or not (number.isascii() and number.isdigit()):
            raise ValueError(f"{name!r:.40} is not the name of a folder of a stage")
    if not set(used) <= set(state.names):
        raise ValueError("it uses folders that it has not made")


def described(text: str, version: int, path: Path) -> dict[str, Any]:
    """What an unfinished run has noted in JSON, with its `RunSettings`. Raises DataError for another version, and what
    `damage_reported` reports."""
    values = msgspec.convert(json.loads(text), dict[str, Any])
    if values.pop("format", None) != version:
        reason = "begun by another version of synparse; finish it there, or start again with --force"
        raise DataError(reason, str(path))
    return {**values, "settings": settings_of(RunSettings, values["settings"], "settings")}


@contextlib.contextmanager
def damage_reported(path: Path) -> Iterator[None]:
    """Within, what goes wrong is said of the file that a run resumes from. Raises DataError."""
    try:
        yield
    except OSError as error:
        raise unreadable(str(path), error) from None
    except DAMAGE as error:
        what = (str(error).splitlines() or ["?"])[0]
        raise DataError(f"damaged checkpoint: {what}; begin again with --force", str(path)) from None
