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
    lines = iter(lines)
    head = []
    for line in lines:
        head.append(line)
        if line.strip():
            break
    return head[-1].strip()[:1] if head else "", itertools.chain(head, lines)
