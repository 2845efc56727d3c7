"""``synparse task craft``: agents that do subtasks in a grid world, and models that find the subtasks."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

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
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.tasks.craft import ModelName

Output = Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")]
Data = Annotated[list[str], typer.Argument(help="Files of demonstrations, .gz too; - is stdin.")]

app = typer.Typer(
    help="Craft: take things in a grid world, and find the subtasks in demonstrations (Andreas et al., 2017).",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def generate(
    tasks: Annotated[list[str], typer.Argument(metavar="TASK...", help="Things to take in order, e.g. AC, DCA.")],
    count: Annotated[int, typer.Option(min=1, help="Number of demonstrations of each task.")] = 6000,
    size: Annotated[int, typer.Option(help="Rows of the grid, the walls around it included.")] = 10,
    things: Annotated[int, typer.Option(min=1, help="Things of each kind.")] = 2,
    walls: Annotated[int, typer.Option(min=0, help="Cells of wall inside of the grid.")] = 4,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same demonstrations.")] = 1,
    ends: Annotated[str | None, typer.Option(help="Also write the true ends of the subtasks, to this file.")] = None,
    output: Output = STANDARD_STREAM,
) -> None:
    """Generate demonstrations of tasks in random worlds.

    Out: a line for each demonstration: task, actions (u d l r, x takes the thing ahead), and the grid it began in. Each
    goes a shortest path to the nearest thing of the kind that is due. Subtasks are wood (A), gold (B), iron (C) and
    grass (D); their ends are in a file of their own.

    Example: synparse task craft generate AC CD DA --count 6000 -o demos.tsv --ends ends.tsv
    """
    from synparse.tasks.craft.demonstrations import demonstrations, format_demonstration, format_ends
    from synparse.tasks.craft.subtasks import parse_task

    for task in tasks:
        parse_task(task)
    with write_whole(output) as out, nullcontext() if ends is None else write_whole(ends) as gold:
        for task in tasks:
            for one, of_subtasks in demonstrations(task, count, size, things, walls, seed):
                out.write(format_demonstration(one))
                if gold is not None:
                    gold.write(format_ends(task, of_subtasks))


@app.command()
def train(
    context: typer.Context,
    data: Annotated[list[str] | None, typer.Argument(help="Files of demonstrations, .gz too; - is stdin.")] = None,
    model: Annotated[ModelName, typer.Option(help="What learns.")] = "option-controller",
    recipe: Annotated[
        str | None, typer.Option(help="small (default), paper, or a YAML file with a section for the model.")
    ] = None,
    minutes: MinutesOption = None,
    seed: SeedOption = 1,
    device: DeviceOption = "auto",
    set_: SettingsOption = None,
    output: ModelOutput = "craft-model",
    force: ForceOption = False,
    resume: ResumeOption = None,
    save_every: SaveEveryOption = "10m",  # type: ignore[assignment]  # the parser reads it
    allow_changed_corpus: AllowChangedCorpus = False,
    as_json: ResultAsJson = False,
) -> None:
    """Train a model to imitate demonstrations.

    In: files of demonstrations, which do not tell where subtasks end. Out: a model directory for segment and evaluate.
    The model under which held-out demonstrations are most likely is kept. The log also scores their segments against
    the true subtasks; nothing in the run depends on it. Ctrl-C ends the run and keeps the best model so far; --resume
    continues the run.

    Example: synparse task craft train demos.tsv --minutes 40 -o ocn-1
    """
    if resume is not None:
        refuse_beside_resume(context)
    elif not data:
        raise typer.BadParameter("name the files to train on", param_hint="DATA")
    from synparse.tasks.craft import run
    from synparse.tasks.craft.recipe import load_craft_recipe

    changes = set_ or ()
    with Display() as display:
        given: Any = {"minutes": minutes, "device": device, "save_every": save_every, "report": display.update}
        if resume is not None:
            given |= {"data": data or (), "changes": changes, "allow_changed_corpus": allow_changed_corpus}
            result = run.resume(Path(resume), **given)
        else:
            name = f"craft-{recipe or 'small'}" if recipe in (None, "small", "paper") else recipe
            chosen = load_craft_recipe(name, model, changes)
            result = run.train(data or (), chosen, Path(output), seed=seed, force=force, **given)
    print_result(result, "held_out_log_likelihood", as_json)


@app.command()
def segment(
    model: Annotated[str, typer.Argument(help="A model directory.")],
    data: Data,
    boundaries: Annotated[
        Literal["threshold", "known"] | None,
        typer.Option(
            help="Where segments begin: at steps with a probability above 0.5 (threshold, the default of models with "
            "options), or at the best ones, as many as the task has subtasks (known, that of ompn)."
        ),
    ] = None,
    format_: Annotated[
        Literal["brackets", "tsv", "json"],
        typer.Option("--format", help="Trees for synparse show, ends of segments with options, or JSON lines."),
    ] = "brackets",
    device: DeviceOption = "auto",
    output: Output = STANDARD_STREAM,
) -> None:
    """Cut demonstrations into segments.

    In: a model directory and demonstrations. Out: a line for each demonstration. As brackets, a tree: the task over its
    segments, each with the option that did it, over their actions. As tsv: the task, the numbers of steps at which
    each segment ends, as in a file of true ends, and the option of each segment.

    Example: synparse task craft segment ocn-1 demos.tsv | synparse show
    """
    from synparse.tasks.craft.segments import FORMATS, segment_files

    with write_whole(output) as out:
        for one, found in segment_files(model, data, boundaries, device):
            out.write(FORMATS[format_](one, found))
