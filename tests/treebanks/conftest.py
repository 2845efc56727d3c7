"""Agreement of a conversion with the output of the reference converter."""

from itertools import zip_longest

import pytest

from synparse.treebanks.penn import nodes_of
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import read_conllu


@pytest.fixture
def agreement(shared_data):
    """(conversion, trees, gold, stripped=False) → fractions of words with the gold head, and with head and relation."""

    def measure(convert, trees_file, gold_file, stripped=False):
        words = same_heads = same_labels = 0
        with (
            (shared_data / trees_file).open(encoding="utf-8") as lines,
            (shared_data / "conversion" / gold_file).open(encoding="utf-8") as gold_lines,
        ):
            for one, gold in zip_longest(read_brackets(lines, "trees"), read_conllu(gold_lines, "gold")):
                root = nodes_of(one.tree)
                if stripped:
                    for node in root.preorder():
                        node.functions = ()
                found = convert(root)
                arcs = zip(found.heads, found.relations, strict=True)
                for arc, gold_arc in zip(arcs, zip(gold.heads, gold.relations, strict=True), strict=True):
                    words += 1
                    same_heads += arc[0] == gold_arc[0]
                    same_labels += arc == gold_arc
        return same_heads / words, same_labels / words

    return measure
