"""Traces of a Penn tree resolved as the LTH conversion reads them: what was moved depends on what it was moved from.

Richard Johansson and Pierre Nugues, Extended constituent-to-dependency conversion for English (NODALIDA 2007). The
dependencies that come of this may cross: in *What does he think (that) she said?*, *what* is the object of *said*.
"""

from __future__ import annotations

from synparse.treebanks.penn import Node

# Movement of wh-phrases and topics, clauses and phrases that stand apart from their head, and a constituent that two
# conjuncts share (it goes to the first). *-1, the subject that was passivised or is understood, stays where it is.
_RETURNING = ("*T*", "*ICH*", "*RNR*")

EXTRAPOSED = "EXTR"


def resolve_traces(root: Node, raises_parentheticals: bool) -> None:
    """Put what was moved in the place of its (first) trace, where the function tags of that place say what it is.

    An extraposed clause stays, and gets the tag EXTR. A clause that surrounds its own trace, as around *he said* in
    *The bids, he said, were low*, becomes a part of that parenthesis, which takes its place: where
    ``raises_parentheticals``; otherwise nothing is done. O(nodes) but for the height above such traces.
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
    """Have the outermost parenthesis of ``ancestors`` (of a trace) take the place of the clause; False if none is."""
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
    above, found = node.parent, []
    while above is not None:
        found.append(above)
        above = above.parent
    return found
