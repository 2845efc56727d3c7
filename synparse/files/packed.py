"""Files that gzip, bzip2 or xz have packed, told by their first bytes and not by their names."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import zlib
from io import BufferedReader
from pathlib import Path
from typing import IO, cast

from synparse.trees.errors import SettingError

_OPENERS = (
    (rb"\x1f\x8b", gzip.open),
    (rb"BZh[1-9](1AY&SY|\x17rE8P\x90)", bz2.open),
    (rb"\xfd7zXZ\0", lzma.open),
)
"""What packed files begin with, and text never does, and what opens them."""

_FIRST = 10
"""How many bytes to look at."""

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


def packing(stream: IO[bytes], name: str) -> IO[bytes]:
    """A stream into a file of this name, which packs what is written if its ending says so. Equal text, equal bytes.
    Raises SettingError for endings of other packed files."""
    match Path(name).suffix.lower():
        case ".gz":
            return cast(IO[bytes], gzip.GzipFile("", "wb", fileobj=stream, mtime=0))
        case ".bz2":
            return bz2.open(stream, "wb")
        case ".xz":
            return lzma.open(stream, "wb")
        case ".zst" | ".zip" | ".7z":
            raise SettingError(f"{name}: packed files are written as {', '.join(ENDINGS)} only")
    return stream


def plain_name(name: str) -> str:
    """The name of a file without the ending of packed ones."""
    return next((name[: -len(ending)] for ending in ENDINGS if name.lower().endswith(ending)), name)


def ending_of(path: str) -> str:
    """The ending of the file that is packed, such as ``.conllu`` of ``a.CoNLLU.gz``, in lower case."""
    return Path(plain_name(path)).suffix.lower()
