"""Bracketed trees in the style of the Penn treebank: ``(S (NP (DT the) (NN dog)) (VP (VBD barked)))``.

A bracket with a label and one bare word is that word and its tag; any other bracket is a constituent. A bare word
beside other words or brackets has no tag. The outermost bracket may have no label, as in Penn files. This is our own
reader and writer because ``nltk.Tree`` limits the depth of a tree (500), does not stream a file, and its errors do not
name the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from synparse.trees.beginning import NO_TREE
from synparse.trees.constituency import NO_TAG, ConstituencyTree, Constituent
from synparse.trees.errors import DataError
from synparse.trees.limits import LARGEST_TREE

# A tagged word; an opening bracket with its label; a closing bracket; a bare word. Only ASCII white space separates, as
# in Penn files: a no-break space or a line separator is part of a word.
_TOKEN = re.compile(r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)|\(\s*([^\s()]*)|(\))|([^\s()]+)", re.ASCII)

_LONG_LINE = 100_000


class TreeOfLine(NamedTuple):
    """A tree and the line on which it begins, counted from 1."""

    line: int
    tree: ConstituencyTree


class _Open(NamedTuple):
    """A bracket that is not closed yet: its label, its first word, its index in pre-order, its line."""

    label: str
    start: int
    position: int
    line: int


def read_brackets(
    lines: Iterable[str], source: str, first_line: int = 1, tags_required: bool = False
) -> Iterator[TreeOfLine]:
    """The trees of a file, streamed: several on a line, or one over many lines; blank lines and those of `NO_TREE` are
    ignored.

    White space that is not ASCII, such as a no-break space, is part of a word. Lines are counted from ``first_line``.
    Raises DataError(source:line) for brackets that do not match, brackets without words, text outside trees, white
    space that is not ASCII in a label or on its own, trees larger than `LARGEST_TREE` and, with
    ``tags_required``, bare words.
    """
    stack: list[_Open] = []
    words: list[str] = []
    tags: list[str] = []
    constituents: list[Constituent] = []
    bare_words: list[tuple[int, int]] = []  # their positions and lines
    for number, line in enumerate(lines, first_line):
        if not stack and line.startswith(NO_TREE):
            continue
        for tag, tagged, label, closing, bare in _tokens(line):
            begin = number
            if len(words) + len(constituents) > LARGEST_TREE:
                line_of_tree = stack[0].line if stack else number
                raise DataError(f"a tree of more than {LARGEST_TREE} words and brackets", source, line_of_tree)
            if tagged:
                words.append(tagged)
                tags.append("" if tag == NO_TAG else tag)
            elif bare:
                if not stack:
                    advice = "; for CoNLL-U: --from conllu" if line.count("\t") == 9 else ""
                    raise DataError(_not_a_space(bare) or f"text outside of brackets: {bare!r}{advice}", source, number)
                bare_words.append((len(words), number))
                words.append(bare)
                tags.append("")
            elif not closing:
                if not label.isascii() and _not_a_space(label):
                    raise DataError(_not_a_space(label), source, number)
                stack.append(_Open(label, len(words), len(constituents), number))
                constituents.append(Constituent(label, 0, 0))  # its end is not known yet
            elif not stack:
                raise DataError("a bracket is closed here that was not opened", source, number)
            else:
                opened = stack.pop()
                begin = opened.line
                if len(words) == opened.start:
                    raise DataError(f"a bracket without words: ({opened.label})", source, number)
                alone = len(words) == opened.start + 1 and opened.position == len(constituents) - 1
                if alone and opened.label and bare_words and bare_words[-1][0] == opened.start:
                    constituents.pop()  # label and word stood on different lines: still a tagged word
                    bare_words.pop()
                    tags[-1] = "" if opened.label == NO_TAG else opened.label
                else:
                    constituents[opened.position] = Constituent(opened.label, opened.start, len(words))
            if not stack:
                if bare_words and tags_required:
                    position, line_of_word = bare_words[0]
                    fault = _not_a_space(words[position]) if words[position].isspace() else ""
                    raise DataError(fault or f"a word without a tag: {words[position]!r}", source, line_of_word)
                yield TreeOfLine(begin, ConstituencyTree(tuple(words), tuple(tags), tuple(constituents)))
                words, tags, constituents, bare_words = [], [], [], []
    if stack:
        raise DataError(f"the bracket ({stack[-1].label} is never closed", source, stack[-1].line)


def _not_a_space(text: str) -> str:
    """The error message for white space that separates no words here; "" if the text has none."""
    character = next(filter(str.isspace, text), "")
    return f"U+{ord(character):04X} does not separate labels and words: write a plain space" if character else ""


def _tokens(line: str) -> Iterable[tuple[str | Any, ...]]:
    # All at once is faster, but a long line would take much memory.
    if len(line) <= _LONG_LINE:
        return _TOKEN.findall(line)
    return (match.groups("") for match in _TOKEN.finditer(line))
