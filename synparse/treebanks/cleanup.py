"""Clean trees: without empty elements, function tags and indices; multiword units split, unary chains collapsed,
binarized.

    ( (S (NP-SBJ-1 (NNS dogs)) (VP (VBD were) (VP (VBN seen) (NP (-NONE- *-1))))))  in a Penn file
    (S (NP (NNS dogs)) (VP (VBD were) (VP (VBN seen))))                             clean

Binarization splits a constituent of three children or more; the label of each new constituent ends in ``|``:

    (NP a b c d)  to the right  (NP a (NP| b (NP| c d)))      to the left  (NP (NP| (NP| a b) c) d)

A multiword unit, which a treebank writes as one word joined by underscores, becomes a flat constituent of its words,
under its tag:

    (sp (prep (sps00 a_pesar_de)) (sn (pp ello)))  (sp (prep (sps00 (sps00 a) (sps00 pesar) (sps00 de))) (sn (pp ello)))
"""

from __future__ import annotations

from itertools import accumulate, chain
from typing import Literal, TypeAlias

from synparse.treebanks.penn import OUTER_LABELS, plain_tag, split_label
from synparse.trees.constituency import ConstituencyTree, Constituent, tree_of
from synparse.trees.scored_words import NO_WORDS
from synparse.trees.spans import with_words

BINARIZED_MARK = "|"
UNARY_MARK = "+"
UNIT_MARK = "_"

Direction: TypeAlias = Literal["left", "right"]


def is_empty_element(tag: str) -> bool:
    """Whether a word with this tag is a trace, another empty element or the mark of a disfluency."""
    return split_label(tag)[0] in NO_WORDS


def cleaned(tree: ConstituencyTree) -> ConstituencyTree:
    """The tree without empty elements and constituents of nothing else, and with labels that are only categories.

    Tags are plain (`synparse.treebanks.penn.plain_tag`). An outermost bracket without a label is removed if it has one
    child constituent; otherwise its label is ROOT. O(T).
    """
    bare = with_words(tree, [not is_empty_element(tag) for tag in tree.tags])
    constituents = [Constituent(split_label(label)[0], start, end) for label, start, end in bare.constituents]
    whole = (0, len(bare))
    if constituents and constituents[0] == ("", *whole):
        alone = len(constituents) > 1 and constituents[1][1:] == whole
        constituents[:1] = [] if alone else [Constituent("ROOT", *whole)]
    return ConstituencyTree(bare.words, tuple(map(plain_tag, bare.tags)), tuple(constituents))


def with_units_split(tree: ConstituencyTree) -> ConstituencyTree:
    """The tree with each multiword unit, words joined by ``_``, as a constituent of these words, which have its tag.

    The treebank says that the words belong together and nothing of what is inside, so the constituent is flat: the
    French Treebank has its compounds like this (Seddah et al. 2013, SPMRL). A word such as ``_`` or ``_x`` has one part
    and stays as it is. O(T log T).
    """
    units = [[part for part in word.split(UNIT_MARK) if part] for word in tree.words]
    units = [parts if len(parts) > 1 else [word] for parts, word in zip(units, tree.words, strict=True)]
    starts = list(accumulate(map(len, units), initial=0))
    constituents = [Constituent(label, starts[start], starts[end]) for label, start, end in tree.constituents]
    constituents += (
        Constituent(tag, start, start + len(parts))
        for tag, start, parts in zip(tree.tags, starts, units, strict=False)
        if len(parts) > 1
    )
    tags = tuple(tag for tag, parts in zip(tree.tags, units, strict=True) for _ in parts)
    return tree_of([*chain.from_iterable(units)], constituents, tags)  # its order is stable: a unit is innermost


def without_unary_chains(tree: ConstituencyTree) -> ConstituencyTree:
    """The tree with each unary chain collapsed to one constituent: S over VP becomes ``S+VP``.

    Words keep their tags. An outermost ROOT or TOP in a chain is left out. O(T).
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
    """The tree with at most two children per constituent, branching to the ``direction`` left or right. O(T)."""
    constituents = list(tree.constituents)
    for (label, start, end), children in zip(tree.constituents, _children(tree), strict=True):
        new = label + BINARIZED_MARK
        if direction == "right":
            constituents += (Constituent(new, at, end) for at in children[1:-1])
        else:
            constituents += (Constituent(new, start, at) for at in children[2:])
    # Unary chains keep their order: that of `tree_of` is stable, and no new constituent covers another one's words.
    return tree_of(tree.words, constituents, tree.tags)


def _children(tree: ConstituencyTree) -> list[list[int]]:
    """The positions at which the children of each constituent, words included, begin."""
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
