"""Decoding syntactic distances to the spans of a binary tree.

T words have T − 1 distances, one for each split point; the larger distance splits first. Both decoders return the
spans (start, end) of two words or more in pre-order, the whole sentence first; for one word, that word's span.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from synparse.trees.constituency import pre_order


def unbiased_spans(distances: Sequence[float]) -> list[tuple[int, int]]:
    """Split at the largest distance (ties: the leftmost), then split both halves in the same way.

    StructFormer Algorithm 1 (Shen et al., 2021). The span of a split point reaches to the nearest larger distance on
    each side, which a stack finds in O(T).
    """
    return pre_order(zip(*spans_split_at(distances), strict=True))


def spans_split_at(distances: Sequence[float]) -> tuple[list[int], list[int]]:
    """The starts and ends of the spans of `unbiased_spans`, in the order of the distances at which they split. O(T)."""
    if not distances:
        return [0], [1]
    left, right = _nearest_larger(distances)
    # Distance k lies between word k and word k + 1.
    return [start + 1 for start in left], [end + 1 for end in right]


def published_spans(distances: Sequence[float], first: float = -math.inf) -> list[tuple[int, int]]:
    """The split in the published parsers of PRPN and ON-LSTM (Shen et al., 2018, 2019): at word i, (x_<i (x_i x_>i)).

    A distance belongs to the word on its right, and that word is split from its own right context at once, whatever
    the distances there; so trees lean to the right by construction (Dyer et al., 2019, "A Critical Analysis of Biased
    Parsers in Unsupervised Parsing"). ``first`` is the distance before the first word, if the model has one. O(T).
    """
    values = [first, *distances]
    left, right = _nearest_larger(values)
    spans = {(0, len(values))}
    for word, (start, end) in enumerate(zip(left, right, strict=True)):
        spans.update(span for span in ((start + 1, end), (word, end)) if span[1] - span[0] > 1)
    return pre_order(spans)


def binary_spans(spans: Sequence[tuple[int, int]], trees: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[int, int]]:
    """A binary tree: ``spans`` with every constituent of more than two parts split further.

    A constituent splits first between the parts where it cuts the fewest spans of ``trees``; ties: the leftmost.
    ``spans`` and the result are in pre-order. Time O(T · depth).
    """
    T = spans[0][1]
    changes = [0] * (T + 1)
    for start, end in (span for tree in trees for span in tree):
        changes[start + 1] += 1
        changes[end] -= 1
    cut = list(accumulate(changes))  # by position: the spans that a split there would cut
    end_of = list(range(1, T + 1))  # the largest part found so far that starts at each word
    result = []
    for start, end in reversed(spans):
        bounds = [start]
        while bounds[-1] < end:
            bounds.append(end_of[bounds[-1]])
        parts = unbiased_spans([-cut[bound] for bound in bounds[1:-1]])
        result += [(bounds[first], bounds[last]) for first, last in parts]
        end_of[start] = end
    return pre_order(result)


def _nearest_larger(values: Sequence[float]) -> tuple[list[int], list[int]]:
    """For each value, the index of the nearest larger or equal value on its left (−1: none), and of the nearest larger
    value on its right (the length: none). O(T)."""
    left, right = [-1] * len(values), [len(values)] * len(values)
    falling: list[int] = []
    for k, value in enumerate(values):
        while falling and values[falling[-1]] < value:
            right[falling.pop()] = k
        if falling:
            left[k] = falling[-1]
        falling.append(k)
    return left, right
