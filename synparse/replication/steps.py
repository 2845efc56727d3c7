"""Steps of a replication: commands of synparse that need what others made, each with a key of what it depends on."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from synparse.trees.errors import unreadable

KEY_LENGTH = 12
"""Hexadecimal digits of a key in the name of a folder."""


@dataclass(frozen=True)
class UserFile:
    """A file of the user, known by its content: it may move."""

    path: str


@dataclass(frozen=True)
class Shipped:
    """A name that stands for the settings in a file: other settings are another run."""

    name: str
    file: Path


@dataclass(frozen=True)
class Output:
    """A file or directory that the step itself writes, by its name in the step's folder."""

    name: str


@dataclass(frozen=True)
class Made:
    """What another step has written."""

    step: Step
    name: str


Argument: TypeAlias = "str | UserFile | Shipped | Output | Made"


@dataclass(frozen=True, eq=False)
class Step:
    """A command: ``synparse ARGUMENTS``. Its standard output, if any, is JSON.

    title: for notes and its folder: what it does, and, behind a comma, with which model. resumed_by: the command that
    continues it with --resume, such as ``train``, and its data, which may have moved; empty where it starts again.
    is_training: its time is what a row costs.
    """

    title: str
    arguments: tuple[Argument, ...]
    resumed_by: tuple[Argument, ...] = ()
    is_training: bool = False

    @functools.cached_property
    def key(self) -> str:
        """Of the arguments, and of the content of all files behind them."""
        identities = json.dumps([_identity(argument) for argument in self.arguments])
        return hashlib.sha256(identities.encode()).hexdigest()

    @property
    def folder(self) -> str:
        """The name of the folder that the step writes to: its title up to the first comma, and the key."""
        return f"{re.sub(r'[^A-Za-z0-9.=]+', '-', self.title.partition(',')[0])}-{self.key[:KEY_LENGTH]}"

    @property
    def needs(self) -> tuple[Step, ...]:
        """The steps that come before."""
        return tuple(argument.step for argument in self.arguments if isinstance(argument, Made))

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of what it writes."""
        return tuple(argument.name for argument in self.arguments if isinstance(argument, Output))

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Step) and self.key == other.key


def words(step: Step, work: Path) -> list[str]:
    """The arguments of the command, with outputs in the step's folder in ``work``."""
    return [_word(argument, step, work) for argument in step.arguments]


def words_to_resume(step: Step, work: Path) -> list[str]:
    """The arguments that continue the step where it was interrupted."""
    [name] = step.outputs
    command = (_word(argument, step, work) for argument in step.resumed_by)
    return [*command, "--resume", str(work / step.folder / name), "--json"]


def typed(arguments: Iterable[str]) -> str:
    """The command as a user types it."""
    return shlex.join(["synparse", *arguments])


def with_needs(steps: Iterable[Step]) -> Iterator[Step]:
    """The steps and all that they need, once each, those that are needed first."""
    seen: set[Step] = set()

    def visit(step: Step) -> Iterator[Step]:
        if step not in seen:
            for needed in step.needs:
                yield from visit(needed)
            seen.add(step)
            yield step

    for step in steps:
        yield from visit(step)


def _word(argument: Argument, step: Step, work: Path) -> str:
    if isinstance(argument, UserFile):
        return argument.path
    if isinstance(argument, Shipped):
        return argument.name
    if isinstance(argument, Output):
        return str(work / step.folder / argument.name)
    if isinstance(argument, Made):
        return str(work / argument.step.folder / argument.name)
    return argument


def _identity(argument: Argument) -> list[str]:
    if isinstance(argument, UserFile):
        return ["file", _content(argument.path)]
    if isinstance(argument, Shipped):
        return ["settings", argument.name, _content(str(argument.file))]
    if isinstance(argument, Output):
        return ["output", argument.name]
    if isinstance(argument, Made):
        return ["made", argument.step.key, argument.name]
    return ["word", argument]


def _content(path: str) -> str:
    """A digest of a file's content. Raises DataError if it cannot be read."""
    try:
        status = Path(path).stat()
        return _digest_of_file(path, status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise unreadable(path, error) from None


@functools.lru_cache(maxsize=256)
def _digest_of_file(path: str, size: int, changed: int) -> str:  # noqa: ARG001 - of a changed file, another digest
    with Path(path).open("rb") as stream:
        digest = hashlib.sha256()
        while block := stream.read(1 << 20):
            digest.update(block)
        return digest.hexdigest()
