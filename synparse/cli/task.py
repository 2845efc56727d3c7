"""``synparse task``: formal languages whose trees are known, to see whether an encoder finds them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from synparse.cli.runs import AllowChangedCorpus, Display, SaveEveryOption, print_result, refuse_beside_resume
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.scoring.tables import Table, as_frames, as_latex, as_text, as_tsv
from synparse.tasks import EncoderName
from synparse.tasks.logic import Split

if TYPE_CHECKING:
    from synparse.tasks.expressions import Example, Task

Output = Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")]
Count = Annotated[int, typer.Option(min=1, help="Examples, all of them different.")]
Seed = Annotated[int, typer.Option(min=0, help="Same seed, same examples.")]

app = typer.Typer(
    help="Train encoders on formal languages whose trees are known, and see whether they find the trees.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


def _commands(task: str, about: str) -> typer.Typer:
    """The commands that all tasks have."""
    commands = typer.Typer(help=about, no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(commands, name=task)

    @commands.command()
    def train(
        context: typer.Context,
        data: Annotated[list[str] | None, typer.Argument(help="Files of examples; .gz is fine, - is stdin.")] = None,
        model: Annotated[EncoderName, typer.Option(help="The encoder.")] = "ordered-memory",
        recipe: Annotated[
            str | None, typer.Option(help="small (default), paper, or a YAML file with a section for the model.")
        ] = None,
        minutes: Annotated[float | None, typer.Option(min=0, help="Minutes for the whole run, at most.")] = None,
        seed: Annotated[int, typer.Option(min=0, help="Same seed, same machine, same model.")] = 1,
        device: Annotated[str, typer.Option(help="auto, cpu, cuda, …")] = "auto",
        set_: Annotated[
            list[str] | None, typer.Option("--set", help="Change a setting: training.batch_size=64.")
        ] = None,
        output: Annotated[str, typer.Option("--output", "-o", help="The model directory to write.")] = "task-model",
        force: Annotated[bool, typer.Option("--force", help="Replace a model that is there.")] = False,
        resume: Annotated[
            str | None,
            typer.Option(
                help="Go on with the unfinished run in this directory. Only --minutes, --save-every, --device and a "
                "few settings (--set) may change; name the files of examples again where they moved."
            ),
        ] = None,
        save_every: SaveEveryOption = "10m",  # type: ignore[assignment]  # the parser reads it
        allow_changed_corpus: AllowChangedCorpus = False,
        as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    ) -> None:
        """Train an encoder to label examples. Only tree-cell sees the gold trees.

        Some of the examples are held out; the model that labels these best is kept. Ctrl-C ends the run and keeps the
        best model so far; --resume goes on with it.
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
        models: Annotated[list[str], typer.Argument(help="Model directories; those of one encoder are its seeds.")],
        data: Annotated[list[str], typer.Option(help="A file of examples; once for each file. - is stdin.")],
        device: Annotated[str, typer.Option(help="auto, cpu, cuda, …")] = "auto",
        as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
        tsv: Annotated[bool, typer.Option("--tsv", help="Print tab-separated.")] = False,
        latex: Annotated[bool, typer.Option("--latex", help="Print as LaTeX tables.")] = False,
        output: Output = STANDARD_STREAM,
    ) -> None:
        """Accuracy by length, depth and operators, and F1 of the induced trees: a column for each encoder.

        Several models of one encoder have their mean and standard deviation.
        """
        if as_json + tsv + latex > 1:
            raise typer.BadParameter("one of --json, --tsv and --latex at most", param_hint="--json")
        from synparse.tasks import TASKS
        from synparse.tasks.evaluation import evaluate_models
        from synparse.tasks.report import PROTOCOL, plain_values, tables_of

        evaluations = evaluate_models(TASKS[task], models, data, device)
        tables = [Table(*table) for table in tables_of(evaluations)]
        with write_whole(output) as out:
            if as_json:
                out.write(json.dumps(plain_values(evaluations), ensure_ascii=False) + "\n")
            elif tsv or latex:
                out.writelines((as_tsv if tsv else as_latex)(tables, PROTOCOL))
            elif output == STANDARD_STREAM and sys.stdout.isatty():
                out.writelines(as_frames(tables, PROTOCOL))
            else:
                out.writelines(as_text(tables, PROTOCOL))

    return commands


listops = _commands("listops", "Nested MAX, MIN, MED and SM (sum modulo 10) of digits (Nangia and Bowman, 2018).")
logic = _commands("logic", "Which of seven relations holds between two formulas (Bowman et al., 2015).")


@listops.command("generate")
def generate_listops(
    count: Count = 100_000,
    seed: Seed = 1,
    value_probability: Annotated[float, typer.Option(help="That an argument is a digit, not a list.")] = 0.75,
    min_depth: Annotated[int, typer.Option(min=0, help="Lists within lists, at least; a digit has depth 0.")] = 0,
    max_depth: Annotated[int, typer.Option(min=0, help="Lists within lists, at most.")] = 19,
    min_arguments: Annotated[int, typer.Option(min=1, help="Of a list, at least.")] = 2,
    max_arguments: Annotated[int, typer.Option(min=1, help="Of a list, at most.")] = 5,
    min_length: Annotated[int, typer.Option(min=1, help="Words of an expression, at least.")] = 1,
    max_length: Annotated[int | None, typer.Option(min=1, help="Words of an expression, at most.")] = None,
    output: Output = STANDARD_STREAM,
) -> None:
    """Draw expressions with their values and trees, by default from the published distribution.

    Example: synparse task listops generate --count 100000 --max-depth 4 --max-length 30 -o train.tsv
    """
    from synparse.tasks.listops import LISTOPS, Limits, generate

    limits = Limits(value_probability, min_depth, max_depth, min_arguments, max_arguments, min_length, max_length)
    _write(LISTOPS, generate(limits, count, seed), output)


@logic.command("generate")
def generate_logic(
    count: Count = 100_000,
    seed: Seed = 1,
    min_operators: Annotated[int, typer.Option(min=0, help="Of the longer formula, at least.")] = 0,
    max_operators: Annotated[int, typer.Option(min=0, help="Of the longer formula, at most.")] = 6,
    output: Output = STANDARD_STREAM,
) -> None:
    """Draw pairs of formulas with the relation that truth tables prove.

    Example: synparse task logic generate --count 100000 --max-operators 6 -o train.tsv
    """
    from synparse.tasks.logic import LOGIC, generate

    _write(LOGIC, generate(min_operators, max_operators, count, seed), output)


@logic.command("split")
def split_logic(
    split: Annotated[Split, typer.Argument(help="The construction that training never sees.")],
    data: Annotated[list[str], typer.Argument(help="Files of examples; .gz is fine, - is stdin.")],
    train: Annotated[str, typer.Option(help="The file to write with the pairs to train on.")] = "train.tsv",
    test: Annotated[
        str, typer.Option(help="The file to write with the pairs that are kept for the test.")
    ] = "test.tsv",
) -> None:
    """Divide pairs by a construction that training never sees, as published: A is and (not a), B is and (not …), C is
    and or or (not …).

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
