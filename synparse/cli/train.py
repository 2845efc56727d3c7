"""``synparse train``: raw text → model directory."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from synparse.cli import completion, options
from synparse.cli.results import notes
from synparse.cli.runs import Display, check_resumed, print_result
from synparse.inducers.table import InducerName


def train(
    context: typer.Context,
    corpus: options.Text = None,
    model: Annotated[
        InducerName | None,
        typer.Option(
            help="Train this kind of model by its small recipe, instead of the default recipe. A student learns from "
            "trees, the others from raw text; grammar and dbm have no network and take a minute or two."
        ),
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(
            autocompletion=completion.recipes,
            help="A shipped recipe (synparse recipes lists them), a YAML file, or a model directory, whose recipe is "
            "used again. Default: the recipe default.",
        ),
    ] = None,
    init: Annotated[
        str | None,
        typer.Option(help="Start from the weights, vocabulary and recipe of this model directory, in a new run."),
    ] = None,
    teacher: Annotated[
        list[str] | None,
        typer.Option(help="A trained model whose networks teach the grammars and parse with them. Repeatable."),
    ] = None,
    output: options.ModelOutput = "model",
    valid: options.Valid = None,
    vocabulary: Annotated[
        str | None,
        typer.Option(
            "--vocabulary",
            metavar="FILE",
            help="The vocabulary.txt of a model, to use its vocabulary, so that perplexities can be compared. "
            "Default: the words of the text.",
        ),
    ] = None,
    trees: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Annotated trees: CoNLL-U, brackets or JSON, complete or with gaps (_). Grammars and students learn "
            "from them beside the text. Repeatable.",
        ),
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="Maximum number of passes over the corpus.")] = None,
    minutes: options.Minutes = None,
    raw: options.Raw = False,
    language: options.Language = None,
    tokenizer: options.Tokenizer = None,
    input_format: options.From = None,
    device: options.Device = "auto",
    seed: options.Seed = 1,
    set_: options.Settings = None,
    force: options.Force = False,
    resume: options.Resume = None,
    save_every: options.SaveEvery = "10m",  # type: ignore[assignment]  # the parser reads it
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            help="Number of processes that count the text, learn grammars and parse for a student. Default: one, and "
            "for grammars a thread, for parsing a process for each core.",
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            help="Count the text, learn grammars and parse for a student on a Dask cluster: the address of its "
            "scheduler, or local. Workers read the text and the models from a disk that they share with this machine."
        ),
    ] = None,
    allow_changed_corpus: options.AllowChangedCorpus = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Train a parser on raw text.

    In: sentences. Out: a model directory for parse. A recipe is a list of stages: grammars are learned by counting,
    networks learn to predict words, and a student learns from the trees of the parser so far. After the first minute or
    two, the directory always holds the best parser so far: Ctrl-C keeps it, --resume continues. With --minutes, stages
    and passes are planned to fit, and none is cut short; without it, all stages that are of use are run. The same seed,
    machine and number of threads give the same model, unless --minutes leads to another plan.

    Example: synparse train corpus.txt --minutes 20 --output mine
    """
    from synparse.store.grammars import gives_heads
    from synparse.store.models import open_model
    from synparse.training import run
    from synparse.training.launcher import is_first

    settings = list(set_ or ())
    if epochs is not None:
        settings.append(f"training.epochs={epochs}")
    check_resumed(context, resume)
    if resume is None:
        corpus = options.files_or_stdin(corpus, "TEXT")
    with Display(quiet) as display:
        given: Any = {"minutes": minutes, "device": device, "save_every": save_every, "report": display.update}
        given |= {"jobs": jobs, "cluster": dask}
        if resume is not None:
            given |= {"changes": settings, "allow_changed_corpus": allow_changed_corpus}
            result = run.resume(Path(resume), corpus=corpus or (), trees=trees or (), **given)
        else:
            given |= {"raw": raw, "language": language, "tokenizer": tokenizer, "input_format": input_format}
            given |= {"seed": seed, "force": force, "valid": valid}
            given |= {"model": model, "changes": settings, "teachers": teacher or (), "init": init}
            given |= {"vocabulary": vocabulary, "trees": trees or ()}
            result = run.train(corpus or (), recipe, output, **given)
    print_result(result, "perplexity", as_json)
    if is_first() and sys.stderr.isatty():
        where = shlex.quote(str(result.directory))
        brackets = "" if gives_heads(open_model(result.directory)) else " --format brackets"
        parse = f"synparse parse FILE --model {where}{brackets}, "
        notes(quiet)(f"the model is in {where}; next: {parse}synparse info {where}")
