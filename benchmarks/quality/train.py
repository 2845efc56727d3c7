"""Trains a model over several seeds, within a budget, and prints the directories.

    python -m benchmarks.quality.train --recipe udgn-small --minutes 20 --seeds 1 2 3 --parallel 2 --work RUNS
    python -m benchmarks.quality.train --recipe udgn-small --set training.mask_rate=0.4 --epochs 3 --work RUNS
    python -m benchmarks.quality.train --model grammar --teacher english --text english.txt --work RUNS

A run is the command `synparse train` with one thread. The model of each seed is kept under --work, in a folder named
after recipe, budget, text and teachers. The same command, run again, resumes unfinished training from the last
checkpoint. To train again after the code has changed, name another --work. Beside each model stands a record of its run
(seed-1.jsonl: commits, budget, CPU minutes), which benchmarks.quality.score reads.

**Choose models by held-out perplexity or by agreement between seeds, never by gold trees.** A run keeps the weights
with the lowest held-out perplexity. Perplexities are comparable if model, vocabulary and text are the same: a masked
language model and a model of next words predict different things. Classes of unknown words (text.unknown_classes) do
not change what is predicted, so runs with and without them are comparable.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from benchmarks.quality.gold import DATA
from benchmarks.quality.table import NOTHING, commit
from synparse.config.recipe import SECTIONS, Recipe, recipe_to_train
from synparse.files.folders import stored
from synparse.inducers.table import INDUCERS
from synparse.store.model_directory import CONFIG
from synparse.store.overwriting import is_unfinished
from synparse.training.self_training import is_self_training

TEXTS = ("text/ewt-gum.txt", "text/brown.txt")


class Budget(NamedTuple):
    """Of each seed's run: minutes, or epochs, or neither, where the recipe's epochs count."""

    minutes: float | None = None
    epochs: int | None = None

    def name(self, recipe: Recipe) -> str:
        if self.minutes is not None:
            return _counted(self.minutes, "minute")
        return NOTHING if recipe.training is None else _counted(recipe.training.epochs, "epoch")


def _counted(count: float, unit: str) -> str:
    return f"{count:g} {unit}{'s' * (count != 1)}"


class Record(NamedTuple):
    """What is known of the run of a model directory; cells, and minutes by the clock and of the processor, None if not
    known."""

    budget: str = NOTHING
    cores: str = NOTHING
    commits: tuple[str, ...] = ()
    cpu_minutes: float | None = None
    minutes: float | None = None


def run_folder(work: Path, recipe: Recipe, budget: Budget, texts: Sequence[str], teachers: Sequence[str] = ()) -> Path:
    """Where the seeds of a recipe are kept: what is another run has another folder."""
    values = recipe.as_mapping()
    more = [f"teacher {name}" for name in teachers]
    sections = [values[section] for section in SECTIONS if section != "parsing"]  # it trains no other model
    settings = json.dumps([recipe.model, *sections, budget.minutes, *texts, *more])
    return work / f"{recipe.name}-{hashlib.sha256(settings.encode()).hexdigest()[:8]}"


def can_resume(directory: Path) -> bool:
    """Whether there is an unfinished run with this output."""
    return is_unfinished(directory) or is_self_training(directory)


def is_trained(directory: Path) -> bool:
    return stored(directory, CONFIG).is_file() and not can_resume(directory)


def training_command(directory: Path, arguments: Sequence[str], seed: int) -> list[str]:
    """The command that begins a seed's run with these arguments, or goes on with it."""
    command = [sys.executable, "-m", "synparse", "train"]
    if can_resume(directory):
        return [*command, "--resume", str(directory)]
    return [*command, *arguments, "--seed", str(seed), "-o", str(directory)]


def record_file(directory: Path) -> Path:
    return directory.with_name(f"{directory.name}.jsonl")


def read_record(directory: Path) -> Record:
    """Minutes are those of all parts of the run, and unknown if one of them was killed."""
    path = record_file(directory)
    if not path.is_file():
        return Record()
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    begun = [line for line in lines if "commit" in line]
    ended = [line for line in lines if "CPU minutes" in line]
    return Record(
        begun[-1]["budget"],
        begun[-1]["cores"],
        tuple(dict.fromkeys(line["commit"] for line in begun)),
        *(
            sum(line[unit] for line in ended)
            if len(ended) == len(begun) and all(unit in line for line in ended)
            else None
            for unit in ("CPU minutes", "minutes")
        ),
    )


def train_seed(command: Sequence[str], directory: Path, begun: dict[str, str]) -> int:
    """Run a `training_command` with one thread, and record how it began and what it took; returns its exit code."""
    with record_file(directory).open("a" if can_resume(directory) else "w", encoding="utf-8") as record:
        print(json.dumps(begun), file=record, flush=True)
        start = time.monotonic()
        process = subprocess.Popen(command, env={**os.environ, "OMP_NUM_THREADS": "1"}, stdout=sys.stderr)
        _, status, usage = os.wait4(process.pid, 0)  # its own times, whatever else runs
        spent = {"minutes": time.monotonic() - start, "CPU minutes": usage.ru_utime + usage.ru_stime}
        print(json.dumps({unit: seconds / 60 for unit, seconds in spent.items()}), file=record)
    process.returncode = os.waitstatus_to_exitcode(status)  # or Popen waits again, in vain
    return process.returncode


def add_options(options: argparse.ArgumentParser) -> None:
    what = options.add_mutually_exclusive_group(required=True)
    what.add_argument("--recipe", help="a shipped recipe or a YAML file to train by")
    what.add_argument("--model", choices=list(INDUCERS), help="train by the recipe of this kind of model")
    limit = options.add_mutually_exclusive_group()
    limit.add_argument("--minutes", type=float, help="of each seed's whole run")
    limit.add_argument("--epochs", type=int, help="of each seed's run")
    options.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change the recipe")
    options.add_argument("--teacher", action="append", default=[], metavar="MODEL", help="of grammars; repeatable")
    options.add_argument("--text", type=Path, nargs="+", help="files to train on, in place of those in DATA/text")
    options.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    options.add_argument("--parallel", type=int, default=1, metavar="N", help="seeds trained at once, a thread each")
    options.add_argument("--work", type=Path, default=Path("quality-runs"), help="where models are kept")


def trained(chosen: argparse.Namespace) -> list[Path]:
    """The directories of all seeds; trains what is not trained yet. Exits where training fails."""
    budget = Budget(chosen.minutes, chosen.epochs)
    epochs = [f"training.epochs={budget.epochs}"] if budget.epochs is not None else []
    recipe = recipe_to_train(chosen.recipe, chosen.model, [*chosen.set, *epochs], None)
    texts = [str(path.absolute()) for path in chosen.text or (chosen.data / name for name in TEXTS)]
    teachers = [str(Path(name).absolute()) if Path(name).is_dir() else name for name in chosen.teacher]
    folder = run_folder(chosen.work, recipe, budget, texts, teachers)
    folder.mkdir(parents=True, exist_ok=True)
    directories = {seed: folder / f"seed-{seed}" for seed in chosen.seeds}
    arguments = [*texts, *(["--recipe", chosen.recipe] if chosen.recipe else ["--model", chosen.model])]
    arguments += [word for change in chosen.set for word in ("--set", change)]
    arguments += [word for teacher in teachers for word in ("--teacher", teacher)]
    for name, limit in (("--minutes", budget.minutes), ("--epochs", budget.epochs)):
        arguments += [] if limit is None else [name, str(limit)]
    cores = "1" if chosen.parallel == 1 else f"1 each, {chosen.parallel} at once"

    def train(seed: int) -> int:
        begun = {"commit": commit(), "budget": budget.name(recipe), "cores": cores}
        return train_seed(training_command(directories[seed], arguments, seed), directories[seed], begun)

    with ThreadPoolExecutor(chosen.parallel) as pool:
        codes = list(pool.map(train, [seed for seed in chosen.seeds if not is_trained(directories[seed])]))
    if any(codes):
        sys.exit(f"training ended with exit codes {codes}; the same command goes on with it")
    return list(directories.values())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(options)
    options.add_argument("--data", type=Path, default=DATA, help="the folder DATA, with text/")
    for directory in trained(options.parse_args()):
        print(directory)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:  # the runs have had it too, and have saved
        sys.exit(130)
