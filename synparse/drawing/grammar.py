"""Grammars as a linguist reads them, as text or as a page, from the values of `synparse grammar --format json`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from synparse.drawing.cells import cells_of, width_of
from synparse.drawing.markup import escaped
from synparse.drawing.page import contents, id_of, page, picture, sections
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
table { border-collapse: collapse; }
caption { text-align: left; font-weight: bold; padding-bottom: 0.25rem; }
th, td { padding: 0.15rem 1rem 0.15rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
td { font-variant-numeric: tabular-nums; }
td:first-child { white-space: nowrap; }
figure { margin: 1.5rem 0; }
"""


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
        for table in section.tables:
            yield "\n"
            if table.title:
                yield f"{table.title}\n"
            yield from _lines([table.columns, *table.rows] if table.columns else table.rows, width)


def grammar_page(report: Mapping[str, Any]) -> str:
    """An HTML page, ready to be written to a file and opened without a network."""
    parts = [(section.heading, _body(section)) for section in _sections(report)]
    return page(f"Grammars of {Path(report['model']).name}", sections(parts), STYLE)


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


def _body(section: Section) -> Iterator[str]:
    """What the numbers are, links to the tables, and these."""
    yield f"<p>{escaped(section.note)}</p>\n"
    ids = [f"{id_of(section.heading)}-{number}" for number in range(1, len(section.tables) + 1)]
    names = [table.title.partition(":")[0] for table in section.tables]
    if len(names) > 1:
        yield contents(zip(ids, names, strict=True), section.heading)
    for id, table in zip(ids, section.tables, strict=True):
        yield f'<div id="{id}">\n{_markup(table)}</div>\n'


def _markup(table: Table) -> str:
    head = "".join(f'<th scope="col">{escaped(name)}</th>' for name in table.columns)
    rows = (f"<tr>{''.join(f'<td>{escaped(cell)}</td>' for cell in row)}</tr>\n" for row in table.rows)
    caption = f"<caption>{escaped(table.title)}</caption>\n" if table.title else ""
    above = f"<thead><tr>{head}</tr></thead>\n" if head else ""
    return picture(f"<table>\n{caption}{above}<tbody>\n{''.join(rows)}</tbody>\n</table>\n")


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
        note = (
            f"Function words: {report['function_words']}. Of each class as a head: per cent of its words that have no "
            "dependent on a side, and which classes the first (nearest) and the later dependents have, in per cent. "
            "Of each class as a dependent: which classes head it, and on which side of the head it stands."
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
