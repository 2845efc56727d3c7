"""``synparse sentiment``: train encoders to tell the sentiment of sentences, and score them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from synparse.cli.formats import refuse_several_formats, write_tables
from synparse.cli.runs import (
    AllowChangedCorpus,
    DeviceOption,
    Display,
    ForceOption,
    MinutesOption,
    ModelOutput,
    ResultAsJson,
    ResumeOption,
    SaveEveryOption,
    SeedOption,
    SettingsOption,
    print_result,
    refuse_beside_resume,
)
from synparse.files.streams import STANDARD_STREAM
from synparse.scoring.tables import Table
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
    data: Annotated[list[str] | None, typer.Argument(help="Files of labelled trees, .gz too; - is stdin.")] = None,
    task: Annotated[
        Literal["sst2", "sst5"], typer.Option(help="sst2: negative or positive; sst5: the five labels of the trees.")
    ] = "sst2",
    model: Annotated[EncoderName, typer.Option(help="The encoder.")] = "ordered-memory",
    valid: Annotated[
        str | None, typer.Option(help="Labelled trees that choose the best model; default: some are held out.")
    ] = None,
    recipe: Annotated[
        str | None, typer.Option(help="small (default), or a YAML file with a section for the encoder.")
    ] = None,
    minutes: MinutesOption = None,
    seed: SeedOption = 1,
    device: DeviceOption = "auto",
    set_: SettingsOption = None,
    output: ModelOutput = "sentiment-model",
    force: ForceOption = False,
    resume: ResumeOption = None,
    save_every: SaveEveryOption = "10m",  # type: ignore[assignment]  # the parser reads it
    allow_changed_corpus: AllowChangedCorpus = False,
    as_json: ResultAsJson = False,
) -> None:
    """Train an encoder to tell the sentiment of sentences.

    In: binary trees with a label from 0 to 4 at each node, one on a line. Out: a model directory for evaluate. The
    encoder also learns from each phrase of a tree, unless --set text.phrases=false; only tree-cell sees the trees. The
    model that labels the sentences of --valid best is kept. Ctrl-C ends the run and keeps the best model so far;
    --resume continues the run.

    Example: synparse sentiment train train.ptb --valid dev.ptb --task sst5 --model lstm --minutes 5 -o lstm-1
    """
    if resume is not None:
        refuse_beside_resume(context)
    elif not data:
        raise typer.BadParameter("name the files to train on", param_hint="DATA")
    from synparse.tasks import run
    from synparse.tasks.directory import task_of
    from synparse.tasks.recipe import load_task_recipe
    from synparse.tasks.sentiment import SENTIMENT

    changes = set_ or ()
    with Display() as display:
        given: Any = {"minutes": minutes, "device": device, "save_every": save_every, "report": display.update}
        if resume is not None:
            given |= {"data": data or (), "changes": changes, "allow_changed_corpus": allow_changed_corpus}
            result = run.resume(task_of(Path(resume), SENTIMENT), Path(resume), **given)
        else:
            chosen = load_task_recipe("sentiment-small" if recipe in (None, "small") else recipe, model, changes)
            given |= {"valid": valid, "seed": seed, "force": force}
            result = run.train(SENTIMENT[task], data or (), chosen, Path(output), **given)
    print_result(result, "held_out_accuracy", as_json)


@app.command()
def evaluate(
    models: Annotated[list[str], typer.Argument(help="Model directories; several of one encoder count as its seeds.")],
    data: Annotated[list[str], typer.Option(help="A file of labelled trees; - is stdin. Repeatable.")],
    device: DeviceOption = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    tsv: Annotated[bool, typer.Option("--tsv", help="Print tab-separated.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print as LaTeX tables.")] = False,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = STANDARD_STREAM,
) -> None:
    """Score trained encoders on the sentiment of sentences.

    In: model directories of one task and labelled trees. Out: the accuracy of the sentences' labels, beside that of
    the most frequent label, and F1 of the induced trees; a column for each encoder, with mean and standard deviation
    over its models.

    Example: synparse sentiment evaluate lstm-1 lstm-2 om-1 --data test.ptb
    """
    refuse_several_formats(as_json, tsv, latex)
    from synparse.tasks.directory import task_of
    from synparse.tasks.evaluation import evaluate_models
    from synparse.tasks.report import OF_TREEBANKS, plain_values, tables_of
    from synparse.tasks.sentiment import SENTIMENT

    task = task_of(Path(models[0]), SENTIMENT)
    found = evaluate_models(task, models, data, device)
    baselines = {f"majority: {found.majority_label}": found.majority}
    protocol = f"{task.name}: {OF_TREEBANKS}"
    tables = [Table(*table) for table in tables_of(found.encoders, baselines)]
    values = {"task": task.name, **plain_values(found.encoders, protocol, baselines)} if as_json else None
    write_tables(tables, protocol, output, tsv=tsv, latex=latex, values=values)
