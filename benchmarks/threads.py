"""Time of training and parsing on a quiet and on a busy machine, with one core and with as many as they choose.

    python -m benchmarks.threads [--recipe udgn-tiny] [--corpus data/sample/train.txt] [--rounds 3]
    python -m benchmarks.threads --parse FILE [--model english] [--rounds 3]

The command line, start-up included (of training, one epoch), quiet and beside one busy loop on each core: wall and
processor time, as a Markdown table of medians, and of medians of ratios to one core (OMP_NUM_THREADS=1). The runs take
turns. ``--all`` adds training with one thread per core, which may take very long beside busy loops.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.commands import Cost, cost
from benchmarks.quality.gold import ROOT
from synparse.files.cores import available_cores

SAMPLE = ROOT / "data" / "sample" / "train.txt"


@contextlib.contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """So many processes that do nothing but compute; they end with this one, however it ends."""
    loop = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: sum(range(100_000))"
    loops = [subprocess.Popen([sys.executable, "-c", loop]) for _ in range(count)]
    try:
        yield
    finally:
        for process in loops:
            process.kill()
            process.wait()


def cost_on(command: list[str], cores: int | None) -> Cost:
    """``cores``: what OMP_NUM_THREADS says, None where it says nothing."""
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    if cores is not None:
        environment["OMP_NUM_THREADS"] = str(cores)
    with tempfile.TemporaryDirectory() as folder:
        whole = [sys.executable, "-m", "synparse", *command, "--output", f"{folder}/output"]
        return cost(whole, env=environment)[0]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--recipe", default="udgn-tiny")
    options.add_argument("--corpus", type=Path, default=SAMPLE)
    options.add_argument("--parse", type=Path, metavar="FILE", help="parse this file instead of training")
    options.add_argument("--model", default="english")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--all", action="store_true")
    chosen = options.parse_args()
    command = ["train", str(chosen.corpus), "--recipe", chosen.recipe, "--epochs", "1"]
    if chosen.parse:
        command = ["parse", str(chosen.parse), "--model", chosen.model]
    cores = available_cores()
    ways: dict[str, int | None] = {"one": 1, "as chosen": None} | ({"all": cores} if chosen.all else {})
    print("| machine | cores | wall, s | processor, s | wall, of one core's | processor, of one core's |")
    print("|---|---|---|---|---|---|")
    for machine, loops in (("quiet", 0), ("busy", cores)):
        costs: dict[str, list[Cost]] = {way: [] for way in ways}
        with busy_loops(loops):
            for _ in range(chosen.rounds):
                for way, threads in ways.items():
                    costs[way].append(cost_on(command, threads))
        for way, way_costs in costs.items():
            medians = [statistics.median(values) for values in zip(*way_costs, strict=True)]
            ratios = [
                statistics.median(our_cost / their_cost for our_cost, their_cost in zip(ours, theirs, strict=True))
                for ours, theirs in zip(zip(*way_costs, strict=True), zip(*costs["one"], strict=True), strict=True)
            ]
            figures = " | ".join(f"{value:.1f}" for value in medians) + " | " + " | ".join(f"{r:.2f}" for r in ratios)
            print(f"| {machine} | {way} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
