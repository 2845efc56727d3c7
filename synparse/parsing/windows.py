"""Windows of sentences: what is parsed together, so that the same windows give the same bytes whoever parses them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import NamedTuple, TypeVar

from synparse.corpora.sentences import Sentence

WINDOW_SENTENCES = 512
WINDOW_TOKENS = 16_384
"""Sentences are sorted by length within a window of this many sentences or tokens, whichever is first: enough for full
batches, and few enough that a file of a few thousand sentences is parsed by several processes side by side."""

Item = TypeVar("Item")


class Numbering(NamedTuple):
    """What numbering a new CoNLL-U sentence needs: how many sentences came before, and whether blank lines followed.

    Only text and brackets become new sentences; CoNLL-U keeps its own comments.
    """

    number: int = 0
    new_paragraph: bool = False

    def after(self, sentence: Sentence) -> Numbering:
        if sentence.conllu is not None:
            return self
        return Numbering(self.number + bool(sentence.tokens), not sentence.tokens)

    def then(self, later: Numbering) -> Numbering:
        """The numbering after further sentences, which were numbered from 1 and ended with ``later``."""
        new_paragraph = later.new_paragraph or (self.new_paragraph and not later.number)
        return Numbering(self.number + later.number, new_paragraph)


class Window(NamedTuple):
    """Sentences that are parsed together, and the numbering before the first of them."""

    sentences: list[Sentence]
    before: Numbering


def windows_of(sentences: Iterable[Item], length: Callable[[Item], int]) -> Iterator[list[Item]]:
    """The windows in which sentences of these lengths (in tokens) are parsed. A window alone is that window again."""
    window: list[Item] = []
    tokens = 0
    for sentence in sentences:
        window.append(sentence)
        tokens += length(sentence)
        if len(window) >= WINDOW_SENTENCES or tokens >= WINDOW_TOKENS:
            yield window
            window, tokens = [], 0
    if window:
        yield window


def numbered_windows(sentences: Iterable[Sentence]) -> Iterator[Window]:
    """The windows of sentences, each with the numbering before it."""
    before = Numbering()
    for window in windows_of(sentences, lambda sentence: len(sentence.tokens)):
        after = reduce(Numbering.after, window, before)
        yield Window(window, before)
        before = after
