"""How commands print: values as JSON, tables in four formats, and notes for the user."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import typer

from synparse.files.packed import ending_of
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.scoring.tables import Table, as_frames, as_latex, as_text, as_tsv
from synparse.trees.printable import one_cell, one_line, printable

Format: TypeAlias = Literal["text", "json", "tsv", "latex"]

_BY_ENDING: Mapping[str, Format] = {".json": "json", ".jsonl": "json", ".tsv": "tsv", ".tex": "latex"}


def chosen_format(as_json: bool, tsv: bool = False, latex: bool = False) -> Format:
    """The format that is asked for, ``text`` where none is. Raises BadParameter for several."""
    wanted: dict[Format, bool] = {"json": as_json, "tsv": tsv, "latex": latex}
    asked = [name for name, is_wanted in wanted.items() if is_wanted]
    if len(asked) > 1:
        raise typer.BadParameter("one of --json, --tsv and --latex at most", param_hint="--json")
    return asked[0] if asked else "text"


def named_format(output: str) -> Format:
    """The format that the ending of a file says, ``text`` where it says none."""
    return _BY_ENDING.get(ending_of(output), "text")


def is_terminal(output: str) -> bool:
    """Whether what is written there is read on a terminal."""
    return output == STANDARD_STREAM and sys.stdout.isatty()


def write_results(
    output: str, format: Format, values: Any, tables: Sequence[Table] = (), text: Iterable[str] = ()
) -> None:
    """Write results whole: ``values`` as JSON, or ``tables`` with the ``protocol`` and the ``notes`` of the values, if
    these are a mapping that has them. On a terminal, tables have frames. ``text`` stands for tables without frames, and
    where there are none. What is written to be read is `printable`; data stay as they are. Where no format but
    ``text`` is asked for, the ending of the file says it."""
    about: Mapping[str, Any] = values if isinstance(values, Mapping) else {}
    if format == "text" and (tables or named_format(output) == "json"):
        format = named_format(output)
    if format == "json":
        write_lines(output, [json.dumps(values, ensure_ascii=False) + "\n"])
        return
    write = {"tsv": as_tsv, "latex": as_latex, "text": as_frames if is_terminal(output) else as_text}[format]
    lines = list(map(printable, text)) if format == "text" and not (tables and write is as_frames) else []
    lines = lines or list(write(tables, about.get("protocol", "")))
    prefix = {"tsv": "# note: ", "latex": "% note: "}.get(format, "note: ")
    write_lines(output, [*lines, *(f"{prefix}{printable(one_cell(note))}\n" for note in about.get("notes", ()))])


def write_lines(output: str, lines: Iterable[str]) -> None:
    """Write text whole; to standard output, as it comes."""
    with write_whole(output) as out:
        for line in lines:
            out.write(line)
            if output == STANDARD_STREAM:
                out.flush()


def write_pictures(output: str, pictures: Iterable[str | bytes]) -> None:
    """Write what `synparse.drawing.show.show` draws, whole; BadParameter for what a terminal cannot show."""
    with write_whole(output) as out:
        for part in pictures:
            if isinstance(part, str):
                out.write(part)
            elif is_terminal(output):
                raise typer.BadParameter("a terminal cannot show this format; name a file", param_hint="--output")
            else:
                out.buffer.write(part)


def print_note(note: str) -> None:
    """Print a line for the user to standard error, an error or a note; nothing for an empty one. Where it cannot be
    written, it is lost, and nothing else."""
    if note:
        with contextlib.suppress(OSError):
            print(f"synparse: {one_line(note)}", file=sys.stderr)


def notes(quiet: bool, say: Callable[[str], None] = print_note) -> Callable[[str], None]:
    """What says the notes of a command, or with --quiet drops them."""
    return (lambda _: None) if quiet else say
