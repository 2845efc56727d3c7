"""Errors that are not bugs: wrong data, wrong settings, failed runs. The text of each is one line."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator

from synparse.trees.printable import one_line

STANDARD_STREAM = "-"
"""The path of standard input and output."""


class SettingError(Exception):
    """A setting, an option or a combination of them that is unknown, mistyped, out of range, or impossible with this
    model or machine. Its text says what is possible. ``key``: that of the setting in its file, where it is of one."""

    def __init__(self, message: str, key: str = "") -> None:
        self.key = key
        super().__init__(message)


def check_choice(name: str, value: object, known: Collection[str], is_optional: bool = False) -> None:
    """Raises SettingError where a value is none of those that are known, or None where that is allowed."""
    if value not in known and not (is_optional and value is None):
        raise SettingError(f"{name} must be {' or '.join(known)}, not {value!r}")


class TrainingError(Exception):
    """A run that cannot go on. Its text says why and what to change."""


def name_of(path: str) -> str:
    """The name of an input in messages."""
    return "<stdin>" if path == STANDARD_STREAM else path


class DataError(Exception):
    """A file that cannot be read or written, or does not follow its format.

    Its text is one line, ``source:line: message``, ready to be shown to a user; the source ``-`` is standard input.
    Lines are counted from 1; ``line`` is None if the error concerns the whole file. See
    `synparse.trees.printable.one_line` for what a long or unprintable message becomes.
    """

    def __init__(self, message: str, source: str = "", line: int | None = None) -> None:
        self.message = message
        self.source = source = name_of(source)
        self.line = line
        position = source if line is None else f"{source or '<text>'}:{line}"
        super().__init__(one_line(f"{position}: {message}" if position else message))


NO_NAME = "the name of the file is empty"


def unreadable(source: str, error: OSError) -> DataError:
    """The error for a file that cannot be read, with the reason from the operating system."""
    return DataError(f"cannot be read: {error.strerror or error}", source)


def unwritable(source: str, error: OSError) -> DataError:
    """The same for a file that cannot be written."""
    reason = (error.strerror or error) if source else NO_NAME
    return DataError(f"cannot be written: {reason}", source)


@contextlib.contextmanager
def damage_of(what: str, source: str) -> Iterator[None]:
    """Within, a SettingError is a DataError: the file says what no program of ours has written."""
    try:
        yield
    except SettingError as error:
        raise DataError(f"damaged {what}: {error}", source) from None
