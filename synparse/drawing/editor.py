"""A page in which trees are corrected: heads, relations and constituents, with undo, saved by the browser as a file.

The page holds the file in pieces, a sentence each. Its script, ``editor.js``, changes their texts, so that what is not
corrected is saved as it was read.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from synparse.drawing.direction import runs_from_right
from synparse.drawing.markup import escaped
from synparse.drawing.page import page, sentence, sentence_heading
from synparse.drawing.show import InputFormat, with_format
from synparse.files.packed import plain_name
from synparse.trees.beginning import NO_TREE
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import OTHER_RELATION, ROOT_RELATION, read_conllu
from synparse.trees.constituency import INDUCED_LABEL
from synparse.trees.errors import STANDARD_STREAM, DataError, name_of
from synparse.trees.json_lines import read_json_lines

SCRIPT = Path(__file__).with_name("editor.js").read_text(encoding="utf-8")

STYLE = """\
.tools { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1rem;
  padding: 0.5rem 0; background: var(--paper); border-bottom: 1px solid var(--rule); }
.tools button { font: inherit; }
#status { flex-basis: 100%; min-height: 1.5rem; }
details td { text-align: left; }
section { scroll-margin-top: 6rem; }
section:not(.drawn) .sides { min-height: 16rem; }
section :is(h3, p) { margin: 0; }
section h3 { margin-top: 1.5rem; }
section .picture { margin: 0; }
.fault { color: var(--mark); }
svg { font: 14px monospace; touch-action: pan-x pan-y; user-select: none; }
svg text { text-anchor: middle; dominant-baseline: central; fill: var(--ink); }
svg .note { fill: var(--faint); }
svg .label { fill: var(--accent); }
svg rect { fill: transparent; stroke-width: 2; }
svg .line { fill: none; stroke: color-mix(in srgb, var(--mark) var(--doubt, 0%), var(--line)); stroke-width: 1.5; }
svg .point { fill: color-mix(in srgb, var(--mark) var(--doubt, 0%), var(--line)); }
.uncertain .line { stroke-width: 2.5; stroke-dasharray: 5 3; }
.faulty .line { stroke: var(--mark); stroke-width: 3; }
.drag { fill: none; stroke: var(--accent); stroke-width: 2; pointer-events: none; }
.box { cursor: pointer; outline: none; }
.box:hover rect { stroke: var(--rule); }
.box:focus rect { stroke: var(--accent); }
.box:is(.selected, .chosen) rect { fill: var(--rule); stroke: var(--accent); }
"""

BUTTONS = {"p": "Previous", "n": "Next", "u": "Undo", "y": "Redo", "s": "Save"}

KEYS = (
    ("← → Home End, Tab", "another word, another picture"),
    ("n p", "next, previous sentence"),
    ("3 Enter", "the word's head is word 3 (r: it is the root; _ Enter: its head is not known)"),
    ("3:nsubj Enter, :nsubj Enter", "with a relation, a relation alone"),
    ("Shift ← →, then Enter", "a constituent over these words is added, or taken away"),
    ("Shift ← →, then :NP Enter", "it gets this label"),
    ("c", "the sentence is checked (CoNLL-U, JSON)"),
    ("u or Ctrl Z, y or Ctrl Y", "undo, redo"),
    ("s or Ctrl S", "save"),
    ("Escape", "what is typed or selected is dropped"),
)


class Piece(NamedTuple):
    """A part of a file with the words of its sentence, None for what is no sentence; its ``sent_id`` and its text, if
    it has them."""

    text: str
    words: Sequence[str] | None = None
    id: str = ""
    sentence: str = ""


def editor_page(
    lines: Iterable[str],
    name: str,
    *,
    input_format: InputFormat | None = None,
    first: int = 1,
    last: int | None = None,
) -> str:
    """A page in which the sentences ``first … last`` (from 1; None: to the end) of a file with these lines are
    corrected, ready to be opened without a network.

    name, input_format: as of `synparse.drawing.show.show`. Heads of CoNLL-U need not be a tree, and may be missing: the
    page is there to correct them. Nothing is read past the last sentence. Raises DataError(file:line) if a file is
    malformed, or there is no such sentence.
    """
    input_format, lines = with_format(lines, input_format)
    chosen = list(_chosen(_READERS[input_format](lines, name), first, last, name))
    path = Path(plain_name(name) if name != name_of(STANDARD_STREAM) else f"trees.{input_format}")
    is_part = (first, last) != (1, None)  # it must not take the place of the whole file
    file = f"{path.stem}-{first}-{chosen[-1][0]}{path.suffix}" if is_part else path.name
    texts = "".join(piece.text for _, piece in chosen)
    data = {
        "format": input_format,
        "file": file,
        "key": f"synparse {file} {hashlib.sha256(texts.encode()).hexdigest()}",
        "names": {"label": INDUCED_LABEL, "root": ROOT_RELATION, "other": OTHER_RELATION},
        "pieces": [
            {"text": piece.text, "number": number, "fromRight": runs_from_right(piece.words or ())}
            for number, piece in chosen
        ],
    }
    return page(file, _body(data, chosen, input_format != "brackets"), STYLE, SCRIPT)


def _body(data: Mapping[str, object], pieces: Sequence[tuple[int, Piece]], has_mark: bool) -> Iterator[str]:
    """What the script works on, buttons and keys, and a section for each sentence, whose pictures the script draws."""
    as_json = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    buttons = "".join(f'<button type="button" data-key="{key}">{name}</button>\n' for key, name in BUTTONS.items())
    keys = "".join(f'<tr><th scope="row">{key}</th><td>{escaped(does)}</td></tr>\n' for key, does in KEYS)
    mark = '<label><input type="checkbox"> checked</label>\n' if has_mark else ""
    yield f'<script type="application/json" id="pieces">{as_json}</script>\n'
    yield "<noscript><p>Trees are drawn and corrected by a script: allow this page to run it.</p></noscript>\n"
    yield (
        f'<div class="tools" role="toolbar" aria-label="Editor">\n{buttons}<output id="progress"></output>\n'
        '<output id="status" aria-live="polite"></output>\n</div>\n'
        "<p>Drag a word to its head, or click both; for a constituent, its first and its last word, or its label.</p>\n"
        f"<details>\n<summary>Keys</summary>\n<table>\n<tbody>\n{keys}</tbody>\n</table>\n</details>\n"
    )
    for position, (number, piece) in enumerate(pieces):
        if piece.words:
            yield (
                f'<section data-piece="{position}">\n<h3>{escaped(sentence_heading(number, piece.id))}</h3>\n'
                f"{sentence(piece.sentence or ' '.join(piece.words))}{mark}"
                '<p class="fault" aria-live="polite"></p>\n<div class="sides"></div>\n</section>\n'
            )


def _chosen(pieces: Iterable[Piece], first: int, last: int | None, name: str) -> Iterator[tuple[int, Piece]]:
    """The pieces from the first to the last sentence, with their numbers; what is no sentence is of the next one."""
    number = 0
    for piece in pieces:
        is_sentence = piece.words is not None
        number += is_sentence
        if number + (not is_sentence) >= first:
            yield number, piece
        if number == last:
            return
    if number < first:
        raise DataError(f"no sentence {first} to edit: the file holds {number}", name)


def _conllu(lines: Iterable[str], name: str) -> Iterator[Piece]:
    for read in read_conllu(lines, name):
        yield Piece("".join(read.lines), read.words or None, read.comment("sent_id"), read.comment("text"))


def _json(lines: Iterable[str], name: str) -> Iterator[Piece]:
    lines, again = itertools.tee(lines)
    trees = read_json_lines(again, name)
    for line in lines:
        if line.strip():
            read = next(trees)
            yield Piece(line, read.tokens, read.sent_id, read.text)
        else:
            yield Piece(line)


def _brackets(lines: Iterable[str], name: str) -> Iterator[Piece]:
    lines, again = itertools.tee(lines)
    trees = read_brackets(again, name)
    depth, begun = 0, ""
    for line in lines:
        if not depth and line.startswith(NO_TREE):  # its brackets are no tree's
            yield Piece(begun + line)
            begun = ""
            continue
        for part in re.findall(r"[()]|[^()]+", line):
            begun += part
            depth += (part == "(") - (part == ")")
            if part == ")" and depth <= 0:
                yield Piece(begun, next(trees).tree.words)
                begun = ""
    next(trees, None)  # raises where the last tree is not closed
    yield Piece(begun)


_READERS: Mapping[InputFormat, Callable[[Iterable[str], str], Iterator[Piece]]] = {
    "conllu": _conllu,
    "brackets": _brackets,
    "json": _json,
}
