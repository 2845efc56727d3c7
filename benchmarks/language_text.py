"""The text of a language from which a model may learn that is given away, a sentence a line.

    python -m benchmarks.language_text polish ../shared/data/languages --output polish.txt

models/texts.tsv has the parts of the files of each language, in the order in which they lie there, with their numbers
of sentences and their licences. Those in the public domain, CC0, CC BY and CC BY-SA are put together. A part without a
number of sentences is running text, which is split as `synparse train --raw --language` splits it.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from synparse.corpora.languages import language_of
from synparse.corpora.tokenization import WHITESPACE, load_tokenizer
from synparse.files.streams import STANDARD_STREAM, read_lines, write_whole
from synparse.files.tables import Row
from synparse.store.languages import GOLD, NOTHING
from synparse.store.shipped import TEXTS as TABLE
from synparse.store.shipped import read_rows
from synparse.trees.errors import DataError, SettingError

_FREE = re.compile(r"(?:public domain|CC0|CC BY(?:-SA)?|LGPL-LR)(?![\w-])")


def may_be_given_away(licence: str) -> bool:
    """Whether a model that learned from a text may be, by how the cell of its licence begins.

    >>> [may_be_given_away(licence) for licence in ("CC BY-SA 4.0", "CC BY-NC-SA 4.0 (the text: CC BY)", "CC0")]
    [True, False, True]
    """
    return _FREE.match(licence) is not None


def parts_of(code: str, table: Iterable[Row]) -> list[Row]:
    """The parts of the text of a language, by its ISO 639 code, that may be given away."""
    texts = (row for row in table if row["language"] == code and row["in the table"] != GOLD)
    return [row for row in texts if may_be_given_away(row["licence"])]


def languages_with_text() -> dict[str, str]:
    """The languages other than English (benchmarks/english_text.py) that have such a text, by the names of their
    models, and their codes."""
    table = read_rows(TABLE)
    codes = [code for code in dict.fromkeys(row["language"] for row in table) if code != "en" and parts_of(code, table)]
    return {language_of(code).name.lower().replace(" ", "-"): code for code in codes}


def sentences_of(code: str, data: Path, table: Sequence[Row]) -> Iterator[str]:
    """The lines of the parts of its text. Raises SettingError for a language without one, DataError where a file has
    not as many sentences as the table says, and so its parts may lie elsewhere."""
    wanted = parts_of(code, table)
    if not wanted:
        raise SettingError(f"no text of {language_of(code).name} may be given away; see {TABLE}")
    for name in dict.fromkeys(row["file"] for row in wanted):
        path = str(data / code / name)
        lines = read_lines(path)
        for part in (row for row in table if (row["language"], row["file"]) == (code, name)):
            if part["sentences"] == NOTHING:
                yield from _split(lines, code)
                continue
            part_lines = list(itertools.islice(lines, int(part["sentences"])))
            if len(part_lines) < int(part["sentences"]):
                raise DataError(f"has fewer sentences than {TABLE} says", path)
            if part in wanted:
                yield from part_lines
        if next(iter(lines), None) is not None:
            raise DataError(f"has more sentences than {TABLE} says", path)


def _split(paragraphs: Iterable[str], code: str) -> Iterator[str]:
    """The sentences of running text, as they are written where tokens stand between blanks."""
    tokenize = load_tokenizer(WHITESPACE, raw=True, language=code)
    sentences = itertools.chain.from_iterable(map(tokenize, paragraphs))
    return (f"{' '.join(sentence.words)}\n" for sentence in sentences if sentence.words)


def main() -> None:
    known = languages_with_text()
    options = argparse.ArgumentParser(
        "python -m benchmarks.language_text", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("language", choices=list(known))
    options.add_argument("data", type=Path, metavar="DATA", help="a folder for each language")
    options.add_argument("--output", default=STANDARD_STREAM, help="the file to write; - is stdout")
    chosen = options.parse_args()
    try:
        with write_whole(chosen.output) as output:
            output.writelines(sentences_of(known[chosen.language], chosen.data, read_rows(TABLE)))
    except DataError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
