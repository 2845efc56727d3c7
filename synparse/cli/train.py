"""``synparse train``: raw text → model directory."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from synparse.cli.choices import one_of
from synparse.files.streams import write_whole
from synparse.inducers.table import INDUCERS

if TYPE_CHECKING:
    from synparse.training.run import Event, TrainingResult
    from synparse.training.saving import SaveEvery


SETTLED = {
    "model": "--model",
    "recipe": "--recipe",
    "init": "--init",
    "output": "--output",
    "valid": "--valid",
    "raw": "--raw",
    "tokenizer": "--tokenizer",
    "input_format": "--from",
    "seed": "--seed",
    "force": "--force",
}
"""What cannot be said beside --resume: parameters and their names on the command line."""


def train(
    context: typer.Context,
    corpus: Annotated[
        list[str] | None,
        typer.Argument(help="Text (a sentence a line), CoNLL-U, bracketed or JSON files; .gz is fine, - is stdin."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="structformer (default), udgn, on-lstm or ordered-memory; student learns from trees.",
            autocompletion=lambda: tuple(INDUCERS),
        ),
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(
            help="A shipped recipe by name (synparse recipes), or a YAML file. Default: the model's small one."
        ),
    ] = None,
    init: Annotated[
        str | None, typer.Option(help="A model directory to go on from: its weights, vocabulary and recipe.")
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The model directory to write.")] = "model",
    valid: Annotated[
        str | None, typer.Option(help="Held-out text. Default: 2 % of the corpus, chosen by hash.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="Passes over the corpus, at most.")] = None,
    minutes: Annotated[float | None, typer.Option(min=0, help="Minutes for the whole run, at most.")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Running text: split it into sentences and words.")] = False,
    tokenizer: Annotated[str | None, typer.Option(help="whitespace, treebank or stanza:LANG.")] = None,
    input_format: Annotated[
        str | None, typer.Option("--from", help="text, conllu, brackets or json. Default: told by the file.")
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, …")] = "auto",
    seed: Annotated[
        int, typer.Option(help="Same seed, machine and number of threads, same model (unless --minutes ends it).")
    ] = 1,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="Change a setting of the recipe: training.mask_rate=0.4.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a model or an unfinished run that is there.")] = False,
    resume: Annotated[
        str | None,
        typer.Option(
            help="Go on with the unfinished run in this directory. Only --minutes, --save-every, --device and a few "
            "settings (--set) can be said anew; CORPUS where its files moved."
        ),
    ] = None,
    save_every: Annotated[
        str,
        typer.Option(help="Save a checkpoint after so many updates (500) or so much time (90s, 10m, 1h)."),
    ] = "10m",
    allow_changed_corpus: Annotated[
        bool, typer.Option("--allow-changed-corpus", help="Resume although the corpus is another one now.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Train a parser on raw text.

    Reads sentences, learns to predict their masked or next words, and keeps the model that predicts held-out words
    best. The structure it needed for that is the parser. Ctrl-C ends the run and keeps the best model so far;
    --resume goes on with it. A student learns from trees instead: those that `parse --format json` wrote, CoNLL-U or
    brackets.

    Example: synparse train corpus.txt --minutes 20 --output english
    """
    if "WORLD_SIZE" in os.environ:  # PyTorch would advise each process once on parameters that batches may not use
        os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
    from synparse.config.recipe import continued_recipe, load_recipe
    from synparse.corpora.sentences import FORMATS
    from synparse.store.model_directory import load_model
    from synparse.store.shipped import model_folder
    from synparse.training import run
    from synparse.training.checkpoint import is_unfinished
    from synparse.training.distribution import is_first, is_restart

    one_of(input_format, FORMATS, "--from")
    one_of(model, INDUCERS, "--model")
    cadence = _cadence(save_every)
    settings = list(set_ or ())
    if epochs is not None:
        settings.append(f"training.epochs={epochs}")
    if resume is not None:
        _refuse_beside_resume(context)
    with _Display() as display:
        if resume is not None:
            result = run.resume(
                Path(resume),
                corpus=corpus or (),
                minutes=minutes,
                changes=settings,
                allow_changed_corpus=allow_changed_corpus,
                device=device,
                save_every=cadence,
                report=display.update,
            )
        else:
            if not corpus:
                raise typer.BadParameter("name the files to train on", param_hint="CORPUS")
            goes_on = is_restart() and is_unfinished(Path(output))
            _refuse_to_overwrite(Path(output), force or goes_on)
            if tokenizer is not None:
                settings.append(f"text.tokenizer={tokenizer}")
            initial = None if init is None else load_model(model_folder(init))
            if initial is not None:
                chosen = continued_recipe(initial.description.recipe, recipe, settings, model)
            else:
                chosen = load_recipe(recipe or INDUCERS[model or next(iter(INDUCERS))].recipe, settings, model)
            result = run.train(
                corpus,
                chosen,
                Path(output),
                valid=valid,
                raw=raw,
                input_format=input_format,
                minutes=minutes,
                device=device,
                seed=seed,
                init=initial,
                save_every=cadence,
                report=display.update,
                goes_on=goes_on,
            )
    if is_first():
        _report(result, as_json)
    if result.signal is not None:
        raise typer.Exit(128 + result.signal)


def _cadence(text: str) -> SaveEvery:
    from synparse.training.saving import SaveEvery

    unit = {"s": 1.0, "m": 60.0, "h": 3600.0}.get(text[-1:])
    try:
        every = SaveEvery(int(text), None) if unit is None else SaveEvery(None, float(text[:-1]) * unit)
    except ValueError:
        every = SaveEvery(0, None)
    if not max(every.steps or 0, every.seconds or 0) > 0:
        raise typer.BadParameter(f"updates (500) or time (90s, 10m, 1h), not {text!r}", param_hint="--save-every")
    return every


def _refuse_beside_resume(context: typer.Context) -> None:
    """What a run was begun with stays; saying it again would look like changing it."""
    for name, flag in SETTLED.items():
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter(f"the run has its {flag} from its first command", param_hint="--resume")


def _refuse_to_overwrite(directory: Path, force: bool) -> None:
    from synparse.files.folders import PENDING, stored
    from synparse.store.model_directory import CONFIG
    from synparse.training.checkpoint import is_unfinished

    if not directory.exists():
        return
    if directory.is_dir() and all(path.name == PENDING for path in directory.iterdir()):  # killed in its first save
        return
    if not stored(directory, CONFIG).is_file():
        raise typer.BadParameter(f"{directory} exists and is not a model directory", param_hint="--output")
    if force:
        return
    if is_unfinished(directory):
        raise typer.BadParameter(
            f"{directory} holds an unfinished run; --resume {directory} goes on with it, --force begins anew",
            param_hint="--output",
        )
    raise typer.BadParameter(f"{directory} holds a model; --force replaces it", param_hint="--output")


def _report(result: TrainingResult, as_json: bool) -> None:
    kept = None if result.perplexity is None else round(result.perplexity, 2)
    if result.signal is not None:
        what = f"the best model so far (perplexity {kept}) is in {result.directory}" if kept else "no model was kept"
        more = f"; go on with --resume {result.directory}" if result.is_resumable else ""
        print(f"synparse: interrupted after {result.steps} updates; {what}{more}", file=sys.stderr)
    elif kept is None:
        raise typer.BadParameter("the run ended before its first update; give it more --minutes")
    if as_json:
        summary: dict[str, Any] = {
            "model": str(result.directory),
            "perplexity": kept,
            "steps": result.steps,
            "words": result.words,
            "seconds": round(result.seconds, 1),
            "interrupted": result.signal is not None,
        }
        with write_whole("-") as out:
            out.write(json.dumps(summary) + "\n")


class _Display:
    """Progress on standard error where that is a terminal; silence elsewhere."""

    def __enter__(self) -> _Display:
        self._progress: Any = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
            )
            self._task = self._progress.add_task("reading the corpus", total=None)
            self._perplexity = ""
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def update(self, event: Event) -> None:
        if self._progress is None:
            return
        from synparse.corpora.cache import Corpus
        from synparse.training.loop import Progress
        from synparse.training.run import Note

        if isinstance(event, Note):
            self._progress.console.print(event.text, highlight=False)
        elif isinstance(event, Corpus):
            self._progress.console.print(
                f"{len(event.train):,} sentences, {event.train.words:,} words, vocabulary {len(event.vocabulary):,}; "
                f"{len(event.valid):,} sentences held out"
            )
        elif isinstance(event, Progress):
            if event.perplexity is not None:
                self._perplexity = f", perplexity {event.perplexity:.1f}"
                mark = "  (best so far, saved)" if event.is_best else ""
                self._progress.console.print(f"step {event.step:>7,}{self._perplexity}{mark}", highlight=False)
            rate = event.words / max(event.seconds, 1e-9)
            self._progress.update(
                self._task,
                description=f"step {event.step:,}, {rate:,.0f} tokens/s{self._perplexity}",
                total=1.0,
                completed=event.fraction,
            )
        else:
            self._progress.update(self._task, description=f"reading the corpus: {event.sentences:,} sentences")
