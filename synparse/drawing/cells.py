"""The width of text in cells: the columns of a terminal, and of a font whose characters are equally wide."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_WIDE = frozenset("WF")  # East Asian wide and full-width characters take two cells
_WITHOUT_ROOM = frozenset({"Mn", "Me", "Cf"})  # combining marks and joiners are part of the character before them
_UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})  # they would move a terminal's cursor, or cannot be encoded


def cells_of(text: str) -> list[str]:
    """The cells that a text takes, left to right. A wide character is followed by an empty cell.

    Combining marks stay with their character; control characters become U+FFFD. Writing direction is up to the program
    that shows the text: an Arabic word takes as many cells as it has letters.

    >>> cells_of("né犬")
    ['n', 'é', '犬', '']
    """
    if text.isascii() and text.isprintable():
        return list(text)
    cells: list[str] = []
    last = -1  # the cell of the last character that took room
    for character in text:
        category = unicodedata.category(character)
        if category in _WITHOUT_ROOM and last >= 0:
            cells[last] += character
            continue
        last = len(cells)
        cells.append("\ufffd" if category in _UNPRINTABLE else character)
        if unicodedata.east_asian_width(character) in _WIDE:
            cells.append("")
    return cells


def width_of(text: str) -> int:
    """The number of cells that a text takes.

    >>> width_of("naïve"), width_of("猫が"), width_of("שלום"), width_of("")
    (5, 4, 4, 0)
    """
    return len(cells_of(text))


def fitted(widths: Sequence[int], needs: Sequence[tuple[int, int, int]]) -> list[int]:
    """Column widths no smaller than the ones given, such that each need (start, end, width) is met.

    A need asks that columns ``start … end − 1`` be ``width`` together; what is missing is spread over them. Needs over
    few columns come first, so that those over many profit. Time O(needs · width).

    >>> fitted([1, 1, 1], [(0, 2, 6), (0, 3, 6)])
    [3, 3, 1]
    """
    result = list(widths)
    for start, end, need in sorted(needs, key=lambda one: one[1] - one[0]):
        count = end - start
        if count >= need:  # every column is one wide at least
            continue
        missing = need - sum(result[start:end])
        for position in range(missing if missing > 0 else 0):
            result[start + position % count] += 1
    return result
