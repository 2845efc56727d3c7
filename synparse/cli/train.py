"""``synparse train``: raw text → model directory."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from synparse.cli.choices import one_of
from synparse.files import write_whole
from synparse.inducers import INDUCER_NAMES

if TYPE_CHECKING:
    from synparse.training.run import Event, TrainingResult


def train(
    corpus: Annotated[
        list[str], typer.Argument(help="Text (a sentence a line), CoNLL-U or bracketed files; .gz is fine, - is stdin.")
    ],
    model: Annotated[
        str | None,
        typer.Option(help="structformer (default), udgn or on-lstm.", autocompletion=lambda: INDUCER_NAMES),
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
        str | None, typer.Option("--from", help="text, conllu or brackets. Default: told by the file.")
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, …")] = "auto",
    seed: Annotated[int, typer.Option(help="Same seed, same machine, same model (unless --minutes ends the run).")] = 1,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="Change a setting of the recipe: training.mask_rate=0.4.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a model that is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Train a parser on raw text.

    Reads sentences, learns to predict their masked or next words, and keeps the model that predicts held-out words
    best. The structure it needed for that is the parser. Ctrl-C ends the run and keeps the best model so far.

    Example: synparse train corpus.txt --minutes 20 --output english
    """
    from synparse.corpora.sentences import FORMATS
    from synparse.model_directory import load_model
    from synparse.recipe import DEFAULT_RECIPES, continued_recipe, load_recipe
    from synparse.training.run import train as train_model

    one_of(input_format, FORMATS, "--from")
    one_of(model, DEFAULT_RECIPES, "--model")
    settings = list(set_ or ())
    if tokenizer is not None:
        settings.append(f"text.tokenizer={tokenizer}")
    if epochs is not None:
        settings.append(f"training.epochs={epochs}")
    directory = Path(output)
    _refuse_to_overwrite(directory, force)
    try:
        if init is not None:
            initial = load_model(Path(init))
            chosen = continued_recipe(initial.description.recipe, recipe, settings, model)
        else:
            initial = None
            chosen = load_recipe(recipe or DEFAULT_RECIPES[model or INDUCER_NAMES[0]], settings, model)
        with _Display() as display:
            result = train_model(
                corpus,
                chosen,
                directory,
                valid=valid,
                raw=raw,
                input_format=input_format,
                minutes=minutes,
                device=device,
                seed=seed,
                init=initial,
                report=display.update,
            )
    except ValueError as error:
        if type(error) is ValueError:  # a wrong setting; malformed data has a type of its own
            raise typer.BadParameter(str(error)) from None
        raise
    _close(result, as_json)


def _refuse_to_overwrite(directory: Path, force: bool) -> None:
    if not directory.exists() or (directory.is_dir() and not any(directory.iterdir())):
        return
    if not (directory / "config.yaml").is_file():
        raise typer.BadParameter(f"{directory} exists and is not a model directory", param_hint="--output")
    if not force:
        raise typer.BadParameter(f"{directory} holds a model; --force replaces it", param_hint="--output")


def _close(result: TrainingResult, as_json: bool) -> None:
    kept = None if result.perplexity is None else round(result.perplexity, 2)
    if result.interrupted:
        what = f"the best model so far (perplexity {kept}) is in {result.directory}" if kept else "no model was kept"
        print(f"synparse: interrupted after {result.steps} updates; {what}", file=sys.stderr)
    elif kept is None:
        raise typer.BadParameter("the run ended before its first update; give it more --minutes")
    if as_json:
        summary: dict[str, Any] = {
            "model": str(result.directory),
            "perplexity": kept,
            "steps": result.steps,
            "words": result.words,
            "seconds": round(result.seconds, 1),
            "interrupted": result.interrupted,
        }
        with write_whole("-") as out:
            out.write(json.dumps(summary) + "\n")
    if result.interrupted:
        raise typer.Exit(130)


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

        if isinstance(event, Corpus):
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
                completed=event.share,
            )
        else:
            self._progress.update(self._task, description=f"reading the corpus: {event.sentences:,} sentences")
