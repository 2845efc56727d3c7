"""What the training commands share: the display of progress, the result, and the check of options given with
--resume."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from synparse.cli.options import is_given
from synparse.cli.results import notes, print_note, write_results
from synparse.files.streams import STANDARD_STREAM
from synparse.trees.printable import printable

if TYPE_CHECKING:
    from synparse.training.events import TrainingResult
    from synparse.training.save_every import SaveEvery
    from synparse.training.trainer import Kind

MAY_CHANGE = frozenset(
    "resume corpus data trees minutes epochs set_ device save_every "
    "jobs dask allow_changed_corpus as_json quiet".split()
)
"""Parameters of the training commands that may be given with --resume."""


class Display:
    """Progress on standard error if that is a terminal; otherwise only important notes; nothing if quiet."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet

    def __enter__(self) -> Display:
        self._progress: Any = None
        if sys.stderr.isatty() and not self._quiet:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn()
            self._progress = Progress(*columns, console=Console(stderr=True))
            self._task = self._progress.add_task("reading the data", total=None)
            self._score = self._stage = ""
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def update(self, event: Any) -> None:
        """Show an event of a run."""
        from synparse.training.events import Learning, Note, Reading, StageBegins, rounded

        if self._progress is None:
            notes(self._quiet)(event.text if isinstance(event, Note) and event.matters else "")
        elif isinstance(event, Note):
            self._progress.console.print(printable(event.text), highlight=False, markup=False)
        elif isinstance(event, StageBegins):
            self._stage, self._score = f"{event.number}/{event.of} {event.stage}: ", ""
            self._progress.console.print(f"stage {event.number} of {event.of}: {event.stage}", highlight=False)
        elif isinstance(event, Reading):
            self._describe(f"reading the data: {event.sentences:,} sentences")
        elif isinstance(event, Learning):
            self._describe(event.stage, total=1.0, completed=event.fraction)
        else:
            if event.score is not None:
                self._score = f", {event.measure} {rounded(event.measure, event.score)}"
                mark = "  (best so far, saved)" if event.is_best else ""
                self._progress.console.print(f"step {event.step:>7,}{self._score}{mark}", highlight=False)
            rate = event.words / max(event.seconds, 1e-9)
            what = f"step {event.step:,}, {rate:,.0f} tokens/s{self._score}"
            self._describe(what, total=1.0, completed=event.fraction)

    def _describe(self, what: str, **bar: float) -> None:
        """Say what the stage does now, beside the bar of how much is done."""
        self._progress.update(self._task, description=f"{self._stage}{what}", **bar)


def print_result(result: TrainingResult, name: str, as_json: bool) -> None:
    """Report an interruption, and print the result ``as_json``, with the score under ``name``. Of several processes,
    only the first prints.

    Raises typer.Exit with the exit code of the signal that stopped the run.
    """
    from synparse.training.events import rounded, what_is_kept
    from synparse.training.launcher import is_first

    score = None if result.score is None else rounded(result.measure, result.score)
    if result.interrupted and is_first():
        what = what_is_kept(result.directory, result.measure, result.score)
        if result.has_parser:
            what = f"the parser so far is in {result.directory}"
        if result.stages:
            what += f"; {len(result.stages)} stage{'s' * (len(result.stages) > 1)} done"
        more = f"; continue with --resume {shlex.quote(str(result.directory))}" if result.is_resumable else ""
        after = f" after {result.steps} updates" if result.steps else ""
        print_note(f"interrupted{after}; {what}{more}")
    if as_json and is_first():
        summary = {
            "model": str(result.directory),
            name: score,
            "steps": result.steps,
            "words": result.words,
            "seconds": round(result.seconds, 1),
            "interrupted": result.interrupted,
            "stages": list(result.stages),
        }
        write_results(STANDARD_STREAM, "json", summary)
    if result.signal is not None:
        raise typer.Exit(128 + result.signal)


def recipe_of(task: str, recipe: str) -> str:
    """The name of the shipped recipe of a task, where ``recipe`` is its size; else a file."""
    return f"{task}-{recipe}" if recipe in ("small", "paper") else recipe


class RunOptions(NamedTuple):
    """The common options of the training commands of tasks and fine-tuning; ``resume``: the directory of an unfinished
    run."""

    resume: str | None
    data: Sequence[str] | None
    minutes: float | None
    device: str
    save_every: SaveEvery
    changes: Sequence[str] | None
    allow_changed_corpus: bool
    quiet: bool

    def check(self, context: typer.Context) -> None:
        """Raises a usage error where a new run has no data, and as `check_resumed`."""
        check_resumed(context, self.resume)
        if self.resume is None and not self.data:
            raise typer.BadParameter("name the files to train on")

    def train(self, kind: Kind, load_recipe: Callable[[], Any], as_json: bool, output: str, **options: Any) -> None:
        """Train, or continue a run, with these options, and print the result. A new run has the ``options`` of
        `synparse.training.trainer.train` too."""
        from synparse.training import trainer

        data = self.data or ()
        with Display(self.quiet) as display:
            shared: dict[str, Any] = {"minutes": self.minutes, "device": self.device, "save_every": self.save_every}
            shared |= {"report": display.update}
            if self.resume is None:
                result = trainer.train(kind, data, load_recipe(), Path(output), **options, **shared)
            else:
                shared |= {"changes": self.changes or (), "allow_changed_corpus": self.allow_changed_corpus}
                result = trainer.resume(kind, Path(self.resume), data=data, **shared)
        print_result(result, f"held_out_{result.measure}", as_json)


def check_resumed(context: typer.Context, resume: str | None) -> None:
    """Raises a usage error for an option that a resumed run keeps from its first command, or that is for one alone."""
    if resume is None and is_given(context, "allow_changed_corpus"):
        raise typer.BadParameter("it is for --resume", param_hint="--allow-changed-corpus")
    for parameter in context.command.params if resume is not None else ():
        if parameter.name not in MAY_CHANGE and is_given(context, str(parameter.name)):
            flag = parameter.opts[0]
            raise typer.BadParameter(
                f"a resumed run keeps {flag} from its first command; leave it out", param_hint="--resume"
            )
