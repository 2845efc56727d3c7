"""The positions of the parts of a picture, in words and levels: `text` and `svg` add columns and pixels.

Every part spans words and sits on the lowest level above all that it spans, so the parts of one level lie side by side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from synparse.trees.constituency import ConstituencyTree
from synparse.trees.dependency import DependencyTree, WordHeads


@dataclass(frozen=True, slots=True)
class Bars:
    """A value over each word, or ``between`` it and the next one; None where there is none.

    Raises ValueError where there are not as many values as words.
    """

    title: str
    words: tuple[str, ...]
    values: tuple[float | None, ...]
    between: bool = False

    def __post_init__(self) -> None:
        if len(self.values) != len(self.words):
            raise ValueError(f"{len(self.words)} words but {len(self.values)} values")


@dataclass(frozen=True, slots=True)
class HeadMap:
    """The probabilities of all heads of each word, as a heat map: for each word first that of the root, then of each
    word as its head; None for a word that was not read (StructFormer, figure 5).

    Raises ValueError where there are not as many numbers as heads, and for what is no probability.
    """

    words: tuple[str, ...]
    rows: tuple[tuple[float, ...] | None, ...]

    def __post_init__(self) -> None:
        if len(self.rows) != len(self.words) or any(row and len(row) != len(self.words) + 1 for row in self.rows):
            raise ValueError(f"no distribution over the root and {len(self.words)} words for each word")
        if not all(0 <= value <= 1 for row in self.rows for value in row or ()):
            raise ValueError("a distribution has a number that is no probability")

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of the rows of the map."""
        return ("root", *self.words)


@dataclass(frozen=True, slots=True)
class MatchedWords:
    """A dependency tree in which a search has found these words, from 1."""

    tree: DependencyTree
    matched: frozenset[int]

    @property
    def words(self) -> tuple[str, ...]:
        return self.tree.words


Structure: TypeAlias = ConstituencyTree | WordHeads | MatchedWords | Bars | HeadMap
"""The structures that can be drawn."""


class PlacedNode(NamedTuple):
    """A constituent over the words ``start … end − 1``, or a word (level 0). ``parent`` is an index into the nodes, −1
    where there is none."""

    label: str
    start: int
    end: int
    level: int
    parent: int


class PlacedArc(NamedTuple):
    """The dependency of a word on its head, both from 1; the root's head is 0, and its arc has a level to itself."""

    dependent: int
    head: int
    level: int


def nodes_of(tree: ConstituencyTree) -> list[PlacedNode]:
    """Constituents and words in pre-order. A constituent's level is one more than its highest child's. O(nodes).

    >>> from synparse.trees.constituency import Constituent
    >>> tree = ConstituencyTree(("a", "b"), ("", ""), (Constituent("S", 0, 2), Constituent("VP", 1, 2)))
    >>> for node in nodes_of(tree):
    ...     print(*node)
    S 0 2 2 -1
    a 0 1 0 0
    VP 1 2 1 0
    b 1 2 0 2
    """
    # At one position constituents come before the word, as they contain it; sorting keeps unary chains in their order.
    spans = [(start, 0, label, end) for label, start, end in tree.constituents]
    spans += [(position, 1, word, position + 1) for position, word in enumerate(tree.words)]
    spans.sort(key=lambda span: span[:2])
    parents, levels = [-1] * len(spans), [0] * len(spans)
    open_nodes: list[int] = []
    for index, (start, _, _, _) in enumerate(spans):
        while open_nodes and spans[open_nodes[-1]][3] <= start:
            open_nodes.pop()
        parents[index] = open_nodes[-1] if open_nodes else -1
        if not spans[index][1]:
            open_nodes.append(index)
    for index in range(len(spans) - 1, -1, -1):  # children come after their parent
        if parents[index] >= 0:
            levels[parents[index]] = max(levels[parents[index]], levels[index] + 1)
    return [
        PlacedNode(label, start, end, level, parent)
        for (start, _, label, end), level, parent in zip(spans, levels, parents, strict=True)
    ]


def arcs_of(heads: Sequence[int]) -> list[PlacedArc]:
    """The arc of each word in order. Short ones are put down first, so a nested arc is under the one around it, and two
    that cross are on different levels. Heads need not be a tree. Time O(sum of the arcs' lengths).

    Hand-worked: *the* ← *dog* → *here* side by side, *barked* over both, and the root above.

    >>> [arc.level for arc in arcs_of((2, 4, 2, 0))]
    [1, 2, 1, 3]
    """
    levels = [0] * len(heads)
    skyline = [0] * len(heads)  # the highest level so far over the gap between words i and i + 1, from 0
    arcs = [(abs(head - word), min(head, word) - 1, word) for word, head in enumerate(heads, 1) if head]
    for length, left, word in sorted(arcs):
        level = 1 + max(skyline[left : left + length], default=0)  # of a word that is its own head: none
        skyline[left : left + length] = [level] * length
        levels[word - 1] = level
    top = 1 + max(skyline, default=0)
    return [PlacedArc(word, head, levels[word - 1] or top) for word, head in enumerate(heads, 1)]


def fractions_of(values: Sequence[float | None]) -> list[float | None]:
    """Values between 0 (the least of them) and 1 (the largest); all are 1 where they are equal.

    None for what is no finite number.

    >>> fractions_of((3.0, None, 1.0, 2.0))
    [1.0, None, 0.0, 0.5]
    """
    finite = [value for value in values if value is not None and math.isfinite(value)]
    least, largest = min(finite, default=0.0), max(finite, default=0.0)
    width = largest - least
    return [
        None if value is None or not math.isfinite(value) else (value - least) / width if width else 1.0
        for value in values
    ]
