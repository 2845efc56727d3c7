"""``synparse show``: pictures of trees, dependencies and what a model says of them."""

from __future__ import annotations

import itertools
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from synparse.cli.beginning import beginning_of
from synparse.cli.choices import one_of
from synparse.files.streams import STANDARD_STREAM, name_of, read_lines, write_whole
from synparse.trees.errors import DataError

if TYPE_CHECKING:
    from synparse.drawing.layout import Structure
    from synparse.drawing.text import Piece

CONLLU, BRACKETS, JSON = "conllu", "brackets", "json"
FORMATS = (CONLLU, BRACKETS, JSON)

COLOURS = {"line": "dim", "label": "cyan", "word": "bold", "note": "dim"}

_RANGE = re.compile(r"([1-9][0-9]{0,8})(?:(-)([1-9][0-9]{0,8})?)?\Z")


def show(
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="CoNLL-U, brackets, or `parse --format json`; - is stdin.")
    ] = STANDARD_STREAM,
    text: Annotated[bool, typer.Option("--text", help="Draw in characters (default).")] = False,
    svg: Annotated[bool, typer.Option("--svg", help="One SVG, sentences below each other.")] = False,
    html: Annotated[bool, typer.Option("--html", help="One page that needs no network.")] = False,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = STANDARD_STREAM,
    input_format: Annotated[
        str | None, typer.Option("--from", help="conllu, brackets or json. Default: told by the file.")
    ] = None,
    sentences: Annotated[str | None, typer.Option(help="Which to draw, from 1: 3, 3-5 or 3-.")] = None,
    width: Annotated[
        int | None, typer.Option(min=0, help="Fold text at this many cells; 0 never. Default: as wide as the terminal.")
    ] = None,
) -> None:
    """Draw constituency trees, dependency arcs, and a parse's distances and heights as bars over its words.

    Example: echo 'The old man the boats .' | synparse parse --format brackets | synparse show
    """
    one_of(input_format, FORMATS, "--from")
    if text + svg + html > 1:
        raise typer.BadParameter("one of --text, --svg and --html", param_hint="--text")
    if width is not None and (svg or html):
        raise typer.BadParameter("only text is folded", param_hint="--width")
    first, last = _range(sentences)
    if file == STANDARD_STREAM and sys.stdin.isatty():
        raise typer.BadParameter("name a file, or pipe trees in", param_hint="FILE")
    chosen = _chosen(read_structures(file, input_format), first, last, name_of(file))
    to_terminal = output == STANDARD_STREAM and sys.stdout.isatty()
    if width is None:
        width = shutil.get_terminal_size().columns if to_terminal else 0
    with write_whole(output) as out:
        if svg:
            from synparse.drawing.svg import sheet_svg

            out.write(sheet_svg(chosen))
        elif html:
            from synparse.drawing.page import sheet_page

            out.write(sheet_page(Path(name_of(file)).name, chosen))
        else:
            _write_text(out, chosen, width, to_terminal)


def read_structures(path: str, format: str | None = None) -> Iterator[Sequence[Structure]]:
    """What is to be drawn of each sentence of a file, streamed; nothing for a parse of no tokens.

    The format is told by the first character, unless it is given.
    Raises DataError(file:line) where the file is malformed or heads are no tree.
    """
    from synparse.drawing.parses import read_parses
    from synparse.trees.brackets import read_brackets
    from synparse.trees.conllu import read_conllu
    from synparse.trees.dependency import DependencyTree

    source = name_of(path)
    character, lines = beginning_of(read_lines(path))
    format = format or {"(": BRACKETS, "{": JSON}.get(character, CONLLU)
    if format == BRACKETS:
        yield from ([tree] for _, tree in read_brackets(lines, source))
    elif format == JSON:
        yield from read_parses(lines, source)
    else:
        for sentence in read_conllu(lines, source):
            if not sentence.rows:
                continue
            known = any(relation != "_" for relation in sentence.relations)
            heads = sentence.heads
            try:
                yield [DependencyTree(sentence.words, heads, sentence.relations if known else None)]
            except ValueError as error:
                position = sentence.first_line + sentence.word_lines[0]
                raise DataError(f"not a tree: {error}", source, position) from None


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


def _chosen(
    structures: Iterable[Sequence[Structure]], first: int, last: int | None, source: str
) -> Iterator[tuple[str, Sequence[Structure]]]:
    """Title and structures of the sentences asked for; nothing is read past the last. Raises DataError for none."""
    number = 0
    for number, one in enumerate(itertools.islice(structures, last), 1):
        if number >= first and one:
            yield f"sentence {number}", one
    if number < first:
        raise DataError(f"no sentence {first} to draw: the file holds {number}", source)


def _write_text(out: TextIO, sentences: Iterable[tuple[str, Sequence[Structure]]], width: int, coloured: bool) -> None:
    from synparse.drawing.text import picture_lines, plain

    def write_plain(line: Iterable[Piece]) -> None:
        out.write(f"{plain(line)}\n")

    write = _coloured() if coloured else write_plain
    for number, (title, structures) in enumerate(sentences):
        if number:
            write([])
        write([(title, "note")])
        for position, structure in enumerate(structures):
            if position:
                write([])
            for line in picture_lines(structure, width):
                write(line)


def _coloured() -> Callable[[Iterable[Piece]], None]:
    """Writes a line to the terminal in colours, where it has any and NO_COLOR is not set."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)

    def write(line: Iterable[Piece]) -> None:
        console.print(Text.assemble(*((text, COLOURS[kind]) for text, kind in line)))

    return write
