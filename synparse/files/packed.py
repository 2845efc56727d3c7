"""Files that gzip, bzip2 or xz have packed, told by their first bytes and not by their names."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import IO, cast

_PROGRAMS = ((rb"\x1f\x8b", gzip.open), (rb"BZh[1-9](1AY&SY|\x17rE8P\x90)", bz2.open), (rb"\xfd7zXZ\0", lzma.open))
"""What packed files begin with, as no text in UTF-8 does, and what opens them."""

_FIRST = 10
"""How many bytes tell."""

_ENDINGS = (".gz", ".bz2", ".xz")

DAMAGE = (EOFError, lzma.LZMAError, zlib.error)
"""What reading a damaged packed file raises, beside an OSError without a number."""


def is_packed(path: str) -> bool:
    """Whether a file is packed. Raises OSError if it cannot be read."""
    with Path(path).open("rb") as stream:
        beginning = stream.read(_FIRST)
    return any(re.match(pattern, beginning) for pattern, _ in _PROGRAMS)


def unpacked(stream: BufferedReader) -> BufferedReader:
    """What a stream gives, unpacked if it is packed."""
    beginning = stream.peek(_FIRST)
    for pattern, program in _PROGRAMS:
        if re.match(pattern, beginning):
            return cast(BufferedReader, program(stream))
    return stream


def lines_of_beginning(beginning: bytes) -> Iterator[bytes]:
    """The lines of the beginning of a file, unpacked as far as it goes; the last one may be cut."""
    try:
        yield from unpacked(BufferedReader(cast(io.RawIOBase, io.BytesIO(beginning))))
    except (*DAMAGE, OSError):  # it is cut, or damaged, which reading it will show
        return


def packing(stream: IO[bytes], name: str) -> IO[bytes]:
    """A stream into a file of this name, which packs what is written if its ending says so. Equal text, equal bytes."""
    if name.endswith(".gz"):
        return cast(IO[bytes], gzip.GzipFile("", "wb", fileobj=stream, mtime=0))
    if name.endswith(".bz2"):
        return bz2.open(stream, "wb")
    return lzma.open(stream, "wb") if name.endswith(".xz") else stream


def plain_name(name: str) -> str:
    """The name of a file without the ending of packed ones."""
    return next((name[: -len(ending)] for ending in _ENDINGS if name.lower().endswith(ending)), name)
