"""Scores of grammars, over seeds, with and without networks that teach them: the table grammars.tsv.

    python benchmarks/grammar_trees.py --text "English text=english.txt" --work RUNS
    python benchmarks/grammar_trees.py --text "Brown, EWT, GUM=text.txt" --teacher english --seeds 1 2 3 --work RUNS
    python benchmarks/grammar_trees.py --set grammar.stops=head --model dbm --work RUNS

Trains the grammars of each seed with the commands that a user types, parses WSJ (`--function-words free`), GUM and EWT
(`leaves`) with punctuation as evidence and without it, and scores the trees: UF1 by protocol shen2018, the mean over
sentences; UAS and UUAS without punctuation. A cell is the mean over seeds, and in parentheses the standard deviation.
Directories of trained models and scores stay under --work; the same command again does only what is missing. --parse
scores a model as it is, without learning grammars.

The gold trees under --data (by default $SYNPARSE_DATA) are only read to score.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

TABLE = Path(__file__).resolve().parent / "grammars.tsv"
FREE, LEAVES = "free", "leaves"
GOLD = {
    "WSJ": (FREE, "wsj/trees.mrg", "conversion/wsj.sd.conll"),
    "GUM": (LEAVES, "gum/dev.ptb", "gum/dev.conllu"),
    "EWT": (LEAVES, None, "ewt/dev.conllu"),
}
COLUMNS = (
    *("parser", "text", "changes", "punctuation", "seeds"),
    *("WSJ: UF1", "WSJ: UAS / UUAS (Stanford)", "GUM: UF1", "GUM: UAS / UUAS (UD)", "EWT: UAS / UUAS (UD)"),
    *("minutes", "date", "commit"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", help="NAME=FILE: the training text, and its name in the table")
    parser.add_argument("--model", default="grammar", choices=("grammar", "dbm"))
    parser.add_argument("--teacher", action="append", default=[], help="a trained model that teaches; repeatable")
    parser.add_argument("--parse", help="score this model as it is")
    parser.add_argument("--name", help="of the parser in the table; default: from the other options")
    parser.add_argument("--set", action="append", default=[], dest="changes")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--work", type=Path, required=True, help="the folder of models, trees and scores")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("SYNPARSE_DATA", "../shared/data")))
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    name = options.name or " + ".join([options.parse or options.model, *(Path(one).name for one in options.teacher)])
    text, _, file = (options.text or "").partition("=")
    seeds = [None] if options.parse else options.seeds
    models = [options.parse or trained(options, file, name, seed) for seed in seeds]
    for punctuation in ("evidence", "ignore"):
        runs = [scores(Path(model), punctuation, options.work, options.data) for model in models]
        row = {
            **{"parser": name, "text": text or "–", "changes": " ".join(options.changes) or "–"},
            **{"punctuation": punctuation, "seeds": "–" if options.parse else str(len(seeds)), **cells(runs)},
            "minutes": "–" if options.parse else f"{statistics.mean(map(minutes, models)):.1f}",
            **{"date": datetime.date.today().isoformat(), "commit": commit()},
        }
        write(row)
        print("\t".join(row.values()))


def trained(options: argparse.Namespace, file: str, name: str, seed: int) -> str:
    """The directory of the grammars of a seed, which are learned unless they are there."""
    parts = [name, Path(file).stem, *options.changes, str(seed)]
    output = options.work / "-".join("".join(c if c.isalnum() or c in "=._" else "-" for c in part) for part in parts)
    if not output.exists():
        teachers = [word for teacher in options.teacher for word in ("--teacher", teacher)]
        changes = [word for change in options.changes for word in ("--set", change)]
        synparse("train", file, "--model", options.model, *teachers, *changes, "--seed", str(seed), "-o", str(output))
    return str(output)


def scores(model: Path, punctuation: str, work: Path, data: Path) -> dict[str, float]:
    """UF1, UAS and UUAS on each treebank, kept beside the trees."""
    folder = work / "scores" / f"{model.name}-{punctuation}"
    kept = folder / "scores.json"
    if kept.exists():
        return dict(json.loads(kept.read_text()))
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, float] = {}
    for treebank, (function_words, trees, heads) in GOLD.items():
        how = ["--model", str(model), "--punctuation", punctuation, "--function-words", function_words, "--jobs", "1"]
        if trees is not None:
            output = str(folder / f"{treebank}.brackets")
            synparse("parse", str(data / trees), *how, "--format", "brackets", "--output", output)
            result = json.loads(synparse("eval", output, str(data / trees), "--protocol", "shen2018", "--json") or "")
            found[f"{treebank} UF1"] = result["uf1_sentence"]
        output = str(folder / f"{treebank}.conllu")
        if synparse("parse", str(data / heads), "--from", "conllu", *how, "--output", output) is None:
            continue  # it induces no heads
        result = json.loads(synparse("eval", output, str(data / heads), "--json") or "")
        found |= {f"{treebank} UAS": result["uas"], f"{treebank} UUAS": result["uuas"]}
    kept.write_text(json.dumps(found))
    return found


def cells(runs: Sequence[dict[str, float]]) -> dict[str, str]:
    def cell(name: str) -> str:
        values = [run[name] for run in runs if name in run]
        if not values:
            return "–"
        spread = f" ({statistics.stdev(values):.1f})" if len(values) > 1 else ""
        return f"{statistics.mean(values):.1f}{spread}"

    def pair(treebank: str) -> str:
        both = [cell(f"{treebank} {name}") for name in ("UAS", "UUAS")]
        return "–" if set(both) == {"–"} else " / ".join(both)

    return {
        "WSJ: UF1": cell("WSJ UF1"),
        "WSJ: UAS / UUAS (Stanford)": pair("WSJ"),
        "GUM: UF1": cell("GUM UF1"),
        "GUM: UAS / UUAS (UD)": pair("GUM"),
        "EWT: UAS / UUAS (UD)": pair("EWT"),
    }


def minutes(model: str) -> float:
    """How long the grammars took, as the directory's config says."""
    lines = (Path(model) / "config.yaml").read_text().splitlines()
    return max(float(line.split(":")[1]) for line in lines if line.strip().startswith("seconds:")) / 60


def write(row: dict[str, str]) -> None:
    """Put a row into the table, in place of one with the same parser, text, changes and punctuation."""
    key = ("parser", "text", "changes", "punctuation")
    rows = []
    if TABLE.exists():
        with TABLE.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    rows = [one for one in rows if [one[name] for name in key] != [row[name] for name in key]] + [row]
    lines_out = ["\t".join(COLUMNS), *("\t".join(one[name] for name in COLUMNS) for one in rows)]
    TABLE.write_text("\n".join(lines_out) + "\n", encoding="utf-8")


def commit() -> str:
    folder = TABLE.parent
    head = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=folder, capture_output=True, text=True, check=True
    )
    return head.stdout.strip()


def synparse(*arguments: str) -> str | None:
    """Standard output; None for a usage error."""
    done = subprocess.run(
        [sys.executable, "-m", "synparse", *arguments], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode not in (0, 2):
        sys.exit(done.returncode)
    return None if done.returncode else done.stdout


if __name__ == "__main__":
    main()
