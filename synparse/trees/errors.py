"""The one error that every reader raises: where a file is wrong, and what to do about it."""

from __future__ import annotations

import re

LONGEST_MESSAGE = 500
"""Characters. What stands in a file may be quoted, and may be a line of a hundred million."""

# Control characters, line ends and halves of surrogate pairs: a terminal would obey them, or an encoder refuse.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class DataError(ValueError):
    """A file does not hold what its format says.

    Its text is one line, ``source:line: message``, ready to be shown to a user. Lines are counted
    from 1; ``line`` is left out where the whole file is meant. Characters of a file that are not printable are escaped,
    and the middle of a text longer than `LONGEST_MESSAGE` is left out.
    """

    def __init__(self, message: str, source: str = "", line: int | None = None) -> None:
        self.message = message
        self.source = source
        self.line = line
        place = source if line is None else f"{source or '<text>'}:{line}"
        text = _one_line(message)
        super().__init__(f"{_one_line(place)}: {text}" if place else text)


def _one_line(text: str) -> str:
    half = LONGEST_MESSAGE // 2
    shown = text if len(text) <= LONGEST_MESSAGE else f"{text[:half]} … {text[-half:]}"
    return _UNPRINTABLE.sub(lambda match: ascii(match[0])[1:-1], shown)
