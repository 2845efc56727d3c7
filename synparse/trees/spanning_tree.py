"""The maximum spanning tree with a single root: Chu & Liu (1965), Edmonds (1967)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.trees.heads import cycles

LEAST = -1e6
"""Log-probabilities under this (−∞, say) count as this: such a dependency is taken only where no tree avoids it."""


class _Contraction(NamedTuple):
    """A cycle that was made one node (its first): what is needed to take it apart again."""

    cycle: list[int]
    heads: list[int]  # of the cycle's nodes, within it
    entered: NDArray[np.intp]  # for each node outside: which node of the cycle it would head
    left: NDArray[np.intp]  # for each node outside: which node of the cycle would head it


def maximum_spanning_heads(scores: NDArray[Any]) -> tuple[int, ...]:
    """Heads of the best dependency tree with exactly one root.

    scores [T, T]: row = dependent, column = head, diagonal = root; the tree's score is the sum over its words. One run
    of the algorithm, not one for each root: root edges are lowered by a constant larger than any two trees can differ
    by, so that the best tree has as few as possible, which is one. Time O(T²) for each cycle contracted, few in
    practice and none where the best heads are a tree already.
    """
    count = len(scores)
    if count == 0:
        return ()
    likes = np.maximum(scores.astype(np.float64), LEAST)
    graph = np.full((count + 1, count + 1), -np.inf)  # node 0 is the root
    graph[1:, 1:] = likes
    constant = 1.0 + count * (likes.max() - likes.min())
    graph[1:, 0] = likes.diagonal() - constant
    np.fill_diagonal(graph, -np.inf)
    return _arborescence(graph)


def _arborescence(graph: NDArray[np.float64]) -> tuple[int, ...]:
    """Best head of every node but 0, so that all hang from 0. graph [n, n]: row = dependent; is overwritten."""
    heads = graph.argmax(axis=1)
    heads[0] = 0
    taken_apart = [0] * len(graph)  # nodes inside a contracted cycle, out of play until it is expanded
    contractions: list[_Contraction] = []
    while found := cycles(heads[1:].tolist()):
        for cycle in found:
            contractions.append(_contract(graph, heads, cycle))
            for node in cycle[1:]:
                taken_apart[node] = 1
        playing = [node for node in range(1, len(graph)) if not taken_apart[node]]
        heads[playing] = graph[playing].argmax(axis=1)
    for contraction in reversed(contractions):
        _expand(heads, contraction)
    return tuple(heads[1:].tolist())


def _contract(graph: NDArray[np.float64], heads: NDArray[np.intp], cycle: list[int]) -> _Contraction:
    """Make the cycle's first node stand for it; the others leave play (no edges, head 0)."""
    own = heads[cycle].tolist()
    inside = graph[cycle, own]
    entering = graph[cycle] - inside[:, None]  # what it costs to break the cycle at each of its nodes
    leaving = graph[:, cycle]
    contraction = _Contraction(cycle, own, entering.argmax(axis=0), leaving.argmax(axis=1))
    first = cycle[0]
    graph[first], graph[:, first] = entering.max(axis=0), leaving.max(axis=1)
    graph[first, cycle] = graph[cycle, first] = -np.inf
    graph[cycle[1:]] = graph[:, cycle[1:]] = -np.inf
    heads[cycle[1:]] = 0
    return contraction


def _expand(heads: NDArray[np.intp], contraction: _Contraction) -> None:
    cycle = contraction.cycle
    first = cycle[0]
    outer = heads[first]
    for node in np.flatnonzero(heads == first):
        heads[node] = cycle[contraction.left[node]]
    heads[cycle] = contraction.heads
    heads[cycle[contraction.entered[outer]]] = outer
