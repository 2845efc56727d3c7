"""The commands of synparse that benchmarks run; what is there is not made again, and training goes on where it stopped.

Each is a process with one thread, or as many as OMP_NUM_THREADS says. Beside a model stands a record of its run
(MODEL.jsonl): of each part of it the commit, the cores, and what it took.
"""

from __future__ import annotations

import json
import os
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from benchmarks.quality.table import NOTHING, commit
from synparse.files.folders import stored
from synparse.store.model_directory import CONFIG, is_unfinished
from synparse.trees.errors import SettingError

THREADS = os.environ.get("OMP_NUM_THREADS", "1")


class CommandError(Exception):
    """A command failed: which one, and its exit code. It has said why."""


class Record(NamedTuple):
    """What is known of the run of a model directory; settings: what its caller has called them, in the cell of a table.
    Minutes are those of all parts of the run, None where one of them was killed."""

    settings: str = NOTHING
    cores: str = NOTHING
    commits: tuple[str, ...] = ()
    cpu_minutes: float | None = None
    minutes: float | None = None


def run(*arguments: object, record: TextIO | None = None) -> None:
    """Run a command of synparse, with its messages on standard error; what it took goes to the record. Raises
    CommandError if it fails."""
    words, start = [str(argument) for argument in arguments], time.monotonic()
    print("synparse", shlex.join(words), file=sys.stderr)
    command = [sys.executable, "-m", "synparse", *words]
    process = subprocess.Popen(command, env={**os.environ, "OMP_NUM_THREADS": THREADS}, stdout=sys.stderr)
    _, status, usage = os.wait4(process.pid, 0)  # its own times, whatever else runs
    process.returncode = os.waitstatus_to_exitcode(status)  # or Popen waits again, in vain
    if record is not None:
        spent = {"minutes": time.monotonic() - start, "CPU minutes": usage.ru_utime + usage.ru_stime}
        print(json.dumps({unit: seconds / 60 for unit, seconds in spent.items()}), file=record)
    if process.returncode:
        raise CommandError(f"synparse {shlex.join(words)} ended with exit code {process.returncode}")


class Cost(NamedTuple):
    """In seconds."""

    wall: float
    processor: float


def cost(command: Sequence[str], **how: Any) -> tuple[Cost, subprocess.CompletedProcess[Any]]:
    """What a command took, start-up included, and what became of it; ``how``: as of `subprocess.run`."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, check=True, **how)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), done


def is_trained(directory: Path) -> bool:
    return stored(directory, CONFIG).is_file() and not is_unfinished(directory)


def trained(directory: Path, *arguments: object, settings: str = NOTHING, cores: str = THREADS) -> Path:
    """The model that `synparse train` makes with these arguments; an unfinished run is resumed, here or by the
    same command later.

    Raises CommandError where training stops, SettingError where the directory was begun with other ``settings``.
    """
    resumes, before = is_unfinished(directory), read_record(directory).settings
    if before not in (settings, NOTHING) and (resumes or is_trained(directory)):
        raise SettingError(f"{directory} was trained with {before}; name another folder by --work")
    if is_trained(directory):
        return directory
    directory.parent.mkdir(parents=True, exist_ok=True)
    with record_file(directory).open("a" if resumes else "w", encoding="utf-8") as record:
        print(json.dumps({"commit": commit(), "settings": settings, "cores": cores}), file=record, flush=True)
        run("train", *(("--resume", directory) if resumes else (*arguments, "--output", directory)), record=record)
    return directory


def parsed(source: Path, model: Path, output: Path, *options: str) -> Path:
    """The trees that a model gives to a file, unless they are there and newer than the model. Raises CommandError where
    it cannot be parsed."""
    if not output.exists() or output.stat().st_mtime < stored(model, CONFIG).stat().st_mtime:
        run("parse", source, "--model", model, "--jobs", 1, *options, "--output", output)
    return output


def record_file(directory: Path) -> Path:
    return directory.with_name(f"{directory.name}.jsonl")


def read_record(directory: Path) -> Record:
    path = record_file(directory)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []
    begun, ended = ([line for line in lines if key in line] for key in ("commit", "minutes"))
    if not begun:
        return Record()
    minutes = [sum(line[unit] for line in ended) for unit in ("CPU minutes", "minutes")]
    last, commits = begun[-1], tuple(dict.fromkeys(line["commit"] for line in begun))
    return Record(last["settings"], last["cores"], commits, *(minutes if len(begun) == len(ended) else (None, None)))


def program(main: Callable[[], None]) -> None:
    """Run a program; exits where one of its commands fails, or at Ctrl-C, which its commands have had too."""
    try:
        main()
    except CommandError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
