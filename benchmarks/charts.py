"""Processor time with the charts in C and in NumPy, of whole commands on one core, in turns.

    python -m benchmarks.charts FILE [--rounds 3]

FILE: tokenised sentences, one a line. Parsing them with the English model, the first 4,000 of them as a text to learn
grammars from, and sentences of 500 words made of them; and the share of trees that differ.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.commands import cost

IMPLEMENTATIONS = ("NumPy", "C")
START = "import sys; from synparse import compiled; {}from synparse.__main__ import main; sys.exit(main())"
LEARNED, LONG, LONG_SENTENCES = 4000, 500, 10


def seconds(arguments: list[str], implementation: str) -> float:
    """Processor time of a command, start-up included."""
    code = START.format("compiled.CHARTS = None; " if implementation == "NumPy" else "")
    spent, _ = cost([sys.executable, "-c", code, *arguments], env=os.environ | {"OMP_NUM_THREADS": "1"})
    return spent.processor


def compared(name: str, command: Callable[[str], list[str]], rounds: int) -> None:
    times = {which: [seconds(command(which), which) for _ in range(rounds)] for which in IMPLEMENTATIONS}
    numpy, c = (statistics.median(times[which]) for which in IMPLEMENTATIONS)
    print(f"{name}\t{numpy:.1f} s\t{c:.1f} s\t× {numpy / c:.1f}", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", type=Path)
    options.add_argument("--rounds", type=int, default=3)
    arguments = options.parse_args()
    lines = arguments.file.read_text(encoding="utf-8").splitlines()
    words = [word for line in lines for word in line.split() if word.isalnum()]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def parsing(text: Path) -> Callable[[str], list[str]]:
            return lambda which: ["parse", str(text), "--output", str(folder / f"{text.stem}.{which}")]

        long, some = folder / "long.txt", folder / "some.txt"
        long.write_text("\n".join(" ".join(words[at * LONG : (at + 1) * LONG]) for at in range(LONG_SENTENCES)) + "\n")
        some.write_text("\n".join(lines[:LEARNED]) + "\n")
        compared(f"parsing {len(lines):,} sentences", parsing(arguments.file), arguments.rounds)
        parses = [(folder / f"{arguments.file.stem}.{which}").read_text().split("\n\n") for which in IMPLEMENTATIONS]
        different = sum(one != other for one, other in zip(*parses, strict=True))
        print(f"trees that differ: {different} of {len(lines):,}")
        compared(f"parsing {LONG_SENTENCES} sentences of {LONG} words", parsing(long), arguments.rounds)
        learning = ["train", str(some), "--recipe", "grammar", "--force", "--output"]
        compared(f"learning grammars from {LEARNED:,} sentences", lambda which: [*learning, str(folder / which)], 1)


if __name__ == "__main__":
    main()
