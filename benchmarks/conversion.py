"""Agreement of conversions with the reference converters, head for head, and the time for the WSJ sample.

    python benchmarks/conversion.py DATA

DATA has wsj/trees.mrg, gum/dev.ptb, and conversion/{wsj,gum-dev}.{sd,lth2008,lth2007,ud,penn2malt}.conll, the output of
the reference converters. "Bare" is the WSJ sample without traces and function tags, against the output for the trees
with them. Options are the command's defaults. Prints Markdown.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import zip_longest
from pathlib import Path
from typing import Any

from synparse.files.streams import lines_of, read_lines
from synparse.treebanks.convert import ConvertOptions, convert
from synparse.treebanks.schemes import SCHEMES
from synparse.trees.conllu import read_conllu
from synparse.trees.punctuation import PENN_PUNCTUATION_TAGS

CONVERTED = {"stanford": "sd"}
"""Endings of the reference files that differ from the name of the scheme."""

RUNS = 3


def agreement(trees: Path, gold: Path, scheme: Any) -> str:
    """Heads, heads without punctuation, and heads with labels (– if the scheme has none), in per cent."""
    words = heads = plain_words = plain_heads = labels = 0
    labelled = False
    ours = read_conllu(lines_of(convert([str(trees)], ConvertOptions(scheme, "conllx"))), str(trees))
    theirs = (sentence for sentence in read_conllu(read_lines(str(gold)), str(gold)) if sentence.rows)
    for our_sentence, their_sentence in zip_longest(ours, theirs):
        rows = zip(
            our_sentence.heads,
            their_sentence.heads,
            our_sentence.relations,
            their_sentence.relations,
            our_sentence.xpos,
            strict=True,
        )
        for head, due, relation, label, tag in rows:
            agrees = head == due
            words += 1
            heads += agrees
            labels += agrees and relation == label
            labelled = labelled or label != "_"
            if tag not in PENN_PUNCTUATION_TAGS:
                plain_words += 1
                plain_heads += agrees
    with_labels = f"{100 * labels / words:.2f}" if labelled else "–"
    return f"{100 * heads / words:.2f} / {100 * plain_heads / plain_words:.2f} / {with_labels}"


def seconds(trees: Path) -> float:
    """Wall time of the command, start-up included: the median of `RUNS`."""
    command = [sys.executable, "-m", "synparse", "convert", str(trees), "--to", "stanford"]
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", type=Path)
    data = options.parse_args().data
    wsj = data / "wsj" / "trees.mrg"
    print("heads / heads without punctuation / heads with labels, per cent of agreement\n")
    print("| scheme | WSJ sample | WSJ sample, bare | GUM dev |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.mrg"
        with bare.open("w", encoding="utf-8") as out:
            out.writelines(convert([str(wsj)], ConvertOptions("brackets")))
        for name in SCHEMES:
            cells = []
            for trees, corpus in ((wsj, "wsj"), (bare, "wsj"), (data / "gum" / "dev.ptb", "gum-dev")):
                gold = data / "conversion" / f"{corpus}.{CONVERTED.get(name, name)}.conll"
                cells.append(agreement(trees, gold, name) if gold.exists() else "–")
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
    print(f"\nWSJ sample to stanford, start-up included: {seconds(wsj):.2f} s of wall time, median of {RUNS}")


if __name__ == "__main__":
    main()
