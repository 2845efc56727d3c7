"""The nodes of a constituency tree as columns, and the relations between them: each gives the nodes that stand in it
to a node.

A node is a constituent, the tag of a word, or the word; a word without a tag has the tag ``_``, as it is written. Nodes
are in pre-order, so what a node dominates is a range, and no relation recurses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice, takewhile
from typing import TypeAlias

from synparse.trees.constituency import NO_TAG, ConstituencyTree


class Nodes:
    """The nodes of a tree in pre-order: label, words ``start … end − 1``, index of the parent (−1: none), index after
    the last node below (``after``), index of the sister before (``before``, −1: none), number of the constituent (−1:
    none). ``memory`` is for what a pattern has found in this tree."""

    def __init__(self, tree: ConstituencyTree) -> None:
        self.tree = tree
        self.labels: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.parents: list[int] = []
        self.after: list[int] = []
        self.before: list[int] = []
        self.constituents: list[int] = []
        self.memory: dict[tuple[int, int], tuple[tuple[tuple[str, int], ...], ...]] = {}
        self._add_all()

    def __len__(self) -> int:
        return len(self.labels)

    def _add_all(self) -> None:
        constituents = [*self.tree.constituents, ("", len(self.tree), 0)]  # the last one is never reached
        open_nodes: list[int] = []
        last_child = {-1: -1}
        number = 0
        for position, (tag, word) in enumerate(zip(self.tree.tags, self.tree.words, strict=True)):
            while open_nodes and self.ends[open_nodes[-1]] <= position:
                self.after[open_nodes.pop()] = len(self)
            while constituents[number][1] == position:
                label, start, end = constituents[number]
                open_nodes.append(
                    self._add(label, start, end, open_nodes[-1] if open_nodes else -1, number, last_child)
                )
                number += 1
            parent = open_nodes[-1] if open_nodes else -1
            tag_node = self._add(tag or NO_TAG, position, position + 1, parent, -1, last_child)
            self._add(word, position, position + 1, tag_node, -1, last_child)
            self.after[tag_node] = len(self)
        for node in open_nodes:
            self.after[node] = len(self)

    def _add(self, label: str, start: int, end: int, parent: int, constituent: int, last_child: dict[int, int]) -> int:
        node = len(self.labels)
        self.labels.append(label)
        self.starts.append(start)
        self.ends.append(end)
        self.parents.append(parent)
        self.after.append(node + 1)
        self.before.append(last_child.get(parent, -1) if parent >= 0 else -1)
        self.constituents.append(constituent)
        last_child[parent] = node
        return node


Relation: TypeAlias = Callable[[Nodes, int], Iterator[int]]


def children(nodes: Nodes, node: int) -> Iterator[int]:
    child = node + 1
    while child < nodes.after[node]:
        yield child
        child = nodes.after[child]


def descendants(nodes: Nodes, node: int) -> Iterator[int]:
    yield from range(node + 1, nodes.after[node])


def ancestors(nodes: Nodes, node: int) -> Iterator[int]:
    while (node := nodes.parents[node]) >= 0:
        yield node


def nearest(relation: Relation) -> Relation:
    """The first of the nodes, if there is one."""
    return lambda nodes, node: islice(relation(nodes, node), 1)


parent = nearest(ancestors)


def first_below(nodes: Nodes, node: int) -> Iterator[int]:
    """Down from the node along first children."""
    return takewhile(lambda below: nodes.starts[below] == nodes.starts[node], descendants(nodes, node))


def last_below(nodes: Nodes, node: int) -> Iterator[int]:
    """Up to the node along last children, from the last word."""
    below = nodes.after[node] - 1
    while below > node:
        yield below
        below = nodes.parents[below]


def first_above(nodes: Nodes, node: int) -> Iterator[int]:
    return (above for above in ancestors(nodes, node) if nodes.starts[above] == nodes.starts[node])


def last_above(nodes: Nodes, node: int) -> Iterator[int]:
    return (above for above in ancestors(nodes, node) if nodes.ends[above] == nodes.ends[node])


def only_child(nodes: Nodes, node: int) -> Iterator[int]:
    if node + 1 < nodes.after[node] == nodes.after[node + 1]:
        yield node + 1


def parent_of_only(nodes: Nodes, node: int) -> Iterator[int]:
    return (above for above in parent(nodes, node) if above + 1 == node and nodes.after[above] == nodes.after[node])


def sisters_before(nodes: Nodes, node: int) -> Iterator[int]:
    """The nearest one first."""
    while (node := nodes.before[node]) >= 0:
        yield node


def sisters_after(nodes: Nodes, node: int) -> Iterator[int]:
    for above in parent(nodes, node):
        while (node := nodes.after[node]) < nodes.after[above]:
            yield node


def sisters(nodes: Nodes, node: int) -> Iterator[int]:
    yield from sisters_before(nodes, node)
    yield from sisters_after(nodes, node)


sister_before, sister_after = nearest(sisters_before), nearest(sisters_after)


def followers(nodes: Nodes, node: int) -> Iterator[int]:
    """The nodes that begin after the end of the node."""
    yield from range(nodes.after[node], len(nodes))


def next_followers(nodes: Nodes, node: int) -> Iterator[int]:
    """The nodes that begin where the node ends: they come one after the other."""
    return takewhile(lambda follower: nodes.starts[follower] == nodes.ends[node], followers(nodes, node))


def predecessors(nodes: Nodes, node: int) -> Iterator[int]:
    """The nodes that end before the begin of the node."""
    return (before for before in range(node) if nodes.ends[before] <= nodes.starts[node])


def next_predecessors(nodes: Nodes, node: int) -> Iterator[int]:
    """The nodes that end where the node begins: upwards from the word before it."""
    start = nodes.starts[node]
    while node and nodes.starts[node - 1] == start:  # nodes that begin together come one after the other
        node -= 1
    before = node - 1
    while before >= 0 and nodes.ends[before] == start:
        yield before
        before = nodes.parents[before]


def nth_child(place: int) -> Relation:
    """The child at this place, counted from 1, or from the end where it is negative."""

    def child(nodes: Nodes, node: int) -> Iterator[int]:
        below = list(children(nodes, node))
        if len(below) >= abs(place):
            yield below[place - 1 if place > 0 else place]

    return child


def parent_of_nth(place: int) -> Relation:
    """The parent of which the node is the child at this place."""
    sisters = sisters_before if place > 0 else sisters_after

    def above(nodes: Nodes, node: int) -> Iterator[int]:
        nearest_sisters = list(islice(sisters(nodes, node), abs(place)))
        return parent(nodes, node) if len(nearest_sisters) == abs(place) - 1 else iter(())

    return above


RELATIONS: dict[str, Relation] = {
    "<": children,
    ">": parent,
    "<<": descendants,
    ">>": ancestors,
    "<:": only_child,
    ">:": parent_of_only,
    "<,": nth_child(1),
    ">,": parent_of_nth(1),
    "<-": nth_child(-1),
    ">-": parent_of_nth(-1),
    "<<,": first_below,
    ">>,": first_above,
    "<<-": last_below,
    ">>-": last_above,
    "$": sisters,
    "$+": sister_after,
    "$-": sister_before,
    "$++": sisters_after,
    "$--": sisters_before,
    "$.": sister_after,
    "$,": sister_before,
    "$..": sisters_after,
    "$,,": sisters_before,
    ".": next_followers,
    ",": next_predecessors,
    "..": followers,
    ",,": predecessors,
}
"""By their signs: ``A < B`` where B is among the children of A. See `relation_of` for ``<3`` and ``>-2``."""

_NUMBERED = re.compile(r"([<>])(-?[1-9][0-9]{0,5})\Z")


def relation_of(sign: str) -> Relation | None:
    """The relation of a sign, None if it is none."""
    if numbered := _NUMBERED.match(sign):
        return (nth_child if numbered[1] == "<" else parent_of_nth)(int(numbered[2]))
    return RELATIONS.get(sign)
