"""``synparse task``: tasks with known structure, to test whether a model finds it."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from synparse.cli import craft, options, runs
from synparse.cli.results import chosen_format, write_lines, write_results
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.tasks import TASKS, EncoderName
from synparse.tasks.expressions import format_example, read_examples
from synparse.tasks.listops import LISTOPS, Limits
from synparse.tasks.listops import generate as generated_expressions
from synparse.tasks.logic import LOGIC, Split, is_held_out
from synparse.tasks.logic import generate as generated_pairs
from synparse.trees.constituency import format_brackets
from synparse.trees.errors import SettingError

Count = Annotated[int, typer.Option(min=1, help="Number of examples, all different.")]

Without = Annotated[
    list[str] | None,
    typer.Option(metavar="FILE", help="Examples to leave out, such as those to train on. Repeatable."),
]

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
        data: options.Examples = None,
        model: Annotated[EncoderName, typer.Option(help="The kind of encoder.")] = "ordered-memory",
        recipe: options.Recipe = "small",
        minutes: options.Minutes = None,
        seed: options.Seed = 1,
        device: options.Device = "auto",
        set_: options.Settings = None,
        output: options.ModelOutput = "task-model",
        force: options.Force = False,
        resume: options.Resume = None,
        save_every: options.SaveEvery = "10m",  # type: ignore[assignment]  # the parser reads it
        allow_changed_corpus: options.AllowChangedCorpus = False,
        as_json: options.Json = False,
        quiet: options.Quiet = False,
    ) -> None:
        """Train an encoder to label examples.

        In: files of examples. Out: a model directory for evaluate. Only encoders named tree-… see the gold trees. The
        model that labels held-out examples best is kept. Ctrl-C ends the run and keeps the best model so far; --resume
        continues the run.

        Example: synparse task listops train train.tsv --model ordered-memory --minutes 30 -o om-1
        """
        given = runs.RunOptions(resume, data, minutes, device, save_every, set_, allow_changed_corpus, quiet)
        given.check(context)
        from synparse.tasks.recipe import load_task_recipe
        from synparse.tasks.run import classification

        load_recipe = partial(load_task_recipe, runs.recipe_of(task, recipe), model, set_ or ())
        given.train(classification(TASKS[task]), load_recipe, as_json, output, seed=seed, force=force)

    @commands.command()
    def evaluate(
        models: options.Models,
        data: options.Data,
        device: options.Device = "auto",
        as_json: options.Json = False,
        tsv: options.Tsv = False,
        latex: options.Latex = False,
        trees_output: Annotated[
            str | None,
            typer.Option(
                metavar="FILE",
                help="Write the trees that the first encoder has induced, a line of brackets for each expression, for "
                "synparse show.",
            ),
        ] = None,
        output: options.Output = STANDARD_STREAM,
    ) -> None:
        """Score the answers and the trees of trained encoders.

        In: model directories and examples. Out: accuracy by length, depth and operators, beside that of the most
        frequent answer, and F1 of the induced trees; a column for each encoder, with mean and standard deviation over
        its models.

        Example: synparse task listops evaluate om-1 om-2 lstm-1 --data test.tsv
        """
        format = chosen_format(as_json, tsv, latex)
        from synparse.tasks.evaluation import evaluate_models
        from synparse.tasks.report import PROTOCOL, plain_values, tables_of

        evaluations, baselines = evaluate_models(TASKS[task], models, data, device)
        if trees_output is not None:
            trees = next((scores.trees for rows in evaluations.values() for _, scores in rows if scores.induced), None)
            if trees is None:
                raise SettingError("--trees-output: none of these encoders induces trees")
            write_lines(trees_output, (f"{format_brackets(tree)}\n" for tree in trees))
        write_results(output, format, plain_values(evaluations, PROTOCOL, baselines), tables_of(evaluations, baselines))

    for command in (train, evaluate):  # their examples are of ListOps
        command.__doc__ = str(command.__doc__).replace("task listops", f"task {task}")
    return commands


listops = _commands("listops", "ListOps: find the value of nested lists of digits (Nangia and Bowman, 2018).")
logic = _commands("logic", "Logic: find the relation between two formulas (Bowman et al., 2015).")

app.add_typer(craft.app, name="craft")


@listops.command("generate")
def generate_listops(
    count: Count = 100_000,
    seed: options.Seed = 1,
    value_probability: Annotated[
        float, typer.Option(help="Probability that an argument is a digit, not a list.")
    ] = 0.75,
    min_depth: Annotated[int, typer.Option(min=0, help="Least nesting of lists; a digit has depth 0.")] = 0,
    max_depth: Annotated[int, typer.Option(min=0, help="Greatest nesting of lists.")] = 19,
    min_arguments: Annotated[int, typer.Option(min=1, help="Fewest arguments of a list.")] = 2,
    max_arguments: Annotated[int, typer.Option(min=1, help="Most arguments of a list.")] = 5,
    min_length: Annotated[int, typer.Option(min=1, help="Fewest words of an expression.")] = 1,
    max_length: Annotated[int | None, typer.Option(min=1, help="Most words of an expression.")] = None,
    without: Without = None,
    output: options.Output = STANDARD_STREAM,
) -> None:
    """Generate random expressions.

    Out: a line for each expression, with its value and its tree in parentheses. The defaults draw from the published
    distribution. Short expressions are few: give a test set --without the training set.

    Example: synparse task listops generate --count 100000 --max-depth 4 --max-length 30 -o train.tsv
    """
    limits = Limits(value_probability, min_depth, max_depth, min_arguments, max_arguments, min_length, max_length)
    examples = generated_expressions(limits, count, seed, read_examples(LISTOPS, without or ()))
    write_lines(output, map(partial(format_example, LISTOPS), examples))


@logic.command("generate")
def generate_logic(
    count: Count = 100_000,
    seed: options.Seed = 1,
    min_operators: Annotated[int, typer.Option(min=0, help="Fewest operators of the longer formula.")] = 0,
    max_operators: Annotated[int, typer.Option(min=0, help="Most operators of the longer formula.")] = 6,
    without: Without = None,
    output: options.Output = STANDARD_STREAM,
) -> None:
    """Generate random pairs of formulas.

    Out: a line for each pair, with its relation, which truth tables prove. Short pairs are few: give a test set
    --without the training set.

    Example: synparse task logic generate --count 100000 --max-operators 6 -o train.tsv
    """
    examples = generated_pairs(min_operators, max_operators, count, seed, read_examples(LOGIC, without or ()))
    write_lines(output, map(partial(format_example, LOGIC), examples))


@logic.command("split")
def split_logic(
    split: Annotated[Split, typer.Argument(help="The construction to keep out of the training pairs.")],
    data: Annotated[list[str], typer.Argument(help="Files of examples, .gz, .bz2, .xz too; - is stdin.")],
    train_output: Annotated[str, typer.Option(metavar="FILE", help="The file to write the training pairs to.")],
    test_output: Annotated[str, typer.Option(metavar="FILE", help="The file to write the test pairs to.")],
) -> None:
    """Split pairs into training and test by a construction.

    In: files of examples. Out: two files; only the test pairs have the construction. The published splits are A: and
    (not a); B: and (not …); C: and or or (not …).

    Example: synparse task logic split A train0 train1 train2 --train-output train-a.tsv --test-output test-a.tsv
    """
    with write_whole(train_output) as kept, write_whole(test_output) as held_out:
        for example in read_examples(LOGIC, data):
            (held_out if is_held_out(example, split) else kept).write(format_example(LOGIC, example))
