"""Trains a model over several seeds, scores its trees, and puts the rows into the table benchmarks/quality.tsv.

    python -m benchmarks.quality --recipe udgn-small --minutes 20 --seeds 1 2 3 --work RUNS
    python -m benchmarks.quality --model grammar --teacher english --text english.txt --topic grammars --work RUNS

The same as two programs, whose --help explains more, one after the other: benchmarks.quality.train, and
benchmarks.quality.score with the directories that it prints. benchmarks.quality.table prints the table.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.quality import score, train
from benchmarks.quality.gold import read_golds
from benchmarks.quality.table import add_rows, made_now


def main() -> None:
    options = argparse.ArgumentParser(
        "python -m benchmarks.quality", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    train.add_options(options)
    score.add_options(options)
    chosen = options.parse_args()
    golds = read_golds(chosen.data)
    if not golds:
        options.error(f"no gold files in {chosen.data}; name their folder with --data")
    made = made_now("benchmarks.quality")
    seeds = [[directory] for directory in train.trained(chosen)]
    add_rows(chosen.table, score.scored_rows(seeds, golds, chosen, made))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:  # the runs have had it too, and have saved
        sys.exit(130)
