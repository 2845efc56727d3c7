"""Relation rules: the relation of a child to the head of its constituent, as tables that a linguist can read and edit.

A table has a rule on each line, in four columns separated by bars; the first matching rule decides:

    relation | labels of the constituent | labels of the child | conditions
    nsubj    | S SQ SINV                 | NP WHNP             | before-head
    dep      | *                         | *                   |

``*`` matches any label, ``VB*`` any label that begins with VB. Each scheme defines its conditions by name; all
conditions of a rule must be true, and those with ``!`` before them false.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from synparse.treebanks.penn import Node


class Dependent(NamedTuple):
    """A child that is not the head of its constituent, with what conditions ask about.

    node, position: the child and its index among ``siblings``, the children of ``parent``. head, head_position: the
    head child. word, head_word: the head words of ``node`` and ``parent``. lasts: label → the index of the last sibling
    with it, so that questions about later siblings take constant time in a long flat constituent.
    """

    node: Node
    position: int
    siblings: list[Node]
    parent: Node
    head: Node
    head_position: int
    word: Node
    head_word: Node
    lasts: dict[str, int]

    def label_at(self, offset: int) -> str:
        """The label of the sibling ``offset`` positions after the child (if negative, before it); "" for none."""
        position = self.position + offset
        return self.siblings[position].label if 0 <= position < len(self.siblings) else ""


def dependents_of(node: Node, words: Mapping[Node, Node]) -> list[Dependent]:
    """All children of a constituent except its head; ``words``: node → its head word. O(children)."""
    siblings, head = node.children, node.head
    assert head is not None  # every constituent has a head child once heads are set
    head_position, head_word = siblings.index(head), words[node]
    lasts = {sibling.label: position for position, sibling in enumerate(siblings)}
    return [
        Dependent(child, position, siblings, node, head, head_position, words[child], head_word, lasts)
        for position, child in enumerate(siblings)
        if position != head_position
    ]


Condition = Callable[[Dependent], bool]


class Rule(NamedTuple):
    """A row of the table."""

    relation: str
    parents: tuple[str, ...]
    children: tuple[str, ...]
    conditions: tuple[tuple[Condition, bool], ...]


class RelationRules:
    """The rules of a table, looked up by the labels of constituent and child.

    Raises ValueError for a row without four columns or with a condition that is not in ``conditions``.
    """

    def __init__(self, table: str, conditions: Mapping[str, Condition]) -> None:
        rows = [line for line in table.split("\n") if line.strip() and not line.lstrip().startswith("#")]
        self._rules = tuple(_rule(row, conditions) for row in rows)
        self._matching: dict[tuple[str, str], tuple[Rule, ...]] = {}

    def relation(self, dependent: Dependent, default: str) -> str:
        """The relation of the first matching rule; ``default`` if none matches."""
        labels = dependent.parent.label, dependent.node.label
        rules = self._matching.get(labels)
        if rules is None:
            rules = self._matching[labels] = tuple(
                rule for rule in self._rules if _matches(labels[0], rule.parents) and _matches(labels[1], rule.children)
            )
        for rule in rules:
            for condition, wanted in rule.conditions:
                if condition(dependent) is not wanted:
                    break
            else:
                return rule.relation
        return default


def _rule(row: str, known: Mapping[str, Condition]) -> Rule:
    columns = [column.split() for column in row.split("|")]
    if len(columns) != 4 or len(columns[0]) != 1:
        raise ValueError(f"not a rule of four columns: {row.strip()}")
    conditions = []
    for name in columns[3]:
        if name.lstrip("!") not in known:
            raise ValueError(f"{name!r} is none of {', '.join(known)}")
        conditions.append((known[name.lstrip("!")], not name.startswith("!")))
    return Rule(columns[0][0], tuple(columns[1]), tuple(columns[2]), tuple(conditions))


def _matches(label: str, patterns: tuple[str, ...]) -> bool:
    return any(label == pattern or (pattern[-1] == "*" and label.startswith(pattern[:-1])) for pattern in patterns)
