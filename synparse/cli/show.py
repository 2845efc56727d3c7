"""``synparse show``: pictures of trees, dependencies, distances and heights."""

from __future__ import annotations

import shutil
from typing import Annotated

import typer

from synparse.cli import options
from synparse.cli.results import is_terminal, write_lines
from synparse.drawing.show import InputFormat
from synparse.files.streams import STANDARD_STREAM, read_lines
from synparse.trees.errors import name_of


def show(
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="CoNLL-U, brackets, or `parse --format json`; - is stdin.")
    ] = STANDARD_STREAM,
    format: options.Picture = "text",
    output: options.Output = STANDARD_STREAM,
    input_format: Annotated[
        InputFormat | None, typer.Option("--from", help="The format of FILE. Default: by its first character.")
    ] = None,
    sentences: Annotated[
        str | None, typer.Option(help="Which sentences to draw, counted from 1: 3, 3-5 or 3-.")
    ] = None,
    width: Annotated[
        int | None,
        typer.Option(min=0, help="Fold text at this many columns; 0: never. Default: the width of the terminal."),
    ] = None,
) -> None:
    """Draw trees: in the terminal, as SVG or as a web page.

    In: CoNLL-U, brackets or `parse --format json`. Out: constituency trees, dependency arcs, and distances and heights
    as bars over the words.

    Example: echo 'The old man the boats .' | synparse parse --format brackets | synparse show

    \b
      $ echo '(S (NP (DT the) (NN dog)) (VP (VBD barked)))' | synparse show
      sentence 1
      S
      ├─────────┐
      NP        VP
      ├────┐    │
      DT   NN   VBD
      the  dog  barked
    """
    from synparse.drawing import show as drawing
    from synparse.drawing.text import coloured, plain

    if width is not None and format != "text":
        raise typer.BadParameter("only text is folded", param_hint="--width")
    first, last = drawing.sentence_range(sentences)
    [file] = options.files_or_stdin([file], "FILE")
    if width is None:
        width = shutil.get_terminal_size().columns if is_terminal(output) else 0
    pictures = drawing.show(
        read_lines(file),
        name_of(file),
        input_format=input_format,
        first=first,
        last=last,
        picture=format,
        width=width,
        styled=coloured() if is_terminal(output) and format == "text" else plain,
    )
    write_lines(output, pictures)
