"""Windows of sentences: what is parsed together, so that the same windows give the same bytes whoever parses them."""

from __future__ import annotations

import functools
from collections.abc import Generator, Iterable, Iterator
from typing import NamedTuple

from synparse.corpora.sentences import Sentence
from synparse.devices import share_threads
from synparse.parser import Parser, windows_of
from synparse.parsing.formats import FORMATS, Numbering
from synparse.processes import map_in_order
from synparse.trees.trivial import TRIVIAL_PARSERS


class Window(NamedTuple):
    """Sentences that are parsed together, and the numbering before the first of them."""

    sentences: list[Sentence]
    before: Numbering


class Writing(NamedTuple):
    """What is written of a parse: one of `FORMATS`, and the decoders; see `synparse.parser.Parser.stream`.

    CoNLL-U needs a head decoder, brackets a tree decoder.
    """

    format: str
    tree_decoder: str | None
    head_decoder: str | None


class ModelChoice(NamedTuple):
    """One or more models as `synparse.parser.Parser.load` loads them. ``changed`` says when their files did, so that a
    process that has loaded them knows whether they are still the same."""

    names: tuple[str, ...]
    seed: int = 1
    device: str = "auto"
    layer: int | None = None
    precision: str = "float32"
    punctuation: str | None = None
    function_words: str | None = None
    changed: int = 0


def parsed_text(parser: Parser, sentences: Iterable[Sentence], writing: Writing) -> Generator[str]:
    """The text to write for the sentences, in order, a window at a time."""
    for window in _windows(sentences):
        yield _text(parser, writing, window)


def parsed_text_by_processes(
    choice: ModelChoice, sentences: Iterable[Sentence], writing: Writing, jobs: int
) -> Generator[str]:
    """As `parsed_text`, byte for byte, by ``jobs`` processes (2 or more), which share the processor's threads.

    Each loads the models once, and gets windows of sentences for text. See `synparse.processes.map_in_order`.
    """
    return map_in_order(functools.partial(_text_in_process, choice, writing, jobs), _windows(sentences), jobs)


@functools.lru_cache(maxsize=1)
def loaded(choice: ModelChoice, processes: int = 1) -> Parser:
    """The parser of a process that works for others, loaded once; ``processes`` share the processor's threads."""
    if processes > 1 and not all(name in TRIVIAL_PARSERS for name in choice.names):
        share_threads(processes)
    names, seed, device, layer, precision, punctuation, function_words, _ = choice
    return Parser.load(names, seed, device, layer, precision, punctuation, function_words)


def _text_in_process(choice: ModelChoice, writing: Writing, processes: int, window: Window) -> str:
    return _text(loaded(choice, processes), writing, window)


def _text(parser: Parser, writing: Writing, window: Window) -> str:
    tokens = (sentence.tokens for sentence in window.sentences)
    parses = parser.stream(tokens, writing.tree_decoder, writing.head_decoder)
    return "".join(FORMATS[writing.format](zip(window.sentences, parses, strict=True), window.before))


def _windows(sentences: Iterable[Sentence]) -> Iterator[Window]:
    before = Numbering()
    for window in windows_of(sentences, lambda sentence: len(sentence.tokens)):
        yield Window(window, before)
        for sentence in window:
            before = before.after(sentence)
