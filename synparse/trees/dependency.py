"""What a dependency tree is, and what makes a sequence of heads one.

Heads are counted as in CoNLL-U: word i (from 1) has the head ``heads[i - 1]``, and 0 is the root.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DependencyTree:
    """Words, their heads (0 = root) and, where known, the label of each dependency.

    Raises ValueError where the heads are not a tree with a single root (see `fault_of_heads`).
    """

    words: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if len(self.heads) != len(self.words):
            raise ValueError(f"{len(self.words)} words but {len(self.heads)} heads")
        if self.relations is not None and len(self.relations) != len(self.words):
            raise ValueError(f"{len(self.words)} words but {len(self.relations)} relations")
        fault = fault_of_heads(self.heads)
        if fault:
            raise ValueError(fault)

    def __len__(self) -> int:
        return len(self.words)


def fault_of_heads(heads: Sequence[int], single_root: bool = True) -> str:
    """What keeps these heads from being a tree, in words; "" where they are one. Time O(T).

    A tree has every head in 0 … T, no cycle, and a root: exactly one, or with ``single_root=False`` at least one.
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
    reached = [0] * (count + 1)  # the word whose walk to the root first came by; 0 = none yet
    for word in range(1, count + 1):
        node = word
        while node and not reached[node]:
            reached[node] = word
            node = heads[node - 1]
        if node and reached[node] == word:
            return f"word {node} is in a cycle"
    return ""


def is_tree(heads: Sequence[int], single_root: bool = True) -> bool:
    """Whether these heads form a dependency tree (see `fault_of_heads`)."""
    return not fault_of_heads(heads, single_root)


def is_projective(heads: Sequence[int]) -> bool:
    """Whether no two dependencies cross, the one from the root (left of the sentence) included. Time O(T log T).

    Equivalently, for a tree: every word between a head and its dependent descends from that head.
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
    """Dependencies between 0 and each word of a tree, 0 itself (at index 0) first: the root's is 1. O(T)."""
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
