"""The differences of two structures over the same words, which are marked in pictures of one beside the other.

As in scoring, punctuation is left out first (here by form), so a tree with it and one without it are compared by their
words; in structures whose words differ in number nothing is marked.
"""

from __future__ import annotations

from itertools import compress

from synparse.trees.constituency import ConstituencyTree
from synparse.trees.dependency import WordHeads
from synparse.trees.punctuation import heads_of_kept, is_punctuation
from synparse.trees.spans import kept_before, sentence_spans


def other_spans(tree: ConstituencyTree, reference: ConstituencyTree) -> frozenset[tuple[int, int]]:
    """The spans (start, end) of constituents that the reference does not have, without the whole sentence and words.

    >>> from synparse.trees.constituency import induced_tree
    >>> tree = induced_tree("the dog barked .".split(), [(0, 4), (0, 2), (0, 3)])
    >>> other_spans(tree, induced_tree("the dog barked".split(), [(0, 3), (1, 3)]))
    frozenset({(0, 2)})
    """
    kept, kept_reference = _kept(tree), _kept(reference)
    if sum(kept) != sum(kept_reference):
        return frozenset()
    before, others = kept_before(kept), sentence_spans(tree, kept) - sentence_spans(reference, kept_reference)
    return frozenset((start, end) for _, start, end in tree.constituents if (before[start], before[end]) in others)


def other_heads(tree: WordHeads, reference: WordHeads) -> frozenset[int]:
    """The words (from 1) whose head in the reference is another.

    >>> words = ("the", "dog", "barked", ".")
    >>> from synparse.trees.dependency import DependencyTree
    >>> other_heads(DependencyTree(words, (2, 3, 0, 3)), DependencyTree(words, (3, 3, 0, 2)))
    frozenset({1})
    """
    kept, kept_reference = _kept(tree), _kept(reference)
    if sum(kept) != sum(kept_reference):
        return frozenset()
    words = compress(range(1, len(tree) + 1), kept)
    heads, known = heads_of_kept(tree.heads, kept, True), heads_of_kept(reference.heads, kept_reference, True)
    return frozenset(word for word, head, known_head in zip(words, heads, known, strict=True) if head != known_head)


def _kept(tree: ConstituencyTree | WordHeads) -> list[bool]:
    return [not is_punctuation(word) for word in tree.words]
