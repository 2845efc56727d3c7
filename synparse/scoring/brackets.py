"""Predicted bracketed files, aligned with a gold file and read sentence by sentence, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, takewhile
from operator import eq
from typing import NamedTuple

from synparse.scoring.in_step import NamedLines, in_step, looked_at, other_words
from synparse.trees.brackets import TreeOfLine, read_brackets
from synparse.trees.constituency import ConstituencyTree, escaped
from synparse.trees.punctuation import is_punctuation
from synparse.trees.scored_words import NO_WORDS, kept_leaves, lacks_penn_tags


class KeptTree(NamedTuple):
    """A tree, and which of its words are scored."""

    tree: ConstituencyTree
    kept: Sequence[bool]


class AlignedTrees(NamedTuple):
    """A gold sentence, counted from 1, beside the predictions for it: as many words are kept in all of them.

    lines: where each prediction begins in its file.
    """

    number: int
    gold: KeptTree
    predicted: tuple[KeptTree, ...]
    lines: tuple[int, ...]


def trees_in_step(runs: Sequence[NamedLines], gold: NamedLines) -> Iterator[tuple[int, TreeOfLine, list[TreeOfLine]]]:
    """The number of each sentence, from 1, its gold tree and the predicted ones, whatever their words; trees of traces
    alone, which `synparse parse` makes a blank line of, are left out.

    Raises DataError (file:line) where a file is malformed or ends early, and where there are no trees.
    """

    def read(file: NamedLines) -> Iterator[TreeOfLine]:
        return (line for line in read_brackets(file.lines, file.name) if not NO_WORDS.issuperset(line.tree.tags))

    return in_step(runs, gold, read, "trees")


def gold_lacks_penn_tags(gold: NamedLines) -> tuple[bool, NamedLines]:
    """Whether the tags of a gold file are not Penn's, by its first `TREES_LOOKED_AT` trees, and the file again, from
    its first line. Raises DataError (file:line) if one of these trees is malformed."""
    first, gold = looked_at(gold, lambda file: read_brackets(file.lines, file.name))
    return lacks_penn_tags(line.tree for line in first), gold


def aligned_trees(
    runs: Sequence[NamedLines], gold: NamedLines, punctuation_by_form: bool = False
) -> Iterator[AlignedTrees]:
    """The trees of a gold file beside those of one or more predictions, read in step, with the words that are scored.

    Words line up by token: each side may have the other's punctuation or lack it, and gold traces are ignored.
    ``punctuation_by_form``: whatever the gold tags are. Raises DataError as `trees_in_step` does, and where words
    differ.
    """
    for number, other, predictions in trees_in_step(runs, gold):
        reference = KeptTree(other.tree, kept_leaves(other.tree, punctuation_by_form))
        predicted = (
            KeptTree(prediction.tree, kept_of_prediction(prediction, reference, number, run.name, gold.name))
            for run, prediction in zip(runs, predictions, strict=True)
        )
        yield AlignedTrees(number, reference, tuple(predicted), tuple(prediction.line for prediction in predictions))


def kept_of_prediction(
    prediction: TreeOfLine, gold: KeptTree, number: int, predicted_name: str, gold_name: str
) -> Sequence[bool]:
    """Which words of the predicted tree are scored. Raises DataError where its words are not those of the gold tree."""
    # As both are written in brackets: words of gold trees may have white space in them.
    words, gold_words = (list(map(escaped, tree.words)) for tree in (prediction.tree, gold.tree))
    if words == gold_words:
        return gold.kept
    visible = [tag not in NO_WORDS for tag in gold.tree.tags]
    visible_words = list(compress(gold_words, visible))
    if words == visible_words:
        return list(compress(gold.kept, visible))
    scored = list(compress(gold_words, gold.kept))
    if words == scored:
        return [True] * len(words)
    by_form = [not is_punctuation(word) for word in words]
    for kept in (kept_leaves(prediction.tree), by_form):  # induced tags do not tell
        if list(compress(words, kept)) == scored:
            return kept
    # Where one side lacks punctuation, the first difference is not another word.
    pairs = (words, visible_words), (list(compress(words, by_form)), scored)
    ours, theirs = max(pairs, key=lambda pair: sum(takewhile(bool, map(eq, *pair))))
    raise other_words(number, ours, theirs, predicted_name, prediction.line, gold_name)
