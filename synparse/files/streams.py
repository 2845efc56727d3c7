"""Input and output files of commands: plain or packed, ``-`` for the standard streams; written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import functools
import io
import itertools
import os
import re
import select
import shlex
import sys
import tempfile
from collections.abc import Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any, TextIO, cast

from synparse.files.other_formats import BYTES, refuse_other_formats
from synparse.files.packed import DAMAGE, packing, unpacked, unpacked_beginning
from synparse.trees.errors import STANDARD_STREAM as STANDARD_STREAM
from synparse.trees.errors import DataError, unreadable, unwritable
from synparse.trees.limits import LONGEST_LINE

_NOT_WHOLE = "packed, but damaged or not whole"

_CLOSED = {errno.EPIPE, *([errno.EINVAL] if sys.platform == "win32" else [])}
"""What an error says of a pipe that its reader has closed."""


class OutputClosed(Exception):  # noqa: N818 - not an error: the reader of our output has read enough
    """The reader of standard output has closed it (``| head``)."""


def read_lines(path: str, start: int = 0, end: int | None = None) -> Iterator[str]:
    """The lines of a UTF-8 file, line ends unchanged, streamed; ``-`` is standard input. What gzip, bzip2 or xz
    has packed is unpacked (`synparse.files.packed`).

    Only a line feed ends a line, so no character of a word can split it. A byte order mark is dropped, also where one
    file was appended to another. ``start`` and ``end`` are the offsets in bytes of the first line's begin and the last
    line's end; errors count lines from ``start``.

    Raises DataError if the file cannot be opened, is damaged or of a format that is no text
    (`synparse.files.other_formats`), and, with the line, if it is not UTF-8, has a NUL character, or a line longer than
    `LONGEST_LINE`.
    """
    number = 0
    try:
        with _open_bytes(path) as stream:
            if start:
                stream.seek(start)
            else:
                refuse_other_formats(stream.peek(BYTES), path)
            for number, raw in enumerate(_raw_lines(stream) if end is None else _until(stream, end), 1):
                if len(raw) > LONGEST_LINE:
                    raise DataError(f"a line of more than {LONGEST_LINE} bytes", path, number)
                if b"\0" in raw:
                    raise DataError("a NUL character: no text has any; is the file UTF-16, or damaged?", path, number)
                line = raw.decode("utf-8")
                yield line.removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise DataError(
            f"not UTF-8 (byte 0x{error.object[error.start]:02x}); convert the file, for instance with iconv",
            path,
            number,
        ) from None
    except DAMAGE:
        raise DataError(_NOT_WHOLE, path) from None
    except OSError as error:
        if error.errno is None:
            raise DataError(_NOT_WHOLE, path) from None
        raise DataError(f"cannot be read: {error.strerror or error}{_advice(path, error)}", path) from None


def _advice(path: str, error: OSError) -> str:
    """What to do where a folder is given in place of a file, or a sentence."""
    if not path:
        return "; the name of the file is empty"
    if error.errno == errno.EISDIR:
        return f"; name its files: {shlex.quote(path.rstrip('/'))}/*"
    is_missing = error.errno in (errno.ENOENT, errno.ENAMETOOLONG)
    if not is_missing or " " not in path or re.search(r"/|\.\w+$", path):
        return ""
    return f"; a sentence comes by standard input: echo {shlex.quote(path)} | synparse parse"


def lines_of(texts: Iterable[str]) -> Iterator[str]:
    """The lines of texts that end with a line feed each, without it; nothing else ends a line."""
    for text in texts:
        yield from text.removesuffix("\n").split("\n")


def open_closed_streams() -> None:
    """Open the standard streams that the caller has closed (``>&-``), or the files that are opened next would take
    their descriptors, and be written to in their place. To read from standard input or to write to standard output is
    then an error, as it is when they are closed; what goes to standard error is lost."""
    for number, (name, flags, mode) in enumerate(
        [("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w")]
    ):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, flags)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - to the end


def first_lines(path: str, number: int) -> list[str]:
    """The first lines of a file, at most ``number``; of standard input and other files that are read once, only what is
    there already, and it stays there to be read. Raises DataError as `read_lines` does."""
    if not is_read_once(path):
        return list(itertools.islice(read_lines(path), number))
    try:
        waiting = _reader(path).peek()  # the last line may be cut
    except OSError as error:
        raise unreadable(path, error) from None
    try:
        waiting = unpacked_beginning(waiting)
    except ValueError:
        raise DataError("packed by bzip2, which hides the first lines of a pipe; unpack it: bzip2 -dc", path) from None
    refuse_other_formats(waiting, path)
    lines = waiting.decode("utf-8", errors="replace").splitlines(keepends=True)
    return [line.removeprefix("\ufeff") for line in lines[:number]]


class _Counted(io.RawIOBase):
    """A stream that knows how much of it has been read, so that its buffer knows how much is waiting."""

    def __init__(self, stream: io.RawIOBase) -> None:
        self._stream, self._read, self.has_ended = stream, 0, False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = int(self._stream.readinto(buffer) or 0)
        self._read += count
        self.has_ended = count == 0
        return count

    def tell(self) -> int:
        return self._read

    def fileno(self) -> int:
        return self._stream.fileno()


@functools.lru_cache(maxsize=1)
def _counted(stream: BufferedReader) -> BufferedReader:
    return BufferedReader(cast(io.RawIOBase, _Counted(cast(io.RawIOBase, stream.raw))))


def _standard_input() -> BufferedReader:
    """Standard input, of which nothing is read elsewhere."""
    return _counted(cast(BufferedReader, sys.stdin.buffer))


def is_read_once(path: str) -> bool:
    """Whether a file is standard input or a pipe, such as ``<(zcat text.gz)`` in a shell."""
    return path == STANDARD_STREAM or Path(path).is_fifo()


_open_pipes: dict[Path, BufferedReader] = {}
"""Pipes that have been opened and not read to their end, by their absolute paths."""


def _reader(path: str) -> BufferedReader:
    """The reader of a file that `is_read_once`. It stays open, so that what was only looked at can still be read."""
    if path == STANDARD_STREAM:
        return _standard_input()
    pipe = Path(path).absolute()
    if pipe not in _open_pipes:
        _open_pipes[pipe] = BufferedReader(_Counted(pipe.open("rb", buffering=0)))
    return _open_pipes[pipe]


def nothing_waits(seconds: float) -> bool:
    """Whether nothing more of standard input comes for so long, although it has not ended."""
    reader = _standard_input()
    if reader.raw.tell() > reader.tell():
        return False
    try:
        return not select.select([reader], [], [], seconds)[0]
    except (OSError, ValueError):  # no file of the system: a test, or a console of Windows
        return False


def _raw_lines(stream: BufferedReader) -> Iterator[bytes]:
    """The lines of a stream; lines longer than `LONGEST_LINE` in parts."""
    return iter(functools.partial(stream.readline, LONGEST_LINE + 1), b"")


def _until(stream: BufferedReader, end: int) -> Iterator[bytes]:
    position = stream.tell()
    for line in _raw_lines(stream) if position < end else ():
        yield line
        position += len(line)
        if position >= end:
            return


@contextlib.contextmanager
def _open_bytes(path: str) -> Iterator[BufferedReader]:
    with contextlib.nullcontext(_reader(path)) if is_read_once(path) else Path(path).open("rb") as stream:
        # A pipe can be opened and read once, so this looks at the stream.
        yield unpacked(stream)
    pipe = Path(path).absolute()
    if pipe in _open_pipes and cast(_Counted, _open_pipes[pipe].raw).has_ended:
        _open_pipes.pop(pipe).close()


@contextlib.contextmanager
def write_whole(path: str) -> Iterator[TextIO]:
    """A text stream to a file that appears under its name only when it is complete; ``-`` is standard output.

    The text goes to a temporary file beside the target, which is renamed at the end, or removed on any error. It is
    packed if its ending says so (.gz, .bz2, .xz). Raises DataError if the file cannot be written, OutputClosed if
    standard output is closed.
    """
    if path == STANDARD_STREAM:
        try:
            yield sys.stdout
            sys.stdout.flush()
        except OSError as error:
            if error.errno in _CLOSED:
                raise OutputClosed from None
            raise unwritable("<stdout>", error) from None
        return
    target = Path(path)
    if target.exists() and not target.is_file():  # /dev/null, a named pipe: nothing to rename
        with target.open("w", encoding="utf-8", newline="") as stream:
            yield stream
        return
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        temporary = Path(name)
        temporary.chmod(usual_mode())
        with (
            os.fdopen(handle, "wb") as raw,
            io.TextIOWrapper(packing(raw, path), encoding="utf-8", newline="") as stream,
        ):
            yield stream
        temporary.replace(target)
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def usual_mode() -> int:
    """The permissions that a file gets when it is opened for writing: all but those of the user's umask.

    Temporary files are private, so they need it before they are renamed.
    """
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
