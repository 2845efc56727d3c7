"""Scores of `synparse train TEXT --minutes M` against the minutes, and what each run took: benchmarks/curve.tsv.

    python -m benchmarks.curve english.txt --minutes 2 5 15 --seeds 1 2 3 --work RUNS
    ONEDNN_MAX_CPU_ISA=AVX2 python -m benchmarks.curve english.txt --minutes 5 15 --busy 2 --work RUNS
    python -m benchmarks.curve --score-only RUNS/model:15:1:quiet     MODEL:MINUTES:SEED:LOAD, trained elsewhere

A run has one thread, or as many as OMP_NUM_THREADS says; with --busy, it runs beside so many processes that compute.
Scored are the WSJ sample (UF1 by protocol kim2019; UAS and UUAS against Stanford Dependencies, function words free) and
the development part of GUM (UF1 by shen2018; UAS and UUAS against UD, function words as leaves), punctuation as
evidence. Rows that are there are not made again, and a run that was stopped goes on.

Columns: text, its file, and its million words without punctuation; minutes, as asked for; seed; load, of the machine:
quiet, or beside which processes; instruction set, imitated (ONEDNN_MAX_CPU_ISA), or native; threads; wall minutes and
processor minutes of the run; stages taken; the scores, in per cent; date; commit of the training.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.commands import THREADS, program, trained
from benchmarks.quality.gold import DATA, ROOT, Golds, read_golds
from benchmarks.quality.score import Decoders, run_of, score_cells
from benchmarks.quality.table import NOTHING, made_now, mean_and_spread, put_row
from benchmarks.threads import busy_loops
from synparse.config.recipe import Recipe, name_of
from synparse.files.tables import Row, read_table
from synparse.store.languages import corpus_of
from synparse.store.models import open_model

TABLE = ROOT / "benchmarks" / "curve.tsv"

SCORES = (
    *("WSJ UF1 kim2019", "WSJ UAS stanford", "WSJ UUAS stanford"),
    *("GUM UF1 shen2018", "GUM UAS UD", "GUM UUAS UD"),
)
IDENTITY = ("text", "minutes", "seed", "load", "instruction set", "threads")
COLUMNS = (*IDENTITY, "million words", "wall minutes", "processor minutes", "stages taken", *SCORES, "date", "commit")

QUIET, NATIVE = "quiet", "native"

INSTRUCTION_SET = os.environ.get("ONEDNN_MAX_CPU_ISA", NATIVE)


class Condition(NamedTuple):
    """What tells the rows apart, each as its cell says it."""

    text: str
    minutes: str
    seed: str
    load: str
    instruction_set: str
    threads: str

    @property
    def cells(self) -> Row:
        return dict(zip(IDENTITY, self, strict=True))


def row_of(model: Path, condition: Condition, golds: Golds) -> Row:
    """The row of a trained model. Raises DataError where it is damaged."""
    run, made = run_of([model]), made_now("benchmarks.curve")
    corpus = corpus_of(model)
    scored = score_cells([[model]], golds, Decoders(), "evidence", None)
    return {
        **condition.cells,
        "million words": f"{corpus['training_words'] / 1e6:.2f}",
        "wall minutes": mean_and_spread([run.record.minutes or run.minutes]),
        "processor minutes": mean_and_spread([run.record.cpu_minutes]),
        "stages taken": stages_taken(open_model(model).recipe),
        **{column: scored.get(column, NOTHING) for column in SCORES},
        **{"date": made["date"], "commit": " ".join(run.record.commits) or made["scored at"]},
    }


def stages_taken(recipe: Recipe | None) -> str:
    """The stages that made a model, in order, as ``3 udgn, 3 grammars, trees, student``."""
    stages = () if recipe is None else recipe.active_stages
    counts = [getattr(stage, "seeds", 1) for stage in stages]
    names = [f"{count} " * (count > 1) + name_of(stage) for stage, count in zip(stages, counts, strict=True)]
    return ", ".join(names) or NOTHING


def models_of(chosen: argparse.Namespace) -> Iterator[tuple[Path, Condition]]:
    """The models to score, trained where they are not; without those whose rows are there."""
    for given in chosen.score_only:
        model, minutes, seed, load = given.rsplit(":", 3)
        [text] = corpus_of(model)["files"]
        yield Path(model), Condition(text, minutes, seed, load, INSTRUCTION_SET, THREADS)
    there = {tuple(row[name] for name in IDENTITY) for row in read_table(chosen.table)}
    load = f"{chosen.busy} busy loops" if chosen.busy else QUIET
    for limit in chosen.minutes:
        for seed in chosen.seeds:
            condition = Condition(chosen.text.name, f"{limit:g}", str(seed), load, INSTRUCTION_SET, THREADS)
            if condition in there:
                continue
            directory = chosen.work / "-".join(condition).replace(" ", "-")
            with busy_loops(chosen.busy):
                trained(directory, chosen.text, "--minutes", limit, "--seed", seed, settings=str(chosen.text))
            yield directory, condition


def main() -> None:
    options = argparse.ArgumentParser(
        "python -m benchmarks.curve", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("text", type=Path, nargs="?", help="what to train on")
    options.add_argument("--minutes", type=float, nargs="+", default=[], help="of each run")
    options.add_argument("--seeds", type=int, nargs="+", default=[1])
    options.add_argument("--busy", type=int, default=0, metavar="N", help="train beside N busy loops")
    options.add_argument("--score-only", nargs="+", default=[], metavar="MODEL:MINUTES:SEED:LOAD")
    options.add_argument("--work", type=Path, default=Path("curve-runs"), help="where models are kept")
    options.add_argument("--data", type=Path, default=DATA, help="the folder of the gold files")
    options.add_argument("--table", type=Path, default=TABLE)
    chosen = options.parse_args()
    if any(given.count(":") < 3 for given in chosen.score_only):
        options.error("--score-only takes MODEL:MINUTES:SEED:LOAD")
    if bool(chosen.text) != bool(chosen.minutes):
        options.error("name a text and --minutes, or neither")
    scored = {source: gold for source, gold in read_golds(chosen.data).items() if {*source.columns()} & {*SCORES}}
    if not scored:
        options.error(f"no gold files in {chosen.data}; name their folder with --data")
    for model, condition in models_of(chosen):
        row = row_of(model, condition, scored)
        put_row(chosen.table, row, IDENTITY, COLUMNS)
        print(*(f"{column} {row[column]}" for column in COLUMNS), sep="; ")


if __name__ == "__main__":
    program(main)
