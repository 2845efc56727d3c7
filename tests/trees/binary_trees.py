"""All binary trees, to compare with."""

import itertools
from functools import cache


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
