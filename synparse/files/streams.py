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
import stat
import sys
import tempfile
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from io import BufferedReader
from pathlib import Path
from typing import Any, TextIO, cast

from synparse.files.other_formats import BYTES, refuse_other_formats
from synparse.files.packed import DAMAGE, packing, unpacked
from synparse.trees.errors import NO_NAME, DataError, unwritable
from synparse.trees.errors import STANDARD_STREAM as STANDARD_STREAM
from synparse.trees.limits import LONGEST_LINE

_NOT_WHOLE = "packed, but damaged or not whole"

MOST_AHEAD = 1 << 24
"""Characters of a file after which no more lines are looked at before it is read: a line may have 100 million."""

SILENCE = 5
"""Seconds without a further line after which the user is told what is waited for."""

CALLED = "synparse …"
"""The command that was called, in advice; only the command line knows which one it was."""

_CLOSED = {errno.EPIPE, *([errno.EINVAL] if sys.platform == "win32" else [])}
"""What an error says of a pipe that its reader has closed."""


TEXT_OUT: dict[str, Any] = {"encoding": "utf-8", "errors": "backslashreplace", "newline": ""}
"""How text is written, to standard output as well (`synparse.__main__`)."""


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
    if not is_read_once(path):
        yield from _lines(path, start, end)
        return
    try:
        yield from _pipe(path)
    finally:
        _open_pipes.pop(Path(path).absolute(), None)


def _lines(path: str, start: int = 0, end: int | None = None) -> Iterator[str]:
    number = 0
    try:
        is_stdin = path == STANDARD_STREAM
        with nullcontext(_standard_input()) if is_stdin else Path(path).open("rb") as file:
            stream = unpacked(file)  # a pipe can be opened and read once, so this looks at the stream
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
            f"not UTF-8 (byte 0x{error.object[error.start]:02x}); convert the file, if it is Latin-1 or Windows-1252: "
            "iconv -f WINDOWS-1252 -t UTF-8",  # which has quotation marks where Latin-1 has control characters
            path,
            number,
        ) from None
    except DAMAGE:
        raise DataError(_NOT_WHOLE, path) from None
    except OSError as error:
        if error.errno is None:
            raise DataError(_NOT_WHOLE, path) from None
        reason = f"{error.strerror or error}{_advice(path, error)}" if path else NO_NAME
        raise DataError(f"cannot be read: {reason}", path) from None


def _advice(path: str, error: OSError) -> str:
    """What to do where a folder is given in place of a file, or a sentence or tree."""
    if error.errno == errno.EISDIR:
        return f"; name its files: {shlex.quote(path.rstrip('/'))}/*"
    is_missing = error.errno in (errno.ENOENT, errno.ENAMETOOLONG)
    if not is_missing or " " not in path or re.search(r"/|\.\w+$", path):
        return ""
    return f"; text comes by standard input: echo {shlex.quote(path)} | {CALLED}"


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


def first_lines(path: str, number: int, waits: bool = True) -> Iterator[str]:
    """The first lines of a file, at most ``number``, and none after `MOST_AHEAD` characters; they are read as they are
    asked for. Those of standard input and pipes stay there to be read, and are waited for, however slowly they come;
    a warning says so. ``waits``: without it, of standard input, those that have come by now, and the first one.

    Raises DataError as `read_lines` does.
    """
    characters = 0
    lines = _pipe(path).ahead() if is_read_once(path) else read_lines(path)
    for count, line in enumerate(itertools.islice(lines, number), 1):
        yield line
        characters += len(line)
        if characters > MOST_AHEAD:
            return
        if path == STANDARD_STREAM and count == _pipe(path).number_ahead() and _is_silent(SILENCE if waits else 0):
            if not waits:
                return
            warnings.warn(
                f"waiting for the first {number:,} lines of standard input, or its end, which show how words are "
                "split; --tokenizer says so at once",
                stacklevel=2,
            )


class _Pipe:
    """The lines of a file that is read once, which can be looked at before they are read."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines, self._ahead = lines, deque[str]()
        self._error: DataError | None = None

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return self._ahead.popleft() if self._ahead else self._more()

    def _more(self) -> str:
        if self._error is not None:  # whoever looked has seen it; whoever reads must see it, too
            raise self._error
        try:
            return next(self._lines)
        except DataError as error:
            self._error = error
            raise

    def number_ahead(self) -> int:
        """How many lines have been looked at, and not read."""
        return len(self._ahead)

    def ahead(self) -> Iterator[str]:
        """The lines that are still to be read, each looked at when it is asked for."""
        for number in itertools.count():
            if number == len(self._ahead):
                try:
                    self._ahead.append(self._more())
                except StopIteration:
                    return
            yield self._ahead[number]


class _Counted(io.RawIOBase):
    """A stream that knows how much of it has been read, so that its buffer knows how much is waiting."""

    def __init__(self, stream: io.RawIOBase) -> None:
        self._stream, self._read = stream, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while (count := self._stream.readinto(buffer)) is None:  # nothing has come, and the system does not wait
            select.select([self._stream], [], [])
        self._read += count
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
    with contextlib.suppress(OSError):  # whoever reads it says so
        return path == STANDARD_STREAM or Path(path).is_fifo()
    return False


_open_pipes: dict[Path, _Pipe] = {}
"""Pipes that are looked at or read, by their absolute paths."""


def _pipe(path: str) -> _Pipe:
    """The lines of a file that `is_read_once`. It stays open, so that what was only looked at can still be read."""
    if path == STANDARD_STREAM:
        return _pipe_of(_standard_input())
    return _open_pipes.setdefault(Path(path).absolute(), _Pipe(_lines(path)))


@functools.lru_cache(maxsize=1)
def _pipe_of(_standard_input: BufferedReader) -> _Pipe:
    return _Pipe(_lines(STANDARD_STREAM))


def nothing_waits(seconds: float) -> bool:
    """Whether nothing more of standard input comes for so long, although it has not ended."""
    return not _pipe(STANDARD_STREAM).number_ahead() and _is_silent(seconds)


def _is_silent(seconds: float) -> bool:
    """As `nothing_waits`, whatever has been looked at. Blank lines are nothing."""
    reader = _standard_input()
    if reader.raw.tell() > reader.tell() and reader.peek().strip():
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
def write_whole(path: str) -> Iterator[TextIO]:
    """A text stream to a file that appears under its name only when it is complete; ``-`` is standard output.

    The text goes to a temporary file beside the target, which is renamed at the end, or removed on any error; a file
    that was there leaves its permissions to it, and a link stays a link. It is packed if its ending says so (.gz, .bz2,
    .xz). Names of files that are not UTF-8 are written with escapes, as to standard output. Raises DataError if the
    file cannot be written, SettingError if its ending is that of other packed files, OutputClosed if standard output is
    closed.
    """
    target = Path(path)
    is_stdout = path == STANDARD_STREAM
    # /dev/null, a named pipe: nothing to rename. Nor /dev/stdout, also where a shell sends it to a file.
    if is_stdout or target.parent == Path("/dev") or (target.exists() and not target.is_file()):
        try:
            with nullcontext(sys.stdout) if is_stdout else target.open("a", **TEXT_OUT) as stream:
                yield stream
                stream.flush()
        except OSError as error:
            if error.errno in _CLOSED:
                raise OutputClosed from None
            raise unwritable("<stdout>" if is_stdout else path, error) from None
        return
    temporary: Path | None = None
    try:
        target = target.resolve()  # a link stays one
        if target.is_symlink():  # to itself, of which Python 3.13 says nothing
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else usual_mode()
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:50]}.")  # a long one fits, too
        temporary = Path(name)
        temporary.chmod(mode)
        with (
            os.fdopen(handle, "wb") as raw,
            io.TextIOWrapper(packing(raw, path), **TEXT_OUT) as stream,
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
