"""What every conversion gives back, and how head children become heads of words."""

from __future__ import annotations

from typing import NamedTuple

from synparse.treebanks.penn import Node


class Conversion(NamedTuple):
    """The dependencies of a sentence, a value for each word (empty elements are no words).

    heads: positions from 1, 0 for the root. relations: labels, () where the scheme has none. upos: universal parts of
    speech, () likewise.
    """

    heads: tuple[int, ...]
    relations: tuple[str, ...] = ()
    upos: tuple[str, ...] = ()


def lexical_heads(root: Node) -> dict[Node, Node]:
    """Each node under ``root`` (itself included) → the word that heads it, by the ``head`` children that are set.

    A node whose ``head`` is not set is left out, and so is what it alone would head. O(nodes).
    """
    words: dict[Node, Node] = {}
    for node in root.bottom_up():
        if node.is_word:
            words[node] = node
        elif node.head is not None and node.head in words:
            words[node] = words[node.head]
    return words
