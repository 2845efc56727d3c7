"""``synparse grammar``: what the grammars of a model have learned."""

from __future__ import annotations

import shutil
from typing import Annotated

import typer

from synparse.cli import options
from synparse.cli.results import chosen_format, is_terminal, named_format, write_lines, write_results
from synparse.files.streams import STANDARD_STREAM

MOST = 20
"""Classes and nonterminals that are shown, unless --most or --json asks for more."""


def grammar(
    model: options.Model,
    most: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=f"At most this many classes, nonterminals and entries of a list, the most frequent first. Default: "
            f"{MOST}; of json, all, and 100 rules of each nonterminal.",
        ),
    ] = None,
    number: Annotated[
        int,
        typer.Option(
            "--grammar", min=1, help="Which class grammar to show; they differ in their random initialisation."
        ),
    ] = 1,
    function_words: options.FunctionWords = None,
    as_json: options.Json = False,
    report: options.Report = None,
    output: options.Output = STANDARD_STREAM,
) -> None:
    """Show what the grammars of a model have learned.

    In: a model with grammars. Out: its word classes and their most frequent words; for each class, the classes of its
    dependents on each side and of its heads; for each nonterminal, its most probable rules. Classes (C1, C2, …) are
    numbered by frequency.

    Example: synparse grammar model --most 10
    """
    from synparse.drawing.grammar import grammar_page, grammar_text
    from synparse.store.grammar_report import grammar_report

    as_json |= named_format(output) == "json"
    values = grammar_report(model, number, function_words, most if as_json else most or MOST)
    if report is not None:
        write_lines(report, [grammar_page(values)])
    width = shutil.get_terminal_size().columns if is_terminal(output) else 0
    write_results(output, chosen_format(as_json), values, text=grammar_text(values, width))
