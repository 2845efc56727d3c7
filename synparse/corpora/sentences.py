"""Reading sentences from files of four formats: text, CoNLL-U, bracketed trees, and parses as JSON."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from synparse.corpora.tokenization import Tokenizer
from synparse.files.packed import ending_of
from synparse.files.streams import first_lines, read_lines
from synparse.trees.beginning import CONLLU_FILES, NO_TREE, TREE_FILES
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import ConlluSentence, SurfaceToken, read_conllu, with_blank_line
from synparse.trees.constituency import ConstituencyTree
from synparse.trees.json_lines import read_json_lines
from synparse.trees.scored_words import NO_WORDS
from synparse.trees.spans import with_words

InputFormat: TypeAlias = Literal["text", "conllu", "brackets", "json"]
FORMATS = TEXT, CONLLU, BRACKETS, JSON = ("text", "conllu", "brackets", "json")

SUFFIXES = {
    **dict.fromkeys(CONLLU_FILES, CONLLU),
    **dict.fromkeys(TREE_FILES, BRACKETS),
    ".json": JSON,
    ".jsonl": JSON,
    ".txt": TEXT,
}

# A tree opens two brackets before its first word, perhaps the second one on the next line: "( (S", "(X (_ Hi))".
_TREE = re.compile(r"\s*\(\s*([^\s()]*\s*\(|$)|\s*\([^\s()]+\s*$")

# What may be a tree of a few words, such as "(UH Yes)", or text in brackets, as what comes after it shows.
_FLAT_TREE = re.compile(r"\s*\([^\s()]+\s.*\)\s*$")

# An object, as parses are written; or a list of objects, a list of such lists (Stanza) or an object over several lines,
# which are refused as JSON.
_JSON = re.compile(r'\s*(?:\[\s*)*\{\s*(?:"[^"]*"\s*:|$)|\s*\[\s*$')

# The first word of a sentence of CoNLL-U whose columns blanks separate: refused as CoNLL-U.
_WITH_BLANKS = re.compile(r"1(?:-\d+)?(?: +\S+){4} +(?:_|\S+=\S+) +(?:_|\d+) +\S+ +(?:_|\d+:\S+) +(?:_|\S+=\S+)\s*$")

_LINES_TO_PEEK = 100


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an input: its tokens, and their tags (XPOS of CoNLL-U, those of brackets) if the input has them.

    conllu: the sentence in its CoNLL-U file; tree: the constituents that came with it; heads: the heads of JSON, of
    which some may be unknown; surface: the tokens of running text and of JSON as they are written, if known; upos,
    relations: of the tokens in CoNLL-U (UPOS) and in JSON (tags), ``_`` or "" for none; sent_id, others: of JSON, its
    number and what has keys of other programs.
    A blank line of text is a sentence without tokens: one sentence in, one sentence out.
    """

    tokens: tuple[str, ...]
    tags: tuple[str, ...] | None = None
    conllu: ConlluSentence | None = None
    tree: ConstituencyTree | None = None
    heads: tuple[int | None, ...] | None = None
    surface: tuple[SurfaceToken, ...] = ()
    upos: tuple[str, ...] | None = None
    relations: tuple[str, ...] | None = None
    sent_id: str = ""
    others: Mapping[str, Any] = field(default_factory=dict, hash=False)


def read_sentences(path: str, tokenizer: Tokenizer, format: str | None = None) -> Iterator[Sentence]:
    """The sentences of a file (``-`` = standard input), streamed. Only text goes through the tokenizer.

    Without ``format``, the file's ending shows the format, or else its first lines. Raises DataError(file:line) if the
    file is malformed.
    """
    format, lines = with_format(path, read_lines(path), format)
    yield from sentences_of(lines, path, tokenizer, format)


def with_format(path: str, lines: Iterable[str], format: str | None = None) -> tuple[str, Iterable[str]]:
    """The format of a file (if none is given, by its ending or its first lines), and all its lines."""
    format = format or format_by_name(path)
    if format is not None:
        return format, lines
    again, ahead = itertools.tee(lines)  # no more are read than are looked at: the next one may not be there yet
    return format_of(itertools.islice(ahead, _LINES_TO_PEEK)), again


def read_files(paths: Sequence[str], tokenizer: Tokenizer, format: str | None = None) -> Iterator[Sentence]:
    """The sentences of one file after the other; CoNLL-U ends with a blank line."""
    for path in paths:
        yield from map(ended, read_sentences(path, tokenizer, format))


def ended(sentence: Sentence) -> Sentence:
    """The sentence so that another may follow it: CoNLL-U with a blank line at its end."""
    if sentence.conllu is None or not sentence.conllu.lines[-1].strip():
        return sentence
    return replace(sentence, conllu=replace(sentence.conllu, lines=with_blank_line(sentence.conllu.lines)))


def sentences_of(lines: Iterable[str], source: str, tokenizer: Tokenizer, format: str) -> Iterator[Sentence]:
    """The sentences of the lines of ``source``, in one of `FORMATS`; see `read_sentences`."""
    if format == CONLLU:
        for conllu in read_conllu(lines, source):
            xpos = conllu.xpos
            tags = tuple("" if tag == "_" else tag for tag in xpos)
            yield Sentence(conllu.words, tags, conllu, upos=conllu.upos, relations=conllu.relations)
    elif format == BRACKETS:
        for _, tree in read_brackets(lines, source):
            kept = [tag not in NO_WORDS for tag in tree.tags]  # traces are not words
            if not all(kept):
                tree = with_words(tree, kept)
            yield Sentence(tree.words, tree.tags, tree=tree)
    elif format == JSON:
        for read in read_json_lines(lines, source):
            yield Sentence(
                read.tokens,
                tree=read.tree,
                heads=read.heads,
                surface=read.surface,
                upos=read.tags,
                relations=read.relations,
                sent_id=read.sent_id,
                others=read.others,
            )
    else:
        for line in lines:
            for words, surface in tokenizer(line):
                yield Sentence(words, surface=surface)


def format_of_file(path: str) -> str:
    """The format of a file by its ending, or else by its first lines."""
    return format_by_name(path) or format_of(first_lines(path, _LINES_TO_PEEK))


def format_by_name(path: str) -> str | None:
    """The format of a file by its ending, that of packed files aside; None where it says none."""
    return SUFFIXES.get(ending_of(path))


def format_of(lines: Iterable[str]) -> str:
    """The format of a file by its first lines: CoNLL-U has ten columns, trees begin with a bracket, perhaps after
    lines of `NO_TREE`, and one of the first ones has another bracket in it, JSON begins with an object or a list of
    objects, everything else is text."""
    for line in lines:
        if not line.strip() or line.startswith(NO_TREE):
            continue
        if (line.count("\t") == 9 and line[0].isdigit()) or _WITH_BLANKS.match(line):
            return CONLLU
        if _JSON.match(line):
            return JSON
        if _TREE.match(line):
            return BRACKETS
        if not _FLAT_TREE.match(line):
            return TEXT
    return TEXT
