"""CoNLL-U, read and written byte for byte: a sentence is its lines, and only heads, relations and tags of its word
lines change.

https://universaldependencies.org/format.html. Files in the older CoNLL-X format (ten columns too) are read in the same
way. This is our own reader and writer because the ``conllu`` library rewrites comments and blank lines, and its errors
do not name the line.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from synparse.trees.errors import DataError
from synparse.trees.limits import MOST_LINES
from synparse.trees.punctuation import is_punctuation

COLUMNS = 10
FORM, UPOS, XPOS, HEAD, RELATION, MISC = 1, 3, 4, 6, 7, 9

ARGMAX_HEAD, CONFIDENCE = "ArgmaxHead", "Confidence"
"""The attributes in column 10 that have the most probable head of a word, which need not be that of the tree, and the
probability of its arc."""

MATCH = "Match"
"""The attribute in column 10 that has the names of a word in the matches of a search."""

GLOBAL_COLUMNS = "global.columns"
"""The comment in the first line of CoNLL-U Plus that says what the columns are. It is of the file, not of the sentence
that it stands before."""

ROOT_RELATION, OTHER_RELATION, PUNCTUATION_RELATION = "root", "dep", "punct"

# Nine digits are more than any sentence needs, and Python refuses to convert thousands of them.
_WORD_ID = re.compile(r"[1-9][0-9]{0,8}\Z")
_OTHER_ID = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})\Z|([0-9]{1,9})\.([1-9][0-9]{0,8})\Z")
UNKNOWN = "_"
"""The value of an empty column."""

_HEAD = re.compile(r"[0-9]{1,9}\Z")

NOT_IN_FORMS = re.compile("[\0\t\n\r\ud800-\udfff]")
"""What no word has in it: a tab, a line end, half of a surrogate pair, or a NUL, which no file of text may have."""


class SurfaceToken(NamedTuple):
    """A token as it is written: how many words it has (German *zum* has two, *zu* and *dem*), and whether a blank
    follows."""

    form: str
    words: int = 1
    space_after: bool = True


@dataclass(frozen=True, slots=True)
class ConlluSentence:
    """One sentence: its lines exactly as in the file, and the columns of its words.

    lines: comments, words, multiword tokens, empty nodes and the blank line that follows, line ends included.
    word_lines: the indices of ``lines`` that are words. rows: the ten columns of each word. source, first_line: the
    file, and the number of the sentence's first line. Blank lines or comments alone are a sentence of no words.
    """

    lines: tuple[str, ...]
    word_lines: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]
    source: str
    first_line: int

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(row[FORM] for row in self.rows)

    @property
    def upos(self) -> tuple[str, ...]:
        return tuple(row[UPOS] for row in self.rows)

    @property
    def xpos(self) -> tuple[str, ...]:
        return tuple(row[XPOS] for row in self.rows)

    @property
    def relations(self) -> tuple[str, ...]:
        return tuple(row[RELATION] for row in self.rows)

    @property
    def surface(self) -> tuple[SurfaceToken, ...]:
        """The tokens as they are written, by its multiword tokens and ``SpaceAfter=No``."""
        lines = (line for line in self.lines if line.strip() and not line.startswith("#"))
        rows = (line.rstrip("\r\n").split("\t") for line in lines)
        return surface_of(
            (row[0].split("-"), row[FORM], "SpaceAfter=No" not in row[MISC].split("|"))
            for row in rows
            if "." not in row[0]
        )

    @property
    def line_of_words(self) -> int:
        """The number of the line with the first word."""
        return self.first_line + self.word_lines[0]

    @property
    def known_heads(self) -> tuple[int | None, ...]:
        """Heads as numbers, None for ``_``. Raises DataError(file:line) if another one is not a number or not a word of
        the sentence."""
        heads: list[int | None] = []
        for number, row in enumerate(self.rows):
            head = row[HEAD]
            if head != UNKNOWN and (not _HEAD.match(head) or int(head) > len(self.rows)):
                unknown = "an empty column 7; write _ where the head is not known"
                raise self._fault(number, f"head {head!r}, which is no word of the sentence" if head else unknown)
            heads.append(None if head == UNKNOWN else int(head))
        return tuple(heads)

    @property
    def heads(self) -> tuple[int, ...]:
        """The heads as numbers. Raises DataError(file:line) as `known_heads`, and if a word has none."""
        return self._all_heads("synparse parse --keep heads fills such gaps")

    @property
    def gold_heads(self) -> tuple[int, ...]:
        """The same of a gold tree, whose gaps no parser may fill."""
        return self._all_heads("complete the gold tree by hand, or leave it out")

    def _all_heads(self, advice: str) -> tuple[int, ...]:
        heads = self.known_heads
        if None in heads:
            raise self._fault(heads.index(None), f"no head; {advice}")
        return tuple(head or 0 for head in heads)

    @property
    def argmax_heads(self) -> tuple[int, ...]:
        """The most probable heads, which need not be a tree: those in column 10, or else in column 7. Raises
        DataError(file:line) where one is no word of the sentence, and where no word has one in column 10; punctuation,
        which models do not read, has none."""
        values = [value if _HEAD.match(value) else "" for value in self.attributes(ARGMAX_HEAD)]
        if not any(values) and not all(map(is_punctuation, self.words)):
            raise self._fault(0, f"no {ARGMAX_HEAD} in column 10: write it with synparse parse --distributions")
        heads = [int(value) if value else head for head, value in zip(self.heads, values, strict=True)]
        for number, head in enumerate(heads):
            if head > len(heads):
                raise self._fault(number, f"head {head}, which is no word of the sentence")
        return tuple(heads)

    @property
    def matched_words(self) -> frozenset[int]:
        """The words, from 1, that a search has found."""
        return frozenset(number for number, names in enumerate(self.attributes(MATCH), 1) if names)

    def attributes(self, name: str) -> tuple[str, ...]:
        """The value of this attribute in column 10 of each word, empty where there is none."""
        return tuple(_value(row[MISC].split("|"), f"{name}=") for row in self.rows)

    def comment(self, name: str) -> str:
        """The value of the comment ``# name = value``, empty where there is none."""
        return _value(self.lines, f"# {name} = ")

    def _fault(self, number: int, what: str) -> DataError:
        line = self.first_line + self.word_lines[number]
        return DataError(f"word {self.rows[number][0]} ({self.rows[number][FORM]}) has {what}", self.source, line)


def _value(texts: Iterable[str], beginning: str) -> str:
    return next((text.removeprefix(beginning).strip() for text in texts if text.startswith(beginning)), "")


def read_conllu(lines: Iterable[str], source: str, first_line: int = 1) -> Iterator[ConlluSentence]:
    """The sentences of a file, streamed, each as soon as the blank line after it is read; their lines, joined, are the
    file.

    Further blank lines are a sentence of no words. Lines are counted from ``first_line``. Raises DataError(source:line)
    if a line does not have ten columns, an ID does not follow from those before it, or a sentence has more than
    `MOST_LINES`.
    """
    block: list[str] = []
    begun = False
    for number, line in enumerate(lines, first_line):
        blank = not line.strip()
        if block and not begun and not blank:
            yield _sentence(block, source, first_line)
            block, first_line = [], number
        if len(block) == MOST_LINES:
            raise DataError(f"a sentence of more than {MOST_LINES} lines", source, first_line)
        block.append(line)
        if begun and blank:
            yield _sentence(block, source, first_line)
            block, first_line = [], number + 1
        begun = not blank
    if block:
        yield _sentence(block, source, first_line)


def _sentence(block: list[str], source: str, first_line: int) -> ConlluSentence:
    word_lines: list[int] = []
    rows: list[tuple[str, ...]] = []
    last_token = 0  # the last word of a multiword token
    for position, line in enumerate(block):
        if line.startswith("#") or not line.strip():
            continue
        number = first_line + position
        columns = tuple(line.rstrip("\r\n").split("\t", COLUMNS))  # at most one column too many
        if len(columns) != COLUMNS:
            tabs = line.count("\t")
            fault = f"{tabs + 1} columns where CoNLL-U has {COLUMNS}"
            if not tabs:
                separated = f"the {COLUMNS} columns of CoNLL-U are separated by tabs, not spaces"
                made = "convert makes CoNLL-U from trees" if line[0] == "(" else "parse makes CoNLL-U from text"
                fault = f"no tab: {separated}; synparse {made}"
            raise DataError(fault, source, number)
        identifier = columns[0]
        if rows and identifier.partition("-")[0] == "1":
            raise DataError(f"ID {identifier} after word {len(rows)}: a blank line ends each sentence", source, number)
        if _WORD_ID.match(identifier):
            if int(identifier) != len(rows) + 1:
                raise DataError(f"word ID {identifier} where {len(rows) + 1} is expected", source, number)
            if not columns[FORM]:
                raise DataError(f"word {identifier} has no form", source, number)
            word_lines.append(position)
            rows.append(columns)
            continue
        match = _OTHER_ID.match(identifier)
        if not match:
            raise DataError(
                f"{identifier!r} is no ID of a word (7), multiword token (7-8) or empty node (7.1)", source, number
            )
        first, last, before, _ = match.groups()
        if before is not None:
            if int(before) != len(rows):
                raise DataError(f"empty node {identifier} stands after word {len(rows)}", source, number)
        else:
            if int(first) != len(rows) + 1 or int(first) <= last_token or int(last) < int(first):
                raise DataError(f"multiword token {identifier} stands before word {len(rows) + 1}", source, number)
            last_token = int(last)
    if last_token > len(rows):
        raise DataError(f"a multiword token reaches to word {last_token} of {len(rows)}", source, first_line)
    return ConlluSentence(tuple(block), tuple(word_lines), tuple(rows), source, first_line)


def with_heads(sentence: ConlluSentence, heads: Sequence[int], relations: Sequence[str]) -> ConlluSentence:
    """The sentence with new heads and relations in columns 7 and 8 of its word lines; nothing else changes.

    Raises ValueError if there is not one of each for every word.
    """
    return _with_columns(sentence, HEAD, [(str(head), name) for head, name in zip(heads, relations, strict=True)])


def with_misc(
    sentence: ConlluSentence, attributes: Sequence[Mapping[str, str]], names: Collection[str]
) -> ConlluSentence:
    """The sentence with attributes of each word in column 10, after those it has; older ones with these names go.

    Raises ValueError if there is not one mapping for every word.
    """
    pairs = list(zip(sentence.rows, attributes, strict=True))
    if all(row[MISC] == UNKNOWN and not new for row, new in pairs):
        return sentence
    values = []
    for row, new in pairs:
        older = [] if row[MISC] == UNKNOWN else row[MISC].split("|")
        values.append((_misc([attribute for attribute in older if attribute.partition("=")[0] not in names], new),))
    return _with_columns(sentence, MISC, values)


def _misc(older: Sequence[str], new: Mapping[str, str]) -> str:
    """New attributes are in the order of their names, in which udapi, pyconll and Stanza write all of them, so that
    these change nothing in a file."""
    return "|".join([*older, *(f"{name}={value}" for name, value in sorted(new.items()))]) or UNKNOWN


def with_comments(sentence: ConlluSentence, comments: Mapping[str, str], names: Collection[str]) -> ConlluSentence:
    """The sentence, which has words, with comments ``# name = value`` after those it has; older ones with these names
    go."""
    older = tuple(f"# {name} = " for name in names)
    lines = [line for line in sentence.lines if not line.startswith(older)]
    if comments:
        first = next(position for position, line in enumerate(lines) if line.strip() and not line.startswith("#"))
        line_end = _line_end(lines[0]) or "\n"  # the only line of a file may have none
        lines[first:first] = [f"# {name} = {value}{line_end}" for name, value in comments.items()]
    elif len(lines) == len(sentence.lines):
        return sentence
    return _sentence(lines, sentence.source, sentence.first_line)


def with_tags(sentence: ConlluSentence, tags: Sequence[str]) -> ConlluSentence:
    """The sentence with new tags of its words, which are no UPOS: those in column 5 of their lines, and none in column
    4; nothing else changes.

    Raises ValueError if there is not one for every word.
    """
    return _with_columns(sentence, UPOS, [(UNKNOWN, tag) for tag in tags])


def with_upos(sentence: ConlluSentence, upos: Sequence[str]) -> ConlluSentence:
    """The sentence with these parts of speech in column 4 of the words that have none; nothing else changes.

    Raises ValueError if there is not one for every word.
    """
    pairs = zip(sentence.upos, upos, strict=True)
    return _with_columns(sentence, UPOS, [(new if own == UNKNOWN else own,) for own, new in pairs])


def _with_columns(sentence: ConlluSentence, first: int, values: Sequence[tuple[str, ...]]) -> ConlluSentence:
    """The sentence with other values in neighbouring columns of its word lines."""
    lines, rows = list(sentence.lines), []
    for position, row, value in zip(sentence.word_lines, sentence.rows, values, strict=True):
        changed = (*row[:first], *value, *row[first + len(value) :])
        lines[position] = "\t".join(changed) + _line_end(lines[position])
        rows.append(changed)
    return ConlluSentence(tuple(lines), sentence.word_lines, tuple(rows), sentence.source, sentence.first_line)


def with_blank_line(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines of a sentence, with a blank line at their end."""
    if not lines[-1].strip():
        return tuple(lines)
    line_end = _line_end(lines[0]) or "\n"
    return (*lines[:-1], lines[-1].rstrip("\r\n") + line_end, line_end)


def _line_end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def induced_relations(heads: Sequence[int]) -> tuple[str, ...]:
    """``root`` for the root and ``dep`` for all other words: induction finds heads, not relations."""
    return tuple(OTHER_RELATION if head else ROOT_RELATION for head in heads)


def format_conllu(
    words: Sequence[str],
    heads: Sequence[int],
    relations: Sequence[str] | None = None,
    comments: Sequence[str] = (),
    upos: Sequence[str] = (),
    xpos: Sequence[str] = (),
    misc: Sequence[Mapping[str, str]] = (),
    surface: Sequence[SurfaceToken] = (),
    lemmas: Sequence[str] = (),
) -> str:
    """A new sentence with its blank line: comments, forms, lemmas, parts of speech, heads and relations, other
    attributes; and, with ``surface``, multiword tokens and ``SpaceAfter=No``.

    By default relations are `induced_relations`, lemmas and parts of speech ``_``. Raises ValueError if a word is empty
    or has one of `NOT_IN_FORMS` in it, or if the tokens have more or fewer words.
    """
    for word in words:
        if not word or NOT_IN_FORMS.search(word):
            raise ValueError(f"{word!r} cannot be the form of a word")
    relations = induced_relations(heads) if relations is None else relations
    unknown = (UNKNOWN,) * len(words)
    others: list[Mapping[str, str]] = [*misc] or [{}] * len(words)
    ranges = {}
    for first, last, token in numbered_tokens(surface, len(words)):
        glued = {} if token.space_after else {"SpaceAfter": "No"}
        if first < last:
            ranges[first] = f"{first}-{last}\t{token.form}" + "\t_" * (COLUMNS - 3) + f"\t{_misc((), glued)}\n"
        else:
            others[first - 1] = {**glued, **others[first - 1]}
    head_lines = "".join(f"# {comment}\n" for comment in comments)
    word_lines = "".join(
        f"{ranges.get(number, '')}{number}\t{word}\t{lemma}\t{universal}\t{tag}\t_\t{head}\t{relation}\t_\t"
        f"{_misc((), other) if other else UNKNOWN}\n"
        for number, (word, lemma, universal, tag, head, relation, other) in enumerate(
            zip(words, lemmas or unknown, upos or unknown, xpos or unknown, heads, relations, others, strict=True), 1
        )
    )
    return f"{head_lines}{word_lines}\n"


def numbered_tokens(surface: Sequence[SurfaceToken], words: int) -> list[tuple[int, int, SurfaceToken]]:
    """Each token with the numbers of its first and its last word. Raises ValueError if there are tokens, but of more or
    fewer words than these."""
    lasts = list(itertools.accumulate(token.words for token in surface))
    if surface and lasts[-1] != words:
        raise ValueError(f"tokens of {lasts[-1]} words, but there are {words}")
    return [(last - token.words + 1, last, token) for token, last in zip(surface, lasts, strict=True)]


def surface_of(tokens: Iterable[tuple[Sequence[Any], str, bool]]) -> tuple[SurfaceToken, ...]:
    """The tokens as they are written, of the words and multiword tokens of CoNLL-U in their order there: each with its
    number, or the first and last one of its words; its form; and whether a blank follows."""
    surface: list[SurfaceToken] = []
    done = 0
    for numbers, form, space_after in tokens:
        first, last = int(numbers[0]), int(numbers[-1])
        if first > done:  # else it is a word of a multiword token
            surface.append(SurfaceToken(form, last - first + 1, space_after))
            done = last
    return tuple(surface)


def text_of(surface: Sequence[SurfaceToken]) -> str:
    """The text of a sentence whose tokens are written in this way."""
    return "".join(token.form + " " * token.space_after for token in surface).rstrip()


def offsets_of(surface: Sequence[SurfaceToken], text: str) -> list[tuple[int, int]] | None:
    """Of each word, where its token begins and ends in a text, in characters: the words of a multiword token share
    them. None if the text is not these tokens, with or without blanks between."""
    offsets: list[tuple[int, int]] = []
    end = 0
    for token in surface:
        start = text.find(token.form, end)
        if start < 0 or text[end:start].strip():
            return None
        end = start + len(token.form)
        offsets += [(start, end)] * token.words
    return None if text[end:].strip() else offsets
