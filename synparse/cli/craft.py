"""``synparse task craft``: agents that do subtasks in a grid world, and models that find these subtasks."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from synparse.cli import options, runs
from synparse.cli.results import chosen_format, named_format, print_note, write_lines, write_results
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.tasks.craft import ModelName
from synparse.trees.errors import SettingError, name_of

BoundariesOption = Annotated[
    Literal["threshold", "known"] | None,
    typer.Option(
        help="Where segments begin: at steps with a probability above 0.5 (threshold, the default for models with "
        "options), or at the most probable steps, as many as the task has subtasks (known, the default for ompn)."
    ),
]
Size = Annotated[int, typer.Option(help="Rows of the grid, including the walls around it.")]
Things = Annotated[int, typer.Option(min=1, help="Things of each kind.")]
Walls = Annotated[int, typer.Option(min=0, help="Wall cells inside the grid.")]

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
    seed: options.Seed = 1,
    ends_output: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also write the true ends of the subtasks, to this file.")
    ] = None,
    output: options.Output = STANDARD_STREAM,
) -> None:
    """Generate demonstrations of tasks in random worlds.

    Out: a line for each demonstration: task, actions (u d l r, x takes the thing ahead), and the grid it began in. Each
    takes a shortest path to the nearest thing of the next kind. Subtasks are wood (A), gold (B), iron (C) and
    grass (D); their ends are in a separate file.

    Example: synparse task craft generate AC CD DA --count 6000 -o demos.tsv --ends-output ends.tsv
    """
    from synparse.tasks.craft.demonstrations import generated_lines

    _write_beside(output, ends_output, generated_lines(tasks, count, size, things, walls, seed))


def _write_beside(output: str, beside: str | None, lines: Iterable[tuple[str, str]]) -> None:
    """Write the first line of each pair, and the second one to a file beside, if there is one."""
    with write_whole(output) as out, nullcontext() if beside is None else write_whole(beside) as other:
        for line, line_beside in lines:
            out.write(line)
            if other is not None:
                other.write(line_beside)


@app.command()
def train(
    context: typer.Context,
    data: options.Examples = None,
    model: Annotated[ModelName, typer.Option(help="The kind of model.")] = "option-controller",
    recipe: options.Recipe = "small",
    minutes: options.Minutes = None,
    seed: options.Seed = 1,
    device: options.Device = "auto",
    set_: options.Settings = None,
    output: options.ModelOutput = "craft-model",
    force: options.Force = False,
    resume: options.Resume = None,
    save_every: options.SaveEvery = "10m",  # type: ignore[assignment]  # the parser reads it
    allow_changed_corpus: options.AllowChangedCorpus = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Train a model to imitate demonstrations.

    In: files of demonstrations, without the ends of subtasks. Out: a model directory for segment and evaluate. The
    model under which held-out demonstrations are most likely is kept. The log also scores their segments against the
    true subtasks; nothing in the run depends on it. Ctrl-C ends the run and keeps the best model so far; --resume
    continues the run.

    Example: synparse task craft train demos.tsv --minutes 5 -o ocn-1
    """
    given = runs.RunOptions(resume, data, minutes, device, save_every, set_, allow_changed_corpus, quiet)
    given.check(context)
    from synparse.tasks.craft.recipe import load_craft_recipe
    from synparse.tasks.craft.run import IMITATION

    load_recipe = partial(load_craft_recipe, runs.recipe_of("craft", recipe), model, set_ or ())
    given.train(IMITATION, load_recipe, as_json, output, seed=seed, force=force)


@app.command()
def segment(
    model: Annotated[str, typer.Argument(help="A model directory.")],
    data: Annotated[list[str], typer.Argument(help="Files of demonstrations, .gz, .bz2, .xz too; - is stdin.")],
    boundaries: BoundariesOption = None,
    format_: Annotated[
        Literal["brackets", "tsv", "json"] | None,
        typer.Option(
            "--format",
            "-f",
            help="Trees for synparse show, ends of segments with options, or JSON lines. Default: by the ending of "
            "--output, else brackets.",
        ),
    ] = None,
    device: options.Device = "auto",
    output: options.Output = STANDARD_STREAM,
) -> None:
    """Cut demonstrations into segments.

    In: a model directory and demonstrations. Out: a line for each demonstration. As brackets, a tree: the task, its
    segments, labelled with their options, and their actions. As tsv: the task, the step at which each segment ends, as
    in a file of true ends, and the option of each segment.

    Example: synparse task craft segment ocn-1 demos.tsv | synparse show
    """
    from synparse.tasks.craft.segmentation import segment_files
    from synparse.tasks.craft.segments import FORMATS

    written = FORMATS.get(format_ or named_format(output), FORMATS["brackets"])
    segmentations = segment_files(model, data, boundaries, device)
    write_lines(output, (written(demonstration, segmentation) for demonstration, segmentation in segmentations))


@app.command()
def evaluate(
    models: options.Models,
    data: options.Data,
    ends: Annotated[
        str | None,
        typer.Option(help="The file of the true ends of subtasks. Default: found by replaying the demonstrations."),
    ] = None,
    boundaries: BoundariesOption = None,
    success: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Also try each option by itself, in this number of random worlds."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of steps of an option that is tried.")] = 50,
    size: Size = 10,
    things: Things = 2,
    walls: Walls = 4,
    seed: options.Seed = 1,
    device: options.Device = "auto",
    as_json: options.Json = False,
    tsv: options.Tsv = False,
    latex: options.Latex = False,
    output: options.Output = STANDARD_STREAM,
) -> None:
    """Score the segments and the actions of trained models.

    In: model directories and demonstrations. Out: alignment accuracy, precision, recall and F1 of boundaries, NMI of
    options and subtasks, action accuracy; a column for each kind of model, with mean and standard deviation over its
    models. --success adds what each option does by itself: started in a random world, it acts until it is done or
    --limit is reached; it succeeds at the subtask whose thing it takes first.

    Example: synparse task craft evaluate ocn-1 ocn-2 ompn-1 --data test.tsv --ends test-ends.tsv
    """
    format = chosen_format(as_json, tsv, latex)
    from synparse.tasks.craft.agent_directory import GridConfig
    from synparse.tasks.craft.evaluation import Trials, evaluate_models
    from synparse.tasks.craft.report import plain_values, tables_of

    trials = None if success is None else Trials(success, GridConfig(size, things, walls, limit))
    evaluations = evaluate_models(
        models, data, ends=ends, boundaries=boundaries, trials=trials, seed=seed, device=device
    )
    write_results(output, format, plain_values(evaluations), tables_of(evaluations))


@app.command()
def transfer(
    models: Annotated[
        list[str] | None, typer.Argument(help="Model directories, whose options are combined; none for flat.")
    ] = None,
    task: Annotated[str, typer.Option(help="The task to learn: things to take in order.")] = "DCA",
    reward: Annotated[
        Literal["sparse", "dense"], typer.Option(help="1 for the whole task, or 1 for each of its subtasks.")
    ] = "sparse",
    kind: Annotated[
        Literal["options", "one-step", "flat"],
        typer.Option(
            help="What the agent learns to choose: options, which act until they are done (options), an option at "
            "each step (one-step), or actions (flat)."
        ),
    ] = "options",
    steps: Annotated[int, typer.Option(min=1, help="Total number of steps of all episodes.")] = 1_000_000,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of steps of an episode.")] = 50,
    size: Size = 10,
    things: Things = 1,
    walls: Walls = 4,
    seed: options.Seed = 1,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change a setting of PPO, e.g. training.learning_rate=1e-3. Repeatable."),
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The agent's directory to write.")] = "craft-agent",
    force: options.Force = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Learn a task by reinforcement learning (PPO), with the options of trained models or without options.

    In: model directories, whose options are frozen. Out: an agent's directory for play, whose log.jsonl has a row for
    each update: steps, episodes, mean return, success. Ctrl-C ends the run and keeps the agent so far.

    Example: synparse task craft transfer ocn-1 --task DCA --steps 100000 -o agent-1
    """
    from synparse.tasks.craft.agent_directory import GridConfig, plain_row
    from synparse.tasks.craft.agent_run import learn_task

    grid = GridConfig(size, things, walls, limit)
    with runs.Display(quiet) as display:
        learned = learn_task(
            *(task, models or (), kind, reward, grid, Path(output)),
            changes=set_ or (),
            steps=steps,
            seed=seed,
            report=display.update,
            force=force,
        )
    last = plain_row(learned.log[-1]) if learned.log else {}
    interrupted = learned.signal is not None
    if interrupted:
        print_note(f"interrupted after {last.get('steps', 0)} steps; the agent so far is in {output}")
    if as_json:
        write_results(STANDARD_STREAM, "json", {"agent": output, **last, "interrupted": interrupted})
    if learned.signal is not None:
        raise typer.Exit(128 + learned.signal)


@app.command()
def play(
    agent: Annotated[str, typer.Argument(help="An agent's directory, written by transfer.")],
    episodes: Annotated[int, typer.Option(min=1, help="Number of episodes, each in a new random world.")] = 1000,
    seed: options.Seed = 1,
    segments_output: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also write the segments of the options, to this file, for draw.")
    ] = None,
    as_json: options.Json = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="Write the successful episodes as demonstrations; - is stdout."),
    ] = None,
) -> None:
    """Let an agent do its task, and score it.

    In: an agent's directory. Out: mean return, success rate and mean length of its episodes; with -o, the successful
    episodes as a file of demonstrations. The agent's choices and actions are sampled from its probabilities.

    Example: synparse task craft play agent-1 --episodes 1000 --json
    """
    if segments_output is not None and output is None:
        message = "segments need the episodes beside them; name a file with -o"
        raise typer.BadParameter(message, param_hint="--segments-output")
    from synparse.tasks.craft import agent_run
    from synparse.tasks.craft.agent_directory import load_agent

    trained = load_agent(Path(agent))
    task = trained.config.agent.task
    played = agent_run.play_agent(trained, episodes, seed)
    if output is not None:
        _write_beside(output, segments_output, agent_run.lines_of_successes(task, played))
    result = agent_run.result_of(played)
    values = {"agent": agent, "task": task, **{name: round(value, 4) for name, value in result._asdict().items()}}
    text = (
        f"{result.episodes} episodes of {task}: mean return {result.mean_return:.3f}, "
        f"success {100 * result.success_rate:.2f} per cent, {result.length:.1f} steps"
    )
    if output == STANDARD_STREAM:
        print_note(json.dumps(values) if as_json else text)
    else:
        write_results(STANDARD_STREAM, chosen_format(as_json), values, text=[f"{text}\n"])


@app.command()
def draw(
    data: Annotated[str, typer.Argument(metavar="[FILE]", help="Demonstrations; - is stdin.")] = STANDARD_STREAM,
    format: Annotated[
        Literal["text", "svg", "html"] | None,
        typer.Option(
            "--format",
            "-f",
            help="text: characters. svg: one picture. html: a page that needs no network. Default: by the ending of "
            "--output, else text.",
        ),
    ] = None,
    ends: Annotated[str | None, typer.Option(help="The file of the true ends of subtasks, to draw them.")] = None,
    segments: Annotated[
        list[str] | None, typer.Option(help="A file of segments, of segment --format tsv. Repeatable.")
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="Number of demonstrations to draw, from the first.")] = 10,
    output: options.Output = STANDARD_STREAM,
) -> None:
    """Draw demonstrations: in characters, as an animated SVG or as a web page.

    In: demonstrations, and files of their ends or segments. Out: as text, the grid at the beginning and after each
    segment; otherwise, the grid at every step.

    Example: synparse task craft draw demos.tsv --ends ends.tsv --format html -o demos.html
    """
    from synparse.tasks.craft.pictures import draw_demonstrations, with_segmentations

    picture = format or options.picture_of(output) or "text"
    if picture == "png" or picture == "pdf" or picture == "latex":
        raise SettingError(f"--output {output}: demonstrations are drawn in text, .svg or .html")
    [data] = options.files_or_stdin([data], "FILE")
    given = with_segmentations(data, ends, segments or ())
    write_lines(output, draw_demonstrations(given[:count], name_of(data), picture=picture))
