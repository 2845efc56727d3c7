"""``synparse similarity``: fine-tune language models on the similarity of sentences, and score them."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from synparse.cli import options, runs
from synparse.cli.results import chosen_format, write_results
from synparse.files.streams import STANDARD_STREAM

app = typer.Typer(
    help="Fine-tune language models on sentence similarity, and score them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.command()
def train(
    context: typer.Context,
    model: Annotated[
        str | None, typer.Argument(help="The language model to start from, a directory as train writes it.")
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(help="A file of scored pairs to train on, .gz, .bz2, .xz too; - is stdin. Repeatable."),
    ] = None,
    valid: options.Valid = None,
    freeze_parser: Annotated[
        bool, typer.Option("--freeze-parser", help="Freeze the parameters from which trees are induced.")
    ] = False,
    recipe: options.Recipe = "small",
    minutes: options.Minutes = None,
    seed: options.Seed = 1,
    device: options.Device = "auto",
    set_: options.Settings = None,
    output: options.ModelOutput = "similarity-model",
    force: options.Force = False,
    resume: options.Resume = None,
    save_every: options.SaveEvery = "10m",  # type: ignore[assignment]  # the parser reads it
    allow_changed_corpus: options.AllowChangedCorpus = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Fine-tune a language model on scores of sentence similarity.

    In: a trained language model and tab-separated pairs with a header: score (0 to 5), sentence1, sentence2. Out: a
    model directory, for evaluate and for every command that reads one. The model whose cosines rank the pairs of
    --valid best is kept. Ctrl-C ends the run and keeps the best model so far; --resume continues the run.

    Example: synparse similarity train udgn-1 --data stsb-train.tsv --valid stsb-dev.tsv --minutes 2 -o udgn-1-sts
    """
    if resume is None and model is None:
        raise typer.BadParameter("name the language model to start from", param_hint="MODEL")
    given = runs.RunOptions(resume, data, minutes, device, save_every, set_, allow_changed_corpus, quiet)
    given.check(context)
    from synparse.language_models.tuning import TUNING
    from synparse.language_models.tuning_recipe import load_tuning_recipe

    changes = [*["training.freeze_parser=true"] * freeze_parser, *(set_ or ())]
    load_recipe = partial(load_tuning_recipe, runs.recipe_of("similarity", recipe), model or "", changes)
    given.train(TUNING, load_recipe, as_json, output, valid=valid, seed=seed, force=force)


@app.command()
def evaluate(
    models: options.Models,
    data: options.Data,
    baselines: Annotated[
        bool,
        typer.Option("--baselines", help="Add two baselines: word overlap, and the mean of each model's word vectors."),
    ] = False,
    device: options.Device = "auto",
    as_json: options.Json = False,
    tsv: options.Tsv = False,
    latex: options.Latex = False,
    output: options.Output = STANDARD_STREAM,
) -> None:
    """Score how language models rank pairs of sentences by similarity.

    In: model directories and scored pairs. Out: Spearman's correlation of cosines and scores, for each file and on
    average; a column for each kind of model, with mean and standard deviation over its models.

    Example: synparse similarity evaluate udgn-1-sts udgn-2-sts udgn-1 --data sts16.tsv --data sick-test.tsv --baselines
    """
    format = chosen_format(as_json, tsv, latex)
    from synparse.language_models import similarity_evaluation
    from synparse.language_models.similarity_report import plain_values, tables_of

    rankings = similarity_evaluation.evaluate(models, data, device, baselines)
    write_results(output, format, plain_values(rankings), tables_of(rankings))
