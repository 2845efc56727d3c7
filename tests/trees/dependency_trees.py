"""Dependency trees to compare with."""

import itertools
import math
from functools import cache

from synparse.trees.dependency import fault_of_heads


def is_tree(heads):
    return not fault_of_heads(heads)


def score_of(heads, scores):
    """The sum over words; scores on the diagonal are those of the root."""
    return math.fsum(scores[word, head - 1 if head else word] for word, head in enumerate(heads))


@cache
def all_heads(count):
    """The heads of every dependency tree over so many words."""
    return [heads for heads in itertools.product(range(count + 1), repeat=count) if is_tree(heads)]


def one_head_each(heads, spans):
    """Whether one word of each span alone is joined to words outside, or is the root."""
    for start, end in spans:
        inside = range(start + 1, end + 1)
        joined = {word for word in inside if heads[word - 1] not in inside}
        joined |= {head for word, head in enumerate(heads, 1) if head in inside and word not in inside}
        if len(joined) != 1:
            return False
    return True
