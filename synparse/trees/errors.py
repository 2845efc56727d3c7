"""What goes wrong outside of the program: data, settings, and runs that break down. Each has a text of one line."""

from __future__ import annotations

import re

LONGEST_MESSAGE = 500
"""Characters. What stands in a file may be quoted, and may be a line of a hundred million."""

# Control characters, line ends and halves of surrogate pairs: a terminal would obey them, or an encoder refuse.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class SettingError(Exception):
    """A setting, an option or a combination of them that cannot be: unknown, mistyped, out of range, or not what the
    model or the machine can do. Its text says what can."""


class TrainingError(Exception):
    """A run that cannot go on; its text says why and what to change."""


class DataError(Exception):
    """A file does not hold what its format says.

    Its text is one line, ``source:line: message``, ready to be shown to a user. Lines are counted
    from 1; ``line`` is left out where the whole file is meant. Characters of a file that are not printable are escaped,
    and the middle of a text longer than `LONGEST_MESSAGE` is left out.
    """

    def __init__(self, message: str, source: str = "", line: int | None = None) -> None:
        self.message = message
        self.source = source
        self.line = line
        position = source if line is None else f"{source or '<text>'}:{line}"
        text = _one_line(message)
        super().__init__(f"{_one_line(position)}: {text}" if position else text)


def _one_line(text: str) -> str:
    half = LONGEST_MESSAGE // 2
    shown = text if len(text) <= LONGEST_MESSAGE else f"{text[:half]} … {text[-half:]}"
    return _UNPRINTABLE.sub(lambda match: ascii(match[0])[1:-1], shown)
