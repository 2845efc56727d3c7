"""What every conversion returns, how head children become heads of words, and which subjects are passive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from synparse.treebanks.penn import Node


class Conversion(NamedTuple):
    """The dependencies of a sentence, with one value for each word (empty elements are not words).

    heads: counted from 1, 0 for the root. relations: () if the scheme has none. upos: universal parts of speech, () if
    the scheme has none.
    """

    heads: tuple[int, ...]
    relations: tuple[str, ...] = ()
    upos: tuple[str, ...] = ()


def lexical_heads(root: Node) -> dict[Node, Node]:
    """Each node under ``root`` (included) → its head word, found by following the ``head`` children. O(nodes).

    A node without a ``head`` is left out, and so is a node whose ``head`` is left out.
    """
    words: dict[Node, Node] = {}
    for node in root.bottom_up():
        if node.is_word:
            words[node] = node
        elif node.head is not None and node.head in words:
            words[node] = words[node.head]
    return words


def with_passive_subjects(heads: Sequence[int], relations: Sequence[str], ending: str) -> tuple[str, ...]:
    """The relations, with passive relations for the subjects of verbs that have a passive auxiliary.

    ``ending`` is the ending of passive relations.

    >>> with_passive_subjects((3, 3, 0), ("nsubj", "auxpass", "root"), "pass")  # dogs were seen
    ('nsubjpass', 'auxpass', 'root')
    """
    passives = {head for head, relation in zip(heads, relations, strict=True) if relation == f"aux{ending}"}
    return tuple(
        f"{relation}{ending}" if relation in ("nsubj", "csubj") and head in passives else relation
        for head, relation in zip(heads, relations, strict=True)
    )
