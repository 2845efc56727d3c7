"""What a constituency tree is: words, their tags, and labelled constituents over them.

A tree is stored flat, as the list of its constituents in pre-order (an outer constituent before the ones inside it,
left before right), not as nested nodes. No operation recurses, so a tree of 5,000 nested constituents can be compared,
hashed, pickled and printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

INDUCED_LABEL = "X"
"""The label of an induced constituent, unless a class grammar gives it a nonterminal."""

NO_TAG = "_"
"""The tag that is written for a word without one."""

ESCAPES = {"(": "-LRB-", ")": "-RRB-"}

ESCAPED = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
"""The brackets of Penn files, each with the one that it stands for."""


class Constituent(NamedTuple):
    """The words ``start … end − 1`` (counted from 0), under a label."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ConstituencyTree:
    """A constituency tree: words, their tags ("" for none), and constituents in pre-order.

    The parent of a word is the innermost constituent that contains it. Constituents over the same words are a unary
    chain, the outer constituent first.

    Raises ValueError if the constituents do not form a tree: if one is empty or out of range, or if they are not in
    pre-order or cross.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    constituents: tuple[Constituent, ...]

    def __post_init__(self) -> None:
        if len(self.tags) != len(self.words):
            raise ValueError(f"{len(self.words)} words but {len(self.tags)} tags")
        open_ends: list[int] = []
        previous_start = 0
        for label, start, end in self.constituents:
            if not 0 <= start < end <= len(self.words):
                raise ValueError(f"constituent {label} [{start}, {end}) lies outside the sentence or is empty")
            if start < previous_start:
                raise ValueError(f"constituent {label} [{start}, {end}) is out of order")
            while open_ends and open_ends[-1] <= start:
                open_ends.pop()
            if open_ends and end > open_ends[-1]:
                raise ValueError(f"constituent {label} [{start}, {end}) crosses another one")
            open_ends.append(end)
            previous_start = start

    def __len__(self) -> int:
        return len(self.words)

    def __str__(self) -> str:
        """In brackets, on one line."""
        return format_brackets(self)


def induced_tree(
    words: Sequence[str],
    spans: Iterable[tuple[int, int]],
    tags: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
) -> ConstituencyTree:
    """The tree with these spans (start, end), each once and in any order, and the label of each; by default ``X``.

    Raises ValueError if two spans cross, or there is not one label for each. O(T log T).
    """
    spans = list(spans)
    labelled = zip([INDUCED_LABEL] * len(spans) if labels is None else labels, spans, strict=True)
    return tree_of(words, (Constituent(label, *span) for label, span in labelled), tags)


def tree_of(
    words: Sequence[str], constituents: Iterable[Constituent], tags: Sequence[str] | None = None
) -> ConstituencyTree:
    """The tree with these constituents, in any order; those over the same words, the outer one first. Raises ValueError
    if two cross. O(T log T)."""
    return ConstituencyTree(
        tuple(words),
        ("",) * len(words) if tags is None else tuple(tags),
        tuple(sorted(constituents, key=lambda constituent: _place(constituent[1:]))),
    )


def pre_order(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans (start, end) sorted: an outer span before the ones inside it, left before right."""
    return sorted(spans, key=_place)


def _place(span: tuple[int, int]) -> tuple[int, int]:
    return span[0], -span[1]


def format_brackets(tree: ConstituencyTree) -> str:
    """A tree on one line. Parentheses in words, tags and labels are escaped (-LRB-, -RRB-); the tag of a word without
    one is ``_``.

    White space in words and labels, ASCII or not, becomes ``_``, because some readers of brackets split at any of it.
    """
    opening: dict[int, list[str]] = {}
    closing: dict[int, int] = {}
    for label, start, end in tree.constituents:
        opening.setdefault(start, []).append(f"({escaped(label)} ")
        closing[end] = closing.get(end, 0) + 1
    parts: list[str] = []
    for position, (word, tag) in enumerate(zip(tree.words, tree.tags, strict=True)):
        parts += opening.get(position, ())
        parts.append(f"({escaped(tag) or NO_TAG} {escaped(word) or NO_TAG})" + ")" * closing.get(position + 1, 0))
        parts.append(" ")
    return "".join(parts[:-1])


def unescaped(word: str) -> str:
    r"""A word without the escapes of Penn files: ``-LRB-`` is (, ``1\/2`` is 1/2, ``\*`` is an asterisk."""
    if "-" in word:
        for escape, bracket in ESCAPED.items():
            word = word.replace(escape, bracket)
    return word.replace("\\/", "/").replace("\\*", "*")


def escaped(text: str) -> str:
    """A word, tag or label as `format_brackets` writes it; "" stays empty."""
    if text.isalnum():
        return text
    for bracket, escape in ESCAPES.items():
        text = text.replace(bracket, escape)
    return "_".join(text.split())
