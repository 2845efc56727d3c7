"""``synparse tables``: a paper's tables with our rows in them."""

from __future__ import annotations

import functools
import json
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synparse.cli.formats import refuse_several_formats, write_tables
from synparse.cli.text import print_note
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.replication.measures import Size
from synparse.trees.errors import SettingError

if TYPE_CHECKING:
    from synparse.replication.measures import Settings
    from synparse.replication.replicate import Replication
    from synparse.scoring.tables import Table

MINUTES_PER_MODEL = 20.0
"""Of each training at the small size, where nothing else is said."""

LISTED = 10
"""Missing steps that are named."""

SQUARES = 2
"""Beside each other in a drawing: a figure of the paper, and ours."""

FAILED = 1


def tables(
    paper: Annotated[str | None, typer.Argument(help="on-lstm, structformer, udgn or ordered-memory.")] = None,
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="Files to train language models on, as for train. None: published rows."),
    ] = None,
    table: Annotated[
        list[str] | None, typer.Option(help="The number of a table, such as 4.4. Repeatable. Default: all.")
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the papers and their tables.")] = False,
    valid: Annotated[str | None, typer.Option(help="Held-out text that chooses the best model of a run.")] = None,
    test: Annotated[str | None, typer.Option(help="Held-out text, for perplexity.")] = None,
    trees: Annotated[
        list[str] | None,
        typer.Option(
            help="Gold trees: a file of brackets, which are converted to dependencies where a table needs these, a "
            "CoNLL-U file, whose dependencies are taken as they are, or one of each."
        ),
    ] = None,
    pairs: Annotated[str | None, typer.Option(help="Minimal pairs, as for synparse pairs.")] = None,
    channels: Annotated[
        str | None, typer.Option(help="Gold CoNLL-U with relations, for channels. Default: that of --trees.")
    ] = None,
    similarity: Annotated[
        str | None, typer.Option(metavar="DIR", help="A folder with stsb-train.tsv, sts12.tsv, …, .gz too.")
    ] = None,
    sentiment: Annotated[
        str | None, typer.Option(metavar="DIR", help="A folder with train.ptb, dev.ptb and test.ptb, .gz too.")
    ] = None,
    logic: Annotated[
        str | None, typer.Option(metavar="DIR", help="A folder with train0 to train6 and test7 to test12.")
    ] = None,
    listops: Annotated[
        int | None, typer.Option(metavar="COUNT", min=1, help="Generate so many ListOps expressions to train on.")
    ] = None,
    recipe_size: Annotated[
        Size, typer.Option(help="small: recipes for two CPU cores. paper: those of the papers, for a GPU.")
    ] = "small",
    seeds: Annotated[int, typer.Option(min=1, help="Models of each row, which differ by their seed.")] = 3,
    minutes: Annotated[
        float | None,
        typer.Option(min=0, help="Minutes for the whole call; 0 runs nothing, and prints what there is."),
    ] = None,
    minutes_per_model: Annotated[
        float | None,
        typer.Option(
            min=0, help=f"Minutes of each training. Default: {MINUTES_PER_MODEL:g}; with --recipe-size paper, no limit."
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="Commands side by side, of one thread each. Default: one a core."),
    ] = None,
    work: Annotated[str, typer.Option(metavar="DIR", help="The folder of models and results.")] = "replication",
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    tsv: Annotated[bool, typer.Option("--tsv", help="Print tab-separated.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print as LaTeX tables.")] = False,
    svg: Annotated[str | None, typer.Option(help="Draw tables by mask rate to this SVG file too.")] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = STANDARD_STREAM,
) -> None:
    """Print the tables of a paper with our rows in them.

    In: a paper, and the data that its tables need. Out: published rows, and ours: mean and standard deviation over
    seeds, and the minutes of training. What is missing is run: each step is a command of synparse, shown as you
    would type it, and its result is kept in --work, so that the same call goes on where another ended. Ctrl-C keeps
    all results and unfinished trainings.

    Example: synparse tables udgn text.txt --table 4.4 --test test.txt --trees gold.conllu --minutes 60

    \b
      $ synparse tables structformer --table 2 2> notes.txt | tail -n 2
      Neural L-PCFGs (Zhu et al., 2020) 55.31
      StructFormer                      54.0 ± 0.3
    """
    from synparse.files.cores import available_cores
    from synparse.replication import runs
    from synparse.replication.data import Data, by_kind
    from synparse.replication.measures import Settings
    from synparse.replication.papers import load_paper
    from synparse.replication.replicate import replicate
    from synparse.replication.tables import as_values

    refuse_several_formats(as_json, tsv, latex)
    if paper is None or list_:
        _print_list(None if paper is None else [paper], as_json, output)
        return
    if minutes_per_model is None and recipe_size == "small":
        minutes_per_model = MINUTES_PER_MODEL
    brackets, dependencies = by_kind(trees or ())
    data = Data(
        tuple(text or ()), valid, test, brackets, dependencies, channels, pairs, similarity, sentiment, logic, listops
    )
    settings = Settings(data, Path(work), recipe_size, minutes_per_model)
    chosen = load_paper(paper)
    if svg is not None and not any(one.axis for one in chosen.chosen(table or ()).values()):
        known = ", ".join(name for name, one in chosen.tables.items() if one.axis)
        raise SettingError(f"--svg: only tables by mask rate are drawn; of {paper}: {known or 'none'}")
    run = functools.partial(
        runs.run, work=Path(work), jobs=jobs or available_cores(), minutes=minutes, report=_print_line
    )
    with _Terminated():
        found = replicate(chosen, table or (), settings, seeds, run)
    if svg is not None:
        _draw(found, svg)
    if as_json:
        with write_whole(output) as out:
            values = {**as_values(found), "settings": dict(_shared(settings, seeds))}
            out.write(json.dumps(values, ensure_ascii=False) + "\n")
    else:
        _print_tables(found, _shared(settings, seeds), output, tsv, latex)
    _print_notes(found, work)
    if found.progress.failed:
        raise typer.Exit(FAILED)


class _Terminated:
    """A context in which SIGTERM ends the running commands as Ctrl-C does, with its own exit code."""

    def __enter__(self) -> None:
        self._is_terminated = False
        self._before = signal.signal(signal.SIGTERM, self._receive)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        signal.signal(signal.SIGTERM, self._before)
        if kind is KeyboardInterrupt:
            print_note("what is done is kept; the same command goes on from there")
            if self._is_terminated:
                raise typer.Exit(128 + signal.SIGTERM)

    def _receive(self, *_: object) -> None:
        self._is_terminated = True
        raise KeyboardInterrupt


def _print_line(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _print_list(papers: Iterable[str] | None, as_json: bool, output: str) -> None:
    from synparse.replication.papers import load_paper, paper_names

    found = [load_paper(name) for name in papers or paper_names()]
    with write_whole(output) as out:
        if as_json:
            rows = [
                {
                    "paper": paper.name,
                    "citation": paper.citation,
                    "tables": [
                        {"table": number, "title": one.title, "source": one.source}
                        for number, one in paper.tables.items()
                    ],
                }
                for paper in found
            ]
            out.write(json.dumps(rows, ensure_ascii=False) + "\n")
            return
        for paper in found:
            out.write(f"{paper.name:<18} {paper.citation}\n")
            out.writelines(f"  {number:<16} {one.title}\n" for number, one in paper.tables.items())


def _shared(settings: Settings, seeds: int) -> list[tuple[str, str]]:
    """What our rows have in common, by name; empty where it was not given."""
    data, minutes = settings.data, settings.minutes
    if data.dependencies is not None:
        scheme = f"{data.dependencies}, as they are"
    else:
        scheme = f"{data.brackets}, converted to Stanford Dependencies" if data.brackets else ""
    return [
        ("text", ", ".join(data.texts)),
        ("valid", data.valid or ""),
        ("test", data.test or ""),
        ("brackets", data.brackets or ""),
        ("dependencies", scheme),
        ("channels", data.channels or ""),
        ("pairs", data.pairs or ""),
        ("similarity", data.similarity or ""),
        ("sentiment", data.sentiment or ""),
        ("logic", data.logic or ""),
        ("listops", f"{data.listops} expressions" if data.listops else ""),
        ("recipes", settings.size),
        ("minutes a model", "as the recipe takes" if minutes is None else f"{minutes:g} at most"),
        ("seeds", f"1 to {seeds}" if seeds > 1 else "1"),
    ]


def _print_notes(found: Replication, work: str) -> None:
    """What our rows still need: data, or time."""
    from synparse.replication.tables import name_of_table

    for filled in found.tables:
        if filled.needs:
            print_note(f"{name_of_table(filled.number)}: to fill our rows, give {', '.join(filled.needs)}")
    missing = found.progress.missing
    for step in missing[:LISTED]:
        print_note(f"missing: {step.title}")
    if missing:
        more = f"{len(missing)} commands are missing; " if len(missing) > LISTED else ""
        print_note(f"{more}the same command goes on from {work}")


def _draw(found: Replication, path: str) -> None:
    from synparse.drawing.plot import scatters_svg
    from synparse.replication.tables import scatters

    points = scatters(found)
    if not points:
        print_note(f"{path} is not written: there is no figure yet")
        return
    with write_whole(path) as out:
        out.write(scatters_svg(found.paper.citation, points, SQUARES))


def _print_tables(found: Replication, shared: list[tuple[str, str]], output: str, tsv: bool, latex: bool) -> None:
    from synparse.replication.tables import PROTOCOL, PUBLISHED, as_tables, described

    has_ours = any(filled.ours for filled in found.tables)
    head: Table = described([("paper", found.paper.citation), *(shared if has_ours else ())])
    every, protocol = [head, *as_tables(found, "; " if tsv or latex else "\n")], PROTOCOL if has_ours else PUBLISHED
    write_tables(every, protocol, output, tsv=tsv, latex=latex)
