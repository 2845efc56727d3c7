"""Pictures of the trees in a file: CoNLL-U, brackets, or what ``synparse parse --format json`` writes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from synparse.drawing.conversion import ConvertedFormat, converter
from synparse.drawing.latex import sheet_latex
from synparse.drawing.layout import MatchedWords, Structure
from synparse.drawing.page import sentence_heading, sheet_page
from synparse.drawing.parses import read_parses
from synparse.drawing.svg import sheet_svg
from synparse.drawing.text import Piece, picture_lines, plain
from synparse.scoring.dependencies import UNLABELLED
from synparse.scoring.in_step import NamedLines, in_step, other_words
from synparse.trees.beginning import beginning_of
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import CONFIDENCE, ConlluSentence, read_conllu
from synparse.trees.constituency import escaped
from synparse.trees.dependency import DependencyTree
from synparse.trees.errors import STANDARD_STREAM, DataError, SettingError, name_of

InputFormat: TypeAlias = Literal["conllu", "brackets", "json"]
PictureFormat: TypeAlias = Literal["text", "svg", "html"]
TreeFormat: TypeAlias = Literal[PictureFormat, ConvertedFormat, "latex"]

MOST_OF_TITLE = 60
"""Characters of a sentence that is the title of a page."""


class Drawn(NamedTuple):
    """A sentence: what is drawn of it, its ``sent_id`` if it has one, and its text, if that is not its words."""

    structures: Sequence[Structure]
    id: str = ""
    text: str = ""

    @property
    def words(self) -> Sequence[str]:
        return self.structures[0].words if self.structures else ()


_RANGE = re.compile(r"([1-9][0-9]{0,8})(?:(-)([1-9][0-9]{0,8})?)?\Z")


def show(
    lines: Iterable[str],
    name: str,
    *,
    beside: Sequence[NamedLines] = (),
    input_format: InputFormat | None = None,
    first: int = 1,
    last: int | None = None,
    picture: TreeFormat = "text",
    width: int = 0,
    styled: Callable[[Iterable[Piece]], str] = plain,
) -> Iterator[str | bytes]:
    """Draw the sentences ``first … last`` (from 1; None: to the end) of a file with these lines.

    name: of the file, for messages and the page's title. beside: files of the same sentences, parsed otherwise; each
    sentence is drawn as every file has it. input_format: by the first character, unless it is given. width: text is
    folded at this many cells; 0 never. styled: how the pieces of a line of text become a string.
    Nothing is read past the last sentence. Text is drawn as it is read; SVG, HTML and LaTeX come as one string, PNG and
    PDF as bytes. Raises DataError(file:line) if a file is malformed, heads are not a tree, files have other words or
    other numbers of sentences, or there is no such sentence, and as `synparse.drawing.conversion.converter` does.

    >>> print(*show(["(S (NP (DT the) (NN dog)) (VP barks))"], "dogs"), sep="", end="")
    sentence 1
    S
    ├─────────┐
    NP        │
    ├────┐    │
    DT   NN   VP
    the  dog  barks
    """
    files = [NamedLines(name, lines), *beside]
    names = [file.name for file in files] if beside else [""]
    chosen = _chosen(_in_step(files, input_format, first), first, last, name)
    sentences = (
        (f"sentence {number}{', ' * bool(of)}{of}", drawn.structures)
        for number, parses in chosen
        for of, drawn in zip(names, parses, strict=True)
    )
    if picture == "svg":
        yield _sheet(sentences)
    elif picture == "png" or picture == "pdf":
        yield converter(picture)(_sheet(sentences))
    elif picture == "latex":
        yield sheet_latex(sentences)
    elif picture == "html":
        titles = [Path(file.name).name for file in files if file.name != name_of(STANDARD_STREAM)]
        yield _page(", ".join(titles), list(chosen), names)
    else:
        for number, (title, structures) in enumerate(sentences):
            if number:
                yield "\n"
            yield f"{styled([(title, 'note')])}\n"
            for position, structure in enumerate(structures):
                if position:
                    yield "\n"
                yield from (f"{styled(line)}\n" for line in picture_lines(structure, width))


def sentence_range(text: str | None) -> tuple[int, int | None]:
    """The first and the last sentence (None: the end) of a range, counted from 1. Raises SettingError.

    >>> sentence_range("3"), sentence_range("3-5"), sentence_range("3-"), sentence_range(None)
    ((3, 3), (3, 5), (3, None), (1, None))
    """
    if text is None:
        return 1, None
    match = _RANGE.match(text)
    if not match:
        raise SettingError(f"--sentences: {text!r} is no range like 3, 3-5 or 3-")
    first, dash, last = match.groups()
    if last is not None and int(last) < int(first):
        raise SettingError(f"--sentences: {text} ends before it begins")
    return int(first), int(last) if last else None if dash else int(first)


def _sheet(sentences: Iterable[tuple[str, Sequence[Structure]]]) -> str:
    """All sentences as one picture; a lone sentence, which is often for a paper, has no title."""
    titled = list(sentences)
    return sheet_svg(titled if len(titled) > 1 else [("", structures) for _, structures in titled])


def _page(title: str, sentences: Sequence[tuple[int, Sequence[Drawn]]], captions: Sequence[str]) -> str:
    """Each sentence with its number and text, as the first file has them; the text of the first is the title where
    there is none."""
    texts = [parses[0].text or " ".join(parses[0].words) for _, parses in sentences]
    names = [sentence_heading(number, parses[0].id) for number, parses in sentences]
    first = "".join(texts[:1])
    first = first if len(first) <= MOST_OF_TITLE else f"{first[:MOST_OF_TITLE].rstrip()} …"
    drawn = ([parse.structures for parse in parses] for _, parses in sentences)
    captioned = (list(zip(captions, structures, strict=True)) for structures in drawn)
    return sheet_page(title or first, zip(names, texts, captioned, strict=True))


def _in_step(
    files: Sequence[NamedLines], input_format: InputFormat | None, first_number: int
) -> Iterator[Sequence[Drawn]]:
    """Each sentence as all files have it, with words as they are in brackets or as they are elsewhere. first_number: as
    of `_drawn`."""

    def read(file: NamedLines) -> Iterator[Drawn]:
        return _drawn(file.lines, file.name, input_format, first_number)

    first, *others = files
    if not others:
        yield from ([drawn] for drawn in read(first))
        return
    for number, reference, parses in in_step(others, first, read, "sentences"):
        for file, parse in zip(others, parses, strict=True):
            is_skipped = number < first_number
            if not is_skipped and list(map(escaped, parse.words)) != list(map(escaped, reference.words)):
                raise other_words(number, parse.words, reference.words, file.name, None, first.name)
        yield [reference, *parses]


def _drawn(lines: Iterable[str], name: str, input_format: InputFormat | None, first_number: int) -> Iterator[Drawn]:
    """The sentences, streamed; with nothing to draw for a parse without tokens. Before the ``first_number``, heads need
    not be a tree."""
    input_format, lines = with_format(lines, input_format)
    if input_format == "brackets":
        yield from (Drawn([tree]) for _, tree in read_brackets(lines, name))
    elif input_format == "json":
        yield from itertools.starmap(Drawn, read_parses(lines, name))
    else:
        sentences = (sentence for sentence in read_conllu(lines, name) if sentence.rows)
        for number, sentence in enumerate(sentences, 1):
            if number < first_number:
                yield Drawn([])
                continue
            heads = sentence.heads
            try:
                tree = DependencyTree(sentence.words, heads, _relations(sentence))
            except ValueError as error:
                raise DataError(f"not a tree: {error}", name, sentence.line_of_words) from None
            marked = MatchedWords(tree, words) if (words := sentence.matched_words) else tree
            yield Drawn([marked], sentence.comment("sent_id"), sentence.comment("text"))


def with_format(lines: Iterable[str], input_format: InputFormat | None) -> tuple[InputFormat, Iterable[str]]:
    """The format of a file, by its first character unless it is given, and all its lines."""
    if input_format:
        return input_format, lines
    character, lines = beginning_of(lines)
    return ("brackets" if character == "(" else "json" if character in ("{", "[") else "conllu"), lines


def _relations(sentence: ConlluSentence) -> tuple[str, ...] | None:
    """What is written at the arcs: relations, if some say more than the arcs do, and the probabilities that `synparse
    parse --confidence` writes."""
    named = sentence.relations if not UNLABELLED.issuperset(sentence.relations) else ("",) * len(sentence.rows)
    pairs = zip(named, sentence.attributes(CONFIDENCE), strict=True)
    relations = tuple(" ".join(filter(None, pair)) for pair in pairs)
    return relations if any(relations) else None


def _chosen(
    sentences: Iterable[Sequence[Drawn]], first: int, last: int | None, name: str
) -> Iterator[tuple[int, Sequence[Drawn]]]:
    """The sentences asked for, with their numbers."""
    number = 0
    for number, parses in enumerate(itertools.islice(sentences, last), 1):
        if number >= first and parses[0].structures:
            yield number, parses
    if not number:
        raise DataError("holds no sentences", name)
    if number < first:
        raise DataError(f"no sentence {first} to draw: the file holds {number}", name)
