"""``synparse sentiment``: train encoders to predict the sentiment of sentences, and score them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from synparse.cli import options, runs
from synparse.cli.results import chosen_format, write_results
from synparse.files.streams import STANDARD_STREAM
from synparse.tasks import EncoderName

app = typer.Typer(
    help="Train encoders on the sentiment of sentences (Stanford Sentiment Treebank), and score them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.command()
def train(
    context: typer.Context,
    data: options.Examples = None,
    task: Annotated[
        Literal["sst2", "sst5"], typer.Option(help="sst2: negative or positive; sst5: the five labels of the trees.")
    ] = "sst2",
    model: Annotated[EncoderName, typer.Option(help="The kind of encoder.")] = "ordered-memory",
    valid: options.Valid = None,
    recipe: options.Recipe = "small",
    minutes: options.Minutes = None,
    seed: options.Seed = 1,
    device: options.Device = "auto",
    set_: options.Settings = None,
    output: options.ModelOutput = "sentiment-model",
    force: options.Force = False,
    resume: options.Resume = None,
    save_every: options.SaveEvery = "10m",  # type: ignore[assignment]  # the parser reads it
    allow_changed_corpus: options.AllowChangedCorpus = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Train an encoder to predict the sentiment of sentences.

    In: binary trees with a label from 0 to 4 at each node, one per line. Out: a model directory for evaluate. The
    encoder also learns from each phrase of a tree, unless --set text.phrases=false; only encoders named tree-… see the
    trees. The model that labels the sentences of --valid best is kept. Ctrl-C ends the run and keeps the best model so
    far; --resume continues the run.

    Example: synparse sentiment train train.ptb --valid dev.ptb --task sst5 --model lstm --minutes 5 -o lstm-1
    """
    given = runs.RunOptions(resume, data, minutes, device, save_every, set_, allow_changed_corpus, quiet)
    given.check(context)
    from synparse.tasks.directory import task_of
    from synparse.tasks.recipe import load_task_recipe
    from synparse.tasks.run import classification
    from synparse.tasks.sentiment import SENTIMENT

    kind = classification(SENTIMENT[task] if resume is None else task_of(Path(resume), SENTIMENT))
    load_recipe = partial(load_task_recipe, runs.recipe_of("sentiment", recipe), model, set_ or ())
    given.train(kind, load_recipe, as_json, output, valid=valid, seed=seed, force=force)


@app.command()
def evaluate(
    models: options.Models,
    data: options.Data,
    device: options.Device = "auto",
    as_json: options.Json = False,
    tsv: options.Tsv = False,
    latex: options.Latex = False,
    output: options.Output = STANDARD_STREAM,
) -> None:
    """Score trained encoders on the sentiment of sentences.

    In: model directories of one task and labelled trees. Out: the accuracy of the sentences' labels, beside that of
    the most frequent label, and F1 of the induced trees; a column for each encoder, with mean and standard deviation
    over its models.

    Example: synparse sentiment evaluate lstm-1 lstm-2 om-1 --data test.ptb
    """
    format = chosen_format(as_json, tsv, latex)
    from synparse.tasks.directory import task_of
    from synparse.tasks.evaluation import evaluate_models
    from synparse.tasks.report import OF_TREEBANKS, plain_values, tables_of
    from synparse.tasks.sentiment import SENTIMENT

    task = task_of(Path(models[0]), SENTIMENT)
    evaluations, baselines = evaluate_models(task, models, data, device)
    values = plain_values(evaluations, f"{task.name}: {OF_TREEBANKS}", baselines)
    write_results(output, format, {"task": task.name, **values}, tables_of(evaluations, baselines))
