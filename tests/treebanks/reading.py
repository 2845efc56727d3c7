"""Trees of one line of brackets, and what a scheme makes of them."""

from synparse.treebanks.penn import nodes_of
from tests.trees.written import tree as tree_of


def root_of(text):
    """The tree as nodes, under a node ROOT."""
    return nodes_of(tree_of(text))


def relations_of(convert, text):
    """``relation(head, word)`` of each word, in order."""
    root = root_of(text)
    names = ["ROOT", *(leaf.word for leaf in root.leaves() if not leaf.is_trace)]
    heads, relations, _ = convert(root)
    return [
        f"{relation}({names[head]}, {word})" for word, head, relation in zip(names[1:], heads, relations, strict=True)
    ]
