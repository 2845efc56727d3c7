"""Errors that are not bugs: wrong data, wrong settings, failed runs. The text of each is one line."""

from __future__ import annotations

import re

STANDARD_STREAM = "-"
"""The path of standard input and output."""

LONGEST_MESSAGE = 500
"""In characters. A message may quote a file, and its line may have a hundred million of them."""

# Control characters, line ends and halves of surrogate pairs: a terminal would obey them, an encoder reject them.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class SettingError(Exception):
    """A setting, an option or a combination of them that is unknown, mistyped, out of range, or impossible with this
    model or machine. Its text says what is possible."""


class TrainingError(Exception):
    """A run that cannot go on. Its text says why and what to change."""


def name_of(path: str) -> str:
    """The name of an input in messages."""
    return "<stdin>" if path == STANDARD_STREAM else path


class DataError(Exception):
    """A file that cannot be read or written, or does not follow its format.

    Its text is one line, ``source:line: message``, ready to be shown to a user; the source ``-`` is standard input.
    Lines are counted from 1; ``line`` is None if the error concerns the whole file. Unprintable characters are escaped,
    and the middle of a text longer than `LONGEST_MESSAGE` is left out.
    """

    def __init__(self, message: str, source: str = "", line: int | None = None) -> None:
        self.message = message
        self.source = source = name_of(source)
        self.line = line
        position = source if line is None else f"{source or '<text>'}:{line}"
        text = _one_line(message)
        super().__init__(f"{_one_line(position)}: {text}" if position else text)


def _one_line(text: str) -> str:
    half = LONGEST_MESSAGE // 2
    shown = text if len(text) <= LONGEST_MESSAGE else f"{text[:half]} … {text[-half:]}"
    return _UNPRINTABLE.sub(lambda match: ascii(match[0])[1:-1], shown)
