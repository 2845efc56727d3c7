"""Big files in pieces that are read apart: byte ranges that begin and end between sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from synparse.corpora.sentences import BRACKETS, CONLLU, JSON, TEXT, Sentence, ended, format_of_file, sentences_of
from synparse.corpora.tokenization import Tokenizer
from synparse.files.packed import is_packed
from synparse.files.streams import read_lines
from synparse.trees.errors import DataError, unreadable


class Partition(NamedTuple):
    """The bytes from ``start`` to ``end`` of a file, to its end where that is None.

    name: the file as the user calls it; path: its absolute path.
    """

    name: str
    path: str
    format: str
    start: int = 0
    end: int | None = None


def partitions_of(names: Sequence[str], format: str | None, size: int) -> Iterator[Partition]:
    """The partitions of these files, in order, each of ``size`` bytes and up to the end of the sentence there.

    Only what is around the cuts is read, but of brackets everything: where a tree ends depends on all before it. A
    packed file is one partition. Raises DataError where a file cannot be read.
    """
    for name in names:
        kind = format or format_of_file(name)
        whole = Partition(name, str(Path(name).absolute()), kind)
        try:
            if is_packed(name):
                yield whole
                continue
            for start, end in _ranges(whole.path, _CUTS[kind], size):
                yield whole._replace(start=start, end=end)
        except OSError as error:
            raise unreadable(name, error) from None


def read_partition(partition: Partition, tokenizer: Tokenizer) -> Iterator[Sentence]:
    """The sentences of a partition: those of all partitions are those that `read_files` gives. Raises DataError alike,
    with lines counted from the start of the file."""
    try:
        lines = read_lines(partition.path, partition.start, partition.end)
        yield from map(ended, sentences_of(lines, partition.name, tokenizer, partition.format))
    except DataError as error:
        line = error.line and error.line + _line_ends(partition.path, partition.start)
        raise DataError(error.message, partition.name, line) from None


Cut = Callable[[BinaryIO, int, int], int]
"""From a file, the end of the last sentence before, and a later byte, to the end of a sentence there or after it."""


def _ranges(path: str, cut: Cut, size: int) -> Iterator[tuple[int, int]]:
    with Path(path).open("rb") as stream:
        length = stream.seek(0, 2)
        start = 0
        while start < length:
            end = cut(stream, start, min(start + size, length))
            if end <= start:  # or there would be partitions without end
                raise OSError("it has become shorter meanwhile")
            yield start, end
            start = end


def _after_line(stream: BinaryIO, _: int, at: int) -> int:
    stream.seek(at - 1)
    stream.readline()
    return stream.tell()


def _after_blank_lines(stream: BinaryIO, start: int, at: int) -> int:
    _after_line(stream, start, at)
    blank = False
    while line := stream.readline():
        if blank and line.strip():
            return stream.tell() - len(line)
        blank = not line.strip()
    return stream.tell()


def _after_tree(stream: BinaryIO, start: int, at: int) -> int:
    """Brackets in words are escaped, so all that stand there open and close."""
    position = stream.seek(start)
    depth = 0
    while (position < at or depth) and (line := stream.readline()):
        position += len(line)
        depth += line.count(b"(") - line.count(b")")
    return position


_CUTS: dict[str, Cut] = {TEXT: _after_line, CONLLU: _after_blank_lines, BRACKETS: _after_tree, JSON: _after_line}


def _line_ends(path: str, before: int) -> int:
    """How many lines end before a byte."""
    count = 0
    with Path(path).open("rb") as stream:
        while block := stream.read(min(1 << 20, before - stream.tell())):
            count += block.count(b"\n")
    return count
