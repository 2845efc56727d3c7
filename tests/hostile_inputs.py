"""Inputs that may be damaged, and what is wrong with what becomes of them. A number makes an input, always the same
(`numbered_input`): the tests try a few, ``make faults`` as many as there is time for."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import signal
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import NamedTuple

from synparse.cli.app import run
from synparse.files.signals import Terminated, terminable
from synparse.trees.printable import OBEYED
from tests.hostile_kinds import DIRECTORIES, KINDS
from tests.hostile_models import Files, directories_in
from tests.mutations import (
    bounded,
    mutated,
    terminated_after,
    unless_it_hangs,
    with_another_header,
    with_another_number,
)
from tests.processes import HANG

TRAINING = ("train", "transfer")
"""Commands that may be told to work for days: after `LONGEST_TRAINING`, they are."""

LONGEST_TRAINING = 3
"""In seconds; then they get SIGTERM, which has to end them."""

TERMINATED = 128 + signal.SIGTERM

Directories = Mapping[str, Mapping[str, Files]]
"""By what trained them, and their names."""


def mutated_directory(directories: Mapping[str, Files], source: Random) -> Files:
    """The files of one of these directories, one of them changed."""
    files = dict(directories[source.choice(list(directories))])
    file = source.choice(list(files))
    if source.random() < 0.1:
        files[file] = directories[source.choice(list(directories))].get(file, files[file])
    elif file.endswith(".safetensors"):
        change = source.choice([mutated, mutated, with_another_number, with_another_header])
        files[file] = change(files[file], source)
    else:
        files[file] = mutated(files[file], source)
    return files


def prepare(folder: Path, text: Path) -> Directories:
    """Writes whole files and directories of each kind, that commands read beside what is changed. ``text``: what they
    are trained on. Returns the directories."""
    for name, kind in KINDS.items():
        (folder / ("whole" + name[name.index(".") :])).write_bytes(kind.content)
    return directories_in(folder, text)


class Input(NamedTuple):
    """A line of a command, and the files that it is given, of which one is changed."""

    line: str
    files: Mapping[str, bytes]


def numbered_input(number: int, directories: Directories) -> Input:
    """Each line of `KINDS` and `DIRECTORIES` in its turn."""
    source = Random(number)
    lines = [(line, name) for name, kind in KINDS.items() for line in kind.lines]
    lines += [(line, name) for name, of_kind in DIRECTORIES.items() for line in of_kind for _ in range(2)]
    line, name = lines[number % len(lines)]
    if name in KINDS:
        return Input(line.replace("{}", name), {name: mutated(KINDS[name].content, source)})
    files = mutated_directory(directories[name], source)
    return Input(line, {f"model/{file}": content for file, content in files.items()})


def fault_of(given: Input, folder: Path, seconds: int = HANG, may_fail: bool = True) -> str:
    """What is wrong with what a command does with its input in a folder, empty if nothing is: it ends, within bounds of
    memory and time, with the exit code of its contract and, where it fails, one printable line; and leaves nothing but
    its whole output; ``may_fail``: its exit code may tell of an error."""
    before = set(folder.iterdir())
    for name, content in given.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    texts = {name: content.decode(errors="replace") for name, content in given.files.items()}
    arguments = [texts[word] if word.endswith(".pattern") else word for word in given.line.split()]
    try:
        fault = _fault(arguments, folder, seconds, may_fail)
        expected = {"out", "report", *(Path(name).parts[0] for name in given.files)}
        left = sorted({path.name for path in set(folder.iterdir()) - before} - expected)
        return fault or (f"left there: {left}" if left else "")
    finally:
        for path in set(folder.iterdir()) - before:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _fault(arguments: Sequence[str], folder: Path, seconds: int, may_fail: bool) -> str:
    out, error = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    trains = not set(TRAINING).isdisjoint(arguments)
    try:
        with contextlib.ExitStack() as stack:
            for bound in (in_folder(folder), redirect_stdout(out), redirect_stderr(error), bounded(), terminable()):
                stack.enter_context(bound)
            stack.enter_context(terminated_after(LONGEST_TRAINING, seconds) if trains else unless_it_hangs(seconds))
            code = run(arguments)
    except (KeyboardInterrupt, Terminated):
        code = TERMINATED
    except (Exception, SystemExit):
        return traceback.format_exc()
    said = error.getvalue()
    if code not in (0, *[1, 2] * may_fail, *[TERMINATED] * trains):
        return f"exit code {code}"
    if OBEYED.search(said) or not all(line.startswith("synparse: ") for line in said.splitlines()):
        return f"said: {said!r}"
    told = said.endswith(" is in out\n")  # the best model of a training that fails late
    if code in (1, 2) and (not said or ((folder / "out").exists() and not told)):
        return f"exit code {code}, " + ("with output" if said else "without a word")
    return ""


@contextlib.contextmanager
def in_folder(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
