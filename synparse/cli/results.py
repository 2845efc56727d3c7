"""What the commands that print tables of results share: the formats, and how they are written."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

import typer

from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.scoring.tables import Table, as_frames, as_latex, as_text, as_tsv

JsonOption = Annotated[bool, typer.Option("--json", help="Print as JSON.")]
TsvOption = Annotated[bool, typer.Option("--tsv", help="Print tab-separated.")]
LatexOption = Annotated[bool, typer.Option("--latex", help="Print as LaTeX tables.")]
OutputOption = Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")]
DeviceOption = Annotated[str, typer.Option(help="Where to compute: auto, cpu, cuda, …")]


def chosen_format(as_json: bool, tsv: bool, latex: bool) -> str:
    """``json``, ``tsv``, ``latex``, or ``text`` where none is asked for. Raises BadParameter for several."""
    asked = [name for name, wanted in (("json", as_json), ("tsv", tsv), ("latex", latex)) if wanted]
    if len(asked) > 1:
        raise typer.BadParameter("one of --json, --tsv and --latex at most", param_hint="--json")
    return asked[0] if asked else "text"


def write_results(output: str, format: str, values: Mapping[str, Any], tables: Sequence[Table]) -> None:
    """Write results whole: ``values`` as JSON, or ``tables`` with the protocol and the notes in ``values``."""
    with write_whole(output) as out:
        if format == "json":
            out.write(json.dumps(values, ensure_ascii=False) + "\n")
            return
        is_terminal = format == "text" and output == STANDARD_STREAM and sys.stdout.isatty()
        write = {"tsv": as_tsv, "latex": as_latex, "text": as_frames if is_terminal else as_text}[format]
        out.writelines(write(tables, values["protocol"]))
        out.writelines(_notes(values["notes"], {"tsv": "# note: ", "latex": "% note: "}.get(format, "note: ")))


def _notes(notes: Iterable[str], before: str) -> Iterable[str]:
    return (f"{before}{note}\n" for note in notes)
