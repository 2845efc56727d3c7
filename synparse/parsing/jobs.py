"""Parsed sentences as text, by this process or by several in parallel, with the same result."""

from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import NamedTuple

from synparse.corpora.sentences import Sentence
from synparse.files.processes import Executor, map_in_order
from synparse.parsing.drafts import draft_of_sentence, with_relations_of
from synparse.parsing.formats import FORMATS
from synparse.parsing.options import OutputFormat, ParserOptions, Request
from synparse.parsing.parse import Parse
from synparse.parsing.parser import Parser
from synparse.parsing.scorers import CPU, NUMPY
from synparse.parsing.windows import NothingWaits, Window, numbered_windows
from synparse.store.shipped import model_folder
from synparse.trees.trivial import RANDOM, TRIVIAL_PARSERS

PAYS, PAYS_FOR_TORCH = 2, 8
"""Windows from which on several processes are faster than this one: they start in a quarter of a second, where PyTorch
is to be loaded in two seconds."""


class Writing(NamedTuple):
    """What to write of a parse, in one of `FORMATS`. CoNLL-U needs a head decoder, brackets a tree decoder.
    ``blank_lines``: those of the text are written, too; in CoNLL-U, they begin paragraphs."""

    format: OutputFormat
    request: Request
    blank_lines: bool = True


class ModelChoice(NamedTuple):
    """One or more models as `synparse.parsing.parser.Parser.load` loads them. changed: the time of the last change to
    their files, so that a process that has loaded them knows whether they are still the same."""

    names: tuple[str, ...]
    options: ParserOptions = ParserOptions()
    changed: int = 0


def parsed_text(parser: Parser, sentences: Iterable[Sentence], writing: Writing) -> Generator[str]:
    """The text to write for the sentences, in order, a window at a time."""
    yield from (_text(parser, writing, window) for window in numbered_windows(sentences))


class Processes(NamedTuple):
    """The number of processes, and the number of windows from which several processes are faster than one."""

    number: int
    least_windows: int = 1


def useful_processes(parser: Parser, asked: int | None, cores: int) -> Processes:
    """How many processes parse: as many as the user asked for, else one for each core if a model computes on the CPU
    and the input is long. One process draws random trees, in order; other baselines are faster than sending the
    sentences to a process."""
    if RANDOM in (member.model for member in parser.members):
        return Processes(1)
    if asked is not None:
        return Processes(asked)
    devices = {member.device for member in parser.members} - {None}
    if not devices <= {NUMPY, CPU}:
        return Processes(1)
    return Processes(cores if devices else 1, PAYS_FOR_TORCH if CPU in devices else PAYS)


def one_thread() -> None:
    """Let PyTorch, if it is loaded, compute with one thread: parallel processes already use every core."""
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)


def parsed_text_by_processes(
    parser: Parser,
    choice: ModelChoice,
    sentences: Iterable[Sentence],
    writing: Writing,
    processes: Processes,
    nothing_waits: NothingWaits = lambda: False,
) -> Generator[str]:
    """As `parsed_text`, byte for byte, by processes of one thread each; by this process if the input is short, or comes
    slowly (``nothing_waits``, see `numbered_windows`).

    ``choice`` is what ``parser`` was loaded from. Each process loads the models once, receives windows of sentences
    and returns text. See `synparse.files.processes.map_in_order`.
    """
    windows = numbered_windows(sentences, nothing_waits)
    first: list[Window] = []
    if processes.number > 1:
        for window in windows:
            if window.is_early and not first:
                yield _text(parser, writing, window)
                continue
            first.append(window)
            if window.is_early or len(first) == processes.least_windows:
                break
    windows = itertools.chain(first, windows)
    if len(first) < processes.least_windows:
        yield from (_text(parser, writing, window) for window in windows)
    else:
        text_of = functools.partial(_text_in_process, choice, writing)
        yield from map_in_order(text_of, windows, processes.number, lambda window: window.is_early)


def parsed_text_by(
    executor: Executor, choice: ModelChoice, sentences: Iterable[Sentence], writing: Writing
) -> Generator[str]:
    """As `parsed_text`, byte for byte, by an executor. Where that is this process, it has its threads again afterwards,
    and keeps no parser."""
    torch = sys.modules.get("torch")
    threads = torch and torch.get_num_threads()
    try:
        yield from executor(functools.partial(_text_in_process, choice, writing), numbered_windows(sentences))
    finally:
        loaded.cache_clear()
        if torch is not None:
            torch.set_num_threads(threads)


def shared(choice: ModelChoice) -> ModelChoice:
    """The models by absolute path, with the time of their last change: a worker reloads models that have changed."""
    names = tuple(name if name in TRIVIAL_PARSERS else str(model_folder(name).absolute()) for name in choice.names)
    files = (path for name in names if name not in TRIVIAL_PARSERS for path in Path(name).rglob("*"))
    return choice._replace(names=names, changed=max((path.stat().st_mtime_ns for path in files), default=0))


@functools.lru_cache(maxsize=1)
def loaded(choice: ModelChoice) -> Parser:
    """The parser of a worker process, loaded once."""
    parser = Parser.load(choice.names, choice.options)
    one_thread()
    return parser


def _text_in_process(choice: ModelChoice, writing: Writing, window: Window) -> str:
    return _text(loaded(choice), writing, window)


def _text(parser: Parser, writing: Writing, window: Window) -> str:
    tokens = [sentence.tokens for sentence in window.sentences]
    drafts = [draft_of_sentence(sentence, writing.request.keep) for sentence in window.sentences]
    parses: Iterable[Parse] = parser.parse_window(tokens, writing.request, drafts)
    if "heads" in writing.request.keep:
        parses = map(with_relations_of, parses, window.sentences)
    pairs: Iterable[tuple[Sentence, Parse]] = zip(window.sentences, parses, strict=True)
    if not writing.blank_lines:
        pairs = (pair for pair in pairs if pair[0].tokens)
    return "".join(FORMATS[writing.format](pairs, window.before))
