"""What the training commands share: options, the progress display, the result, and the check of options beside
--resume."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.training.save_every import SaveEvery, save_every

if TYPE_CHECKING:
    from synparse.training.events import TrainingResult

SaveEveryOption = Annotated[
    SaveEvery,
    typer.Option(
        parser=save_every,
        metavar="UPDATES|TIME",
        help="How often to save a checkpoint: a number of updates (500) or a time (90s, 10m, 1h).",
    ),
]
MinutesOption = Annotated[float | None, typer.Option(min=0, help="Minutes for the whole run, at most.")]
SeedOption = Annotated[int, typer.Option(min=0, help="The same seed gives the same model on the same machine.")]
DeviceOption = Annotated[str, typer.Option(help="Where to compute: auto, cpu, cuda, …")]
SettingsOption = Annotated[
    list[str] | None,
    typer.Option("--set", help="Change a setting of the recipe, e.g. training.batch_size=64. Repeatable."),
]
ModelOutput = Annotated[str, typer.Option("--output", "-o", help="The model directory to write.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite a model in --output.")]
ResumeOption = Annotated[
    str | None,
    typer.Option(
        help="Continue the unfinished run in this directory. Only --minutes, --save-every, --device and a few settings "
        "(--set) may change; name the files of examples again only if they moved."
    ),
]
ResultAsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]

MAY_CHANGE = frozenset("resume corpus data minutes epochs set_ device save_every allow_changed_corpus as_json".split())
"""Parameters of the training commands that may be given beside --resume."""

AllowChangedCorpus = Annotated[
    bool, typer.Option("--allow-changed-corpus", help="Resume even if the corpus has changed.")
]


class Display:
    """Progress on standard error where that is a terminal; silence elsewhere."""

    def __enter__(self) -> Display:
        self._progress: Any = None
        if sys.stderr.isatty():
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
        if self._progress is None:
            return
        from synparse.training.events import Learning, Note, Reading, StageBegins

        if isinstance(event, Note):
            self._progress.console.print(event.text, highlight=False)
        elif isinstance(event, StageBegins):
            self._stage, self._score = f"{event.number}/{event.of} {event.stage}: ", ""
            self._progress.console.print(f"stage {event.number} of {event.of}: {event.stage}", highlight=False)
        elif isinstance(event, Reading):
            description = f"{self._stage}reading the data: {event.sentences:,} sentences"
            self._progress.update(self._task, description=description)
        elif isinstance(event, Learning):
            description = f"{self._stage}{event.stage}"
            self._progress.update(self._task, description=description, total=1.0, completed=event.fraction)
        else:
            from synparse.training.events import rounded

            if event.score is not None:
                self._score = f", {event.measure} {rounded(event.measure, event.score)}"
                mark = "  (best so far, saved)" if event.is_best else ""
                self._progress.console.print(f"step {event.step:>7,}{self._score}{mark}", highlight=False)
            rate = event.words / max(event.seconds, 1e-9)
            description = f"{self._stage}step {event.step:,}, {rate:,.0f} tokens/s{self._score}"
            self._progress.update(self._task, description=description, total=1.0, completed=event.fraction)


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
        if result.stages:
            what += f"; {len(result.stages)} stage{'s' * (len(result.stages) > 1)} done"
        more = f"; continue with --resume {result.directory}" if result.is_resumable else ""
        print(f"synparse: interrupted after {result.steps} updates; {what}{more}", file=sys.stderr)
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
        with write_whole(STANDARD_STREAM) as out:
            out.write(json.dumps(summary) + "\n")
    if result.signal is not None:
        raise typer.Exit(128 + result.signal)


def refuse_beside_resume(context: typer.Context) -> None:
    """Raises a usage error for an option that a resumed run keeps from its first command."""
    for parameter in context.command.params:
        source = context.get_parameter_source(str(parameter.name))
        if parameter.name not in MAY_CHANGE and source is not None and source.name == "COMMANDLINE":
            flag = parameter.opts[0]
            raise typer.BadParameter(
                f"a resumed run keeps {flag} from its first command; leave it out", param_hint="--resume"
            )
