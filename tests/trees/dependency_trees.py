"""Dependency trees to compare with."""

import itertools
from functools import cache

from synparse.trees.dependency import is_tree


@cache
def all_heads(count):
    """The heads of every dependency tree over so many words."""
    return [heads for heads in itertools.product(range(count + 1), repeat=count) if is_tree(heads)]
