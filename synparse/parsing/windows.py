"""Windows of sentences: what is parsed together, so that the same windows give the same bytes whoever parses them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import NamedTuple, TypeAlias, TypeVar

from synparse.corpora.sentences import Sentence

WINDOW_SENTENCES = 512
WINDOW_TOKENS = 16_384
"""Sentences are sorted by length within a window of this many sentences or tokens, whichever is first: enough for full
batches, and few enough that a file of a few thousand sentences is parsed by several processes side by side."""

Item = TypeVar("Item")

NothingWaits: TypeAlias = Callable[[], bool]


class Numbering(NamedTuple):
    """What numbering a new CoNLL-U sentence needs: how many new sentences came before, also those that keep the
    ``sent_id`` of JSON, and whether blank lines followed; None where nothing came before.

    CoNLL-U does not become new sentences; it keeps its own comments.
    """

    number: int = 0
    new_paragraph: bool | None = None

    def after(self, sentence: Sentence) -> Numbering:
        if sentence.conllu is not None:
            return self
        return Numbering(self.number + bool(sentence.tokens), not sentence.tokens)

    def then(self, later: Numbering) -> Numbering:
        """The numbering after further sentences, which were numbered from 1 and ended with ``later``."""
        new_paragraph = self.new_paragraph if later.new_paragraph is None else later.new_paragraph
        return Numbering(self.number + later.number, new_paragraph)


class Window(NamedTuple):
    """Sentences that are parsed together, and the numbering before the first of them; ``is_early``: they are fewer than
    they might be, because the next one is not there yet."""

    sentences: list[Sentence]
    before: Numbering
    is_early: bool = False


def windows_of(sentences: Iterable[Item], length: Callable[[Item], int]) -> Iterator[list[Item]]:
    """The windows in which sentences of these lengths (in tokens) are parsed. A window alone is that window again."""
    return (window for window, _ in _windows(sentences, length, lambda: False))


def numbered_windows(sentences: Iterable[Sentence], nothing_waits: NothingWaits = lambda: False) -> Iterator[Window]:
    """The windows of sentences, each with the numbering before it. ``nothing_waits``: whether the next sentence is not
    there yet; then those that are there need not wait for it."""
    before = Numbering()
    for window, is_early in _windows(sentences, lambda sentence: len(sentence.tokens), nothing_waits):
        after = reduce(Numbering.after, window, before)
        yield Window(window, before, is_early)
        before = after


def _windows(
    sentences: Iterable[Item], length: Callable[[Item], int], nothing_waits: NothingWaits
) -> Iterator[tuple[list[Item], bool]]:
    """Each window, and whether it is early."""
    window: list[Item] = []
    tokens = 0
    for sentence in sentences:
        window.append(sentence)
        tokens += length(sentence)
        is_full = len(window) >= WINDOW_SENTENCES or tokens >= WINDOW_TOKENS
        if is_full or nothing_waits():
            yield window, not is_full
            window, tokens = [], 0
    if window:
        yield window, False
