"""The first character of a file, by which brackets, JSON and CoNLL-U are distinguished."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator


def beginning_of(lines: Iterable[str]) -> tuple[str, Iterator[str]]:
    """The first character that is not white space ("" if there is none), and all lines again, from the first.

    >>> character, lines = beginning_of(iter(["\\n", "  (S a)\\n", "(S b)\\n"]))
    >>> character, list(lines)
    ('(', ['\\n', '  (S a)\\n', '(S b)\\n'])
    """
    again, ahead = itertools.tee(lines)
    return next(filter(None, map(str.strip, ahead)), "")[:1], again
