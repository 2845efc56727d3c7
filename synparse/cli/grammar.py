"""``synparse grammar``: what the grammars of a model say."""

from __future__ import annotations

import json
import shutil
import sys
from typing import Annotated, Literal, TypeAlias

import typer

from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.trees.function_words import FunctionWords

ReportFormat: TypeAlias = Literal["text", "json", "html"]

MOST = 20
"""Classes and nonterminals that are shown, unless --most or --format json asks for more."""


def grammar(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model directory, or the name of a shipped model.")],
    format: Annotated[
        ReportFormat, typer.Option("--format", "-f", help="text, json (every number), or html: a page without scripts.")
    ] = "text",
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = STANDARD_STREAM,
    most: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=f"At most this many classes, nonterminals and entries of a list, the most frequent first. Default: "
            f"{MOST}; of json, all, and 100 rules of each nonterminal.",
        ),
    ] = None,
    number: Annotated[
        int, typer.Option("--grammar", min=1, help="Which of the class grammars, which differ by their random start.")
    ] = 1,
    function_words: Annotated[
        FunctionWords | None,
        typer.Option(
            help="The dependencies with function words as leaves, or free to be heads. Default: as the model parses."
        ),
    ] = None,
) -> None:
    """Show what the grammars of a model have learned.

    In: a model with grammars. Out: its word classes and their commonest words; for each class, which classes depend on
    it, on which side, and which ones head it; for each nonterminal, its most probable rules. Classes (C1, C2, …) are
    numbered by frequency.

    Example: synparse grammar model --most 10
    """
    from synparse.drawing.grammar import grammar_page, grammar_text
    from synparse.store.grammar_report import grammar_report

    report = grammar_report(model, number, function_words, most if format == "json" else most or MOST)
    with write_whole(output) as out:
        if format == "json":
            out.write(json.dumps(report, ensure_ascii=False) + "\n")
        elif format == "html":
            out.write(grammar_page(report))
        else:
            to_terminal = output == STANDARD_STREAM and sys.stdout.isatty()
            out.writelines(grammar_text(report, shutil.get_terminal_size().columns if to_terminal else 0))
