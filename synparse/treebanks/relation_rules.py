"""Relation rules: what a child is to the head of its constituent, as tables that a linguist can read and edit.

A table has a rule on each line, in four columns between bars; of the rules that fit, the first in the table decides:

    relation | labels of the constituent | labels of the child | conditions
    nsubj    | S SQ SINV                 | NP WHNP             | before-head
    dep      | *                         | *                   |

``*`` stands for any label, ``VB*`` for any that begins with VB. Conditions are names that a scheme defines; all of a
rule's must hold, and ``!name`` must not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from synparse.treebanks.penn import Node


class Dependent(NamedTuple):
    """A child that is not the head of its constituent, as conditions see it.

    node, place: the child and its place among ``siblings``, the children of ``parent``. head, head_place: the head
    child. word, head_word: the words that head ``node`` and ``parent``. lasts: label → the last place among the
    siblings that has it, so that no question about what follows needs a walk through a long flat constituent.
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


def last_positions(siblings: list[Node]) -> dict[str, int]:
    """Label → the last place of it."""
    return {sibling.label: position for position, sibling in enumerate(siblings)}


Condition = Callable[[Dependent], bool]


class Rule(NamedTuple):
    """A row of the table."""

    relation: str
    parents: tuple[str, ...]
    children: tuple[str, ...]
    conditions: tuple[tuple[Condition, bool], ...]


class RelationRules:
    """The rules of a table, looked up by the labels of constituent and child.

    Raises ValueError for a row without four columns or with a condition that is not among ``conditions``.
    """

    def __init__(self, table: str, conditions: Mapping[str, Condition]) -> None:
        rows = [line for line in table.split("\n") if line.strip() and not line.lstrip().startswith("#")]
        self._rules = tuple(_rule(row, conditions) for row in rows)
        self._fitting: dict[tuple[str, str], tuple[Rule, ...]] = {}

    def relation(self, dependent: Dependent, default: str) -> str:
        """The relation of the first rule that fits."""
        labels = dependent.parent.label, dependent.node.label
        rules = self._fitting.get(labels)
        if rules is None:
            rules = self._fitting[labels] = tuple(
                rule for rule in self._rules if _fits(labels[0], rule.parents) and _fits(labels[1], rule.children)
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


def _fits(label: str, patterns: tuple[str, ...]) -> bool:
    return any(label == pattern or (pattern[-1] == "*" and label.startswith(pattern[:-1])) for pattern in patterns)
