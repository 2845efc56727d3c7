"""Pictures as SVG: sentences in a font of equal widths, so that widths are known without the font.

Classes: ``node`` and ``branch`` of a constituency tree, ``arc`` of a dependency, one for each word, ``bar`` of a value,
``word``, ``note``; marked parts also have ``marked``. Words are in the order of the file, from the left or, where the
sentence runs from right to left, from the right; the letters within a word run as its script does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from synparse.drawing.canvas import ACCENT, FAINT, INK, LINE, MARK, svg, svg_file
from synparse.drawing.cells import fitted, width_of
from synparse.drawing.differences import other_heads, other_spans
from synparse.drawing.direction import is_from_right, runs_from_right
from synparse.drawing.layout import Bars, HeadMap, MatchedWords, Structure, arcs_of, fractions_of, nodes_of
from synparse.drawing.markup import escaped
from synparse.trees.constituency import ConstituencyTree
from synparse.trees.dependency import DependencyTree, WordHeads

CELL, ROW, BRANCH, ARC, PORT, TALLEST, MARGIN = 8.6, 20, 34, 26, 7, 60, 10
"""Pixels: a character, a line of text, a level of a tree and of arcs, from the middle of a head to where its arcs leave
it, the tallest bar, the border."""

GAP = 2
"""Cells between words."""

SIZE = 14
"""Pixels: of the letters."""

LEAST_DRAWN = 0.005
"""Probabilities below are not seen."""


class _Drawing(NamedTuple):
    width: float
    height: float
    parts: list[str]


def tree_svg(structure: Structure, name: str, marked: Collection[Any] = frozenset()) -> str:
    """One picture as an element of a page; ``name`` is what a screen reader calls it.

    marked: spans (start, end) of a constituency tree, or dependents (from 1) of a dependency tree.
    """
    drawing = _draw(structure, marked)
    return svg("tree", drawing.width, drawing.height, name, drawing.parts, SIZE)


def pair_svgs(gold: ConstituencyTree | WordHeads, predicted: ConstituencyTree | WordHeads) -> tuple[str, str]:
    """Two structures of one sentence, each with what the other does not have marked: what is missed, what is wrong.

    Nothing is marked where they are of different kinds.
    """
    missed: Collection[Any] = frozenset()
    wrong: Collection[Any] = frozenset()
    if isinstance(gold, ConstituencyTree) and isinstance(predicted, ConstituencyTree):
        missed, wrong = other_spans(gold, predicted), other_spans(predicted, gold)
    elif isinstance(gold, WordHeads) and isinstance(predicted, WordHeads):
        missed, wrong = other_heads(gold, predicted), other_heads(predicted, gold)
    return tree_svg(gold, "gold", missed), tree_svg(predicted, "prediction", wrong)


def sheet_svg(sentences: Iterable[tuple[str, Sequence[Structure]]]) -> str:
    """One file: sentences below each other, each with its title, if it has one, and its pictures."""
    parts: list[str] = []
    width, height = 0.0, float(MARGIN)
    for title, structures in sentences:
        if title:
            parts.append(_text(MARGIN, height + ROW / 2, title, "note title") + "\n")
            height += ROW
        for structure in structures:
            drawing = _draw(structure, ())
            parts.append(f'<g transform="translate(0 {height:.1f})">\n{"".join(drawing.parts)}</g>\n')
            width, height = max(width, drawing.width), height + drawing.height
    return svg_file("tree", width, height, "trees", parts, SIZE)


def _draw(structure: Structure, marked: Collection[Any]) -> _Drawing:
    return _DRAWINGS[type(structure)](structure, marked)


def _constituents(tree: ConstituencyTree, marked: Collection[tuple[int, int]]) -> _Drawing:
    """Labels over the middle of their spans, so none leaves its own; a branch slants over one level, then falls."""
    nodes = nodes_of(tree)
    widths = [max(width_of(word), width_of(tag)) + GAP for word, tag in zip(tree.words, tree.tags, strict=True)]
    from_right = runs_from_right(tree.words)
    edges = _edges(fitted(widths, [(node.start, node.end, width_of(node.label) + GAP) for node in nodes]), from_right)
    top = max((node.level for node in nodes), default=0)
    tagged = any(tree.tags)

    def x_of(start: int, end: int) -> float:
        return (edges[start] + edges[end]) / 2

    def y_of(level: int) -> float:
        return MARGIN + ROW / 2 + BRANCH * (top - level)

    branches, labels = [], []
    for label, start, end, level, parent in nodes:
        x, y = x_of(start, end), y_of(level)
        if parent >= 0:
            _, above_start, above_end, above, _ = nodes[parent]
            begin = f"{x_of(above_start, above_end):.1f} {y_of(above) + ROW / 2:.1f}"
            bend = y_of(above - 1) - ROW / 2
            bottom = y - ROW / 2 + ROW * (level == 0 and tagged and not tree.tags[start])
            is_marked = (above_start, above_end) in marked
            path = _path(f"M{begin}L{x:.1f} {bend:.1f}V{bottom:.1f}", is_marked)
            branches.append(_part("branch", is_marked, path))
        if level:
            is_marked = (start, end) in marked
            labels.append(_part("node", is_marked, _text(x, y, label, is_marked=is_marked)))
            continue
        if tree.tags[start]:
            labels.append(_text(x, y, tree.tags[start], "note"))
        labels.append(_text(x, y + ROW * tagged, label, "word", from_right) + "\n")
    return _Drawing(max(edges) + MARGIN, y_of(0) + ROW * tagged + ROW / 2 + MARGIN, branches + labels)


def _dependencies(tree: WordHeads, marked: Collection[int], found: Collection[int] = ()) -> _Drawing:
    """Arcs in steps of one level. They leave a head beside its middle and reach a dependent in it, as in `text`."""
    arcs = arcs_of(tree.heads)
    relations = tree.relations or ("",) * len(tree)
    widths = [width_of(word) + GAP for word in tree.words]
    # From middle to middle is the mean of left edge to left edge and right edge to right edge: hence two needs.
    needs = [
        (min(head, dependent) - 1 + after, max(head, dependent) - 1 + after, width_of(relation) + GAP)
        for (dependent, head, _), relation in zip(arcs, relations, strict=True)
        for after in (0, 1)
        if head
    ]
    from_right = runs_from_right(tree.words)
    edges = _edges(fitted(widths, needs), from_right)
    top = max((arc.level for arc in arcs), default=0)
    floor = MARGIN + ROW + ARC * top
    parts = []
    for (dependent, head, level), relation in zip(arcs, relations, strict=True):
        x = (edges[dependent - 1] + edges[dependent]) / 2
        y = floor - ARC * level
        side = 1 if (head > dependent) != from_right else -1
        port = (edges[head - 1] + edges[head]) / 2 - side * PORT if head else x
        path = (
            f"M{port:.1f} {floor:.1f}V{y + 5:.1f}Q{port:.1f} {y:.1f} {port - side * 5:.1f} {y:.1f}H{x + side * 5:.1f}"
            f"Q{x:.1f} {y:.1f} {x:.1f} {y + 5:.1f}V{floor - 6:.1f}"
            if head
            else f"M{x:.1f} {y:.1f}V{floor - 6:.1f}"
        )
        is_marked = dependent in marked
        point = f"M{x - 4:.1f} {floor - 8:.1f}h8l-4 8z"
        point = f'<path class="head" fill="{MARK if is_marked else LINE}" d="{point}"/>'
        label = _text((x + port) / 2, y - 9, relation, "note", is_marked=is_marked) if relation else ""
        parts.append(_part("arc", is_marked, f"{_path(path, is_marked)}{point}{label}"))
    for number, (word, begin, end) in enumerate(zip(tree.words, edges, edges[1:], strict=False), 1):
        text = _text((begin + end) / 2, floor + ROW / 2, word, "word", from_right, is_marked=number in found)
        parts.append(f'<g class="marked">{text}</g>\n' if number in found else f"{text}\n")
    return _Drawing(max(edges) + MARGIN, floor + ROW + MARGIN, parts)


def _bars(bars: Bars, _: Collection[Any]) -> _Drawing:
    """Bars over the words, or over the gaps between them. The least value is a thin line."""
    from_right = runs_from_right(bars.words)
    edges = _edges([width_of(word) + GAP for word in bars.words], from_right)
    edges.append(edges[-1])
    floor = MARGIN + ROW + TALLEST
    parts = [_text(MARGIN, MARGIN + ROW / 2, bars.title, "note title") + "\n"]
    for position, (word, value, fraction) in enumerate(
        zip(bars.words, bars.values, fractions_of(bars.values), strict=True)
    ):
        middle = (edges[position] + edges[position + 1]) / 2
        if fraction is not None:
            height = 2 + (TALLEST - 2) * fraction
            x = edges[position + 1] if bars.between else middle
            rectangle = f'x="{x - CELL:.1f}" y="{floor - height:.1f}" width="{2 * CELL:.1f}" height="{height:.1f}"'
            parts.append(f'<rect class="bar" fill="{ACCENT}" {rectangle}><title>{value:g}</title></rect>\n')
        parts.append(_text(middle, floor + ROW / 2, word, "word", from_right) + "\n")
    return _Drawing(max(edges) + MARGIN, floor + ROW + MARGIN, parts)


def _head_map(heads: HeadMap, _: Collection[Any]) -> _Drawing:
    """A title, a row for each head, named at its begin, and a column for each word."""
    names, from_right = heads.heads, runs_from_right(heads.words)
    widths = [max(map(width_of, names)) + GAP, *(width_of(word) + GAP for word in heads.words)]
    edges = _edges(widths, from_right)
    top = MARGIN + ROW
    floor = top + ROW * len(names)
    parts = [_text(MARGIN, MARGIN + ROW / 2, "probabilities of heads", "note title") + "\n"]
    parts += [
        _text((edges[0] + edges[1]) / 2, top + ROW * (row + 0.5), name, "note", from_right) + "\n"
        for row, name in enumerate(names)
    ]
    for first, last, word, values in zip(edges[1:-1], edges[2:], heads.words, heads.rows, strict=True):
        parts.append(_text((first + last) / 2, floor + ROW / 2, word, "word", from_right) + "\n")
        column = f'x="{min(first, last):.1f}" width="{abs(last - first):.1f}" height="{ROW}"'
        parts += [
            f'<rect class="bar" fill="{ACCENT}" {column} y="{top + ROW * row}" fill-opacity="{value:.2f}">'
            f"<title>{value:g}</title></rect>\n"
            for row, value in enumerate(values or ())
            if value >= LEAST_DRAWN
        ]
    return _Drawing(max(edges) + MARGIN, floor + ROW + MARGIN, parts)


_DRAWINGS: dict[type, Callable[..., _Drawing]] = {
    ConstituencyTree: _constituents,
    DependencyTree: _dependencies,
    WordHeads: _dependencies,
    MatchedWords: lambda structure, marked: _dependencies(structure.tree, marked, structure.matched),
    Bars: _bars,
    HeadMap: _head_map,
}


def _edges(widths: Sequence[int], from_right: bool) -> list[float]:
    """The edge at which each word's column begins, and at which the last one ends, in pixels from the left."""
    edges = list(accumulate((width * CELL for width in widths), initial=float(MARGIN)))
    return [edges[-1] + MARGIN - edge for edge in edges] if from_right else edges


_FILLS = {"": ACCENT, "note": FAINT, "note title": FAINT, "word": INK}
"""The colour of text of a kind; a label of a constituent has none."""


def _text(x: float, y: float, text: str, kind: str = "", from_right: bool = False, is_marked: bool = False) -> str:
    """Text whose middle (of a title: whose left end) is at (x, y)."""
    name = f' class="{kind}"' if kind else ""
    size = ' font-size="12"' if kind.startswith("note") else ""
    anchor = "start" if kind.endswith("title") else "middle"
    paint = f'fill="{MARK}" font-weight="bold"' if is_marked else f'fill="{_FILLS[kind]}"'
    direction = ' direction="rtl"' if anchor == "middle" and is_from_right(text, from_right) else ""
    where = f'x="{x:.1f}" y="{y:.1f}" dy="0.35em" text-anchor="{anchor}"'
    return f"<text{name}{size}{direction} {where} {paint}>{escaped(text)}</text>"


def _path(path: str, is_marked: bool) -> str:
    paint = f'stroke="{MARK}" stroke-width="2.5"' if is_marked else f'stroke="{LINE}" stroke-width="1.5"'
    return f'<path fill="none" {paint} d="{path}"/>'


def _part(kind: str, is_marked: bool, content: str) -> str:
    return f'<g class="{kind}{" marked" if is_marked else ""}">{content}</g>\n'
