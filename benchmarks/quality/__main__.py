"""Trains a model over several seeds, within a budget, scores its trees, and puts the rows into benchmarks/quality.tsv.

    python -m benchmarks.quality --recipe udgn-small --minutes 20 --seeds 1 2 3 --parallel 2 --work RUNS
    python -m benchmarks.quality --recipe udgn-small --set training.mask_rate=0.4 --epochs 3 --work RUNS
    python -m benchmarks.quality --model grammar --teacher english --text english.txt --topic grammars --work RUNS

A run is the command `synparse train` with one thread. The model of each seed is kept under --work, in a folder named
after recipe, budget, text and teachers, with a record of its run (benchmarks/commands.py). The same command, run again,
resumes unfinished training. To train again after the code has changed, name another --work. Scoring is that of
benchmarks.quality.score, which scores models that are there; benchmarks.quality.table prints the table.

**Choose models by held-out perplexity or by agreement between seeds, never by gold trees.** A run keeps the weights
with the lowest held-out perplexity. Perplexities are comparable if model, vocabulary and text are the same: a masked
language model and a model of next words predict different things. Classes of unknown words (text.unknown_classes) do
not change what is predicted, so runs with and without them are comparable.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.commands import THREADS, program, trained
from benchmarks.quality import score
from benchmarks.quality.gold import read_golds
from benchmarks.quality.table import NOTHING, add_rows, made_now
from synparse.config.recipe import Recipe, recipe_to_train
from synparse.inducers.table import INDUCERS

TEXTS = ("text/ewt-gum.txt", "text/brown.txt")


def budget_of(recipe: Recipe, minutes: float | None) -> str:
    """The cell of what each seed's run may take: minutes, or passes of its first network."""
    epochs = next((stage.training.epochs for stage in recipe.networks), 0)
    count, unit = (minutes, "minute") if minutes is not None else (epochs, "epoch")
    return f"{count:g} {unit}{'s' * (count != 1)}" if count else NOTHING


def run_folder(work: Path, recipe: Recipe, minutes: float | None, sources: Sequence[str]) -> Path:
    """Where the seeds of a recipe are kept: what is another run has another folder. sources: texts and teachers."""
    values = recipe.as_mapping()
    what = json.dumps([values["text"], values["stages"], minutes, *sources])
    return work / f"{recipe.name}-{hashlib.sha256(what.encode()).hexdigest()[:8]}"


def seeds_trained(chosen: argparse.Namespace) -> list[Path]:
    """The directories of all seeds. Raises as `trained`."""
    epochs = [] if chosen.epochs is None else [f"training.epochs={chosen.epochs}"]
    changes = [*chosen.set, *epochs]
    recipe = recipe_to_train(chosen.recipe, chosen.model, changes)
    texts = [str(path.absolute()) for path in chosen.text or (chosen.data / name for name in TEXTS)]
    teachers = [str(Path(name).absolute()) if Path(name).is_dir() else name for name in chosen.teacher]
    folder = run_folder(chosen.work, recipe, chosen.minutes, [*texts, *(f"teacher {name}" for name in teachers)])
    words = [*texts, *(["--recipe", chosen.recipe] if chosen.recipe else ["--model", chosen.model])]
    for option, values in (("--set", changes), ("--teacher", teachers), ("--minutes", [chosen.minutes])):
        words += [word for value in values if value is not None for word in (option, str(value))]
    budget = budget_of(recipe, chosen.minutes)
    cores = THREADS if chosen.parallel == 1 else f"{THREADS} each, {chosen.parallel} at once"

    def of_seed(seed: int) -> Path:
        return trained(folder / f"seed-{seed}", *words, "--seed", seed, settings=budget, cores=cores)

    with ThreadPoolExecutor(chosen.parallel) as pool:
        return list(pool.map(of_seed, chosen.seeds))


def main() -> None:
    options = argparse.ArgumentParser(
        "python -m benchmarks.quality", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = options.add_mutually_exclusive_group(required=True)
    what.add_argument("--recipe", help="a shipped recipe or a YAML file to train by")
    what.add_argument("--model", choices=list(INDUCERS), help="train by the recipe of this kind of model")
    limit = options.add_mutually_exclusive_group()
    limit.add_argument("--minutes", type=float, help="of each seed's whole run")
    limit.add_argument("--epochs", type=int, help="of each network")
    options.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change the recipe")
    options.add_argument("--teacher", action="append", default=[], metavar="MODEL", help="of grammars; repeatable")
    options.add_argument("--text", type=Path, nargs="+", help="files to train on, in place of those in DATA/text")
    options.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    options.add_argument("--parallel", type=int, default=1, metavar="N", help="seeds trained at once, a thread each")
    options.add_argument("--work", type=Path, default=Path("quality-runs"), help="where models are kept")
    score.add_options(options)
    chosen = options.parse_args()
    golds = read_golds(chosen.data)
    if not golds:
        options.error(f"no gold files in {chosen.data}; name their folder with --data")
    made = made_now("benchmarks.quality")
    seeds = [[directory] for directory in seeds_trained(chosen)]
    add_rows(chosen.table, score.scored_rows(seeds, golds, chosen, made))


if __name__ == "__main__":
    program(main)
