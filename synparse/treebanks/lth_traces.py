"""Traces of Penn trees, resolved as in the LTH conversion: a moved phrase depends on the word it was moved from.

Richard Johansson and Pierre Nugues, Extended constituent-to-dependency conversion for English (NODALIDA 2007). The
resulting arcs may cross: in *What does he think (that) she said?*, *what* is the object of *said*.
"""

from __future__ import annotations

from synparse.treebanks.penn import Node

# Movement of wh-phrases and topics, clauses and phrases away from their head, and a constituent of two conjuncts (it
# goes to the first). *-1, the subject of a passive or an understood subject, does not move.
_RETURNING = ("*T*", "*ICH*", "*RNR*")

EXTRAPOSED = "EXTR"


def resolve_traces(root: Node, raises_parentheticals: bool) -> None:
    """Move each filler to its (first) trace, where the function tags of the trace's parent hold for it.

    An extraposed clause does not move, but gets the tag EXTR. A clause around its own trace, as in *The bids, he said,
    were low*, becomes a part of the parenthetical *he said*, which replaces it, if ``raises_parentheticals``; otherwise
    it stays. O(nodes), and O(height) for each trace.
    """
    fillers = {node.index: node for node in root.preorder() if node.index and not node.is_trace}
    for trace in root.leaves():
        filler, position = fillers.get(trace.index), trace.parent
        if not trace.is_trace or filler is None or position is None or filler.parent is None:
            continue
        kind = (trace.word or "").rsplit("-", 1)[0]
        if kind == "*EXP*":
            filler.functions = (EXTRAPOSED,)
        if kind not in _RETURNING or len(position.children) > 1:
            continue
        ancestors = _ancestors(trace)
        if filler not in ancestors:
            filler.parent.children.remove(filler)
        elif not (raises_parentheticals and _raise_parenthetical(filler, ancestors)):
            continue
        filler.functions = ()
        position.adopt([filler])
        del fillers[trace.index]


def _raise_parenthetical(clause: Node, ancestors: list[Node]) -> bool:
    """Replace the clause by the outermost parenthetical among the ``ancestors`` of a trace; False if there is none."""
    inside = ancestors[: ancestors.index(clause)]
    parenthetical = next((node for node in reversed(inside) if node.label == "PRN"), None)
    outside = clause.parent
    if parenthetical is None or parenthetical.parent is None or outside is None:
        return False
    parenthetical.parent.children.remove(parenthetical)
    parenthetical.functions = clause.functions
    outside.adopt(parenthetical if child is clause else child for child in outside.children)
    return True


def _ancestors(node: Node) -> list[Node]:
    """The nodes above, innermost first."""
    above, ancestors = node.parent, []
    while above is not None:
        ancestors.append(above)
        above = above.parent
    return ancestors
