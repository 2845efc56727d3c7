"""``synparse task craft``: agents that do subtasks in a grid world, and models that find the subtasks."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

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
from synparse.cli.text import print_note
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.scoring.tables import Table
from synparse.tasks.craft import ModelName
from synparse.trees.errors import name_of

if TYPE_CHECKING:
    from synparse.tasks.craft.learning_curves import Row

Output = Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")]
Data = Annotated[list[str], typer.Argument(help="Files of demonstrations, .gz too; - is stdin.")]
BoundariesOption = Annotated[
    Literal["threshold", "known"] | None,
    typer.Option(
        help="Where segments begin: at steps with a probability above 0.5 (threshold, the default of models with "
        "options), or at the best ones, as many as the task has subtasks (known, that of ompn)."
    ),
]
Size = Annotated[int, typer.Option(help="Rows of the grid, the walls around it included.")]
Things = Annotated[int, typer.Option(min=1, help="Things of each kind.")]
Walls = Annotated[int, typer.Option(min=0, help="Cells of wall inside of the grid.")]

app = typer.Typer(
    help="Craft: take things in a grid world, and find the subtasks in demonstrations (Andreas et al., 2017).",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def generate(
    tasks: Annotated[list[str], typer.Argument(metavar="TASK...", help="Things to take in order, e.g. AC, DCA.")],
    count: Annotated[int, typer.Option(min=1, help="Number of demonstrations of each task.")] = 6000,
    size: Size = 10,
    things: Things = 2,
    walls: Walls = 4,
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

    Example: synparse task craft train demos.tsv --minutes 5 -o ocn-1
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
    boundaries: BoundariesOption = None,
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
    from synparse.tasks.craft.segmentation import segment_files
    from synparse.tasks.craft.segments import FORMATS

    with write_whole(output) as out:
        for one, found in segment_files(model, data, boundaries, device):
            out.write(FORMATS[format_](one, found))


@app.command()
def evaluate(
    models: Annotated[list[str], typer.Argument(help="Model directories; several of one kind count as its seeds.")],
    data: Annotated[list[str], typer.Option(help="A file of demonstrations; - is stdin. Repeatable.")],
    ends: Annotated[
        str | None,
        typer.Option(help="The file of the true ends of subtasks. Default: found by doing the demonstrations again."),
    ] = None,
    boundaries: BoundariesOption = None,
    success: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Also try each option by itself, in so many random worlds.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Steps of an option that is tried, at most.")] = 50,
    size: Size = 10,
    things: Things = 2,
    walls: Walls = 4,
    seed: Annotated[int, typer.Option(min=0, help="Of the random worlds.")] = 1,
    device: DeviceOption = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    tsv: Annotated[bool, typer.Option("--tsv", help="Print tab-separated.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print as LaTeX tables.")] = False,
    output: Output = STANDARD_STREAM,
) -> None:
    """Score the segments and the actions of trained models.

    In: model directories and demonstrations. Out: alignment accuracy, precision, recall and F1 of boundaries, NMI of
    options and subtasks, action accuracy; a column for each kind of model, with mean and standard deviation over its
    models. --success adds what each option does by itself: started in a random world, it acts until it is done or
    --limit; it succeeds at the subtask whose thing it takes first.

    Example: synparse task craft evaluate ocn-1 ocn-2 ompn-1 --data test.tsv --ends test-ends.tsv
    """
    refuse_several_formats(as_json, tsv, latex)
    from synparse.tasks.craft.evaluation import Trials, evaluate_models
    from synparse.tasks.craft.report import plain_values, protocol_of, tables_of

    trials = None if success is None else Trials(success, size, things, walls, limit)
    evaluations = evaluate_models(
        models, data, ends=ends, boundaries=boundaries, trials=trials, seed=seed, device=device
    )
    tables, protocol = [Table(*table) for table in tables_of(evaluations)], protocol_of(evaluations)
    values = plain_values(evaluations) if as_json else None
    write_tables(tables, protocol, output, tsv=tsv, latex=latex, values=values)


@app.command()
def transfer(
    models: Annotated[
        list[str] | None, typer.Argument(help="Model directories, whose options are used together; none for flat.")
    ] = None,
    task: Annotated[str, typer.Option(help="The task to learn: things to take in order.")] = "DCA",
    reward: Annotated[
        Literal["sparse", "dense"], typer.Option(help="1 for the whole task, or 1 for each of its subtasks.")
    ] = "sparse",
    kind: Annotated[
        Literal["options", "one-step", "flat"],
        typer.Option(
            help="What is learned chooses options, which act until they are done (options), an option at each step "
            "(one-step), or actions (flat)."
        ),
    ] = "options",
    steps: Annotated[int, typer.Option(min=1, help="Steps of all episodes together.")] = 1_000_000,
    limit: Annotated[int, typer.Option(min=1, help="Steps of an episode, at most.")] = 50,
    size: Size = 10,
    things: Things = 1,
    walls: Walls = 4,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same agent on the same machine.")] = 1,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change a setting of PPO, e.g. training.learning_rate=1e-3. Repeatable."),
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The agent's directory to write.")] = "craft-agent",
    force: Annotated[bool, typer.Option("--force", help="Overwrite a model in --output.")] = False,
    as_json: ResultAsJson = False,
) -> None:
    """Learn a task by reinforcement (PPO), with the options of trained models or without any.

    In: model directories; their options stay as they are. Out: an agent's directory for play, whose log.jsonl has a row
    for each update: steps, episodes, mean return, success. Ctrl-C ends the run and keeps the agent so far.

    Example: synparse task craft transfer ocn-1 --task DCA --steps 100000 -o agent-1
    """
    if (kind == "flat") != (not models):
        what = "name no models: a flat agent has no options" if models else "name the models whose options are used"
        raise typer.BadParameter(what, param_hint="MODELS")
    from synparse.config.recipe import overridden
    from synparse.config.settings import settings_of
    from synparse.tasks.craft.agent_directory import AgentConfig, AgentSettings, GridConfig, plain_row
    from synparse.tasks.craft.agent_run import train_agent
    from synparse.tasks.craft.directory import load_options
    from synparse.tasks.craft.ppo import PpoConfig
    from synparse.tasks.craft.recipe import ViewConfig
    from synparse.tasks.craft.subtasks import parse_task

    parse_task(task)
    changes = overridden({}, set_ or (), ("training",))
    training = settings_of(PpoConfig, changes.get("training"), "training")
    options = load_options(models, must_end=kind == "options") if models else None
    sizes = (0, 0) if options is None else options.cells.start.shape
    config = AgentConfig(
        AgentSettings(task, reward, kind, *sizes),
        GridConfig(size, things, walls, limit),
        ViewConfig() if options is None else options.view,
        training,
    )
    with Display() as display:
        learned = train_agent(
            *(config, options and options.cells, Path(output)),
            models=models or (),
            steps=steps,
            seed=seed,
            report=lambda row: display.update(_learning(row, steps)),
            force=force,
        )
    last = plain_row(learned.log[-1]) if learned.log else {}
    if learned.signal is not None:
        print_note(f"interrupted after {last.get('steps', 0)} steps; the agent so far is in {output}")
    if as_json:
        with write_whole(STANDARD_STREAM) as out:
            out.write(json.dumps({"agent": output, **last, "interrupted": learned.signal is not None}) + "\n")
    if learned.signal is not None:
        raise typer.Exit(128 + learned.signal)


def _learning(row: Row, steps: int) -> Any:
    from synparse.training.events import Learning

    success = "" if row.success_rate is None else f", success {row.success_rate:.0%}"
    return Learning(f"{row.steps:,} steps{success}", min(1.0, row.steps / steps))


@app.command()
def play(
    agent: Annotated[str, typer.Argument(help="An agent's directory, written by transfer.")],
    episodes: Annotated[int, typer.Option(min=1, help="Episodes, each in a new random world.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same episodes.")] = 1,
    segments: Annotated[
        str | None, typer.Option(help="Also write the segments of the options, to this file, for draw.")
    ] = None,
    as_json: ResultAsJson = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="Write the episodes that did the task as demonstrations; - is stdout."),
    ] = None,
) -> None:
    """Let an agent do its task, and score it.

    In: an agent's directory. Out: mean return, success rate and mean length of its episodes; with -o, the episodes that
    did the task as a file of demonstrations. The agent's choices and actions are drawn from its probabilities.

    Example: synparse task craft play agent-1 --episodes 1000 --json
    """
    if segments is not None and output is None:
        raise typer.BadParameter("segments need the episodes beside them; name a file with -o", param_hint="--segments")
    from synparse.tasks.craft.agent_directory import load_agent
    from synparse.tasks.craft.agent_run import play_agent, result_of, successes
    from synparse.tasks.craft.demonstrations import format_demonstration
    from synparse.tasks.craft.segments import format_segments

    trained = load_agent(Path(agent))
    task = trained.config.agent.task
    played = play_agent(trained, episodes, seed)
    if output is not None:
        with write_whole(output) as out, nullcontext() if segments is None else write_whole(segments) as cut:
            for one in successes(task, played):
                out.write(format_demonstration(one.demonstration))
                if cut is not None:
                    cut.write(format_segments(task, one.ends, one.options))
    result = result_of(played)
    if as_json:
        line = json.dumps({"agent": agent, "task": task, **{k: round(v, 4) for k, v in result._asdict().items()}})
    else:
        line = (
            f"{result.episodes} episodes of {task}: mean return {result.mean_return:.3f}, "
            f"success {100 * result.success_rate:.2f} per cent, {result.length:.1f} steps"
        )
    if output == STANDARD_STREAM:
        print_note(line)
    else:
        with write_whole(STANDARD_STREAM) as out:
            out.write(f"{line}\n")


@app.command()
def draw(
    data: Annotated[str, typer.Argument(metavar="[FILE]", help="Demonstrations; - is stdin.")] = STANDARD_STREAM,
    svg: Annotated[
        bool, typer.Option("--svg", help="Draw one animated SVG, the demonstrations below each other.")
    ] = False,
    html: Annotated[
        bool, typer.Option("--html", help="Write a web page that plays them; it needs no network.")
    ] = False,
    ends: Annotated[str | None, typer.Option(help="The file of the true ends of subtasks, to draw them.")] = None,
    segments: Annotated[
        list[str] | None, typer.Option(help="A file of segments, of segment --format tsv. Repeatable.")
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="Demonstrations to draw, the first ones.")] = 10,
    output: Output = STANDARD_STREAM,
) -> None:
    """Draw demonstrations: in characters, as an animated SVG or as a web page.

    In: demonstrations, and the files beside them. Out: in characters, the grid at first and after each segment; else
    the grid at every step.

    Example: synparse task craft draw demos.tsv --ends ends.tsv --html -o demos.html
    """
    if svg and html:
        raise typer.BadParameter("choose one of --svg and --html", param_hint="--svg")
    from synparse.drawing.craft import Segmentation
    from synparse.tasks.craft.demonstrations import read_demonstrations, read_ends
    from synparse.tasks.craft.pictures import draw_demonstrations, true_segmentation
    from synparse.tasks.craft.segments import read_segments

    given = list(read_demonstrations([data]))
    drawn: list[list[Segmentation]] = [[] for _ in given]
    if ends is not None:
        for one, of_subtasks, found in zip(given, read_ends(ends, given), drawn, strict=True):
            found.append(true_segmentation(one, of_subtasks))
    for path in segments or ():
        for (of_segments, options), found in zip(read_segments(path, given), drawn, strict=True):
            found.append(Segmentation(Path(path).stem, of_segments, options))
    with write_whole(output) as out:
        out.writelines(
            draw_demonstrations(
                list(zip(given, drawn, strict=True))[:count],
                name_of(data),
                picture="svg" if svg else "html" if html else "text",
            )
        )
