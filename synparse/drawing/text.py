"""Pictures in characters, exact to the cell. What is wider than the screen is folded between words.

A constituent's label is over its first word and branches to the right, so that a fold never cuts one. An arc
leaves its head from the first cell of the word (to the left) or the third (to the right), and reaches its dependent at
the second, so that lines of one word never meet.

The picture of a sentence that runs from right to left is the mirror image: its first word is at the right, and folds
end at the same column.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from synparse.drawing.cells import cells_of, fitted, width_of
from synparse.drawing.direction import is_from_right, isolated, runs_from_right
from synparse.drawing.layout import Bars, HeadMap, MatchedWords, Structure, arcs_of, fractions_of, nodes_of
from synparse.trees.constituency import ConstituencyTree
from synparse.trees.dependency import DependencyTree, WordHeads

LINE, LABEL, WORD, FOUND, NOTE = "line", "label", "word", "found", "note"
"""The kind of a piece of a line, which decides its colour."""

COLOURS = {LINE: "dim", LABEL: "cyan", WORD: "bold", FOUND: "bold red", NOTE: "dim"}

GAP = 2
"""Cells between words."""

BAR_ROWS = 3

_STEPS = " ▁▂▃▄▅▆▇█"
_NORTH, _EAST, _SOUTH, _WEST = 1, 2, 4, 8
_LINES = dict(enumerate(" │─└││┌├─┘─┴┐┤┬┼"))  # by the directions in which a cell's lines lead; a stub is drawn whole
_SHADES = " ░▒▓█"
"""From improbable to probable."""

_MIRRORED = str.maketrans("└┌├┘┐┤", "┘┐┤└┌├")

Piece: TypeAlias = tuple[str, str]
"""Text and its kind."""


class _Text(NamedTuple):
    row: int
    column: int
    text: str
    kind: str


class _Stroke(NamedTuple):
    """A line from one cell to another in the same row or column, above or left of it."""

    row: int
    column: int
    last_row: int
    last_column: int


class _Picture(NamedTuple):
    """Rows counted from the top; the widths of the words' columns; text hides the lines under it."""

    rows: int
    widths: list[int]
    strokes: list[_Stroke]
    texts: list[_Text]


def picture_lines(structure: Structure, width: int = 0) -> Iterator[list[Piece]]:
    """The lines of a picture, from the top. Folded to ``width`` cells (0 = never), with an empty line between folds.

    A word that is wider than this stays whole.

    >>> tree = DependencyTree(("the", "dog", "barked"), (2, 3, 0), ("det", "nsubj", "root"))
    >>> for line in picture_lines(tree):
    ...     print(plain(line))
     ┌───┐┌─────┐│
     ▼   │▼     │▼
    the  dog    barked
    det  nsubj  root
    """
    picture = _PICTURES[type(structure)](structure)
    if isinstance(structure, Bars):
        yield [(_caption(structure), NOTE)]
    folds = _folded(picture, width)
    widest = max((sum(fold.widths) for fold in folds), default=0)
    from_right = runs_from_right(structure.words)
    begin = 0
    for number, fold in enumerate(folds):
        if number:
            yield []
        room = sum(fold.widths)
        blanks = " " * (widest - room) if from_right else ""
        yield from _drawn(fold, begin, room, blanks, from_right)
        begin += room


def plain(line: Iterable[Piece]) -> str:
    """A line without its kinds."""
    return "".join(text for text, _ in line)


def coloured() -> Callable[[Iterable[Piece]], str]:
    """What gives a line the colours of its kinds, if the terminal has any and NO_COLOR is not set."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)

    def styled(line: Iterable[Piece]) -> str:
        with console.capture() as capture:
            console.print(Text.assemble(*((text, COLOURS[kind]) for text, kind in line)), end="")
        return capture.get()

    return styled


def _constituents(tree: ConstituencyTree) -> _Picture:
    """Two rows a level, the label's and its branches'; then tags, where there are any, and words."""
    nodes = nodes_of(tree)
    tagged = any(tree.tags)
    top = 2 * max((node.level for node in nodes), default=0)
    widths = [max(width_of(word), width_of(tag)) + GAP for word, tag in zip(tree.words, tree.tags, strict=True)]
    widths = fitted(widths, [(node.start, node.start + 1, width_of(node.label) + 1) for node in nodes if node.level])
    columns = _columns(widths)
    strokes, texts = [], []
    for label, start, _, level, parent in nodes:
        column = columns[start]
        row = top - 2 * level
        if level:
            texts.append(_Text(row, column, label, LABEL))
        else:
            texts.append(_Text(top + tagged, column, label, WORD))
            texts.append(_Text(top, column, tree.tags[start], NOTE))
            row = top + (tagged and not tree.tags[start])
        if parent >= 0:
            parent_row, parent_column = top - 2 * nodes[parent].level, columns[nodes[parent].start]
            strokes += [
                _Stroke(parent_row, parent_column, parent_row + 1, parent_column),
                _Stroke(parent_row + 1, parent_column, parent_row + 1, column),
                _Stroke(parent_row + 1, column, row, column),
            ]
    return _Picture(top + tagged + 1, widths, strokes, texts)


def _dependencies(tree: WordHeads, found: Collection[int] = ()) -> _Picture:
    """A row a level, the root's on top; then arrows, words, and relations, where there are any."""
    arcs = arcs_of(tree.heads)
    relations = tree.relations or ("",) * len(tree)
    widths = [
        max(max(width_of(word), width_of(relation)) + GAP, 4)
        for word, relation in zip(tree.words, relations, strict=True)
    ]
    columns = _columns(widths)
    arrows = max((arc.level for arc in arcs), default=0)
    strokes, texts = [], []
    for dependent, head, level in arcs:
        row, column = arrows - level, columns[dependent - 1] + 1
        texts += [
            _Text(arrows, column, "▼", LINE),
            _Text(arrows + 1, column - 1, tree.words[dependent - 1], FOUND if dependent in found else WORD),
            _Text(arrows + 2, column - 1, relations[dependent - 1], NOTE),
        ]
        strokes.append(_Stroke(row, column, arrows, column))
        if head:
            port = columns[head - 1] + (0 if dependent < head else 2)
            strokes += [_Stroke(row, min(column, port), row, max(column, port)), _Stroke(row, port, arrows, port)]
    return _Picture(arrows + 2 + (tree.relations is not None), widths, strokes, texts)


def _bars(bars: Bars) -> _Picture:
    """Bars of two cells over the words, or over the gaps between them: eight steps a row, one step for the least."""
    widths = [width_of(word) + GAP for word in bars.words]
    columns = _columns(widths)
    texts = [_Text(BAR_ROWS, column, word, WORD) for column, word in zip(columns, bars.words, strict=True)]
    for column, width, fraction in zip(columns, widths, fractions_of(bars.values), strict=True):
        if fraction is None:
            continue
        steps = 1 + round(fraction * (8 * BAR_ROWS - 1))
        position = column + width - GAP if bars.between else column
        for row in range(BAR_ROWS):
            step = min(8, max(0, steps - 8 * (BAR_ROWS - 1 - row)))
            texts += [_Text(row, position, _STEPS[step] * GAP, LABEL)] if step else []
    return _Picture(BAR_ROWS + 1, widths, [], texts)


def _head_map(heads: HeadMap) -> _Picture:
    """A row for each head, named at its begin, and a column for each word: the darker, the more probable."""
    names, bottom = heads.heads, len(heads.words) + 1
    widths = [max(map(width_of, names)) + GAP, *(width_of(word) + GAP for word in heads.words)]
    columns = _columns(widths)
    texts = [_Text(row, 0, name, NOTE) for row, name in enumerate(names)]
    for column, word, values in zip(columns[1:], heads.words, heads.rows, strict=True):
        texts.append(_Text(bottom, column, word, WORD))
        shades = ((row, _SHADES[round(value * (len(_SHADES) - 1))]) for row, value in enumerate(values or ()))
        texts += [_Text(row, column, shade * GAP, LABEL) for row, shade in shades if shade != " "]
    return _Picture(bottom + 1, widths, [], texts)


_PICTURES: dict[type, Callable[..., _Picture]] = {
    ConstituencyTree: _constituents,
    DependencyTree: _dependencies,
    WordHeads: _dependencies,
    MatchedWords: lambda structure: _dependencies(structure.tree, structure.matched),
    Bars: _bars,
    HeadMap: _head_map,
}


def _caption(bars: Bars) -> str:
    values = [value + 0.0 for value in bars.values if value is not None]  # −0 becomes 0
    return f"{bars.title}, {min(values):g} to {max(values):g}" if values else f"{bars.title}: none"


def _columns(widths: Sequence[int]) -> list[int]:
    """The first column of each word."""
    return list(accumulate(widths, initial=0))[:-1]


def _folds(widths: Sequence[int], limit: int) -> Iterator[tuple[int, int]]:
    """The words first … last − 1 of each fold."""
    first, used = 0, 0
    for position, width in enumerate(widths):
        if limit and position > first and used + width > limit:
            yield first, position
            first, used = position, 0
        used += width
    if widths:
        yield first, len(widths)


def _folded(picture: _Picture, limit: int) -> list[_Picture]:
    """The part of the picture in each fold: its words, and the strokes and texts that reach into it, where they are in
    the whole."""
    ends = _folds(picture.widths, limit)
    folds = [_Picture(picture.rows, picture.widths[first:last], [], []) for first, last in ends]
    begins = list(accumulate((sum(fold.widths) for fold in folds), initial=0))[:-1]
    for text in picture.texts:
        folds[bisect(begins, text.column) - 1].texts.append(text)
    for stroke in _longest(picture.strokes):
        for fold in folds[bisect(begins, stroke.column) - 1 : bisect(begins, stroke.last_column)]:
            fold.strokes.append(stroke)
    return folds


def _drawn(picture: _Picture, begin: int, width: int, blanks: str, from_right: bool) -> Iterator[list[Piece]]:
    """The rows between two columns after ``blanks``, without those in which lines only pass through and without blanks
    at the end. ``from_right``: their mirror image, in which words themselves are not turned."""
    for line, texts in _rows(picture, begin, width):
        if from_right:
            line = line[::-1].translate(_MIRRORED)
            texts = [(width - column - len(cells), cells, kind) for column, cells, kind in reversed(texts)]
        pieces = [(blanks, LINE)]
        written = 0
        for column, cells, kind in texts:
            content = "".join(cells)
            is_isolated = is_from_right(content, from_right and kind == WORD)
            pieces += [(line[written:column], LINE), (isolated(content) if is_isolated else content, kind)]
            written = column + len(cells)
        pieces.append((line[written:].rstrip(), LINE))
        yield [piece for piece in pieces if piece[0]]


def _rows(picture: _Picture, begin: int, width: int) -> Iterator[tuple[str, list[tuple[int, list[str], str]]]]:
    """The lines of each row between two columns, and its texts: their columns from ``begin``, cells and kinds.

    Without rows in which lines only pass through.
    """
    lines = _crossings(picture, begin, width)
    texts: list[list[_Text]] = [[] for _ in range(picture.rows)]
    for text in picture.texts:
        if text.text:
            texts[text.row].append(text)
    for row in range(picture.rows):
        line = lines[row].decode("latin-1").translate(_LINES)
        if texts[row] or line.strip(" │"):
            yield line, [(column - begin, cells_of(content), kind) for _, column, content, kind in sorted(texts[row])]


def _longest(strokes: Iterable[_Stroke]) -> Iterable[_Stroke]:
    """Of the strokes that begin in one cell and lead in one direction, the longest, which covers the others: from a
    constituent there is one to each of its parts."""
    longest: dict[tuple[int, int, bool], _Stroke] = {}
    for stroke in strokes:
        start = (stroke.row, stroke.column, stroke.last_row > stroke.row)
        longest[start] = max(stroke, longest.get(start, stroke))
    return longest.values()


def _crossings(picture: _Picture, begin: int, width: int) -> list[bytearray]:
    """The directions in which lines lead from each cell between two columns."""
    cells = [bytearray(width) for _ in range(picture.rows)]
    for row, column, last_row, last_column in picture.strokes:
        for position in range(max(column, begin), min(last_column + 1, begin + width)):
            cells[row][position - begin] |= _EAST * (position < last_column) | _WEST * (position > column)
        if row < last_row and begin <= column < begin + width:
            for position in range(row, last_row + 1):
                cells[position][column - begin] |= _SOUTH * (position < last_row) | _NORTH * (position > row)
    return cells
