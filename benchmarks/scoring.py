"""Scoring speed on one core: sentences per minute and peak memory, as a Markdown table.

    python -m benchmarks.scoring [--sentences 20000 100000] [--data ../shared/data]

Each row is a whole command, start-up included, in a process of its own, over the shipped sample repeated (bracketed and
CoNLL-U, with right-branching or next-word predictions): memory is bounded if the rows of one command differ in time but
not in memory. With --data, EWT dev is also scored against itself, which should take less than a second.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
from pathlib import Path

from benchmarks.commands import cost
from benchmarks.quality.gold import ROOT
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import read_conllu, with_heads
from synparse.trees.constituency import format_brackets, induced_tree

SAMPLE = ROOT / "data" / "sample"

COMMANDS = {
    "brackets, kim2019": ("brackets", ()),
    "brackets, evalb": ("brackets", ("--protocol", "evalb")),
    "brackets, --breakdown": ("brackets", ("--breakdown",)),
    "CoNLL-U": ("conllu", ()),
    "CoNLL-U, --breakdown": ("conllu", ("--breakdown",)),
}


def predictions(kind: str) -> list[str]:
    """The sample's sentences with trivial trees."""
    with (SAMPLE / f"gold.{kind}").open(encoding="utf-8") as lines:
        if kind == "brackets":
            trees = [tree for _, tree in read_brackets(lines, kind)]
            spans = ([(start, len(tree)) for start in range(max(1, len(tree) - 1))] for tree in trees)
            return [
                format_brackets(induced_tree(tree.words, chain, tree.tags)) + "\n"
                for tree, chain in zip(trees, spans, strict=True)
            ]
        sentences = []
        for sentence in read_conllu(lines, kind):
            count = len(sentence.rows)
            heads = [*range(2, count + 1), 0]
            sentences.append("".join(with_heads(sentence, heads, ["dep"] * (count - 1) + ["root"]).lines))
        return sentences


def golds(kind: str) -> list[str]:
    """The sample's gold sentences, as text."""
    with (SAMPLE / f"gold.{kind}").open(encoding="utf-8") as lines:
        if kind == "brackets":
            return [format_brackets(tree) + "\n" for _, tree in read_brackets(lines, kind)]
        return ["".join(sentence.lines) for sentence in read_conllu(lines, kind)]


def repeated(sentences: list[str], count: int, path: Path) -> Path:
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(itertools.islice(itertools.cycle(sentences), count))
    return path


def measure(name: str, sentences: int, prediction: Path, gold: Path, options: tuple[str, ...]) -> None:
    """Print a row: the command's processor time, which others on the machine do not change, and its memory."""
    program = (
        "import resource, sys\nfrom synparse.cli.app import run\ncode = run(sys.argv[1:])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\nsys.exit(code)"
    )
    command = [sys.executable, "-c", program, "eval", str(prediction), str(gold), *options]
    (wall, seconds), done = cost(command, capture_output=True, text=True)
    memory = int(done.stderr.split()[-1]) / 1024
    rate = 60 * sentences / seconds
    print(f"| {name} | {sentences:,} | {seconds:.2f} | {wall:.2f} | {rate:,.0f} | {memory:.0f} |", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sentences", type=int, nargs="+", default=[20_000, 100_000])
    options.add_argument("--data", type=Path, default=os.environ.get("SYNPARSE_DATA"))
    chosen = options.parse_args()
    print("| command | sentences | processor seconds | wall seconds | sentences a minute of processor | MiB |")
    print("|---|---|---|---|---|---|")
    if chosen.data:
        dev = Path(chosen.data) / "ewt" / "dev.conllu"
        measure("EWT dev against itself", 2001, dev, dev, ())
    with tempfile.TemporaryDirectory() as folder:
        for count in chosen.sentences:
            for kind in ("brackets", "conllu"):
                gold = repeated(golds(kind), count, Path(folder) / f"gold.{kind}")
                prediction = repeated(predictions(kind), count, Path(folder) / f"predicted.{kind}")
                for name, (of_kind, flags) in COMMANDS.items():
                    if of_kind == kind:
                        measure(name, count, prediction, gold, flags)


if __name__ == "__main__":
    main()
