"""HTML pages in one file each, without network, foreign scripts or fonts; light or dark like the reader's system."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from synparse.drawing.canvas import STYLE as COLOURS
from synparse.drawing.layout import Structure
from synparse.drawing.markup import escaped
from synparse.drawing.svg import tree_svg
from synparse.scoring.tables import Table

STYLE = """\
body { margin: 2rem auto; padding: 0 1rem; max-width: 100rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.2; }
h3 { margin: 2rem 0 0; font-size: 1rem; }
a { color: var(--accent); }
.contents ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding: 0; list-style: none; }
.picture { margin: 1rem 0; overflow-x: auto; }
.picture svg { display: block; }
.picture .plot { max-width: 100%; height: auto; }
figcaption, caption { padding-bottom: 0.25rem; font-weight: bold; text-align: left; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 1rem 0.15rem 0; text-align: right; vertical-align: top;
  border-bottom: 1px solid var(--rule); }
:is(th, td):first-child { text-align: left; }
tbody th { font-weight: normal; }
:root:has(#fit:checked) .picture svg { max-width: 100%; height: auto; }
.sentence { width: fit-content; }
.sides { display: flex; flex-wrap: wrap; gap: 0 2rem; }
.sides figure { min-width: min(100%, 30rem); max-width: 100%; }
"""


def page(title: str, body: Iterable[str], style: str = "", script: str = "") -> str:
    """A whole HTML page around the markup in ``body``; ``title`` is text, and its heading. Its policy of content lets
    it run ``script`` alone, and fetch nothing."""
    script = f"\n{script}" if script else ""
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(script)}">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        f"<title>{escaped(title)}</title>\n<style>\n{COLOURS}{STYLE}{style}</style>\n</head>\n<body>\n<main>\n",
        f"<h1>{escaped(title)}</h1>\n",
        *body,
        "</main>\n",
        f"<script>{script}</script>\n" if script else "",
        "</body>\n</html>\n",
    ]
    return "".join(parts)


def _policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    scripts = f"'sha256-{digest}'" if script else "'none'"
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src {scripts}; base-uri 'none'; form-action 'none'"


Captioned: TypeAlias = Sequence[tuple[str, Sequence[Structure]]]
"""Parses of a sentence, each with its caption ("" where there is none) and what is drawn of it."""


def sheet_page(title: str, sentences: Iterable[tuple[str, str, Captioned]]) -> str:
    """A page of sentences below each other, each with its title, its text and its parses side by side. Wide pictures
    scroll, all of a parse together, or shrink where the reader asks for it."""
    return page(title, _sentences(sentences))


def _sentences(sentences: Iterable[tuple[str, str, Captioned]]) -> Iterator[str]:
    yield '<label><input type="checkbox" id="fit"> Shrink wide pictures to the page</label>\n'
    for name, text, parses in sentences:
        pictures = (
            picture("".join(tree_svg(structure, name) for structure in structures), caption)
            for caption, structures in parses
        )
        yield f"<section>\n<h3>{escaped(name)}</h3>\n{sentence(text)}{side_by_side(pictures)}</section>\n"


def sentence_heading(number: int, sent_id: str) -> str:
    """The heading of a sentence: its number in the file, and its ``sent_id``, if that says more."""
    return f"sentence {number}" + (f", sent_id {sent_id}" if sent_id not in ("", str(number)) else "")


def sentence(text: str) -> str:
    """The text of a sentence, which runs as its script does and begins beside its picture."""
    return f'<p class="sentence" dir="auto">{escaped(text)}</p>\n'


def side_by_side(pictures: Iterable[str]) -> str:
    """Pictures beside each other where there is room, else below."""
    return f'<div class="sides">\n{"".join(pictures)}</div>\n'


def sections(parts: Sequence[tuple[str, Iterable[str]]]) -> Iterator[str]:
    """The sections of a page, each with its heading, after links to all of them."""
    yield contents((id_of(heading), heading) for heading, _ in parts)
    for heading, body in parts:
        yield f'<section id="{id_of(heading)}">\n<h2>{escaped(heading)}</h2>\n'
        yield from body
        yield "</section>\n"


def id_of(heading: str) -> str:
    """The id of the section with this heading."""
    return heading.lower().replace(" ", "-")


def contents(entries: Iterable[tuple[str, str]], label: str = "Contents") -> str:
    """Links to parts of the page: the id and the name of each; ``label`` is what a screen reader calls them."""
    links = "".join(f'<li><a href="#{escaped(id)}">{escaped(name)}</a></li>\n' for id, name in entries)
    return f'<nav class="contents" aria-label="{escaped(label)}">\n<ul>\n{links}</ul>\n</nav>\n'


def picture(content: str, caption: str = "") -> str:
    """A picture or table that scrolls where it is wider than the page; by the keyboard, too, so it can be focused."""
    above = f"<figcaption>{escaped(caption)}</figcaption>\n" if caption else ""
    return f'<figure class="picture" tabindex="0">\n{above}{content}</figure>\n'


def table(content: Table, cell: Callable[[str], str] = escaped) -> str:
    """A table that scrolls like a picture; ``cell`` makes markup of the text of a cell."""
    caption = f"<caption>{escaped(content.title)}</caption>\n" if content.title else ""
    names = "".join(f'<th scope="col">{escaped(name)}</th>' for name in content.columns)
    head = f"<thead><tr>{names}</tr></thead>\n" if names else ""
    rows = "".join(
        f'<tr><th scope="row">{cell(name)}</th>{"".join(f"<td>{cell(value)}</td>" for value in values)}</tr>\n'
        for name, *values in content.rows
    )
    return picture(f"<table>\n{caption}{head}<tbody>\n{rows}</tbody>\n</table>\n")
