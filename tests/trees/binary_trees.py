"""Binary trees to compare with."""

import itertools
from functools import cache

from synparse.trees.phrase_boundaries import unbroken_phrase_scores
from synparse.trees.punctuation_cues import broken_costs
from synparse.trees.span_chart import best_binary_spans


@cache
def all_binary(start, end):
    """The spans of two words or more of every binary tree, in pre-order."""
    if end - start == 1:
        return [()]
    return [
        ((start, end), *left, *right)
        for middle in range(start + 1, end)
        for left, right in itertools.product(all_binary(start, middle), all_binary(middle, end))
    ]


@cache
def all_binary_sets(count):
    """The same over so many words, as sets."""
    return [frozenset(tree) for tree in all_binary(0, count)]


def boundary_spans(boundaries, cues=None, head_scores=None):
    """The binary tree with the highest sum of phrase scores, broken costs included, as spans in pre-order."""
    span_scores = unbroken_phrase_scores(boundaries, cues and cues.levels, head_scores)
    return best_binary_spans((span_scores if cues is None else span_scores - broken_costs(cues))[None])[0]
