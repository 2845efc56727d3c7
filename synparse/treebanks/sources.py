"""Reading treebanks from files, folders and NLTK's corpora, in records that can be converted one by one.

A record is a part of a file, usually with one tree: reading goes on after a malformed record, and several processes can
convert different records.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from synparse.files.packed import ending_of
from synparse.files.streams import STANDARD_STREAM, read_lines
from synparse.trees.beginning import NO_TREE, NOTICE, TREE_FILES
from synparse.trees.errors import DataError, name_of, unreadable
from synparse.trees.limits import LARGEST_TREE

NLTK = "nltk:"
NLTK_CORPORA = {
    "treebank": "fetch it: python -c \"import nltk; nltk.download('treebank')\"",
    "ptb": "nltk.download('ptb') makes the folder corpora/ptb; put the folders BROWN and WSJ of LDC99T42 into it",
}


class Record(NamedTuple):
    """Consecutive lines of a file; ``first_line`` is the number of the first one, counted from 1."""

    source: str
    first_line: int
    lines: list[str]


def read_sources(names: Iterable[str], endings: tuple[str, ...] = TREE_FILES) -> Iterator[tuple[str, Iterable[str]]]:
    """The files of each name and their lines; a name is a file, ``-``, a folder or a corpus of `NLTK_CORPORA`.

    In folders, all files with these ``endings`` are read, in sorted order. Raises DataError for a folder without any
    and for a corpus that is not installed; reading the lines raises the errors of `synparse.files.streams.read_lines`.
    """
    for name in names:
        if name.startswith(NLTK):
            yield from _nltk_files(name)
        elif name not in (STANDARD_STREAM, "") and (files := _files_in(name, endings)) is not None:
            if not files:
                raise DataError(f"holds no trees: no file that ends in {', '.join(endings)}", name)
            yield from ((path, read_lines(path)) for path in files)
        else:
            yield name_of(name), read_lines(name)


def _files_in(name: str, endings: tuple[str, ...]) -> list[str] | None:
    """The files of a folder; None if this is none. Raises DataError if it cannot be read."""
    try:
        return list(_files_of(Path(name), endings)) if Path(name).is_dir() else None
    except OSError as error:
        raise unreadable(error.filename or name, error) from None


def _files_of(folder: Path, endings: tuple[str, ...]) -> Iterator[str]:
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        if path == folder or (path.is_dir() and not path.is_symlink()):
            waiting += sorted((entry for entry in path.iterdir() if not entry.name.startswith(".")), reverse=True)
        elif ending_of(path.name) in endings:
            yield str(path)


def _nltk_files(name: str) -> Iterator[tuple[str, Iterable[str]]]:
    corpus = name.removeprefix(NLTK)
    if corpus not in NLTK_CORPORA:
        raise DataError(f"no corpus that is read through NLTK; there are {', '.join(NLTK_CORPORA)}", name)
    from nltk import corpus as corpora

    try:
        reader = getattr(corpora, corpus)
        files = reader.fileids()
    except LookupError:
        files = []
    if not files:
        raise DataError(f"NLTK does not have it here; {NLTK_CORPORA[corpus]}", name)
    for file in files:
        with reader.abspath(file).open() as stream:
            yield f"{name}/{file}", io.TextIOWrapper(stream, encoding="utf-8")


def whole_trees(lines: Iterable[str], source: str) -> Iterator[Record]:
    """Records that end where every bracket is closed: correct for well-formed trees in any layout."""
    depth = 0

    def begins(line: str) -> bool:
        nonlocal depth
        before = max(depth, 0)
        if before or not line.startswith(NO_TREE):  # brackets in markup are no tree's
            depth = before + line.count("(") - line.count(")")
        return before == 0

    return _records(lines, source, begins)


def separate_trees(lines: Iterable[str], source: str) -> Iterator[Record]:
    """Records that begin at lines indented no more than the first line, so a malformed tree does not affect others.

    A line that begins with a closing bracket belongs to the record before it. Correct for one tree per line, and for
    Penn files, in which all lines of a tree except the first are indented.
    """
    margin: int | None = None

    def begins(line: str) -> bool:
        nonlocal margin
        content = line.lstrip()
        indent = len(line) - len(content)
        margin = indent if margin is None else margin
        return indent <= margin and content[0] != ")"

    return _records(lines, source, begins)


def _records(lines: Iterable[str], source: str, begins: Callable[[str], bool]) -> Iterator[Record]:
    """Cut before the lines that begin a record; blank lines and copyright notices belong to the record before them. A
    record of more lines than a tree may have words and brackets is cut, too: one of its brackets is never closed."""
    record: list[str] = []
    first_line = 1
    for number, line in enumerate(lines, 1):
        if line.isspace() or line.startswith(NOTICE):
            if record:
                record.append("\n")
            continue
        if (begins(line) or len(record) > LARGEST_TREE) and record:
            yield Record(source, first_line, record)
            record = []
        if not record:
            first_line = number
        record.append(line)
    if record:
        yield Record(source, first_line, record)


def conllu_sentences(lines: Iterable[str], source: str) -> Iterator[Record]:
    """Records that end at blank lines."""
    for is_blank, numbered in groupby(enumerate(lines, 1), lambda pair: pair[1].isspace()):
        if not is_blank:
            numbers, sentence = zip(*numbered, strict=True)
            yield Record(source, numbers[0], list(sentence))


def chunks(records: Iterable[Record], characters: int = 100_000) -> Iterator[list[Record]]:
    """Records in lists of about this many characters."""
    chunk: list[Record] = []
    size = 0
    for record in records:
        chunk.append(record)
        size += sum(map(len, record.lines))
        if size >= characters:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
