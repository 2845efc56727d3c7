"""Clean trees: without empty elements, function tags and indices, and reshaped as parsers want them.

    ( (S (NP-SBJ-1 (NNS dogs)) (VP (VBD were) (VP (VBN seen) (NP (-NONE- *-1))))))  as it stands in a Penn file
    (S (NP (NNS dogs)) (VP (VBD were) (VP (VBN seen))))                             clean

Binarized, a constituent of three children or more has constituents of its own, whose label ends in ``|``:

    (NP a b c d)  to the right  (NP a (NP| b (NP| c d)))      to the left  (NP (NP| (NP| a b) c) d)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Literal, TypeAlias

from synparse.treebanks.penn import TRACE_TAG, split_label
from synparse.trees.constituency import ConstituencyTree, Constituent
from synparse.trees.spans import constituents_of_kept

OUTER_LABELS = ("", "ROOT", "TOP")
"""Labels of an outermost bracket that stands for no constituent."""

BINARIZED_MARK = "|"
UNARY_MARK = "+"

Direction: TypeAlias = Literal["left", "right"]

ESCAPED = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


def unescaped(word: str) -> str:
    r"""A word as it was before it went into brackets: ``-LRB-`` is (, ``1\/2`` is 1/2, ``\*`` is an asterisk."""
    if "-" in word:
        for escape, bracket in ESCAPED.items():
            word = word.replace(escape, bracket)
    return word.replace("\\/", "/").replace("\\*", "*")


def is_empty_element(tag: str) -> bool:
    """Whether a word with this tag is a trace or another empty element."""
    return split_label(tag)[0] == TRACE_TAG


def cleaned(tree: ConstituencyTree) -> ConstituencyTree:
    """The tree without empty elements and what holds nothing else, and with labels that are categories alone.

    A nameless bracket around everything goes too where it holds one constituent; else it becomes ROOT. O(T).
    """
    bare = with_words(tree, [not is_empty_element(tag) for tag in tree.tags])
    constituents = [Constituent(split_label(label)[0], start, end) for label, start, end in bare.constituents]
    whole = (0, len(bare))
    if constituents and constituents[0] == ("", *whole):
        alone = len(constituents) > 1 and constituents[1][1:] == whole
        constituents[:1] = [] if alone else [Constituent("ROOT", *whole)]
    return ConstituencyTree(bare.words, bare.tags, tuple(constituents))


def with_words(tree: ConstituencyTree, kept: Sequence[bool]) -> ConstituencyTree:
    """The tree over the kept words alone, without the constituents that hold none of them. O(T)."""
    return ConstituencyTree(
        tuple(compress(tree.words, kept)), tuple(compress(tree.tags, kept)), tuple(constituents_of_kept(tree, kept))
    )


def without_unary_chains(tree: ConstituencyTree) -> ConstituencyTree:
    """The tree with one constituent in place of those over the same words: S over VP becomes ``S+VP``.

    Words keep their tags, whatever is above them. An outermost ROOT or TOP in a chain is left out. O(T).
    """
    chains: dict[tuple[int, int], list[str]] = {}
    for label, start, end in tree.constituents:
        chains.setdefault((start, end), []).append(label)
    whole = chains.get((0, len(tree)), [])
    if len(whole) > 1 and whole[0] in OUTER_LABELS:
        del whole[0]
    constituents = (Constituent(UNARY_MARK.join(labels), *span) for span, labels in chains.items())
    return ConstituencyTree(tree.words, tree.tags, tuple(constituents))


def binarized(tree: ConstituencyTree, direction: Direction) -> ConstituencyTree:
    """The tree with at most two children to a constituent; ``direction`` (left, right) says where it branches. O(T)."""
    constituents = list(tree.constituents)
    for (label, start, end), children in zip(tree.constituents, _children(tree), strict=True):
        mark = label + BINARIZED_MARK
        if direction == "right":
            constituents += (Constituent(mark, at, end) for at in children[1:-1])
        else:
            constituents += (Constituent(mark, start, at) for at in children[2:])
    # Unary chains stay as they were: sorting keeps the order of equals, and what is new covers the words of no other.
    constituents.sort(key=lambda constituent: (constituent.start, -constituent.end))
    return ConstituencyTree(tree.words, tree.tags, tuple(constituents))


def _children(tree: ConstituencyTree) -> list[list[int]]:
    """Where the children of each constituent begin, words among them."""
    begins: list[list[int]] = [[] for _ in tree.constituents]
    open_ones: list[int] = []
    upcoming = 0
    for position in range(len(tree)):
        while open_ones and tree.constituents[open_ones[-1]].end <= position:
            open_ones.pop()
        while upcoming < len(begins) and tree.constituents[upcoming].start == position:
            if open_ones:
                begins[open_ones[-1]].append(position)
            open_ones.append(upcoming)
            upcoming += 1
        if open_ones:
            begins[open_ones[-1]].append(position)
    return begins
