"""Text of others as it is shown: what a terminal would obey is escaped. Data itself is written as it is."""

from __future__ import annotations

import re

LONGEST_MESSAGE = 500
"""In characters. A message may quote a file, and its line may have a hundred million of them."""

OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but tabs and line feeds, what ends a line or turns the direction of writing, and halves of
surrogate pairs, which cannot be encoded."""

_LINE_ENDS = str.maketrans({"\n": "\\n", "\r": "\\r", "\t": "\\t"})


def printable(text: str) -> str:
    """The text with escapes for what a terminal would obey instead of showing it.

    >>> print(printable("\\x1b[2Ja\\u202eb"))
    \\x1b[2Ja\\u202eb
    """
    return OBEYED.sub(lambda match: ascii(match[0])[1:-1], text)


def one_cell(text: str) -> str:
    """The text with escapes for tabs and line ends, which would end a cell or a row of a table."""
    return text.translate(_LINE_ENDS)


def one_line(text: str) -> str:
    """What is `printable` in one line, without the middle of a text longer than `LONGEST_MESSAGE`. A line stays as it
    is.

    >>> print(one_line("a\\nb"))
    a\\nb
    """
    return _shortened(printable(one_cell(_shortened(text))))


def _shortened(text: str) -> str:
    half = LONGEST_MESSAGE // 2 - 2
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:half]} … {text[-half:]}"
