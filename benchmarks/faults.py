"""Damaged inputs of every kind through every command: each is read, or is one error line, soon and in little memory.

    python -m benchmarks.faults [--minutes 8] [--inputs 10000] [--first 0] [--findings DIR]

The inputs have numbers (`tests.hostile_inputs`), and the same number is always the same input. A fault is written to a
folder of its number, with the command, what it said, and the changed files, the smallest ones that have the same fault.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from synparse.training.run import train
from tests.conftest import GRAMMARS
from tests.hostile_inputs import Input, fault_of, numbered_input, prepare

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "sample" / "train.txt"

SECONDS = 20
"""After which a command hangs."""

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--findings", type=Path, default=Path("faults"))
    settings = parser.parse_args()
    found, longest, tried, start = Counter[str](), (0.0, ""), 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        work.mkdir()
        grammar = train([str(SAMPLE)], "grammar", Path(folder) / "grammar", changes=[*GRAMMARS, "text.min_count=9"])
        models = prepare(work, grammar.directory)
        for number in range(settings.first, settings.first + settings.inputs):
            begin = time.monotonic()
            if begin - start > 60 * settings.minutes:
                break
            given = numbered_input(number, models)
            fault = fault_of(given, work, SECONDS)
            longest = max(longest, (time.monotonic() - begin, f"{number}: {given.line}"))
            tried += 1
            if fault:
                found[kind_of(fault)] += 1
                print(f"{number}: {given.line}: {kind_of(fault)}", flush=True)
                if found[kind_of(fault)] == 1:
                    write_finding(settings.findings / str(number), given, fault, work)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{tried} inputs, {sum(found.values())} faults of {len(found)} kinds; the longest {longest[0]:.1f} s "
          f"({longest[1]}); {memory:.2f} GB at most")  # fmt: skip
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
