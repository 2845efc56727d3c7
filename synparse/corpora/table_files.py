"""Tables given in place of text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from synparse.corpora.sentences import TEXT, format_of_file
from synparse.files.streams import first_lines

_SEPARATORS = {".csv": ",", ".tsv": "\t"}

_LINES_TO_LOOK_AT = 10


def table_note(paths: Sequence[str], format: str | None = None) -> str:
    """A line for the user where a file is a table, by its name and by its first lines, and is read as text; "" where
    none is. Raises DataError for such a file that cannot be read."""
    for path in paths:
        separator = _SEPARATORS.get(Path(path.removesuffix(".gz")).suffix.lower())
        if separator is None or (format or format_of_file(path)) != TEXT:
            continue
        lines = first_lines(path, _LINES_TO_LOOK_AT)
        if lines and all(separator in line for line in lines):
            return f"{path}: a table; each line is read as a sentence, so leave only the column of sentences in it"
    return ""
