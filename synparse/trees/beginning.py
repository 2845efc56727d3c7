"""What distinguishes files of brackets, JSON and CoNLL-U: the endings of their names, and their first characters."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

TREE_FILES = (".mrg", ".ptb", ".parse", ".prd", ".tree", ".trees", ".bracket", ".brackets")
CONLLU_FILES = (".conllu", ".conll", ".conllx")
"""Endings of files, in upper or lower case, packed or not."""

NOTICE = "*x*"
"""The beginning of each line of the copyright notice with which files of the LDC may begin."""


NO_TREE = (NOTICE, "#", "<", "( END_OF_TEXT_UNIT )")
"""The beginnings of lines outside trees that belong to none: a notice, a comment, markup such as <S ID=1>, the end of a
text."""


def beginning_of(lines: Iterable[str]) -> tuple[str, Iterator[str]]:
    """The first character that is not white space ("" if there is none), after lines of `NO_TREE`, and all lines again.

    >>> character, lines = beginning_of(iter(["\\n", "  (S a)\\n", "(S b)\\n"]))
    >>> character, list(lines)
    ('(', ['\\n', '  (S a)\\n', '(S b)\\n'])
    """
    again, ahead = itertools.tee(lines)
    return next((line[:1] for line in map(str.strip, ahead) if line and not line.startswith(NO_TREE)), ""), again
