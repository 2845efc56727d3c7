"""``synparse show``: pictures of trees, dependencies, distances and heights, of a file or of a sentence."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from synparse.cli import options
from synparse.cli.results import is_terminal, notes, write_pictures
from synparse.drawing.show import InputFormat, TreeFormat
from synparse.files.streams import STANDARD_STREAM, lines_of, read_lines
from synparse.trees.errors import name_of

ENDS = (".", "!", "?", "…", "。", "！", "？", "؟", "।")
"""Of sentences."""


def show(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE...|SENTENCE]",
            help="CoNLL-U, brackets, or `parse --format json`; - is stdin. Several files are drawn beside each other, "
            "as parses of the same sentences. A sentence that is not a file is parsed first.",
        ),
    ] = None,
    format: Annotated[
        TreeFormat | None,
        typer.Option(
            "--format",
            "-f",
            help="text: characters. svg: one picture. html: a page that needs no network. png, pdf: the picture as "
            "pixels or for print, by CairoSVG. latex: forest and tikz-dependency. Default: by the ending of "
            "--output, else text.",
        ),
    ] = None,
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
    edit: Annotated[
        bool,
        typer.Option("--edit", help="Write a web page in which to correct and save the trees of one file."),
    ] = False,
    quiet: options.Quiet = False,
) -> None:
    """Draw trees in the terminal, as pictures or as web pages; --edit: correct them.

    In: files of CoNLL-U, brackets or `parse --format json`; or a text in quotes, which the default model parses. Out:
    constituency trees, dependency arcs, and distances and heights as bars over the words.

    Example: synparse show 'The old man the boats.'

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
    from synparse.scoring.in_step import NamedLines

    if edit and format not in (None, "html"):
        raise typer.BadParameter(f"a page cannot be {format}: leave out --format", param_hint="--edit")
    format = format or ("html" if edit else options.picture_of(output) or "text")
    if width is not None and format != "text":
        raise typer.BadParameter("only text is folded", param_hint="--width")
    first, last = drawing.sentence_range(sentences)
    file, *others = options.files_or_stdin(files, "FILE")
    if edit and others:
        raise typer.BadParameter("name one file: trees are corrected one file at a time", param_hint="--edit")
    is_parsed_first = input_format is None and not others and _is_sentence(file)
    lines = _parsed(file, quiet) if is_parsed_first else read_lines(file)
    name = name_of(STANDARD_STREAM if is_parsed_first else file)
    if edit:
        from synparse.drawing.editor import editor_page

        write_pictures(output, [editor_page(lines, name, input_format=input_format, first=first, last=last)])
        return
    if width is None:
        width = shutil.get_terminal_size().columns if is_terminal(output) else 0
    pictures = drawing.show(
        lines,
        name,
        beside=[NamedLines(name_of(other), read_lines(other)) for other in others],
        input_format=input_format,
        first=first,
        last=last,
        picture=format,
        width=width,
        styled=coloured() if is_terminal(output) and format == "text" else plain,
    )
    write_pictures(output, pictures)


def _is_sentence(argument: str) -> bool:
    """Whether an argument is text: it has a blank or ends like a sentence, and is no file, nor has a name for trees."""
    from synparse.corpora.sentences import TEXT, format_by_name

    if not (any(map(str.isspace, argument)) or argument.endswith(ENDS)) or format_by_name(argument) not in (None, TEXT):
        return False
    try:
        return not Path(argument).exists()
    except OSError:  # too long for the name of a file
        return True


def _parsed(text: str, quiet: bool) -> Iterator[str]:
    """What ``parse --raw --format json`` writes of a text; a tree in brackets as it is."""
    from synparse.corpora.sentences import BRACKETS, format_of
    from synparse.parsing import run

    if format_of(text.splitlines()) == BRACKETS:
        return lines_of([text])
    return lines_of(run.parse((), format="json", raw=True, text=text, report=notes(quiet)))
