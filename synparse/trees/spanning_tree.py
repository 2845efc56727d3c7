"""The maximum spanning tree with a single root: Chu & Liu (1965), Edmonds (1967), grown along a path (Gabow, 1986)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST = -1e6
"""Log-probabilities under this (−∞, say) count as this: such a dependency is taken only where no tree avoids it."""


def maximum_spanning_heads(scores: NDArray[Any]) -> tuple[int, ...]:
    """Heads of the best dependency tree with exactly one root. Time and memory O(T²).

    scores [T, T]: row = dependent, column = head, diagonal = root; the tree's score is the sum over its words. One run
    of the algorithm, not one for each root: root edges are lowered by a constant larger than any two trees can differ
    by, so that the best tree has as few as possible, which is one.
    """
    count = len(scores)
    if count == 0:
        return ()
    log_probabilities = np.maximum(scores.astype(np.float64), LEAST)
    graph = np.full((count + 1, count + 1), -np.inf)  # node 0 is the root
    graph[1:, 1:] = log_probabilities
    constant = 1.0 + count * (log_probabilities.max() - log_probabilities.min())
    graph[1:, 0] = log_probabilities.diagonal() - constant
    np.fill_diagonal(graph, -np.inf)
    return _arborescence(graph)


def _arborescence(graph: NDArray[np.float64]) -> tuple[int, ...]:
    """Best head of every node but 0, so that all hang from 0. graph [n, n]: row = dependent.

    From each node a path is grown along best heads. Where it meets itself, the cycle becomes one node, whose edges say
    what it costs to break the cycle there; where it meets the root or an earlier path, its nodes are settled.
    """
    count = len(graph)
    entering = list(graph)  # of each node, simple or contracted: score by original head
    dependents = [np.full(count, node) for node in range(count)]  # and the original node that this edge would enter
    members = [[node] for node in range(count)]  # the original nodes in it
    node_of = list(range(count))  # the node that each original node is part of by now
    columns = np.arange(count)
    parent = [-1] * count
    chosen: list[tuple[int, int]] = [(0, node) for node in range(count)]  # best edge: original head and dependent
    settled = [True] + [False] * (count - 1)
    for start in range(1, count):
        node = node_of[start]
        path: list[int] = []
        position_of: dict[int, int] = {}
        while not settled[node]:
            if node in position_of:
                cycle = path[position_of[node] :]
                del path[position_of[node] :]
                rows = np.array([entering[one] - entering[one][chosen[one][0]] for one in cycle])
                best = rows.argmax(axis=0)
                merged = rows[best, columns]
                inside = [member for one in cycle for member in members[one]]
                merged[inside] = -np.inf
                node = len(entering)
                entering.append(merged)
                dependents.append(np.array([dependents[one] for one in cycle])[best, columns])
                members.append(inside)
                for member in inside:
                    node_of[member] = node
                for one in cycle:
                    parent[one] = node
                parent.append(-1)
                chosen.append((0, 0))
                settled.append(False)
            head = int(entering[node].argmax())
            chosen[node] = head, int(dependents[node][head])
            position_of[node] = len(path)
            path.append(node)
            node = node_of[head]
        for one in path:
            settled[one] = True
    # Take contracted nodes apart, the outermost first: the edge into one replaces the edge of the cycle that it breaks.
    for node in range(len(entering) - 1, count - 1, -1):
        edge = chosen[node]
        broken = edge[1]
        while parent[broken] != node:
            broken = parent[broken]
        chosen[broken] = edge
    return tuple(head for head, _ in chosen[1:count])
