"""The data of a replication: what the user gives, and what our rows need of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from synparse.files.packed import ENDINGS, ending_of
from synparse.files.streams import STANDARD_STREAM, read_lines, write_whole
from synparse.trees.beginning import CONLLU_FILES
from synparse.trees.errors import SettingError, unreadable

TEXT = "TEXT"
"""The argument of what language models are trained on."""


Given = TypeVar("Given", str, int)


class Needs(Exception):  # noqa: N818 - not an error: the row stays empty, and the user is told
    """A figure of ours needs data that were not given. Its text is the argument or option that gives them."""


@dataclass(frozen=True)
class Data:
    """Paths, as they were given.

    - ``texts``: to train on; ``valid``, ``test``: held-out text;
    - ``brackets``, ``dependencies``: gold trees; ``channels``: gold dependencies with relations, for channels;
    - ``pairs``: minimal pairs;
    - ``similarity``, ``sentiment``, ``logic``: folders with the published files under their usual names;
    - ``listops``: the number of expressions to generate and to train on;
    - ``demonstrations``: of each task in Craft, the number to generate and to imitate.
    """

    texts: tuple[str, ...] = ()
    valid: str | None = None
    test: str | None = None
    brackets: str | None = None
    dependencies: str | None = None
    channels: str | None = None
    pairs: str | None = None
    similarity: str | None = None
    sentiment: str | None = None
    logic: str | None = None
    listops: int | None = None
    demonstrations: int | None = None

    def __post_init__(self) -> None:
        files = (*self.texts, self.valid, self.test, self.brackets, self.dependencies, self.channels, self.pairs)
        if STANDARD_STREAM in files:
            raise SettingError("- cannot be read: each file is read many times, so give it a name")


def by_kind(trees: Sequence[str]) -> tuple[str | None, str | None]:
    """Of gold trees, the file of brackets and the file of dependencies. Raises SettingError for two of one kind."""
    dependencies = [path for path in trees if ending_of(path) in CONLLU_FILES]
    brackets = [path for path in trees if path not in dependencies]
    for kind in (brackets, dependencies):
        if len(kind) > 1:
            raise SettingError(f"--trees: one file of brackets and one of CoNLL-U at most, not {' and '.join(kind)}")
    return next(iter(brackets), None), next(iter(dependencies), None)


def given(value: Given | None, option: str) -> Given:
    """The path or number. Raises Needs(option) where there is none."""
    if value is None:
        raise Needs(option)
    return value


def part(folder: str | None, option: str, name: str) -> str:
    """A file of a folder, packed or not. Raises Needs(option) where no folder is given, SettingError where the
    folder has no such file."""
    path = _packed_or_not(Path(given(folder, option)) / name)
    if path is None:
        raise SettingError(f"{option.partition(' ')[0]}: {folder} has no {name} or {name}.gz")
    return path


def parts(folder: str | None, option: str, prefix: str, numbers: range) -> list[str]:
    """The numbered files of a folder that are there. Raises as `part` if the first is not."""
    paths = [part(folder, option, f"{prefix}{numbers[0]}")]
    others = (_packed_or_not(Path(given(folder, option)) / f"{prefix}{number}") for number in numbers[1:])
    return [*paths, *filter(None, others)]


def _packed_or_not(path: Path) -> str | None:
    """A file, or where it is not there, the packed one."""
    candidates = (path.with_name(path.name + ending) for ending in ("", *ENDINGS))
    return next((str(candidate) for candidate in candidates if candidate.is_file()), None)


def thinned(texts: Sequence[str], every: int, work: Path) -> tuple[str, ...]:
    """A file in ``work`` with each ``every``-th line of the texts, so that a smaller part is in each larger one of
    which its number is a multiple; the texts themselves for each line. Raises DataError where they cannot be read."""
    if every == 1:
        return tuple(texts)
    digest = hashlib.sha256(repr(list(map(_stamp, texts))).encode()).hexdigest()
    path = work / f"text-1-of-{every}-{digest[:12]}.txt"
    if not path.exists():
        work.mkdir(parents=True, exist_ok=True)
        lines = (line for text in texts for line in read_lines(text))
        with write_whole(str(path)) as out:
            out.writelines(line.rstrip("\n") + "\n" for number, line in enumerate(lines) if number % every == 0)
    return (str(path),)


def _stamp(path: str) -> tuple[str, int, int]:
    """By which a changed file is known. Raises DataError if it cannot be read."""
    try:
        status = Path(path).stat()
    except OSError as error:
        raise unreadable(path, error) from None
    return str(Path(path).resolve()), status.st_size, status.st_mtime_ns
