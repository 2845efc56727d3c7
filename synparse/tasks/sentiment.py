"""Sentiment: whether a sentence is negative or positive, from the Stanford Sentiment Treebank.

Socher, Perelygin, Wu, Chuang, Manning, Ng, Potts: Recursive Deep Models for Semantic Compositionality over a Sentiment
Treebank. EMNLP 2013. Data are binary trees, one on a line, whose nodes have a label from 0, very negative, to 4, very
positive: ``(3 (2 It) (4 (2 's) (3 good)))``. A sentence has the label of its root; each phrase inside it is an example
of its own to train on. SST-5 asks for these labels; SST-2 for 0 or 1 against 3 or 4, and leaves out what is neutral: a
neutral sentence, and neutral phrases of others.

Words are lower-cased.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from synparse.corpora.vocabulary import SPECIAL, Vocabulary
from synparse.files.streams import read_lines
from synparse.tasks.expressions import Example, Expression, Task
from synparse.trees.brackets import read_brackets
from synparse.trees.constituency import ConstituencyTree
from synparse.trees.errors import DataError
from synparse.trees.limits import LONGEST_WORD

_CLASSES = {
    "sst2": (("negative", "positive"), {"0": 0, "1": 0, "3": 1, "4": 1}),
    "sst5": (("very negative", "negative", "neutral", "positive", "very positive"), {str(n): n for n in range(5)}),
}
"""Of each task: the names of its classes, and the class of each label of the treebank."""

SENTIMENT = {name: Task(name, (), labels, 1) for name, (labels, _) in _CLASSES.items()}
"""The tasks by name; their words are those of the training data (`vocabulary_of`)."""


def read_sentences(task: Task, paths: Iterable[str]) -> Iterator[list[Example]]:
    """The sentences of a treebank that have a class, each with its phrases: the whole sentence first, then its phrases
    in pre-order, then its single words. Streams.

    Raises DataError (file:line) for trees that are not binary, and for labels other than 0 to 4; for files without
    sentences.
    """
    for path in paths:
        has_trees = False
        for line, tree in read_brackets(read_lines(path), path):
            try:
                examples = list(_examples(task, tree))
            except ValueError as error:
                raise DataError(str(error), path, line) from None
            has_trees = True
            if examples and len(examples[0].expressions[0].words) == len(tree):
                yield examples
        if not has_trees:
            raise DataError("there are no sentences: it needs trees such as (3 (2 It) (4 (2 's) (3 good)))", path)


def vocabulary_of(sentences: Iterable[Sequence[Example]], min_count: int) -> Vocabulary:
    """The words that stand ``min_count`` times or more in these sentences, the most frequent ones first."""
    counts = Counter(word for whole, *_ in sentences for word in whole.expressions[0].words)
    words = [word for word, count in counts.most_common() if count >= min_count and len(word) <= LONGEST_WORD]
    return Vocabulary([*SPECIAL, *(word for word in words if word not in SPECIAL)])


def _examples(task: Task, tree: ConstituencyTree) -> Iterator[Example]:
    """The sentence and its phrases, those without a class left out. Raises ValueError."""
    classes = _CLASSES[task.name][1]
    words = tuple(word.lower() for word in tree.words)
    heights = _heights(tree)
    spans = [*tree.constituents, *((tag, position, position + 1) for position, tag in enumerate(tree.tags))]
    for label, start, end in spans:
        if label not in ("0", "1", "2", "3", "4"):
            raise ValueError(f"the label of a node must be 0 to 4, not {label!r}")
        if label in classes:
            inside = heights[start : end - 1]
            expression = Expression(words[start:end], tuple(range(end - start)), inside, max(inside, default=0), 0)
            yield Example((expression,), classes[label])


def _heights(tree: ConstituencyTree) -> tuple[int, ...]:
    """The height of the node that each point between two words splits (`Expression`). Raises ValueError where the tree
    is not binary. O(T)."""
    heights = [0] * (len(tree) - 1)
    span_heights = {(position, position + 1): 0 for position in range(len(tree))}
    longest = {position: position + 1 for position in range(len(tree))}  # the end of the largest node so far from there
    for _, start, end in reversed(tree.constituents):
        split = longest[start]
        left, right = span_heights.get((start, split)), span_heights.get((split, end))
        if left is None or right is None:
            raise ValueError(f"the tree is not binary: a node over the words {start + 1} to {end} has no two children")
        heights[split - 1] = span_heights[start, end] = 1 + max(left, right)
        longest[start] = end
    if longest[0] != len(tree):
        raise ValueError("the tree is not binary: its root has no two children")
    return tuple(heights)
