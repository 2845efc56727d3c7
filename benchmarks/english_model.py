"""Makes the shipped English model, step by step, from text whose licence allows it.

    python benchmarks/english_model.py --data DATA --work RUNS

1. The text (`english_text.py`).
2. Three UDGNs, of half an hour each (the recipe english), packed together.
3. Three sets of grammars, taught by these networks; they differ by their seed.
4. The trees that all of these give to the text.
5. A student, which learns from these trees; packed.
6. Grammars taught by the student: the model.

No step reads a gold tree. Every step is a command that a user could type, and is printed; a step whose output is there
is left out, so that the same command goes on where another one was stopped. Two hours and a half of one core in all,
two of them for the networks. The same number of minutes gives other weights on another machine: a shipped model is not
made again byte for byte.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from synparse.store.overwriting import is_unfinished

NETWORKS = {1: 33, 2: 33, 3: 45}
"""Minutes of each network, by its seed."""

GRAMMARS = (1, 2, 3)
EVIDENCE = ("--punctuation", "evidence")


def steps(data: Path, work: Path) -> Iterator[tuple[Path, list[str]]]:
    """The output of each step, and its command."""
    text, networks, trees, student = (work / name for name in ("english.txt", "networks", "trees.jsonl", "student"))
    script = str(Path(__file__).with_name("english_text.py"))
    sources = ("ewt/train.conllu", "gum/train.conllu", "text/state-union-raw.txt")
    yield text, [script, *(str(data / source) for source in sources), "--output", str(text)]

    def synparse(output: Path, command: str, *words: object) -> tuple[Path, list[str]]:
        return output, ["-m", "synparse", command, *map(str, words), "--output", str(output)]

    for seed, minutes in NETWORKS.items():
        how = ("--recipe", "english", "--set", "grammar.parts=none", "--minutes", minutes, "--seed", seed)
        yield synparse(work / f"udgn-{seed}", "train", text, *how)
    as_packed = (*EVIDENCE, "--function-words", "leaves", "--storage", "float16")
    yield synparse(networks, "pack", *(work / f"udgn-{seed}" for seed in NETWORKS), *as_packed)
    for seed in GRAMMARS:
        how = ("--model", "grammar", "--teacher", networks, "--seed", seed)
        yield synparse(work / f"taught-{seed}", "train", text, *how)
    taught = [word for seed in GRAMMARS for word in ("--model", work / f"taught-{seed}")]
    how = (*EVIDENCE, "--function-words", "free", "--format", "json")
    yield synparse(trees, "parse", text, *taught, *how)
    yield synparse(student, "train", trees, "--model", "student", "--seed", 1)
    yield synparse(work / "packed", "pack", student, *as_packed)
    yield synparse(work / "english", "train", text, "--model", "grammar", "--teacher", work / "packed", "--seed", 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("SYNPARSE_DATA", "../shared/data")))
    parser.add_argument("--work", type=Path, required=True, help="the folder of the text and the models")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    for output, command in steps(options.data, options.work):
        if is_unfinished(output):
            run("-m", "synparse", "train", "--resume", str(output))
        elif not output.exists():
            run(*command)


def run(*command: str) -> None:
    print("python", *command, file=sys.stderr)
    subprocess.run([sys.executable, *command], check=True)


if __name__ == "__main__":
    main()
