"""What a dependency tree is, and whether a sequence of heads is one.

Heads are counted as in CoNLL-U: word i (from 1) has the head ``heads[i - 1]``, and 0 is the root.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WordHeads:
    """Words, their heads (0 for the root), which need not form a tree, and, if known, their relations to the heads.

    Raises ValueError if the numbers of words, heads and relations differ.
    """

    words: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if len(self.heads) != len(self.words):
            raise ValueError(f"{len(self.words)} words but {len(self.heads)} heads")
        if self.relations is not None and len(self.relations) != len(self.words):
            raise ValueError(f"{len(self.words)} words but {len(self.relations)} relations")

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True, slots=True)
class DependencyTree(WordHeads):
    """A dependency tree: words, their heads (0 for the root) and, if known, their relations to the heads.

    Raises ValueError if the numbers of these differ, or if the heads do not form a tree with a single root (see
    `fault_of_heads`).
    """

    def __post_init__(self) -> None:
        WordHeads.__post_init__(self)  # super() does not know a class with slots
        if fault := fault_of_heads(self.heads):
            raise ValueError(fault)


def fault_of_heads(heads: Sequence[int], single_root: bool = True) -> str:
    """Why these heads are not a tree, as a message; "" if they are one. Time O(T).

    A tree has every head in 0 … T, no cycle, and exactly one root; with ``single_root=False`` at least one.
    """
    count = len(heads)
    roots = 0
    for word, head in enumerate(heads, 1):
        if not 0 <= head <= count:
            return f"word {word} has head {head}, but the sentence has {count} words"
        roots += head == 0
    if count and not roots:
        return "no word has head 0 (the root)"
    if single_root and roots > 1:
        return f"{roots} words have head 0, but a tree has one root"
    in_cycles = cycles(heads)
    return f"word {in_cycles[0][0]} is in a cycle" if in_cycles else ""


def columns_of(heads: Iterable[int]) -> list[int]:
    """The column of each word's arc among the scores of all arcs [T, T]: row = dependent, column = head, diagonal =
    root."""
    return [head - 1 if head else word for word, head in enumerate(heads)]


def cycles(heads: Sequence[int]) -> list[list[int]]:
    """The cycles among heads, each as a list of its words, every word followed by its head. O(T)."""
    cycles_of_heads = []
    seen = [0] * (len(heads) + 1)  # the word whose walk to the root first reached each word; 0 = none yet
    for word in range(1, len(heads) + 1):
        node = word
        while node and not seen[node]:
            seen[node] = word
            node = heads[node - 1]
        if node and seen[node] == word:
            cycle = [node]
            while heads[cycle[-1] - 1] != node:
                cycle.append(heads[cycle[-1] - 1])
            cycles_of_heads.append(cycle)
    return cycles_of_heads


def is_projective(heads: Sequence[int]) -> bool:
    """Whether no two arcs cross, the arc from the root (left of the sentence) included. Time O(T log T).

    For a tree this means that every word between a head and its dependent is a descendant of that head.
    """
    arcs = sorted((min(head, word), -max(head, word)) for word, head in enumerate(heads, 1))
    open_ends: list[int] = []
    for start, negative_end in arcs:
        end = -negative_end
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        if open_ends and end > open_ends[-1]:
            return False
        open_ends.append(end)
    return True


def depths_of(heads: Sequence[int]) -> list[int]:
    """The number of arcs from 0 down to each word of a tree, [T + 1]: 0 for 0 itself, 1 for the root. O(T)."""
    depths = [0] + [-1] * len(heads)
    for word in range(1, len(heads) + 1):
        path = []
        node = word
        while depths[node] < 0:
            path.append(node)
            node = heads[node - 1]
        for depth, below in enumerate(reversed(path), depths[node] + 1):
            depths[below] = depth
    return depths


def with_fixed_expressions(heads: Sequence[int], are_fixed: Sequence[bool]) -> tuple[int, ...]:
    """The same tree, but the words of fixed expressions depend on their first word, as in Universal Dependencies.
    are_fixed [T]: which words belong to the word before them.

    >>> with_fixed_expressions([4, 1, 1, 0], [False, False, True, False])
    (4, 1, 2, 0)
    >>> with_fixed_expressions([3, 3, 0], [False, False, True])
    (3, 0, 2)
    """
    changed = list(heads)
    first = 0
    for word, is_fixed in enumerate(are_fixed, 1):
        if not is_fixed:
            first = word
            continue
        above = first
        while above not in (0, word):
            above = changed[above - 1]
        if above == word:  # the first word is below this one, whose place it takes
            changed[first - 1] = changed[word - 1]
        changed[word - 1] = first
    return tuple(changed)
