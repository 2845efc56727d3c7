"""What every conversion gives back, how head children become heads of words, and which subjects are passive ones."""

from __future__ import annotations

from collections.abc import Sequence
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


def with_passive_subjects(heads: Sequence[int], relations: Sequence[str], ending: str) -> tuple[str, ...]:
    """Relations, where subjects of a verb with a passive auxiliary are passive subjects.

    ``ending`` is what tells passive relations from the others.

    >>> with_passive_subjects((3, 3, 0), ("nsubj", "auxpass", "root"), "pass")  # dogs were seen
    ('nsubjpass', 'auxpass', 'root')
    """
    passives = {head for head, relation in zip(heads, relations, strict=True) if relation == f"aux{ending}"}
    return tuple(
        f"{relation}{ending}" if relation in ("nsubj", "csubj") and head in passives else relation
        for head, relation in zip(heads, relations, strict=True)
    )
