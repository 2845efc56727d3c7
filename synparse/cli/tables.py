"""``synparse tables``: the tables of a paper, with our rows."""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synparse.cli import options
from synparse.cli.results import chosen_format, notes, print_note, write_lines, write_results
from synparse.files.signals import Terminated
from synparse.files.streams import STANDARD_STREAM
from synparse.replication.measures import Settings, Size
from synparse.trees.errors import DataError
from synparse.trees.printable import printable

if TYPE_CHECKING:
    from synparse.replication.replicate import Replication

MINUTES_PER_MODEL: Mapping[Size, float | None] = {"small": 20.0, "paper": None}
"""Of each training, by the size of its recipe, where nothing else is said; None: no limit."""

SQUARES = 2
"""Beside each other in a drawing: a figure of the paper, and ours."""

FAILED = 1


def tables(
    paper: Annotated[
        str | None, typer.Argument(help="on-lstm, ordered-memory, option-controller, structformer or udgn.")
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="Files to train language models on, as for train."),
    ] = None,
    table: Annotated[
        list[str] | None, typer.Option(help="The number of a table, such as 4.4. Repeatable. Default: all.")
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the papers and their tables.")] = False,
    valid: options.Valid = None,
    test: Annotated[str | None, typer.Option(metavar="FILE", help="Held-out text, for perplexity.")] = None,
    trees: Annotated[
        list[str] | None,
        typer.Option(
            help="Gold trees: a file of brackets, which are converted to dependencies where a table needs these, a "
            "CoNLL-U file, whose dependencies are taken as they are, or one of each."
        ),
    ] = None,
    pairs: Annotated[str | None, typer.Option(metavar="FILE", help="Minimal pairs, as for synparse pairs.")] = None,
    channels: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Gold CoNLL-U with relations, for channels. Default: that of --trees."),
    ] = None,
    similarity: Annotated[
        str | None, typer.Option(metavar="DIR", help="A folder with stsb-train.tsv, sts12.tsv, …, .gz, .bz2, .xz too.")
    ] = None,
    sentiment: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="A folder with train.ptb, dev.ptb and test.ptb, .gz, .bz2, .xz too."),
    ] = None,
    logic: Annotated[
        str | None, typer.Option(metavar="DIR", help="A folder with train0 to train6 and test7 to test12.")
    ] = None,
    listops: Annotated[
        int | None, typer.Option(metavar="COUNT", min=1, help="Number of ListOps expressions to generate for training.")
    ] = None,
    demonstrations: Annotated[
        int | None,
        typer.Option(metavar="COUNT", min=1, help="Number of demonstrations to generate for each task in Craft."),
    ] = None,
    recipe_size: Annotated[
        Size, typer.Option(help="small: recipes for two CPU cores. paper: the recipes of the papers, for a GPU.")
    ] = "small",
    seeds: Annotated[int, typer.Option(min=1, help="Number of models for each row, with different seeds.")] = 3,
    minutes: Annotated[
        float | None,
        typer.Option(min=0, help="Time limit of the whole call, in minutes; 0 runs nothing, and prints what is done."),
    ] = None,
    minutes_per_model: Annotated[
        float | None,
        typer.Option(
            min=0,
            help=f"Minutes of each training. Default: {MINUTES_PER_MODEL['small']:g}; with --recipe-size paper, no "
            "limit.",
        ),
    ] = None,
    jobs: options.Jobs = None,
    work: Annotated[str, typer.Option(metavar="DIR", help="The folder of models and results.")] = "replication",
    as_json: options.Json = False,
    tsv: options.Tsv = False,
    latex: options.Latex = False,
    svg: options.Svg = None,
    output: options.Output = STANDARD_STREAM,
    quiet: options.Quiet = False,
) -> None:
    """Print the tables of a paper, with rows of our own.

    In: a paper, and the data that its tables need. Out: published rows, and ours: mean and standard deviation over
    seeds, and the minutes of training. Without data, these are rows that were measured before, with what they say of
    the paper's claims. With data, what is missing is run: each step is a command of synparse, printed as you would
    type it, and its result is kept in --work, so that a repeated call continues where the last one ended. Ctrl-C keeps
    all results and unfinished trainings. --svg plots tables by mask rate or by number of options.

    Example: synparse tables udgn text.txt --table 4.4 --test test.txt --trees gold.conllu --minutes 60

    \b
      $ synparse tables structformer --table 5 2> notes.txt | tail -n 2
      ours: StructFormer                    38.0 ± 0.5 3     16.8
      ours: UDGN                            36.0 ± 3.3 3     13.7
    """
    from synparse.files.cores import available_cores
    from synparse.replication import runs
    from synparse.replication import tables as replication
    from synparse.replication.data import Data, by_kind
    from synparse.replication.papers import load_paper, paper_names
    from synparse.replication.replicate import replicate

    format = chosen_format(as_json, tsv, latex)
    if paper is None or list_:
        papers = replication.contents(map(load_paper, [paper] if paper else paper_names()))
        write_results(output, format, papers, text=replication.contents_text(papers))
        return
    data = Data(
        *(tuple(text or ()), valid, test, *by_kind(trees or ()), channels, pairs),
        *(similarity, sentiment, logic, listops, demonstrations),
    )
    files = (*(text or ()), valid, test, *(trees or ()), channels, pairs, similarity, sentiment, logic)
    if missing := next((name for name in files if name is not None and not Path(name).exists()), None):
        raise DataError("cannot be read: No such file or directory", missing)
    model_minutes = MINUTES_PER_MODEL[recipe_size] if minutes_per_model is None else minutes_per_model
    settings = Settings(data, Path(work), recipe_size, model_minutes)
    chosen = load_paper(paper)
    if svg is not None:
        replication.refuse_undrawn(chosen, table or ())
    run = functools.partial(
        runs.run, work=settings.work, jobs=jobs or available_cores(), minutes=minutes, report=notes(quiet, _print_line)
    )
    try:
        replicated = replicate(chosen, table or (), settings, seeds, run)
    except (KeyboardInterrupt, Terminated):
        print_note("what is done is kept; the same command continues from there")
        raise
    _draw(replicated, svg)
    shared = replication.shared_by_rows(settings, seeds)
    values = {**replication.as_values(replicated), "settings": shared}
    write_results(output, format, values, replication.with_head(replicated, shared, "\n" if format == "text" else "; "))
    for note in replication.still_needed(replicated, work):
        notes(quiet)(note)
    if replicated.progress.failed:
        raise typer.Exit(FAILED)


def _draw(replicated: Replication, svg: str | None) -> None:
    from synparse.drawing.plot import scatters_svg
    from synparse.replication.tables import scatters

    if svg is None:
        return
    if points := scatters(replicated):
        write_lines(svg, [scatters_svg(replicated.paper.citation, points, SQUARES)])
    else:
        print_note(f"{svg} is not written: there is no figure yet")


def _print_line(line: str) -> None:
    print(printable(line), file=sys.stderr, flush=True)
