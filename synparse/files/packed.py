"""Files that gzip, bzip2 or xz have packed, told by their first bytes and not by their names."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zlib
from io import BufferedReader
from pathlib import Path
from typing import IO, cast

_BZIP2 = rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"

_OPENERS = ((rb"\x1f\x8b", gzip.open), (_BZIP2, bz2.open), (rb"\xfd7zXZ\0", lzma.open))
"""What packed files begin with, and text never does, and what opens them."""

_FIRST = 10
"""How many bytes to look at."""

_MOST = 1 << 20
"""How much of a beginning is unpacked: a few bytes can stand for gigabytes."""

ENDINGS = (".gz", ".bz2", ".xz")

DAMAGE = (EOFError, lzma.LZMAError, zlib.error)
"""What reading a damaged packed file raises, beside an OSError without a number."""


def is_packed(path: str) -> bool:
    """Whether a file is packed. Raises OSError if it cannot be read."""
    with Path(path).open("rb") as stream:
        beginning = stream.read(_FIRST)
    return any(re.match(pattern, beginning) for pattern, _ in _OPENERS)


def unpacked(stream: BufferedReader) -> BufferedReader:
    """What a stream gives, unpacked if it is packed."""
    beginning = stream.peek(_FIRST)
    for pattern, program in _OPENERS:
        if re.match(pattern, beginning):
            return cast(BufferedReader, program(stream))
    return stream


def unpacked_beginning(beginning: bytes) -> bytes:
    """The beginning of a file, unpacked as far as it goes, `_MOST` bytes at most. Raises ValueError for bzip2, of which
    nothing can be unpacked before hundreds of kilobytes are there."""
    if re.match(_BZIP2, beginning):
        raise ValueError("bzip2")
    stream, parts = unpacked(BufferedReader(cast(io.RawIOBase, io.BytesIO(beginning)))), [b""]
    try:
        while sum(map(len, parts)) < _MOST and (part := stream.read1(_MOST)):
            parts.append(part)
    except (*DAMAGE, OSError):  # it is cut, or damaged, which reading it will show
        pass
    return b"".join(parts)


def packing(stream: IO[bytes], name: str) -> IO[bytes]:
    """A stream into a file of this name, which packs what is written if its ending says so. Equal text, equal bytes."""
    match Path(name).suffix.lower():
        case ".gz":
            return cast(IO[bytes], gzip.GzipFile("", "wb", fileobj=stream, mtime=0))
        case ".bz2":
            return bz2.open(stream, "wb")
        case ".xz":
            return lzma.open(stream, "wb")
    return stream


def plain_name(name: str) -> str:
    """The name of a file without the ending of packed ones."""
    return next((name[: -len(ending)] for ending in ENDINGS if name.lower().endswith(ending)), name)
