"""Grammars as a linguist reads them, as text or as a page, from the values of `synparse grammar --format json`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from synparse.drawing import filters
from synparse.drawing.cells import cells_of, width_of
from synparse.drawing.markup import escaped
from synparse.drawing.page import contents, page, sections, table
from synparse.scoring.tables import Table

WORDS, ENTRIES = 10, 6
"""How many words of a class, and how many entries of any other list, are drawn at most."""

SELDOM = 0.01
"""A class with fewer dependents than this on a side, on average, has no list of them."""

NOTE_WIDTH = 100
"""In cells, where no other width is asked for."""

NARROWEST = 20
"""In cells. The last column is folded to what is left of the width, but not to less."""

STYLE = """\
th, td { text-align: left; }
tbody th { white-space: nowrap; }
"""

_NAME = re.compile(r"(?:^|(?<=, )|(?<=\+ ))[A-Z]+[0-9]+\b")
"""Of a class or nonterminal, at the places of a cell at which one may stand."""


class Section(NamedTuple):
    """A part of a report: its heading, what its numbers are, and its tables."""

    heading: str
    note: str
    tables: Sequence[Table]


def grammar_text(report: Mapping[str, Any], width: int = 0) -> Iterator[str]:
    """Lines of text; the last column is folded at this many cells, 0: never."""
    yield f"grammars of {_shown(report['model'])}\n"
    for section in _sections(report):
        yield f"\n{section.heading}\n"
        yield from (f"{line}\n" for line in _folded(section.note, width or NOTE_WIDTH))
        for content in section.tables:
            yield "\n"
            if content.title:
                yield f"{content.title}\n"
            yield from _lines(content.lines, width)


def grammar_page(report: Mapping[str, Any]) -> str:
    """An HTML page, ready to be written to a file and opened without a network."""
    parts = list(_sections(report))
    cell = _linked({_name(content) for section in parts for content in section.tables if content.title})
    form = filters.filters("#word-classes tbody tr, .entry", "classes and nonterminals", filters.TEXT)
    return page(
        f"Grammars of {Path(report['model']).name}",
        [form, *sections([(section.heading, _body(section, cell)) for section in parts])],
        STYLE + filters.STYLE,
        filters.SCRIPT,
    )


def _lines(rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Cells under each other."""
    widths = [max(map(width_of, cells)) for cells in zip(*rows, strict=True)][:-1]
    indent = 2 * len(widths) + sum(widths)
    for *cells, last in rows:
        before = "".join(f"{cell}{' ' * (room - width_of(cell) + 2)}" for cell, room in zip(cells, widths, strict=True))
        lines = _folded(last, width and max(width - indent, NARROWEST)) or [""]
        yield f"{before}{lines[0]}".rstrip() + "\n"
        yield from (f"{' ' * indent}{line}\n" for line in lines[1:])


def _folded(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) if width else [text]


def _body(section: Section, cell: Callable[[str], str]) -> Iterator[str]:
    """What the numbers are, links to the tables, and these."""
    yield f"<p>{escaped(section.note)}</p>\n"
    titled = [content for content in section.tables if content.title]
    if titled:
        yield contents(((_name(content), content.title.partition(":")[0]) for content in titled), section.heading)
    for content in section.tables:
        markup = table(content, cell)
        yield f'<div class="entry" id="{escaped(_name(content))}">\n{markup}</div>\n' if content.title else markup


def _name(content: Table) -> str:
    """Of the class or nonterminal that a table with a title is about."""
    return content.title.split(maxsplit=1)[0].rstrip(":")


def _linked(names: Collection[str]) -> Callable[[str], str]:
    """What makes markup of a cell in which names of tables are links to these."""

    def link(found: re.Match[str]) -> str:
        name = found[0]
        return f'<a href="#{name}">{name}</a>' if name in names else name

    return lambda text: _NAME.sub(link, escaped(text))


def _sections(report: Mapping[str, Any]) -> Iterator[Section]:
    classes = report["classes"]
    words = report["commonest"]
    rows = [
        (row["name"], _per_cent(row["share"]), _shown("  ".join(word["word"] for word in row["words"][:WORDS])))
        for row in classes
    ]
    note = (
        "Words that stand between the same words, learned from raw text. Per cent of the tokens; the commonest words."
    )
    yield Section("Word classes", note, [Table("", ("class", "%", "words"), rows)])
    if "dependencies" in report:
        kinds = [kind for kind in ("adpositions", "conjunctions") if report[kind]]
        known = "".join(f" {kind.title()}: {' '.join(report[kind])}." for kind in kinds)
        note = (
            f"Function words: {report['function_words']}.{known} Of each class as a head: per cent of its words that "
            "have no dependent on a side, and which classes the first (nearest) and the later dependents have, in per "
            "cent. Of each class as a dependent: which classes head it, and on which side of the head it stands."
        )
        tables = [_table_of_class(word_class, words) for word_class in report["dependencies"]]
        yield Section("Dependencies", note, tables)
    if "constituents" in report:
        note = (
            f"Grammar {report['grammar']} of {report['of']}. Of each nonterminal: its most probable rules, in per "
            "cent, and the words of the most probable short trees of both parts."
        )
        tables = [_table_of_nonterminal(nonterminal, words) for nonterminal in report["constituents"]]
        yield Section("Constituents", note, tables)


def _table_of_class(word_class: Mapping[str, Any], words: Mapping[str, str]) -> Table:
    rows = []
    for side in ("left", "right"):
        dependents = word_class[side]
        rows.append((f"{side}: none", _per_cent(dependents["none"])))
        if dependents["number"] >= SELDOM:
            rows += [(f"{side}, {place}", _shares(dependents[place].items(), words)) for place in ("first", "later")]
    heads = [
        (f"{_with_word(head['class'], words)} ({head['side']})", head["share"])
        for head in word_class["heads"][:ENTRIES]
    ]
    rows.append(("heads", ", ".join(f"{name} {_per_cent(share)}" for name, share in heads)))
    title = f"{_with_word(word_class['class'], words)}: the root of {_per_cent(word_class['root'])} % of sentences"
    return Table(title, (), rows)


def _table_of_nonterminal(nonterminal: Mapping[str, Any], words: Mapping[str, str]) -> Table:
    uses = "" if nonterminal["uses"] is None else f", {nonterminal['uses']:.2f} of them in a sentence"
    title = f"{nonterminal['name']}: the root of {_per_cent(nonterminal['root'])} % of sentences{uses}"
    rows = [
        (
            _per_cent(rule["probability"]),
            f"{_with_word(rule['left'], words)} + {_with_word(rule['right'], words)}",
            _shown(" | ".join(rule["example"])),
        )
        for rule in nonterminal["rules"][:ENTRIES]
    ]
    return Table(title, ("%", "rule", "example"), rows)


def _shares(shares: Iterable[tuple[str, float]], words: Mapping[str, str]) -> str:
    named = [f"{_with_word(name, words)} {_per_cent(share)}" for name, share in shares]
    return ", ".join(named[:ENTRIES])


def _with_word(name: str, words: Mapping[str, str]) -> str:
    """The name of a class beside its commonest word; that of a nonterminal alone."""
    return f"{name} {_shown(words[name])}" if name in words else name


def _per_cent(share: float) -> str:
    return f"{100 * share:.1f}"


def _shown(text: str) -> str:
    """Text without characters that would move a terminal's cursor."""
    return "".join(cells_of(text))
