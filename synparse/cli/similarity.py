"""``synparse similarity``: tune language models to the similarity of sentences, and score them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

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

app = typer.Typer(
    help="Tune language models to the similarity of sentences, and score them.",
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
        list[str] | None, typer.Option(help="A file of scored pairs to train on, .gz too; - is stdin. Repeatable.")
    ] = None,
    valid: Annotated[
        str | None, typer.Option(help="Scored pairs that choose the best model; default: some are held out.")
    ] = None,
    freeze_parser: Annotated[
        bool, typer.Option("--freeze-parser", help="Leave what trees are induced with as it is.")
    ] = False,
    recipe: Annotated[str | None, typer.Option(help="small (default), or a YAML file.")] = None,
    minutes: MinutesOption = None,
    seed: SeedOption = 1,
    device: DeviceOption = "auto",
    set_: SettingsOption = None,
    output: ModelOutput = "similarity-model",
    force: ForceOption = False,
    resume: ResumeOption = None,
    save_every: SaveEveryOption = "10m",  # type: ignore[assignment]  # the parser reads it
    allow_changed_corpus: AllowChangedCorpus = False,
    as_json: ResultAsJson = False,
) -> None:
    """Tune a language model to scores of the similarity of sentences.

    In: a trained language model and tab-separated pairs with a head line: score (0 to 5), sentence1, sentence2. Out: a
    model directory, for evaluate and for every command that reads one. The model whose cosines rank the pairs of
    --valid best is kept. Ctrl-C ends the run and keeps the best model so far; --resume continues the run.

    Example: synparse similarity train udgn-1 --data stsb-train.tsv --valid stsb-dev.tsv --minutes 2 -o udgn-1-sts
    """
    if resume is not None:
        refuse_beside_resume(context)
    elif model is None:
        raise typer.BadParameter("name the language model to start from", param_hint="MODEL")
    elif not data:
        raise typer.BadParameter("name the files to train on", param_hint="--data")
    from synparse.language_models import tuning
    from synparse.language_models.tuning_recipe import load_tuning_recipe

    changes = [*["training.freeze_parser=true"] * freeze_parser, *(set_ or ())]
    with Display() as display:
        given: Any = {"minutes": minutes, "device": device, "save_every": save_every, "report": display.update}
        if resume is not None:
            given |= {"data": data or (), "changes": changes, "allow_changed_corpus": allow_changed_corpus}
            result = tuning.resume(Path(resume), **given)
        else:
            chosen = load_tuning_recipe(
                "similarity-small" if recipe in (None, "small") else recipe, model or "", changes
            )
            given |= {"valid": valid, "seed": seed, "force": force}
            result = tuning.train(data or (), chosen, Path(output), **given)
    print_result(result, "held_out_spearman", as_json)


@app.command()
def evaluate(
    models: Annotated[
        list[str], typer.Argument(help="Language models, tuned or not; several of a kind are its seeds.")
    ],
    data: Annotated[list[str], typer.Option(help="A file of scored pairs, .gz too; - is stdin. Repeatable.")],
    baselines: Annotated[
        bool, typer.Option("--baselines", help="Also the overlap of words, and the mean of each model's word vectors.")
    ] = False,
    device: DeviceOption = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    tsv: Annotated[bool, typer.Option("--tsv", help="Print tab-separated.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print as LaTeX tables.")] = False,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = STANDARD_STREAM,
) -> None:
    """Score how language models rank pairs of sentences by similarity.

    In: model directories and scored pairs. Out: Spearman's correlation of cosines and scores, for each file and in the
    mean; a column for each kind of model, with mean and standard deviation over its models.

    Example: synparse similarity evaluate udgn-1-sts udgn-2-sts udgn-1 --data sts16.tsv --data sick-test.tsv --baselines
    """
    refuse_several_formats(as_json, tsv, latex)
    from synparse.language_models.similarity_evaluation import evaluate as scores_of
    from synparse.language_models.similarity_report import PROTOCOL, plain_values, tables_of

    found = scores_of(models, data, device, baselines)
    tables = tables_of(found)
    values = plain_values(found) if as_json else None
    write_tables(tables, PROTOCOL, output, tsv=tsv, latex=latex, values=values)
