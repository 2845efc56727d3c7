"""Files of minimal pairs: two sentences that differ as little as possible, of which one is grammatical.

Three kinds of file are read:

- tab-separated, with a head line that names the columns ``grammatical`` and ``ungrammatical`` (or ``sentence_good`` and
  ``sentence_bad``). A column ``intrusive`` may hold a third sentence: of negative polarity items (Marvin and Linzen
  2018), the one whose licensor stands where it does not license. Other columns can group the pairs;
- tab-separated without a head line: the first two columns;
- JSON, an object on each line, as BLiMP is published (Warstadt et al. 2020): sentence_good, sentence_bad, and UID,
  linguistics_term and field, which are here called paradigm, phenomenon and field.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from synparse.files.streams import read_lines
from synparse.scoring.acceptability import GRAMMATICAL, INTRUSIVE, UNGRAMMATICAL
from synparse.trees.errors import DataError, SettingError
from synparse.trees.limits import LONGEST_PAIR_LINE

_PAIR = (GRAMMATICAL, UNGRAMMATICAL)
_SENTENCES = ("sentence_good", "sentence_bad")

_NAMES = {"UID": "paradigm", "linguistics_term": "phenomenon"}
"""Other names of columns."""

_OF_PAPER = {("phenomenon", "s-selection"): "argument_structure", ("field", "syntax/semantics"): "syntax_semantics"}
"""Values of BLiMP's files that its paper, with 12 phenomena in 4 fields, has under another name."""


class Item(NamedTuple):
    """A minimal pair: the line of the file that it stands in, its sentences by `GRAMMATICAL`, `UNGRAMMATICAL` and,
    where there is one, `INTRUSIVE`, and the values of all other columns by their names."""

    line: int
    sentences: Mapping[str, str]
    columns: Mapping[str, str]


@dataclass(frozen=True)
class PairFile:
    """columns: the names of the columns that are no sentences; items: the pairs, streamed; has_names: whether the
    file says which sentence is which."""

    columns: tuple[str, ...]
    items: Iterator[Item]
    has_names: bool = True


class _NumberedLine(NamedTuple):
    number: int
    text: str


def read_pairs(path: str, columns: Sequence[str] = ()) -> PairFile:
    """The pairs of a file (``-`` is standard input), unpacked where it is packed.

    columns: the names of the columns, or keys, of the grammatical and of the ungrammatical sentence, where they have
    other names than above. Raises DataError(file:line) where a line holds no two sentences, for a file without pairs,
    or without these columns; SettingError where ``columns`` are not two.
    """
    if columns and (len(columns) != 2 or columns[0] == columns[1]):
        raise SettingError("--columns takes two names: of the grammatical sentence and of the ungrammatical one")
    sentences = dict(zip(columns or _SENTENCES, _PAIR, strict=True))
    names = {**sentences, **_NAMES}
    if columns:  # others may have the names of ours
        names = {**dict.fromkeys(_PAIR, "other"), **names}
    lines = _lines(path)
    first = next(lines, None)
    if first is None:
        raise DataError("holds no pairs: it is empty", path)
    if first.text.startswith("{"):
        return _json_file(itertools.chain([first], lines), path, names)
    cells = [cell.strip() for cell in first.text.split("\t")]
    if not columns:  # ours may be in capitals
        ours = {*_PAIR, *names} - {*cells}
        cells = [cell.lower() if cell.lower() in ours else cell for cell in cells]
    head = tuple(names.get(cell, cell) for cell in cells)
    missing = [name for name in columns or _PAIR if name not in (cells if columns else head)]
    if not missing:
        return PairFile(_grouping(head), _not_empty(_rows(lines, path, head), path))
    if columns or len(missing) == 1:
        raise DataError(f"has no column {missing[0]}; it has {', '.join(cells)}", path, first.number)
    return PairFile((), _rows(itertools.chain([first], lines), path, _PAIR), has_names=False)


def _lines(path: str) -> Iterator[_NumberedLine]:
    """The lines that are not blank, without their ends."""
    for number, line in enumerate(read_lines(path), 1):
        if len(line) > LONGEST_PAIR_LINE:
            raise DataError(f"a line of more than {LONGEST_PAIR_LINE} characters", path, number)
        if line.strip():
            yield _NumberedLine(number, line.rstrip("\r\n"))


def _grouping(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in (*_PAIR, INTRUSIVE))


def _not_empty(items: Iterator[Item], path: str) -> Iterator[Item]:
    first = next(items, None)
    if first is None:
        raise DataError("holds no pairs, only the names of the columns", path)
    yield first
    yield from items


def _rows(lines: Iterable[_NumberedLine], path: str, head: Sequence[str]) -> Iterator[Item]:
    needed = 1 + max(head.index(GRAMMATICAL), head.index(UNGRAMMATICAL))
    for number, text in lines:
        cells = text.split("\t")
        if len(cells) < needed:
            count = "1 column" if len(cells) == 1 else f"{len(cells)} columns"
            raise DataError(f"{count}, but the pair takes {needed}; tabs separate columns", path, number)
        yield _item(number, dict(zip(head, cells, strict=False)), path)


def _json_file(lines: Iterable[_NumberedLine], path: str, names: Mapping[str, str]) -> PairFile:
    items = (_item(number, _object(text, path, number, names), path) for number, text in lines)
    first = next(items)
    return PairFile(tuple(first.columns), itertools.chain([first], items))


def _object(text: str, path: str, line: int, names: Mapping[str, str]) -> dict[str, str]:
    """The values of a JSON object, by the names of columns."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise DataError("not JSON", path, line) from None
    if not isinstance(value, dict):
        raise DataError("not a JSON object", path, line)
    values = {names.get(key, key): content for key, content in value.items()}
    for key, name in names.items():
        if name in _PAIR and name not in values:
            raise DataError(f"has no key {key}; it has {', '.join(value) or 'none'}", path, line)
        if name in _PAIR and not isinstance(values[name], str | None):
            raise DataError(f"{key if key in value else name} is no sentence: {values[name]!r}", path, line)
    return {name: "" if content is None else str(content) for name, content in values.items()}


def _item(line: int, values: Mapping[str, str], path: str) -> Item:
    values = {name: " ".join(value.split()) for name, value in values.items()}  # JSON may have tabs and line ends
    sentences = {name: values.get(name, "") for name in (*_PAIR, INTRUSIVE)}
    if not sentences[INTRUSIVE]:
        del sentences[INTRUSIVE]
    for name, sentence in sentences.items():
        if not sentence:
            raise DataError(f"the {name} sentence is empty", path, line)
    columns = {name: _OF_PAPER.get((name, values[name]), values[name]) for name in _grouping(values)}
    return Item(line, sentences, columns)
