"""Damaged inputs of every kind through every command: each is read, or is one error line, soon and in little memory.

    python -m benchmarks.faults [--minutes 8] [--inputs 10000] [--first 0] [--jobs 2] [--findings DIR]

The inputs have numbers (`tests.hostile_inputs`), and the same number is always the same input. The first fault of each
kind is written to a folder of its number, with the command, what it said, and the changed files, the smallest ones that
have the same fault.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from synparse.files.cores import available_cores
from synparse.files.processes import map_in_order
from tests.hostile_inputs import Directories, Input, fault_of, numbered_input, prepare

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "sample" / "train.txt"

SECONDS = 20
"""After which a command hangs."""

TEXT, SENTENCES = "text.txt", 20
"""What parsers are trained on, and how much of it."""

TRIALS = 200
"""Smaller files that are tried for each fault."""


def kind_of(fault: str) -> str:
    """Its last line, which has the exception, without what differs by the input."""
    return "".join(character for character in fault.strip().splitlines()[-1] if not character.isdigit())[:80]


def smallest(content: bytes, is_faulty: Callable[[bytes], bool]) -> bytes:
    """A part of the content that is still faulty: ever smaller pieces are taken out."""
    trials, size = TRIALS, len(content) // 2
    while size and trials:
        at = 0
        while at < len(content) and trials:
            trials -= 1
            shorter = content[:at] + content[at + size :]
            if is_faulty(shorter):
                content = shorter
            else:
                at += size
        size //= 2
    return content


def write_finding(folder: Path, given: Input, fault: str, work: Path) -> None:
    def has_it(files: dict[str, bytes]) -> bool:
        again = fault_of(Input(given.line, files), work, SECONDS)
        return bool(again) and kind_of(again) == kind_of(fault)

    files = dict(given.files)
    if len(files) == 1:
        [name] = files
        files[name] = smallest(files[name], lambda content: has_it({name: content}))
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    (folder / "fault.txt").write_text(f"{given.line}\n\n{fault}\n", encoding="utf-8", errors="replace")


KNOWN: set[str] = set()
"""The kinds of faults that this process has written."""


class Trial(NamedTuple):
    """What became of an input: its line, what is wrong, empty if nothing is; how long it took, and the most memory that
    its process has taken, in GB."""

    line: str
    fault: str
    seconds: float
    memory: float


@cache
def prepared(folder: Path) -> tuple[Path, Directories]:
    """A folder of this process alone, with what its inputs need."""
    work = folder / str(os.getpid())
    work.mkdir()
    return work, prepare(work, folder / TEXT)


def tried(folder: Path, findings: Path, number: int) -> Trial:
    work, directories = prepared(folder)
    given = numbered_input(number, directories)
    begin = time.monotonic()
    fault = fault_of(given, work, SECONDS)
    seconds = time.monotonic() - begin
    if fault and kind_of(fault) not in KNOWN:
        KNOWN.add(kind_of(fault))
        write_finding(findings / str(number), given, fault, work)
    return Trial(given.line, fault, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=available_cores())
    parser.add_argument("--findings", type=Path, default=Path("faults"))
    settings = parser.parse_args()
    found, longest, memory, count, start = Counter[str](), (0.0, ""), 0.0, 0, time.monotonic()
    numbers = range(settings.first, settings.first + settings.inputs)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = SAMPLE.read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / TEXT).write_text("".join(lines[:SENTENCES]), encoding="utf-8")
        trials = map_in_order(partial(tried, folder, settings.findings.absolute()), numbers, settings.jobs)
        with contextlib.closing(trials):
            for number, trial in zip(numbers, trials, strict=True):
                longest = max(longest, (trial.seconds, f"{number}: {trial.line}"))
                memory, count = max(memory, trial.memory), count + 1
                if trial.fault:
                    found[kind_of(trial.fault)] += 1
                    print(f"{number}: {trial.line}: {kind_of(trial.fault)}", flush=True)
                if time.monotonic() - start > 60 * settings.minutes:
                    break
    minutes = (time.monotonic() - start) / 60
    print(f"{count} inputs in {minutes:.1f} minutes, {sum(found.values())} faults of {len(found)} kinds; the longest "
          f"{longest[0]:.1f} s ({longest[1]}); {memory:.2f} GB at most")  # fmt: skip
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
