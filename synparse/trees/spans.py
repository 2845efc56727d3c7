"""Trees → sets of spans, which is what scores compare."""

from __future__ import annotations

from collections.abc import Sequence

from synparse.trees.constituency import ConstituencyTree


def sentence_spans(
    tree: ConstituencyTree, kept: Sequence[bool] | None = None, whole: bool = False, single: bool = False
) -> frozenset[tuple[int, int]]:
    """The spans (start, end) of a tree's constituents over its kept words, counted among these.

    As a set, so unary chains collapse. Spans of one word and the span of the whole sentence are left out unless
    ``single`` or ``whole`` asks for them. O(T).
    """
    count = len(tree)
    before = list(range(count + 1))  # kept words before each word
    if kept is not None:
        for place, is_kept in enumerate(kept):
            before[place + 1] = before[place] + is_kept
    total = before[count]
    spans = {(before[start], before[end]) for _, start, end in tree.constituents}
    return frozenset(
        (start, end)
        for start, end in spans
        if end > start and (single or end - start > 1) and (whole or (start, end) != (0, total))
    )
