"""Trees → sets of spans, which is what scores compare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from synparse.trees.constituency import ConstituencyTree, Constituent


def subtree_spans(heads: Sequence[int]) -> list[tuple[int, int]]:
    """The span of each word with all its descendants, of two words or more, in pre-order; the sentence's comes first.

    ``heads``, counted from 1 (0 = root), form a projective tree with one root. O(T log T).
    """
    count = len(heads)
    start, end = list(range(count)), list(range(1, count + 1))
    waiting = [0] * count  # dependents whose span is not known yet
    for head in heads:
        if head:
            waiting[head - 1] += 1
    ready = [word for word in range(count) if not waiting[word]]
    for word in ready:
        head = heads[word] - 1
        if head < 0:
            continue
        start[head], end[head] = min(start[head], start[word]), max(end[head], end[word])
        waiting[head] -= 1
        if not waiting[head]:
            ready.append(head)
    spans = {span for span in zip(start, end, strict=True) if span[1] - span[0] > 1} | {(0, count)}
    return sorted(spans, key=lambda span: (span[0], -span[1]))


def sentence_spans(
    tree: ConstituencyTree, kept: Sequence[bool] | None = None, whole: bool = False, single: bool = False
) -> frozenset[tuple[int, int]]:
    """The spans (start, end) of a tree's constituents over its kept words, counted among these.

    As a set, so unary chains collapse. Spans of one word and the span of the whole sentence are left out unless
    ``single`` or ``whole`` asks for them. O(T).
    """
    before = range(len(tree) + 1) if kept is None else kept_before(kept)
    spans = {(before[start], before[end]) for _, start, end in tree.constituents}
    return frozenset(
        (start, end)
        for start, end in spans
        if end > start and (single or end - start > 1) and (whole or (start, end) != (0, before[-1]))
    )


def constituents_of_kept(tree: ConstituencyTree, kept: Sequence[bool]) -> list[Constituent]:
    """The constituents that hold a kept word, in pre-order, over the kept words and counted among these. O(T)."""
    before = kept_before(kept)
    return [
        Constituent(label, before[start], before[end])
        for label, start, end in tree.constituents
        if before[start] < before[end]
    ]


def spans_of_gaps(spans: Iterable[tuple[int, int]], count: int) -> list[tuple[int, int]]:
    """For each gap between two of ``count`` words, the smallest span that holds both: the one that is split there.

    ``spans`` are those of a tree, in pre-order; where none holds both words, it is the whole sentence. O(T + spans).

    >>> spans_of_gaps([(0, 4), (0, 2)], 4)
    [(0, 2), (0, 4), (0, 4)]
    """
    starting: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for span in spans:
        starting[span[0]].append(span)
    around: list[tuple[int, int]] = [(0, count)]
    result = []
    for word in range(count - 1):
        around += starting[word]
        while around[-1][1] == word + 1:
            around.pop()
        result.append(around[-1])
    return result


def kept_before(kept: Iterable[bool]) -> list[int]:
    """How many kept words stand before each word, and last how many there are.

    >>> kept_before([True, False, True])
    [0, 1, 1, 2]
    """
    return list(accumulate(kept, initial=0))
