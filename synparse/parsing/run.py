"""A run of the parser, files in and text out: in this process, by several, or on a cluster."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from synparse.config.parsing import DEFAULT, Default, HeadDecoder, TreeDecoder
from synparse.corpora.languages import language_of
from synparse.corpora.sentences import TEXT, InputFormat, Sentence, read_files, sentences_of
from synparse.corpora.text_notes import text_notes
from synparse.corpora.tokenization import load_tokenizer
from synparse.corpora.tokenizer_choice import tokenizer_for_model
from synparse.files.cores import available_cores
from synparse.files.streams import STANDARD_STREAM, is_read_once, nothing_waits
from synparse.inducers.table import INDUCERS
from synparse.parsing.formats import with_assumptions
from synparse.parsing.jobs import ModelChoice, Writing, one_thread, parsed_text_by_processes, useful_processes
from synparse.parsing.options import LOCAL, OutputFormat, ParserOptions, Request, changed
from synparse.parsing.parser import Parser
from synparse.parsing.unknown_words import Report, first_sentences, watched
from synparse.store.shipped import default_model
from synparse.trees.errors import SettingError
from synparse.trees.trivial import RANDOM

MEGABYTE = 1 << 20

PATIENCE = 0.05
"""Seconds that a sentence of standard input waits for the next one, to be parsed together with it."""

PARTITION_SIZE = 32
"""Megabytes of a file that a worker of a cluster parses at a time."""


class Cluster(NamedTuple):
    """A Dask cluster: the address of its scheduler, or `LOCAL`; and how many megabytes of a file are a partition."""

    address: str
    partition_size: float = PARTITION_SIZE


def parse(
    inputs: Sequence[str],
    models: Sequence[str] = (),
    format: OutputFormat = "conllu",
    options: ParserOptions = ParserOptions(),  # noqa: B008 - immutable
    request: Request = Request(),  # noqa: B008
    *,
    raw: bool = False,
    tokenizer: str | None = None,
    language: str | None = None,
    input_format: InputFormat | None = None,
    jobs: int | None = None,
    cluster: Cluster | None = None,
    output: str = STANDARD_STREAM,
    text: str | None = None,
    report: Report = lambda _: None,
    counted: Callable[[Iterable[Sentence]], Iterable[Sentence]] = iter,
    **changes: Any,
) -> Generator[str]:
    """The text to write for the sentences of these files (``-`` is standard input), in order, in bounded memory.

    ``models``: by default the shipped one of the language, English if none is named; ``request``: what is written, of
    which ``changes`` are other values, and what the format has no place for is left out; ``tokenizer``, ``language``:
    by default the models' own; ``jobs``: processes, by default as many as make it faster. Workers of a ``cluster``
    write next to ``output``.
    ``report``: gets a note of the tokenizer that was chosen for the language or for text that is not tokenised, one of
    a table that is read as text, one where a cluster has no workers, and one if most words are unknown to the models
    (`unknown_words`). The baselines content-chain, whose function words are the most frequent words of the whole input,
    keep it in memory.
    ``text``: is parsed in place of files; ``counted``: what sentences pass through as they are read, to show progress.
    Raises SettingError for options that do not go together, DataError for bad files; both before the first text, except
    for errors in the input.
    """
    models = tuple(models or [default_model(language)])
    if cluster is not None:
        _check_for_cluster(cluster.address, inputs, output, models, jobs)
    if options.relation_rule is not None and format == "brackets":
        raise SettingError("--relations names arcs, which brackets do not have; use --format conllu or json")
    parser = Parser.load(models, options)
    request = changed(request, changes, Request)
    decoders = chosen_decoders(parser, format, request.brackets, request.heads)
    request = replace(request, brackets=decoders[0], heads=decoders[1])
    _check_format(format, request)
    if format == "json" and "heads" in request.keep:
        refuse_without_heads(parser, "--format brackets, or ")
    parser.checked(request)
    writing = Writing(format, request, blank_lines=format == "conllu" or not raw)
    name, language = tokenizer_of_input(parser, inputs, tokenizer, language, raw, input_format, report)
    tokenize = load_tokenizer(name, raw, language)
    sentences: Iterable[Sentence] = (
        read_files(inputs, tokenize, input_format) if text is None else sentences_of([text], "", tokenize, TEXT)
    )
    if parser.needs_text:
        sentences = list(sentences)
        function_words = parser.function_words_in(sentence.tokens for sentence in sentences)
        parser, options = parser.knowing(function_words), replace(options, content_chain_function_words=function_words)
    choice = ModelChoice(models, options)
    if cluster is None:
        one_thread()
        processes = useful_processes(parser, jobs, available_cores())
        sentences = counted(watched(sentences, parser.knows, models, report))
        waits = functools.partial(nothing_waits, PATIENCE) if STANDARD_STREAM in inputs else lambda: False
        texts = parsed_text_by_processes(parser, choice, sentences, writing, processes, waits)
    else:
        from synparse.parsing.cluster import PartitionTask, parsed_files

        size = round(cluster.partition_size * MEGABYTE)
        task = PartitionTask(choice, writing, name, raw, language)
        workers = jobs or available_cores()
        texts = parsed_files(cluster.address, workers, task, inputs, input_format, size, Path(output), report)
        first = first_sentences(read_files(inputs, tokenize, input_format))
        texts = _after_note(texts, parser, models, first, report)
    if format != "conllu":
        return texts
    return with_assumptions(texts, [*parser.assumptions, *_other_decoders(parser, decoders)])


def tokenizer_of_input(
    parser: Parser,
    inputs: Sequence[str],
    tokenizer: str | None,
    language: str | None,
    raw: bool,
    input_format: InputFormat | None,
    report: Report,
) -> tuple[str, str]:
    """The name of the tokenizer and the language of files for a parser, as `parse` chooses them; ``report`` gets notes
    of what was chosen and of tables."""
    chosen = tokenizer_for_model(
        *(inputs, parser.text.tokenizer, parser.text.language),
        tokenizer=tokenizer,
        language=language,
        raw=raw,
        format=input_format,
    )
    for note in filter(None, (chosen.note, *text_notes(inputs, input_format, raw or tokenizer is not None))):
        report(note)
    return chosen.name, parser.text.language if language is None else language_of(language).code


def _after_note(
    texts: Generator[str], parser: Parser, models: Sequence[str], first: Iterable[Sentence], report: Report
) -> Generator[str]:
    """The texts, after a look at the first sentences, which the workers of the cluster read again."""
    with contextlib.closing(texts):
        for _ in watched(first, parser.knows, models, report):
            pass
        yield from texts


def chosen_decoders(
    parser: Parser,
    format: OutputFormat,
    brackets: TreeDecoder | Default | None = DEFAULT,
    heads: HeadDecoder | Default | None = DEFAULT,
) -> tuple[TreeDecoder | None, HeadDecoder | None]:
    """The decoders of brackets and of heads of a run: those named, else the parser's own; None where not written.

    Raises SettingError for a decoder that does not fit the parser or the format.
    """
    if format == "conllu":
        refuse_without_heads(parser, "--format brackets or json, or ")
    else:
        _check_trees(parser)
    chosen = parser.checked(Request(brackets, heads))
    if format == "brackets":
        if heads != DEFAULT:
            raise SettingError("--decode-heads: brackets have no place for heads; use --format conllu or json")
        return chosen.tree_decoder, None
    if format == "conllu" and brackets == DEFAULT and chosen.heads != "joint":
        return None, chosen.head_decoder
    if format == "conllu" and chosen.heads not in ("joint", "phrases"):  # these follow from brackets
        raise SettingError(
            f"--decode-brackets: CoNLL-U has no place for brackets, and heads by {chosen.heads} do not depend on them; "
            "use --format brackets or json"
        )
    return chosen.tree_decoder, chosen.head_decoder


def _other_decoders(parser: Parser, chosen: tuple[TreeDecoder | None, HeadDecoder | None]) -> list[str]:
    """Those that are not the parser's own."""
    own = (("brackets", parser.tree_decoders), ("heads", parser.head_decoders))
    return [
        f"{part} {name}"
        for name, (part, possible) in zip(chosen, own, strict=True)
        if name not in (None, *possible[:1])
    ]


def refuse_without_heads(parser: Parser, other: str = "") -> None:
    """Raises SettingError for a parser that gives no heads. other: what can be used in place of one that does."""
    _check_trees(parser)
    if parser.head_decoders:
        return
    without = {member.model for member in parser.members}
    models = ", ".join(name for name, entry in INDUCERS.items() if entry.traits.gives_heads and name not in without)
    raise SettingError(
        f"{parser.name} induces no heads; use {other}a model that has heads (with grammars, or {models})"
    )


def _check_trees(parser: Parser) -> None:
    """Raises SettingError for a parser that makes no trees."""
    if not parser.tree_decoders and not parser.head_decoders:
        raise SettingError(f"{parser.name} has no grammars yet; continue its training with synparse train --resume")


def _check_format(format: OutputFormat, request: Request) -> None:
    """Raises SettingError for what the format has no place for."""
    if request.labels and format == "conllu":
        raise SettingError("--labels names constituents, which CoNLL-U does not have; use --format brackets or json")
    if request.flat and format == "conllu":
        raise SettingError("--flat: CoNLL-U has no constituents; use --format brackets or json")
    if request.labels and request.brackets == "projective":
        raise SettingError("--labels: brackets by projective are not binary, so no grammar can label them")
    if request.confidence != "none" and format == "brackets":
        raise SettingError("--confidence: brackets have no place for probabilities; use --format json or conllu")
    if request.distributions and format == "brackets":
        raise SettingError("--distributions: brackets have no place for heads; use --format json or conllu")
    if request.best and format != "json":
        raise SettingError("--n-best: only --format json has room for several trees")


def _check_for_cluster(
    address: str, inputs: Sequence[str], output: str, models: Sequence[str], jobs: int | None
) -> None:
    """Raises SettingError for options that a cluster cannot follow."""
    refuse_bad_address(address, jobs)
    if any(map(is_read_once, inputs)):
        raise SettingError("workers of a cluster (--dask) read files, not standard input or pipes; name them as TEXT")
    if output == STANDARD_STREAM:
        raise SettingError("workers of a cluster (--dask) write next to the output; name a file by --output")
    if RANDOM in models:
        raise SettingError("one process must draw all random trees; leave --dask out")


def refuse_bad_address(address: str, jobs: int | None) -> None:
    """Raises SettingError for what is neither `LOCAL` nor an address, and for a number of processes of a cluster that
    decides it itself."""
    if address != LOCAL and not re.fullmatch(r"(\w+://)?\S+:\d+", address):
        raise SettingError("--dask takes local, or an address such as tcp://host:8786")
    if jobs is not None and address != LOCAL:
        raise SettingError("the cluster decides its number of processes; leave --jobs out")
