"""Trees of one line of brackets, and what a scheme makes of them."""

from synparse.treebanks.penn import nodes_of
from synparse.trees.brackets import read_brackets


def tree_of(text):
    [(_, tree)] = read_brackets([text], "text")
    return tree


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
