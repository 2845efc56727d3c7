"""Spans of trees: of subtrees, of constituents over some of the words, of the gaps between words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, compress
from typing import Final

from synparse.trees.constituency import ConstituencyTree, Constituent, pre_order

RIGHT: Final = "right"
LEFT: Final = "left"
"""The directions in which trees may branch."""


def subtree_spans(heads: Sequence[int]) -> list[tuple[int, int]]:
    """The span of each word with all its descendants, of two words or more, in pre-order; the whole sentence first.

    ``heads`` (from 1; 0 = root) form a projective tree with one root. O(T log T).
    """
    count = len(heads)
    start, end = list(range(count)), list(range(1, count + 1))
    waiting = [0] * count  # its dependents whose span is not known yet
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
    return pre_order({span for span in zip(start, end, strict=True) if span[1] - span[0] > 1} | {(0, count)})


def sentence_spans(
    tree: ConstituencyTree, kept: Sequence[bool] | None = None, whole: bool = False
) -> frozenset[tuple[int, int]]:
    """The set of spans (start, end) of a tree's constituents, counted over the kept words only, as UF1 compares them.

    In a set, unary chains collapse. Spans of one word are left out, and that of the whole sentence, unless ``whole`` is
    set. O(T).
    """
    before = range(len(tree) + 1) if kept is None else kept_before(kept)
    spans = {(before[start], before[end]) for _, start, end in tree.constituents}
    return frozenset(
        (start, end) for start, end in spans if end - start > 1 and (whole or (start, end) != (0, before[-1]))
    )


def constituents_of_kept(tree: ConstituencyTree, kept: Sequence[bool]) -> list[Constituent]:
    """The constituents with a kept word in them, in pre-order, counted over the kept words only. O(T)."""
    before = kept_before(kept)
    return [
        Constituent(label, before[start], before[end])
        for label, start, end in tree.constituents
        if before[start] < before[end]
    ]


def with_words(tree: ConstituencyTree, kept: Sequence[bool]) -> ConstituencyTree:
    """The tree over the kept words alone, without the constituents that have none of them. O(T)."""
    return ConstituencyTree(
        tuple(compress(tree.words, kept)), tuple(compress(tree.tags, kept)), tuple(constituents_of_kept(tree, kept))
    )


def spans_of_gaps(spans: Iterable[tuple[int, int]], count: int) -> list[tuple[int, int]]:
    """For each gap between two of ``count`` words, the smallest span that contains both: the one that splits there.

    ``spans`` are those of a tree, in pre-order; if none contains both words, it is the whole sentence. O(T + spans).

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
    """The number of kept words before each word; the last value is the number of all kept words.

    >>> kept_before([True, False, True])
    [0, 1, 1, 2]
    """
    return list(accumulate(kept, initial=0))
