"""What two structures over the same words do not share: what a picture of one beside the other marks.

As in scoring, punctuation is left out first (here by form), so a tree with it and one without it are compared by their
words; structures whose words differ in number share nothing that could be marked.
"""

from __future__ import annotations

from synparse.trees.constituency import ConstituencyTree
from synparse.trees.dependency import DependencyTree
from synparse.trees.punctuation import is_punctuation
from synparse.trees.spans import sentence_spans


def other_spans(tree: ConstituencyTree, reference: ConstituencyTree) -> frozenset[tuple[int, int]]:
    """The spans (start, end) of constituents over two words or more, but not all, that the reference does not have.

    >>> from synparse.trees.constituency import induced_tree
    >>> tree = induced_tree("the dog barked .".split(), [(0, 4), (0, 2), (0, 3)])
    >>> other_spans(tree, induced_tree("the dog barked".split(), [(0, 3), (1, 3)]))
    frozenset({(0, 2)})
    """
    before, before_reference = _kept_before(tree.words), _kept_before(reference.words)
    if before[-1] != before_reference[-1]:
        return frozenset()
    known = sentence_spans(reference, [not is_punctuation(word) for word in reference.words])
    return frozenset(
        (start, end)
        for _, start, end in tree.constituents
        if 1 < before[end] - before[start] < before[-1] and (before[start], before[end]) not in known
    )


def other_heads(tree: DependencyTree, reference: DependencyTree) -> frozenset[int]:
    """The words (from 1) whose head in the reference is another.

    >>> words = ("the", "dog", "barked", ".")
    >>> other_heads(DependencyTree(words, (2, 3, 0, 3)), DependencyTree(words, (3, 3, 0, 2)))
    frozenset({1})
    """
    heads, known = _heads_of_words(tree), _heads_of_words(reference)
    if len(heads) != len(known):
        return frozenset()
    return frozenset(word for (word, head), (_, known_head) in zip(heads, known, strict=True) if head != known_head)


def _kept_before(words: tuple[str, ...]) -> list[int]:
    """How many words that are no punctuation stand before each word, and in all."""
    before = [0]
    for word in words:
        before.append(before[-1] + (not is_punctuation(word)))
    return before


def _heads_of_words(tree: DependencyTree) -> list[tuple[int, int]]:
    """Each word that is no punctuation, and its nearest head that is none either, counted among these (0 = root)."""
    before = _kept_before(tree.words)
    kept = [True, *(not is_punctuation(word) for word in tree.words)]
    pairs = []
    for word, head in enumerate(tree.heads, 1):
        if not kept[word]:
            continue
        while not kept[head]:
            head = tree.heads[head - 1]
        pairs.append((word, before[head]))
    return pairs
