"""The maximum spanning tree with a single root: Chu and Liu (1965), Edmonds (1967), grown along a path (Gabow et al.,
1986)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST = -1e6
"""Log-probabilities under this (−∞, for example) count as this: a tree has such an arc only if every tree has one."""


def maximum_spanning_heads(scores: NDArray[Any]) -> tuple[int, ...]:
    """Heads of the best dependency tree with exactly one root. Time and memory O(T²).

    scores [T, T]: row = dependent, column = head, diagonal = root; the score of a tree is the sum over its words. One
    run of the algorithm, not one for each root: root arcs are lowered by a constant larger than the difference between
    any two trees, so that the best tree has as few of them as possible, which is one.
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
    """The head of every node but 0 in the best tree with root 0. graph [n, n]: row = dependent, column = head.

    From each node a path grows along best heads. If it meets itself, the cycle is contracted to one node, and the score
    of an arc into it is the change in score from breaking the cycle there. If it meets the root or an earlier path, its
    nodes are settled.
    """
    count = len(graph)
    entering = list(graph)  # for each node, simple or contracted: arc scores by original head
    dependents = [np.full(count, node) for node in range(count)]  # and the original node that each arc would enter
    members = [[node] for node in range(count)]  # the original nodes in it
    node_of = list(range(count))  # the node that each original node is part of by now
    columns = np.arange(count)
    parent = [-1] * count
    chosen: list[tuple[int, int]] = [(0, node) for node in range(count)]  # best arc: original head and dependent
    settled = [True] + [False] * (count - 1)
    for start in range(1, count):
        node = node_of[start]
        path: list[int] = []
        position_of: dict[int, int] = {}
        while not settled[node]:
            if node in position_of:
                cycle = path[position_of[node] :]
                del path[position_of[node] :]
                rows = np.array([entering[inner] - entering[inner][chosen[inner][0]] for inner in cycle])
                best = rows.argmax(axis=0)
                merged = rows[best, columns]
                inside = [member for inner in cycle for member in members[inner]]
                merged[inside] = -np.inf
                node = len(entering)
                entering.append(merged)
                dependents.append(np.array([dependents[inner] for inner in cycle])[best, columns])
                members.append(inside)
                for member in inside:
                    node_of[member] = node
                for inner in cycle:
                    parent[inner] = node
                parent.append(-1)
                chosen.append((0, 0))
                settled.append(False)
            head = int(entering[node].argmax())
            chosen[node] = head, int(dependents[node][head])
            position_of[node] = len(path)
            path.append(node)
            node = node_of[head]
        for visited in path:
            settled[visited] = True
    # Expand contracted nodes, the outermost first: the arc into one replaces the arc of the cycle that it breaks.
    for node in range(len(entering) - 1, count - 1, -1):
        arc = chosen[node]
        broken = arc[1]
        while parent[broken] != node:
            broken = parent[broken]
        chosen[broken] = arc
    return tuple(head for head, _ in chosen[1:count])
