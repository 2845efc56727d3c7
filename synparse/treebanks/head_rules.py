"""Head rules: which child of a constituent is its head, as tables that a linguist can read and edit.

A table has a line for each category (or several of the same rules: ``NP,NX``), with steps that are tried in order:

    PP    last IN TO VBG RP FW ; first-of PRT ADVP ; last *

    first A B C       the leftmost A; if there is none, the leftmost B; then C
    first-of A B C    the leftmost child that is any of A, B, C
    first-not A B C   the leftmost child that is none of them
    last, last-of, last-not    the same from the right
    first *, last *   the leftmost or rightmost child, whatever its label

A line may continue on indented lines; ``#`` begins a comment if white space or the end of the line follows, and
``\\#`` is the part of speech of the pound sign.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from synparse.treebanks.penn import Node


class HeadSearch(NamedTuple):
    """One attempt to find a head; ``labels`` are ordered by preference if ``way`` is first or last, else a set."""

    way: str
    labels: tuple[str, ...]


HeadRules = Mapping[str, tuple[HeadSearch, ...]]


def parse_head_rules(text: str) -> dict[str, tuple[HeadSearch, ...]]:
    """The rules of a table: category → steps. Raises ValueError for a step that begins with an unknown direction."""
    table: dict[str, tuple[HeadSearch, ...]] = {}
    lines = [re.sub(r"(^|\s)#(\s.*)?$", "", line) for line in text.split("\n")]
    for entry in re.sub(r"\n[ \t]+", " ", "\n".join(lines)).split("\n"):
        if not entry.strip():
            continue
        categories, rules = entry.split(None, 1)
        steps = []
        for rule in re.split(r"(?:^|\s+);(?:\s+|$)", rules.strip()):
            way, *labels = rule.split()
            if way not in _FINDERS:
                raise ValueError(f"{categories}: {way!r} is none of {', '.join(_FINDERS)}")
            steps.append(HeadSearch(way, tuple("#" if label == r"\#" else label for label in labels)))
        table |= dict.fromkeys(categories.split(","), tuple(steps))
    return table


def find_head(children: Sequence[Node], steps: Sequence[HeadSearch]) -> Node | None:
    """The child that the first successful step finds; None if no step succeeds. O(children · labels)."""
    for way, labels in steps:
        head = children[0 if way.startswith("first") else -1] if labels == ("*",) else _FINDERS[way](children, labels)
        if head is not None:
            return head
    return None


def _first(children: Sequence[Node], labels: tuple[str, ...]) -> Node | None:
    for label in labels:
        for child in children:
            if child.label == label:
                return child
    return None


def _first_of(children: Sequence[Node], labels: tuple[str, ...]) -> Node | None:
    return next((child for child in children if child.label in labels), None)


def _first_not(children: Sequence[Node], labels: tuple[str, ...]) -> Node | None:
    return next((child for child in children if child.label not in labels), None)


_FINDERS: dict[str, Callable[[Sequence[Node], tuple[str, ...]], Node | None]] = {
    "first": _first,
    "first-of": _first_of,
    "first-not": _first_not,
    "last": lambda children, labels: _first(children[::-1], labels),
    "last-of": lambda children, labels: _first_of(children[::-1], labels),
    "last-not": lambda children, labels: _first_not(children[::-1], labels),
}
