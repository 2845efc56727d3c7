"""The width of text in cells: the columns of a terminal, and of a font whose characters are equally wide."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from synparse.trees.printable import OBEYED

_WIDE = frozenset("WF")  # East Asian wide and full-width characters take two cells
_WITHOUT_ROOM = frozenset({"Mn", "Me", "Cf"})  # combining marks and joiners are part of the character before them
_JAMO = re.compile("[\u1160-\u11ff\ud7b0-\ud7ff]")  # Korean vowels and final consonants, part of the syllable before
_SKIN = re.compile("[\U0001f3fb-\U0001f3ff]")  # skin tones of the emoji before them
_JOINER, _AS_EMOJI = "\u200d", "\ufe0f"


def cells_of(text: str) -> list[str]:
    """The cells that a text takes, left to right. A wide character is followed by an empty cell.

    Combining marks stay with their character, and the parts of an emoji together, as in terminals that follow Unicode;
    vowel signs with room of their own (category Mc, as in Hindi) have a cell. Control characters, and what turns the
    direction of writing, become U+FFFD. Writing
    direction is up to the program that shows the text: an Arabic word takes as many cells as it has letters.

    >>> cells_of("né犬")
    ['n', 'é', '犬', '']
    """
    if text.isascii() and text.isprintable():
        return list(text)
    text = OBEYED.sub("\ufffd", text)
    cells: list[str] = []
    last = -1  # the cell of the last character that took room
    visible = (at for at, character in enumerate(text[:-1]) if unicodedata.category(character) != "Cf")
    first = next(visible, len(text) - 1)
    for character in text[first:]:
        if last >= 0 and _is_joined(character, cells[last]):
            cells[last] += character
            if character == _AS_EMOJI and last == len(cells) - 1:  # ❤ is narrow as text and wide as emoji
                cells.append("")
            continue
        last = len(cells)
        cells.append("\ufffd" if character in "\t\n" else character)
        if unicodedata.east_asian_width(character) in _WIDE:
            cells.append("")
    return [text[:first] + cells[0], *cells[1:]] if first > 0 else cells  # invisible ones before any other


def _is_joined(character: str, before: str) -> bool:
    """Whether a character shares the cells of the ones before it."""
    category = unicodedata.category(character)
    if category in _WITHOUT_ROOM or _JAMO.match(character):
        return True
    if unicodedata.category(before[0]) != "So":
        return False
    return bool(_SKIN.match(character)) or (before.endswith(_JOINER) and category == "So")


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
    for start, end, need in sorted(needs, key=lambda need: need[1] - need[0]):
        count = end - start
        if not 0 < count < need:  # every column is one wide at least, and no columns are none
            continue
        missing = need - sum(result[start:end])
        for position in range(missing):
            result[start + position % count] += 1
    return result
