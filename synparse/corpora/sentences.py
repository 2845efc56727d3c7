"""Reading sentences from files of four formats: text, CoNLL-U, bracketed trees, and parses as JSON."""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from synparse.corpora.languages import Language, language_of, language_or_english
from synparse.corpora.tokenization import (
    CHARACTERS,
    LINES_TO_LOOK_AT,
    WHITESPACE,
    Tokenizer,
    TokenizerChoice,
    are_words_separate,
    check_tokenizer,
    is_tokenized,
    language_of_lines,
    tokenizer_for,
)
from synparse.files.packed import ending_of
from synparse.files.streams import first_lines, is_read_once, read_lines
from synparse.trees.beginning import CONLLU_FILES, NO_TREE, TREE_FILES
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import ConlluSentence, SurfaceToken, read_conllu, with_blank_line
from synparse.trees.constituency import ConstituencyTree
from synparse.trees.errors import name_of
from synparse.trees.json_lines import read_json_lines
from synparse.trees.scored_words import NO_WORDS
from synparse.trees.spans import with_words

InputFormat: TypeAlias = Literal["text", "conllu", "brackets", "json"]
FORMATS = TEXT, CONLLU, BRACKETS, JSON = ("text", "conllu", "brackets", "json")

FILES_TO_COMPARE, LINES_TO_COMPARE = 20, 100
"""How many files, and first lines of them, show whether they are tokenised alike."""

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

LONGEST_MEAN_OF_SENTENCES = 40
"""Words of a line, on average, above which lines may be paragraphs."""


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


def chosen_tokenizer(
    paths: Sequence[str], language: str, raw: bool, format: str | None = None, own: str = WHITESPACE
) -> TokenizerChoice:
    """The tokenizer for these files in a language (its ISO 639 code or English name; "" if none is named: then that of
    a script without blanks, or English).

    Where a line is a sentence, the first lines of text show whether it is tokenised already; then, and where there is
    no text among the files, blanks separate words. ``own``: the tokenizer that a model has learned from, which is taken
    for running text, without a word on it, unless it is ``whitespace``. Raises SettingError for what is no language,
    DataError for a file that cannot be read.
    """
    language = language or _language_of_text(paths, format)
    known = language_or_english(language)
    lines = list(itertools.islice(_first_lines_of_text(paths, format), 1 if raw else LINES_TO_LOOK_AT))
    if not lines:
        return TokenizerChoice(WHITESPACE, "")
    choice = tokenizer_for(language, raw) if own == WHITESPACE else TokenizerChoice(own, "")
    if raw:
        return choice
    if len(paths) > 1:
        _warn_of_both_kinds(paths, known, format)
    if are_words_separate(lines, known, own):
        reason = "because punctuation is not attached to them" if known.has_blanks else "because words are separate"
        return TokenizerChoice(
            WHITESPACE, f"{known.name}: each line is a sentence, and blanks separate its words, {reason}"
        )
    advice = f"--raw splits running text into sentences; --tokenizer {WHITESPACE} splits at blanks only"
    lengths = [len(chunks) for line in lines if (chunks := line.split())]
    if (words := sum(lengths) // max(1, len(lengths))) > LONGEST_MEAN_OF_SENTENCES:
        advice = f"lines have {words} words on average: --raw splits paragraphs into sentences"
        if not choice.note:
            return choice._replace(note=advice)
    note = choice.note.replace(": ", ": each line is a sentence, ", 1)
    return choice._replace(note=note and f"{note}; {advice}")


def _warn_of_both_kinds(paths: Sequence[str], language: Language, format: str | None) -> None:
    """Warn if one text is tokenised and another one is not: all are split alike. A few lines of a few files show it."""
    examples: dict[bool, str] = {}
    for path in [path for path in paths if not is_read_once(path)][:FILES_TO_COMPARE]:
        lines = list(itertools.islice(_first_lines_of_text([path], format), LINES_TO_COMPARE))
        shown = {is_tokenized(lines, language, unless_shown) for unless_shown in (True, False)}
        if len(shown) == 1 and len(lines) > LINES_TO_COMPARE / 10:
            examples.setdefault(shown.pop(), name_of(path))
    if len(examples) == 2:
        warnings.warn(
            f"{examples[True]} is tokenised, {examples[False]} is not, and the first lines of all decide how all are "
            "split: prepare them alike",
            stacklevel=2,
        )


def tokenizer_for_model(
    paths: Sequence[str],
    own: str,
    own_language: str,
    *,
    tokenizer: str | None = None,
    language: str | None = None,
    raw: bool = False,
    format: str | None = None,
) -> TokenizerChoice:
    """The tokenizer of files for a model that has learned from words by the tokenizer ``own``, in ``own_language`` ("":
    not known). One that is named goes first; then `chosen_tokenizer`, which for text in the model's own language takes
    the model's own tokenizer, if that splits running text. The note is empty where there is nothing to say: blanks
    separate words, or the model decides, whose language is not split into characters for want of a segmenter.

    Raises as `chosen_tokenizer`.
    """
    if tokenizer is not None:
        check_tokenizer(tokenizer)
        return TokenizerChoice(tokenizer, "")
    code = own_language if language is None else language_of(language).code
    is_own = language is None or (bool(own_language) and code == language_of(own_language).code)
    choice = chosen_tokenizer(paths, code, raw, format, own if is_own else WHITESPACE)
    is_expected = language is None and (choice.name == WHITESPACE or (raw and bool(code) and choice.name != CHARACTERS))
    return choice._replace(note="") if is_expected else choice


def text_settings(
    paths: Sequence[str],
    tokenizer: str | None,
    language: str | None,
    raw: bool = False,
    format: str | None = None,
    has_own: bool = False,
) -> tuple[dict[str, str], str]:
    """The settings ``tokenizer`` and ``language`` of a training text, if they are given or the text shows them, and a
    note on what was chosen (empty if nothing was). Without a tokenizer, one is chosen for a language
    (`chosen_tokenizer`); without both, for text that is not tokenised, unless a recipe or a model of the user
    ``has_own``. Text in a script without blanks shows its language. Raises as `chosen_tokenizer`."""
    settings, note = {}, ""
    if language is None and tokenizer is None and not has_own:
        language = _language_of_text(paths, format) or None
    if language is not None:
        settings["language"] = language_of(language).code
    if tokenizer is None and language is not None:
        tokenizer, note = chosen_tokenizer(paths, settings["language"], raw, format)
    elif tokenizer is None and not has_own:
        choice = chosen_tokenizer(paths, "", raw, format)
        if choice.name != WHITESPACE:
            tokenizer, note = choice
    if tokenizer is not None:
        settings["tokenizer"] = tokenizer
    return settings, note


def _language_of_text(paths: Sequence[str], format: str | None) -> str:
    return language_of_lines(list(itertools.islice(_first_lines_of_text(paths, format), LINES_TO_LOOK_AT)))


def _first_lines_of_text(paths: Sequence[str], format: str | None) -> Iterator[str]:
    """The first lines of the files that are text."""
    for path in paths:
        if (format or format_of_file(path)) == TEXT:
            yield from first_lines(path, LINES_TO_LOOK_AT)


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
        if not line.strip() or line.startswith(("#", *NO_TREE)):
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
