"""``synparse task``: formal languages whose trees are known, to see whether an encoder finds them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from synparse.cli.choices import one_of
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.scoring.tables import Table, as_frames, as_latex, as_text, as_tsv
from synparse.tasks import ENCODERS

if TYPE_CHECKING:
    from synparse.tasks.evaluation import Evaluation, Spread, Tally
    from synparse.tasks.expressions import Example, Task
    from synparse.tasks.training import Step

PROTOCOL = (
    "per cent; F1 of constituents as EVALB counts them, whole expressions included, and inner F1 without these; "
    "± is the standard deviation over models"
)

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
        data: Annotated[list[str], typer.Argument(help="Files of examples; .gz is fine, - is stdin.")],
        model: Annotated[
            str, typer.Option(help=f"{', '.join(ENCODERS)} (told the gold trees).", autocompletion=lambda: ENCODERS)
        ] = ENCODERS[0],
        recipe: Annotated[
            str | None, typer.Option(help="small (default), paper, or a YAML file with a section for the model.")
        ] = None,
        minutes: Annotated[float | None, typer.Option(min=0, help="Minutes of training, at most.")] = None,
        seed: Annotated[int, typer.Option(min=0, help="Same seed, same machine, same model.")] = 1,
        device: Annotated[str, typer.Option(help="auto, cpu, cuda, …")] = "auto",
        set_: Annotated[
            list[str] | None, typer.Option("--set", help="Change a setting: training.batch_size=64.")
        ] = None,
        output: Annotated[str, typer.Option("--output", "-o", help="The model directory to write.")] = "task-model",
        force: Annotated[bool, typer.Option("--force", help="Replace a model that is there.")] = False,
        as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    ) -> None:
        """Train an encoder to give the right answers. Only tree-cell is told the trees.

        Some of the examples are held out; the model that answers these best is kept. Ctrl-C ends the run and keeps the
        best model so far.
        """
        one_of(model, ENCODERS, "--model")
        _refuse_to_overwrite(Path(output), force)
        from synparse.tasks import TASKS
        from synparse.tasks.recipe import load_task_recipe
        from synparse.tasks.run import train as train_encoder

        name = f"{task}-{recipe or 'small'}" if recipe in (None, "small", "paper") else recipe
        chosen = load_task_recipe(name, model, set_ or ())
        with _Display() as display:
            result = train_encoder(
                TASKS[task],
                data,
                chosen,
                Path(output),
                minutes=minutes,
                seed=seed,
                device=device,
                report=display.update,
            )
        if result.interrupted:
            kept = f"the best model so far is in {output}" if result.accuracy is not None else "no model was kept"
            print(f"synparse: interrupted after {result.steps} updates; {kept}", file=sys.stderr)
        if as_json:
            summary = {
                "model": output,
                "held_out_accuracy": result.accuracy,
                "steps": result.steps,
                "seconds": round(result.seconds, 1),
                "interrupted": result.interrupted,
            }
            with write_whole(STANDARD_STREAM) as out:
                out.write(json.dumps(summary) + "\n")
        if result.interrupted:
            raise typer.Exit(130)

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
        evaluations = _evaluate(task, models, data, device)
        tables = _tables(evaluations)
        with write_whole(output) as out:
            if as_json:
                out.write(json.dumps(_plain(evaluations), ensure_ascii=False) + "\n")
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
    split: Annotated[str, typer.Argument(help="A, B or C.")],
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
    from synparse.tasks.logic import LOGIC, SPLITS, is_held_out

    one_of(split, SPLITS, "SPLIT")
    with write_whole(train) as kept, write_whole(test) as held_out:
        for example in read_examples(LOGIC, data):
            (held_out if is_held_out(example, split) else kept).write(format_example(LOGIC, example))


def _write(task: Task, examples: Iterable[Example], output: str) -> None:
    from synparse.tasks.expressions import format_example

    with write_whole(output) as out:
        out.writelines(format_example(task, example) for example in examples)


def _refuse_to_overwrite(directory: Path, force: bool) -> None:
    if not directory.exists() or (directory.is_dir() and not any(directory.iterdir())):
        return
    if not (directory / "config.yaml").is_file():
        raise typer.BadParameter(f"{directory} exists and is not a model directory", param_hint="--output")
    if not force:
        raise typer.BadParameter(f"{directory} holds a model; --force replaces it", param_hint="--output")


def _evaluate(
    task: str, models: Sequence[str], data: Sequence[str], device: str
) -> dict[str, list[tuple[str, Evaluation]]]:
    """The evaluations of each encoder's models, with their directories."""
    from synparse.inducers.devices import pick_device
    from synparse.tasks import TASKS
    from synparse.tasks.directory import load_classifier
    from synparse.tasks.evaluation import evaluate as evaluate_model
    from synparse.tasks.expressions import read_examples

    chosen = pick_device(device)
    trained = [load_classifier(Path(directory), TASKS[task], chosen) for directory in models]
    slots = [one.recipe.architecture.slots for one in trained if one.recipe.encoder == "ordered-memory"]
    examples = list(read_examples(TASKS[task], data, min(slots, default=None)))
    evaluations: dict[str, list[tuple[str, Evaluation]]] = {}
    for directory, one in zip(models, trained, strict=True):
        evaluation = evaluate_model(TASKS[task], examples, one)
        evaluations.setdefault(one.recipe.encoder, []).append((directory, evaluation))
    return evaluations


def _tables(evaluations: dict[str, list[tuple[str, Evaluation]]]) -> list[Table]:
    """One table of all examples, and one for each of the groups."""
    columns = ["", *(f"{encoder} ({len(runs)})" for encoder, runs in evaluations.items())]
    totals = {encoder: [run.total for _, run in runs] for encoder, runs in evaluations.items()}
    rows = [
        [title, *(_cell([getattr(tally, name) for tally in tallies]) for tallies in totals.values())]
        for title, name in (("accuracy", "accuracy"), ("F1", "f1"), ("inner F1", "inner_f1"))
    ]
    tables = [Table("scores", columns, rows)]
    first = next(iter(evaluations.values()))[0][1]
    for group, values in first.groups.items():
        grouped = [
            [
                _name_of(group, value),
                *(_cell([run.groups[group][value].accuracy for _, run in runs]) for runs in evaluations.values()),
            ]
            for value in values
        ]
        sizes = [[str(tally.examples)] for tally in values.values()]
        named = [[*row, *size] for row, size in zip(grouped, sizes, strict=True)]
        tables.append(Table(f"accuracy by {group}", [group, *columns[1:], "examples"], named))
    return tables


def _name_of(group: str, value: int) -> str:
    """A group as a row is named: lengths are ranges."""
    from synparse.tasks.evaluation import LENGTHS

    return f"{value - LENGTHS + 1}–{value}" if group == "length" else str(value)


def _cell(values: list[float | None]) -> str:
    """Mean and standard deviation in per cent; a dash where there is no value."""
    from synparse.tasks.evaluation import spread

    known = [100 * value for value in values if value is not None]
    if not known:
        return "–"
    mean, deviation = spread(known)
    return f"{mean:.2f}" if deviation is None else f"{mean:.2f} ± {deviation:.2f}"


def _plain(evaluations: dict[str, list[tuple[str, Evaluation]]]) -> dict[str, Any]:
    """The evaluations as plain values: per cent, None where there is no value."""
    return {
        "protocol": PROTOCOL,
        "models": {
            directory: {
                "encoder": encoder,
                **_scores(evaluation.total),
                "groups": {
                    name: {str(value): _scores(tally) for value, tally in group.items()}
                    for name, group in evaluation.groups.items()
                },
            }
            for encoder, runs in evaluations.items()
            for directory, evaluation in runs
        },
        "encoders": {
            encoder: {
                name: _plain_spread([getattr(run.total, name) for _, run in runs])
                for name in ("accuracy", "f1", "inner_f1")
            }
            for encoder, runs in evaluations.items()
        },
    }


def _scores(tally: Tally) -> dict[str, float | int | None]:
    values = {"accuracy": tally.accuracy, "f1": tally.f1, "inner_f1": tally.inner_f1}
    rounded = {name: None if value is None else round(100 * value, 2) for name, value in values.items()}
    return {"examples": tally.examples, **rounded}


def _plain_spread(values: list[float | None]) -> dict[str, float | int | None] | None:
    from synparse.tasks.evaluation import spread

    known = [100 * value for value in values if value is not None]
    if not known:
        return None
    found: Spread = spread(known)
    deviation = None if found.deviation is None else round(found.deviation, 2)
    return {"mean": round(found.mean, 2), "deviation": deviation, "models": len(known)}


class _Display:
    """Progress on standard error where that is a terminal; silence elsewhere."""

    def __enter__(self) -> _Display:
        self._progress: Any = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn()
            self._progress = Progress(*columns, console=Console(stderr=True))
            self._task = self._progress.add_task("reading the examples", total=None)
            self._accuracy = ""
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def update(self, step: Step) -> None:
        if self._progress is None:
            return
        if step.accuracy is not None:
            self._accuracy = f", accuracy {100 * step.accuracy:.2f}"
            mark = "  (best so far, saved)" if step.is_best else ""
            self._progress.console.print(f"step {step.step:>7,}{self._accuracy}{mark}", highlight=False)
        description = f"step {step.step:,}, loss {step.loss:.3f}{self._accuracy}"
        self._progress.update(self._task, description=description, total=1.0, completed=step.fraction)
