"""The training text of a shipped model, a sentence a line, put together from the files of its language.

    python -m benchmarks.language_text german ../shared/data/languages --output german.txt

models/texts.tsv says which parts of which files a model learns from: those whose licence allows a model to be given
away. The parts of a file lie in it in the order of that table, which also has their numbers of sentences.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from synparse.files.streams import STANDARD_STREAM, read_lines, write_whole
from synparse.store.languages import TEXTS as TABLE
from synparse.store.languages import Row, read_rows
from synparse.trees.errors import DataError, SettingError


def models_of_languages() -> dict[str, str]:
    """The models that are made here, by name, and the codes of their languages."""
    rows = (row for row in read_rows(TABLE) if row["language"] != "en")  # benchmarks/english_text.py
    return {row["model"]: row["language"] for row in rows if row["model"] != "–"}


def sentences_of(model: str, data: Path, table: Sequence[Row]) -> Iterator[str]:
    """The lines of the parts of its text. Raises SettingError for a model without text, DataError where a file has not
    as many sentences as the table says, and so its parts may lie elsewhere."""
    rows = [row for row in table if row["model"] == model]
    if not rows:
        raise SettingError(f"no model {model!r}; there are {', '.join(models_of_languages())}")
    code = rows[0]["language"]
    for name in dict.fromkeys(row["file"] for row in rows):
        parts = [row for row in table if (row["language"], row["file"]) == (code, name)]
        path = data / code / name
        lines = read_lines(str(path))
        for part in parts:
            part_lines = list(itertools.islice(lines, int(part["sentences"])))
            if len(part_lines) < int(part["sentences"]):
                raise DataError(f"has fewer sentences than {TABLE} says", str(path))
            if part["model"] == model:
                yield from part_lines
        if next(iter(lines), None) is not None:
            raise DataError(f"has more sentences than {TABLE} says", str(path))


def main() -> None:
    options = argparse.ArgumentParser(
        "python -m benchmarks.language_text", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("model", choices=list(models_of_languages()))
    options.add_argument("data", type=Path, metavar="DATA", help="a folder for each language")
    options.add_argument("--output", default=STANDARD_STREAM, help="the file to write; - is stdout")
    chosen = options.parse_args()
    try:
        with write_whole(chosen.output) as output:
            output.writelines(sentences_of(chosen.model, chosen.data, read_rows(TABLE)))
    except DataError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
