"""``synparse show``: pictures of trees, dependencies, distances and heights."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterable
from typing import Annotated

import typer

from synparse.drawing.show import InputFormat
from synparse.drawing.text import Piece, plain
from synparse.files.streams import STANDARD_STREAM, read_lines, write_whole
from synparse.trees.errors import name_of

COLOURS = {"line": "dim", "label": "cyan", "word": "bold", "note": "dim"}

_RANGE = re.compile(r"([1-9][0-9]{0,8})(?:(-)([1-9][0-9]{0,8})?)?\Z")


def show(
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="CoNLL-U, brackets, or `parse --format json`; - is stdin.")
    ] = STANDARD_STREAM,
    text: Annotated[bool, typer.Option("--text", help="Draw in characters (default).")] = False,
    svg: Annotated[bool, typer.Option("--svg", help="Draw one SVG, the sentences below each other.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Write a web page that needs no network.")] = False,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = STANDARD_STREAM,
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

    if text + svg + html > 1:
        raise typer.BadParameter("choose one of --text, --svg and --html", param_hint="--text")
    if width is not None and (svg or html):
        raise typer.BadParameter("only text is folded", param_hint="--width")
    first, last = _range(sentences)
    if file == STANDARD_STREAM and sys.stdin.isatty():
        raise typer.BadParameter("name a file, or pipe trees in", param_hint="FILE")
    to_terminal = output == STANDARD_STREAM and sys.stdout.isatty()
    if width is None:
        width = shutil.get_terminal_size().columns if to_terminal else 0
    with write_whole(output) as out:
        out.writelines(
            drawing.show(
                read_lines(file),
                name_of(file),
                input_format=input_format,
                first=first,
                last=last,
                picture="svg" if svg else "html" if html else "text",
                width=width,
                styled=_coloured() if to_terminal and not (svg or html) else plain,
            )
        )


def _range(text: str | None) -> tuple[int, int | None]:
    """The first and the last sentence (None: the end). Raises a usage error."""
    if text is None:
        return 1, None
    match = _RANGE.match(text)
    if not match:
        raise typer.BadParameter(f"{text!r} is no range like 3, 3-5 or 3-", param_hint="--sentences")
    first, dash, last = match.groups()
    if last is not None and int(last) < int(first):
        raise typer.BadParameter(f"{text} ends before it begins", param_hint="--sentences")
    return int(first), int(last) if last else None if dash else int(first)


def _coloured() -> Callable[[Iterable[Piece]], str]:
    """Lines in colours, if the terminal has any and NO_COLOR is not set."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)

    def styled(line: Iterable[Piece]) -> str:
        with console.capture() as capture:
            console.print(Text.assemble(*((text, COLOURS[kind]) for text, kind in line)), end="")
        return capture.get()

    return styled
