"""Trees that somebody has given (``train --trees``): few, perhaps with gaps, and used throughout.

Grammars count them as they count sentences of the text, whose trees they guess: what is given is certain, the rest is
expected under it. The student learns them beside the trees of the text. Both count them many times: they are few
and right, and trees of the text many and often wrong.

Pereira & Schabes (1992), "Inside-Outside Reestimation from Partially Bracketed Corpora", is the idea for grammars.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import Sentence
from synparse.corpora.tokenization import load_tokenizer
from synparse.corpora.tree_targets import read_trees
from synparse.parsing.drafts import Draft, draft_of_sentence, kept_of
from synparse.parsing.options import Request
from synparse.parsing.parse import Parse
from synparse.parsing.parser import Parser
from synparse.parsing.windows import windows_of
from synparse.trees.errors import DataError

AS_MUCH_AS_TEXT = 100
"""So many given trees, or more, count as much as all trees of the text; fewer count less, in proportion."""


def fraction_of_text(given: int) -> float:
    """How much so many given trees count, as a fraction of the trees of the text."""
    return min(1.0, given / AS_MUCH_AS_TEXT)


def times_counted(given: int, sentences: int) -> int:
    """How many times each of so many given trees counts beside so many sentences of the text."""
    return max(1, round(sentences / max(AS_MUCH_AS_TEXT, given)))


class GivenTree(NamedTuple):
    """A sentence with a tree, as it was read, and what of its tree is given."""

    sentence: Sentence
    draft: Draft


def given_trees(paths: Sequence[str], text: TextConfig) -> list[GivenTree]:
    """The sentences of these files with anything given of their trees: heads of CoNLL-U and JSON, constituents of
    brackets and JSON. Raises DataError where a file has no trees, or what is given contradicts itself."""
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


def completed(
    parser: Parser,
    trees: Iterable[GivenTree],
    request: Request = Request(),  # noqa: B008 - immutable
) -> Iterator[tuple[GivenTree, Parse]]:
    """Each given tree, and the parse that has all that is given."""
    request = parser.checked(request)
    for window in windows_of(trees, lambda tree: len(tree.sentence.tokens)):
        tokens, drafts = [tree.sentence.tokens for tree in window], [tree.draft for tree in window]
        yield from zip(window, parser.parse_window(tokens, request, drafts), strict=True)
