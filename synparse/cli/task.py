"""``synparse task``: tasks with known structure, to test whether a model finds it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from synparse.cli import craft
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
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.scoring.tables import Table
from synparse.tasks import EncoderName
from synparse.tasks.logic import Split

if TYPE_CHECKING:
    from synparse.tasks.expressions import Example, Task

Output = Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")]
Count = Annotated[int, typer.Option(min=1, help="Number of examples, all different.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same examples.")]

app = typer.Typer(
    help="Train models on tasks with known structure (trees, subtasks), and test whether they find it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


def _commands(task: str, about: str) -> typer.Typer:
    """The commands that every task has."""
    commands = typer.Typer(help=about, no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(commands, name=task)

    @commands.command()
    def train(
        context: typer.Context,
        data: Annotated[list[str] | None, typer.Argument(help="Files of examples, .gz too; - is stdin.")] = None,
        model: Annotated[EncoderName, typer.Option(help="The encoder.")] = "ordered-memory",
        recipe: Annotated[
            str | None, typer.Option(help="small (default), paper, or a YAML file with a section for the encoder.")
        ] = None,
        minutes: MinutesOption = None,
        seed: SeedOption = 1,
        device: DeviceOption = "auto",
        set_: SettingsOption = None,
        output: ModelOutput = "task-model",
        force: ForceOption = False,
        resume: ResumeOption = None,
        save_every: SaveEveryOption = "10m",  # type: ignore[assignment]  # the parser reads it
        allow_changed_corpus: AllowChangedCorpus = False,
        as_json: ResultAsJson = False,
    ) -> None:
        """Train an encoder to label examples.

        In: files of examples. Out: a model directory for evaluate. Only tree-cell sees the gold trees. The model that
        labels held-out examples best is kept. Ctrl-C ends the run and keeps the best model so far; --resume continues
        the run.

        Example: synparse task listops train train.tsv --model ordered-memory --minutes 30 -o om-1
        """
        if resume is not None:
            refuse_beside_resume(context)
        elif not data:
            raise typer.BadParameter("name the files to train on", param_hint="DATA")
        from synparse.tasks import TASKS, run
        from synparse.tasks.recipe import load_task_recipe

        changes = set_ or ()
        with Display() as display:
            given: Any = {"minutes": minutes, "device": device, "save_every": save_every, "report": display.update}
            if resume is not None:
                given |= {"data": data or (), "changes": changes, "allow_changed_corpus": allow_changed_corpus}
                result = run.resume(TASKS[task], Path(resume), **given)
            else:
                name = f"{task}-{recipe or 'small'}" if recipe in (None, "small", "paper") else recipe
                chosen = load_task_recipe(name, model, changes)
                result = run.train(TASKS[task], data or (), chosen, Path(output), seed=seed, force=force, **given)
        print_result(result, "held_out_accuracy", as_json)

    @commands.command()
    def evaluate(
        models: Annotated[
            list[str], typer.Argument(help="Model directories; several of one encoder count as its seeds.")
        ],
        data: Annotated[list[str], typer.Option(help="A file of examples; - is stdin. Repeatable.")],
        device: DeviceOption = "auto",
        as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
        tsv: Annotated[bool, typer.Option("--tsv", help="Print tab-separated.")] = False,
        latex: Annotated[bool, typer.Option("--latex", help="Print as LaTeX tables.")] = False,
        output: Output = STANDARD_STREAM,
    ) -> None:
        """Score the answers and the trees of trained encoders.

        In: model directories and examples. Out: accuracy by length, depth and operators, and F1 of the induced trees; a
        column for each encoder, with mean and standard deviation over its models.

        Example: synparse task listops evaluate om-1 om-2 lstm-1 --data test.tsv
        """
        refuse_several_formats(as_json, tsv, latex)
        from synparse.tasks import TASKS
        from synparse.tasks.evaluation import evaluate_models
        from synparse.tasks.report import PROTOCOL, plain_values, tables_of

        evaluations = evaluate_models(TASKS[task], models, data, device).encoders
        tables = [Table(*table) for table in tables_of(evaluations)]
        values = plain_values(evaluations) if as_json else None
        write_tables(tables, PROTOCOL, output, tsv=tsv, latex=latex, values=values)

    return commands


listops = _commands("listops", "ListOps: find the value of nested lists of digits (Nangia and Bowman, 2018).")
logic = _commands("logic", "Logic: find the relation between two formulas (Bowman et al., 2015).")

app.add_typer(craft.app, name="craft")


@listops.command("generate")
def generate_listops(
    count: Count = 100_000,
    seed: Seed = 1,
    value_probability: Annotated[
        float, typer.Option(help="Probability that an argument is a digit, not a list.")
    ] = 0.75,
    min_depth: Annotated[int, typer.Option(min=0, help="Least nesting of lists; a digit has depth 0.")] = 0,
    max_depth: Annotated[int, typer.Option(min=0, help="Greatest nesting of lists.")] = 19,
    min_arguments: Annotated[int, typer.Option(min=1, help="Fewest arguments of a list.")] = 2,
    max_arguments: Annotated[int, typer.Option(min=1, help="Most arguments of a list.")] = 5,
    min_length: Annotated[int, typer.Option(min=1, help="Fewest words of an expression.")] = 1,
    max_length: Annotated[int | None, typer.Option(min=1, help="Most words of an expression.")] = None,
    output: Output = STANDARD_STREAM,
) -> None:
    """Generate random expressions.

    Out: a line for each expression, with its value and its tree in parentheses. The defaults draw from the published
    distribution.

    Example: synparse task listops generate --count 100000 --max-depth 4 --max-length 30 -o train.tsv
    """
    from synparse.tasks.listops import LISTOPS, Limits, generate

    limits = Limits(value_probability, min_depth, max_depth, min_arguments, max_arguments, min_length, max_length)
    _write(LISTOPS, generate(limits, count, seed), output)


@logic.command("generate")
def generate_logic(
    count: Count = 100_000,
    seed: Seed = 1,
    min_operators: Annotated[int, typer.Option(min=0, help="Fewest operators of the longer formula.")] = 0,
    max_operators: Annotated[int, typer.Option(min=0, help="Most operators of the longer formula.")] = 6,
    output: Output = STANDARD_STREAM,
) -> None:
    """Generate random pairs of formulas.

    Out: a line for each pair, with its relation, which truth tables prove.

    Example: synparse task logic generate --count 100000 --max-operators 6 -o train.tsv
    """
    from synparse.tasks.logic import LOGIC, generate

    _write(LOGIC, generate(min_operators, max_operators, count, seed), output)


@logic.command("split")
def split_logic(
    split: Annotated[Split, typer.Argument(help="The construction to keep out of the training pairs.")],
    data: Annotated[list[str], typer.Argument(help="Files of examples, .gz too; - is stdin.")],
    train: Annotated[str, typer.Option(help="The file to write the training pairs to.")] = "train.tsv",
    test: Annotated[str, typer.Option(help="The file to write the test pairs to.")] = "test.tsv",
) -> None:
    """Split pairs into training and test by a construction.

    In: files of examples. Out: two files; only the test pairs have the construction. The published splits are A: and
    (not a); B: and (not …); C: and or or (not …).

    Example: synparse task logic split A train0 train1 train2 --train train-a.tsv --test test-a.tsv
    """
    from synparse.tasks.expressions import format_example, read_examples
    from synparse.tasks.logic import LOGIC, is_held_out

    with write_whole(train) as kept, write_whole(test) as held_out:
        for example in read_examples(LOGIC, data):
            (held_out if is_held_out(example, split) else kept).write(format_example(LOGIC, example))


def _write(task: Task, examples: Iterable[Example], output: str) -> None:
    from synparse.tasks.expressions import format_example

    with write_whole(output) as out:
        out.writelines(format_example(task, example) for example in examples)
