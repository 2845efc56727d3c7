"""How commands print tables: as JSON, tab-separated, as LaTeX, in frames on a terminal, or as plain text."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import typer

from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.scoring.tables import Table, as_frames, as_latex, as_text, as_tsv


def refuse_several_formats(as_json: bool, tsv: bool, latex: bool) -> None:
    """Raises a usage error where more than one format is asked for."""
    if as_json + tsv + latex > 1:
        raise typer.BadParameter("one of --json, --tsv and --latex at most", param_hint="--json")


def write_tables(
    tables: Sequence[Table], protocol: str, output: str, *, tsv: bool, latex: bool, values: object = None
) -> None:
    """Write tables to ``output``, or ``values`` as JSON if there are any."""
    with write_whole(output) as out:
        if values is not None:
            out.write(json.dumps(values, ensure_ascii=False) + "\n")
        elif tsv or latex:
            out.writelines((as_tsv if tsv else as_latex)(tables, protocol))
        elif output == STANDARD_STREAM and sys.stdout.isatty():
            out.writelines(as_frames(tables, protocol))
        else:
            out.writelines(as_text(tables, protocol))
