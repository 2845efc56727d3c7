"""The time of the slowest single operations: very long sentences, very deep trees, and Ctrl-C.

    python benchmarks/long_sentences.py

One measurement each, in seconds, on one core. The tests count the steps of the first five and read no clock.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from synparse.treebanks.penn import nodes_of
from synparse.treebanks.schemes import SCHEMES, load_converter
from synparse.trees.averaging import averaged_spans
from synparse.trees.constituency import ConstituencyTree, Constituent
from synparse.trees.distances import binary_spans, unbiased_spans
from synparse.trees.projective import projective_heads
from synparse.trees.punctuation_cues import cues_of, distances_with_cues
from synparse.trees.spanning_tree import maximum_spanning_heads

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "sample" / "train.txt"


def random_scores(count: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(count, count))


def average(count: int) -> None:
    leaning = -np.arange(count - 1) + np.random.default_rng(0).normal(scale=5, size=(5, count - 1))
    trees = [unbiased_spans(row.tolist()) for row in leaning]
    binary_spans(averaged_spans(trees), trees)


def weigh(count: int) -> None:
    tokens = ["("] * count + ["x"] + [")"] * count
    cues = cues_of(tokens, [token == "x" for token in tokens])
    distances_with_cues([0.0] * len(cues.levels), cues)


def convert(depth: int) -> None:
    chain = ConstituencyTree(("go",), ("VB",), tuple(Constituent("S", 0, 1) for _ in range(depth)))
    for name in SCHEMES:
        load_converter(name)(nodes_of(chain))


def interrupt() -> float:
    """Seconds from Ctrl-C, in the middle of a run, to the end of the process."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "synparse", "train", str(SAMPLE), "--recipe", "udgn-tiny", "--save-every", "5"]
        process = subprocess.Popen([*command, "-o", f"{folder}/model"], stderr=subprocess.DEVNULL)
        while not Path(folder, "model", "last.safetensors").exists():
            time.sleep(0.1)
        start = time.perf_counter()
        process.send_signal(signal.SIGINT)
        process.wait()
        return time.perf_counter() - start


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    spanning, projective = random_scores(500), random_scores(200)
    rows = {
        "maximum spanning tree, 500 words": lambda: seconds(lambda: maximum_spanning_heads(spanning)),
        "projective tree, 200 words": lambda: seconds(lambda: projective_heads(projective)),
        "average of five trees, 1,000 words": lambda: seconds(lambda: average(1_000)),
        "100,000 brackets as evidence": lambda: seconds(lambda: weigh(50_000)),
        f"a tree 5,000 deep, {len(SCHEMES)} conversions": lambda: seconds(lambda: convert(5_000)),
        "Ctrl-C while training": interrupt,
    }
    print("| | seconds |\n|---|---|")
    for name, measure in rows.items():
        print(f"| {name} | {measure():.2f} |", flush=True)


if __name__ == "__main__":
    main()
