"""Notes for the user on files that are read as text, but are tables, or have lines that are not sentences."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

from synparse.corpora.sentences import TEXT, format_of
from synparse.files.streams import first_lines
from synparse.trees.errors import DataError, name_of

_SEPARATORS = {".csv": ",", ".tsv": "\t"}

_LINES_TO_LOOK_AT = 10

WRAPPED_LINES = 200
"""Number of lines that show whether text is wrapped at a fixed width."""

LEAST_PAIRS = 8
"""Least number of different pairs of neighbouring lines for this."""


def text_notes(paths: Sequence[str], format: str | None = None) -> list[str]:
    """What to tell the user about these files. Raises as `table_note`."""
    return [note for note in (table_note(paths, format), *(wrapped_note(path, format) for path in paths)) if note]


def table_note(paths: Sequence[str], format: str | None = None) -> str:
    """A line for the user where a file is a table, by its name and by its first lines, and is read as text; "" where
    none is. Raises DataError for such a file that cannot be read."""
    for path in paths:
        separator = _SEPARATORS.get(Path(path.removesuffix(".gz")).suffix.lower())
        if separator is None:
            continue
        lines = first_lines(path, _LINES_TO_LOOK_AT)
        if lines and (format or format_of(lines)) == TEXT and all(separator in line for line in lines):
            return f"{path}: a table; each line is read as a sentence, so leave only the column of sentences in it"
    return ""


def wrapped_note(path: str, format: str | None = None) -> str:
    """A line for the user if the lines of a text are wrapped at a fixed width, so that sentences are cut; "" if not, or
    if the file cannot be read.

    In such text, the first word of a line would rarely have fitted on the line before, which rarely ends a sentence.
    """
    try:
        lines = [line.strip() for line in first_lines(path, WRAPPED_LINES)]
    except DataError:
        return ""
    if (format or format_of(lines)) != TEXT:
        return ""
    lengths = sorted(map(len, filter(None, lines)))
    width = lengths[len(lengths) * 19 // 20] if lengths else 0  # few lines may be longer
    pairs = {(line, after.split()[0]) for line, after in itertools.pairwise(lines) if line and " " in after}
    full = sum(len(line) + 1 + len(word) > width for line, word in pairs)
    unfinished = sum(line[-1].isalpha() or line[-1] == "," for line, _ in pairs)
    if len(pairs) < LEAST_PAIRS or full < 0.8 * len(pairs) or unfinished < 0.5 * len(pairs):
        return ""
    return (
        f"{name_of(path)}: the lines are wrapped at about {width} characters, so sentences are cut; "
        "join the lines of each paragraph: awk -v RS= '{gsub(/\\n/, \" \")} 1'"
    )
