"""Trees as tests write them."""

from synparse.trees.brackets import read_brackets


def tree(brackets):
    """The only tree of a text in brackets."""
    [(_, parsed)] = read_brackets([brackets], "text")
    return parsed
