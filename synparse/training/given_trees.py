"""Given trees (``train --trees``): a small number of annotated sentences, perhaps with gaps.

In EM, what is given of a tree is certain, and the rest is expected under it, as in all sentences of the text (Pereira &
Schabes, 1992, "Inside-Outside Reestimation from Partially Bracketed Corpora"). The student learns the given trees
together with the trees of the text. Both weight given trees: these are few and right, the others many and often wrong.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import Sentence
from synparse.corpora.tokenization import load_tokenizer
from synparse.corpora.tree_targets import read_trees
from synparse.files.streams import read_lines
from synparse.parsing.drafts import Draft, draft_of_sentence, is_checked, is_unchecked_draft, kept_of
from synparse.parsing.options import Request
from synparse.parsing.parse import Parse
from synparse.parsing.parser import Parser
from synparse.parsing.windows import windows_of
from synparse.trees.errors import DataError

AS_MUCH_AS_TEXT = 100
"""Number of given trees from which they have the same total weight as the trees of the text; the weight of fewer trees
is proportional to their number."""


def fraction_of_text(given: int) -> float:
    """The total weight of this number of given trees, as a fraction of that of the trees of the text."""
    return min(1.0, given / AS_MUCH_AS_TEXT)


def times_counted(given: int, sentences: int) -> int:
    """The weight of each of this number of given trees, if each of this number of sentences of the text has weight
    1."""
    return max(1, round(sentences / max(AS_MUCH_AS_TEXT, given)))


class GivenTree(NamedTuple):
    """A sentence with a tree, as it was read, and the given part of the tree."""

    sentence: Sentence
    draft: Draft


def given_trees(paths: Sequence[str], text: TextConfig) -> list[GivenTree]:
    """The sentences of these files of whose trees something is given: heads (CoNLL-U, JSON) or constituents (brackets,
    JSON). Raises DataError if a file has no trees, or if the given parts of a tree contradict each other."""
    tokenize = load_tokenizer(text.tokenizer, False, text.language)
    trees: list[GivenTree] = []
    for path in paths:
        before = len(trees)
        for sentence in read_trees(path, tokenize):
            if (draft := draft_of_sentence(sentence, kept_of(sentence), "--trees")) is not None:
                trees.append(GivenTree(sentence, draft))
        if len(trees) == before:
            raise DataError("no sentence has a head or a constituent that is given", path)
    return trees


def note_on_checked(trees: Sequence[GivenTree]) -> str:
    """What to know of trees that are neither marked as checked nor have gaps, where others are marked, or a parser has
    made trees: these may be such trees, too; "" for others."""
    is_marked = any(is_checked(tree.sentence) or is_unchecked_draft(tree.sentence) for tree in trees)
    doubtful = sum(not is_checked(tree.sentence) and None not in tree.draft.given.heads for tree in trees)
    if not is_marked or not doubtful:
        return ""
    return (
        f"--trees: {doubtful} of {len(trees)} sentences are not marked as checked, and are learned as they are; leave "
        "out those that a parser made, or their heads (_)"
    )


def fingerprint(paths: Sequence[str]) -> str:
    """The SHA-256 of the lines of these files."""
    digest = hashlib.sha256()
    for path in paths:
        for line in read_lines(path):
            digest.update(line.encode())
    return digest.hexdigest()


def completed(
    parser: Parser,
    trees: Iterable[GivenTree],
    request: Request = Request(),  # noqa: B008 - immutable
) -> Iterator[tuple[GivenTree, Parse]]:
    """Each given tree, with the best parse that contains its given part."""
    request = parser.checked(request)
    for window in windows_of(trees, lambda tree: len(tree.sentence.tokens)):
        tokens, drafts = [tree.sentence.tokens for tree in window], [tree.draft for tree in window]
        yield from zip(window, parser.parse_window(tokens, request, drafts), strict=True)
