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

from synparse.search.tokens import composed
from synparse.trees.constituency import NO_TAG, ConstituencyTree


class Nodes:
    """The nodes of a tree in pre-order: label, words ``start … end − 1``, index of the parent (−1: none), index after
    the last node below (``after``), index of the sister before (``before``, −1: none), number of the constituent (−1:
    none). ``memory`` is for what a pattern has found in this tree."""

    def __init__(self, tree: ConstituencyTree) -> None:
        nodes = _in_pre_order(tree)
        self.tree = tree
        self.labels = [composed(label) for _, _, label, _ in nodes]
        self.starts = [start for start, _, _, _ in nodes]
        self.ends = [end for _, _, _, end in nodes]
        self.constituents = [rank if rank < len(tree.constituents) else -1 for _, rank, _, _ in nodes]
        self.parents: list[int] = []
        self.before: list[int] = []
        self.after = [len(nodes)] * len(nodes)
        self.memory: dict[tuple[object, int], tuple[tuple[tuple[str, int], ...], ...]] = {}
        open_nodes: list[int] = []
        for node, start in enumerate(self.starts):
            closed = -1
            while open_nodes and self.ends[open_nodes[-1]] <= start:
                closed = open_nodes.pop()
                self.after[closed] = node
            self.parents.append(open_nodes[-1] if open_nodes else -1)
            self.before.append(closed if open_nodes else -1)  # the last one that was closed is a child of the parent
            open_nodes.append(node)

    def __len__(self) -> int:
        return len(self.labels)


def _in_pre_order(tree: ConstituencyTree) -> list[tuple[int, int, str, int]]:
    """Of each node the start, the rank among those that start there, the label and the end. The rank of a constituent
    is its number; tags and words come after all of them."""
    count = len(tree.constituents)
    nodes = [(start, number, label, end) for number, (label, start, end) in enumerate(tree.constituents)]
    nodes += [(position, count, tag or NO_TAG, position + 1) for position, tag in enumerate(tree.tags)]
    nodes += [(position, count + 1, word, position + 1) for position, word in enumerate(tree.words)]
    return sorted(nodes)


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
