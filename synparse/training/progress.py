"""What an unfinished run has done and decided so far: the file `RUN` of its model directory."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from synparse.config.grammar import GrammarConfig
from synparse.config.recipe import Recipe, recipe_from
from synparse.config.settings import plain_settings, settings_of
from synparse.files.folders import Content, stored
from synparse.store.models import GrammarSet
from synparse.store.overwriting import RUN
from synparse.training.reading import RunSettings
from synparse.trees.errors import DataError, SettingError

FORMAT = 1


@dataclass
class RunState:
    """recipe: as far as it is decided, the stages as they are run; settings: of the first command.

    groups: how many groups of stages have been decided on; stages: how many stages are done. units: names of the
    folders that the stage in progress makes, of which units_done are finished; names: all names so far; earlier: those
    of a model that the run is to overwrite, None once it is gone. not_taken: positions of stages whose parser was worse
    than the one before. members, sets, trees: what the next stage learns from: names of models, grammars, and a file of
    trees; kept_members, kept_sets: the parser that the directory holds. records: what became of each stage. corpus:
    what was read, as models say it; rates: how long things take (`synparse.training.planning.Rates`); sizes:
    from how many sentences grammars are learned, if there are minutes; seconds: spent so far.
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
    kept_members: list[str] = field(default_factory=list)
    kept_sets: list[GrammarSet] = field(default_factory=list)
    records: list[dict[str, Any]] = field(default_factory=list)
    corpus: dict[str, Any] = field(default_factory=dict)
    rates: dict[str, float] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    began: float = field(default_factory=time.monotonic)

    def spent(self) -> float:
        """Seconds of the run so far, without the time when it was stopped."""
        return self.seconds + time.monotonic() - self.began

    def left(self) -> float | None:
        """Seconds of its minutes that are left."""
        return None if self.settings.minutes is None else 60 * self.settings.minutes - self.spent()

    def new_name(self, kind: str) -> str:
        """The name of the next folder of this kind."""
        taken = (one.rpartition("-") for one in (*self.names, *(self.earlier or ())))
        name = f"{kind}-{1 + max((int(number) for other, _, number in taken if other == kind), default=0)}"
        self.names.append(name)
        return name

    def file(self) -> dict[str, Content]:
        """The file that the run resumes from."""
        values = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "began"}
        values |= {"recipe": self.recipe.as_mapping(), "settings": asdict(self.settings), "seconds": self.spent()}
        values |= {name: [_plain_set(one) for one in getattr(self, name)] for name in ("sets", "kept_sets")}
        return {RUN: json.dumps({"format": FORMAT, **values}).encode()}


def _plain_set(one: GrammarSet) -> dict[str, Any]:
    return {**one._asdict(), "settings": plain_settings(one.settings)}


def _sets_from(values: Sequence[Mapping[str, Any]]) -> list[GrammarSet]:
    return [
        GrammarSet(
            str(one["folder"]),
            tuple(one["members"]),
            settings_of(GrammarConfig, one["settings"], "grammars.settings"),
            one["provenance"],
        )
        for one in values
    ]


def read_run(directory: Path) -> RunState:
    """Raises DataError where there is nothing to resume, or what is there is damaged."""
    path = stored(directory, RUN)
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        if values.pop("format", None) != FORMAT:
            reason = "begun by another version of synparse; finish it there, or start again with train --force"
            raise DataError(reason, str(path))
        given = values.pop("settings")
        return RunState(
            recipe_from(values.pop("recipe")),
            RunSettings(**{**given, "corpus": tuple(given["corpus"])}),
            sets=_sets_from(values.pop("sets")),
            kept_sets=_sets_from(values.pop("kept_sets")),
            **values,
        )
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", str(path)) from None
    except (SettingError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(f"damaged checkpoint: {(str(error).splitlines() or ['?'])[0]}", str(path)) from None
