"""Penn-style trees as nested nodes for conversions: with parents, split labels and the indices of traces.

A label is a category, function tags and an index: ``NP-SBJ-1`` is the category NP with the tag SBJ and the index 1;
``NP=2`` has the gap index 2. A word is a node too: its label is its part of speech. An empty element ``(-NONE- *T*-1)``
is a word whose label is ``-NONE-``; its index is that of its antecedent.

Nodes refer to each other, and conversions change them, so each conversion builds its own nodes from the
`ConstituencyTree`, the value that readers and writers use. Nothing here recurses, so trees may have any depth.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from synparse.trees.constituency import ConstituencyTree
from synparse.trees.scored_words import NO_WORDS, PENN_TAGS

PUNCTUATION = frozenset({".", ",", ":", "``", "''", "-LRB-", "-RRB-"})

OUTER_LABELS = ("", "ROOT", "TOP")
"""Labels of an outermost bracket that is not a constituent."""

# A word under one of these has no part of speech. Not X and INTJ, which some treebanks use for words too.
_PHRASES = frozenset(
    """S SBAR SBARQ SINV SQ ADJP ADVP CONJP FRAG NAC NP NX PP PRN PRT QP RRC UCP VP WHADJP WHADVP WHNP WHPP""".split()
)

# A label between hyphens is not split: -NONE-, -LRB-.
_LABEL = re.compile(r"(-[A-Z]+-|[^-=|]+|[-=|].*)(.*)\Z", re.DOTALL)


class Node:
    """A constituent or a word of a tree.

    label: only the category or part of speech. functions: its function tags, in order. index: the index of a filler or
    trace, gap: the index of what it stands for after a gap, "" for none. word: as in the file, None for constituents.
    position: of a word in the sentence, from 1; 0 for empty elements and constituents.
    """

    __slots__ = ("children", "functions", "gap", "head", "index", "label", "parent", "position", "word")

    parent: Node | None
    head: Node | None
    """The head child; None until a conversion has found it."""

    def __init__(self, label: str, children: Iterable[Node] = (), word: str | None = None) -> None:
        self.label, self.functions, self.index, self.gap = split_label(label)
        self.word, self.position = word, 0
        self.parent = self.head = None
        self.adopt(children)

    def __repr__(self) -> str:
        parts: list[str] = []
        stack: list[Node | None] = [self]
        while stack:
            node = stack.pop()
            if node is None:
                parts[-1] += ")"
            elif node.word is not None:
                parts.append(f"({node.label} {node.word})")
            else:
                parts.append(f"({'-'.join([node.label, *node.functions])}")
                stack += [None, *reversed(node.children)]
        return " ".join(parts)

    @property
    def form(self) -> str:
        """The word in lower case, "" for a constituent."""
        return (self.word or "").lower()

    @property
    def is_word(self) -> bool:
        return self.word is not None

    @property
    def is_trace(self) -> bool:
        return self.label in NO_WORDS

    @property
    def above(self) -> str:
        """The label of its parent, "" for the root."""
        return self.parent.label if self.parent else ""

    @property
    def opening(self) -> Node:
        """Its first child; a word itself."""
        return self.children[0] if self.children else self

    @property
    def first_word(self) -> Node:
        """The word with which it begins."""
        node = self
        while node.children:
            node = node.children[0]
        return node

    def first(self, *labels: str) -> Node | None:
        """Its first child with one of these labels."""
        return next((child for child in self.children if child.label in labels), None)

    def has(self, *labels: str) -> bool:
        """Whether a child has one of these labels."""
        return self.first(*labels) is not None

    def preorder(self) -> Iterator[Node]:
        """This node and all under it, a node before its children, left before right."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            if node.children:
                stack += node.children[::-1]

    def bottom_up(self) -> list[Node]:
        """This node and all under it, children before their parent; a list, so that nodes may change meanwhile."""
        order, stack = [], [self]  # the loop of `preorder`, without the cost of a generator
        while stack:
            node = stack.pop()
            order.append(node)
            if node.children:
                stack += node.children[::-1]
        order.reverse()
        return order

    def leaves(self) -> list[Node]:
        """Its words and empty elements, left to right."""
        return [node for node in reversed(self.bottom_up()) if node.word is not None]

    def adopt(self, children: Iterable[Node]) -> None:
        """Replace the children by these."""
        self.children = list(children)
        for child in self.children:
            child.parent = self


@lru_cache(maxsize=1 << 16)
def split_label(label: str) -> tuple[str, tuple[str, ...], str, str]:
    """Category, function tags, index and gap index: ``NP-SBJ-1=2`` → ("NP", ("SBJ",), "1", "2").

    Of an ambiguous category, ``ADVP|PRT``, the first counts. What follows ``^`` is the label of the parent.
    """
    match = _LABEL.match(label.partition("^")[0] or label)
    if not match:
        return label, (), "", ""
    category, rest = match.groups()
    functions: list[str] = []
    index = gap = ""
    for separator, part in re.findall(r"([-=|])([^-=|]*)", rest):
        if part.isdigit():
            index, gap = (index, part) if separator == "=" else (part, gap)
        elif part and (separator != "|" or functions):
            functions.append(part)
    return category, tuple(functions), index, gap


def plain_tag(tag: str) -> str:
    """A part of speech without function tags, if it is in capitals: NN-SBJ is NN. In others, such as v-fin of the
    Portuguese treebank, a hyphen is their own."""
    return split_label(tag)[0] if tag.isupper() else tag


def other_tags(tags: Iterable[str]) -> list[str]:
    """The commonest tags of a treebank that are not Penn's, if most of its words have such tags.

    >>> other_tags(["NR", "VV", "NN", "PU", "VV"]), other_tags(["DT", "NN", "XYZ", "-NONE-"])
    (['VV', 'NR', 'PU'], [])
    """
    known = [category for tag in tags if (category := split_label(tag)[0]) not in ("", *NO_WORDS)]
    others = Counter(category for category in known if category.upper() not in PENN_TAGS)
    return [tag for tag, _ in others.most_common(5)] if 2 * others.total() > len(known) else []


def labels_of(nodes: Iterable[Node]) -> list[str]:
    """The label of each."""
    return [node.label for node in nodes]


def word_without_tag(tree: ConstituencyTree) -> str | None:
    """The first word without a part of speech, or directly under a phrase label: (NP dogs). None if there is none."""
    tagged = zip(tree.words, tree.tags, strict=True)
    return next((word for word, tag in tagged if not tag or plain_tag(tag) in _PHRASES), None)


def lower_case_label(tree: ConstituencyTree) -> str | None:
    """A label of Penn's in lower case, if most of the tree's categories or most of its parts of speech are such labels:
    (np (nn dog)).

    None if only a few are: a treebank may have labels of its own.
    """
    for labels in ([label for label, _, _ in tree.constituents if label], tree.tags):
        together = "".join(labels)
        if together == together.upper():
            continue  # the usual case
        lower = [label for label in labels if label.islower() and split_label(label.upper())[0] in _PHRASES | PENN_TAGS]
        if 2 * len(lower) > len(labels):
            return lower[0]
    return None


def nodes_of(tree: ConstituencyTree) -> Node:
    """The tree as nodes, under one node with the label ROOT, which replaces an outermost bracket "", ROOT or TOP.

    Positions count the words that are not empty elements. O(T).
    """
    root = Node("ROOT")
    waiting = list(reversed(tree.constituents))
    if waiting and waiting[-1].label in OUTER_LABELS and waiting[-1][1:] == (0, len(tree)):
        waiting.pop()
    open_nodes: list[tuple[Node, int]] = [(root, len(tree.words))]
    position = 0
    for number, (word, tag) in enumerate(zip(tree.words, tree.tags, strict=True)):
        while open_nodes[-1][1] <= number:
            open_nodes.pop()
        while waiting and waiting[-1].start == number:
            label, _, end = waiting.pop()
            node = Node(label)
            _append(open_nodes[-1][0], node)
            open_nodes.append((node, end))
        leaf = Node(tag, word=word)
        if not leaf.is_trace:
            position += 1
            leaf.position = position
        elif "-" in word:
            leaf.index = word.rsplit("-", 1)[1]
        _append(open_nodes[-1][0], leaf)
    return root


def _append(parent: Node, child: Node) -> None:
    parent.children.append(child)
    child.parent = parent


def without_traces(root: Node) -> Node:
    """Remove empty elements from the tree, and constituents of nothing else. Returns ``root``."""
    for node in root.bottom_up():
        if node.children:
            node.children = [
                child for child in node.children if child.children or (child.is_word and not child.is_trace)
            ]
    return root
