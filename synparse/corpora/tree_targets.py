"""Tree targets: the trees that come with sentences, as arrays over the words that a model reads and learns from.

One row for each word, [T, 3]: the position of its head (its own position for the root), and the start and end of the
smallest constituent with this word and the next one, which splits between them. Positions count from 0 in the sentence.
`NOWHERE` means unknown; the constituent of the last word is always unknown.

Tokens that the model does not read are removed by the rules of `synparse.trees`: a word depends on its nearest ancestor
that is read, and constituents keep only the words that are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.sentences import Sentence, read_sentences
from synparse.corpora.tokenization import Tokenizer
from synparse.trees.dependency import fault_of_heads
from synparse.trees.errors import DataError
from synparse.trees.punctuation import heads_of_kept
from synparse.trees.spans import constituents_of_kept, spans_of_gaps

NOWHERE = -1

COLUMNS = 3


def has_trees(sentence: Sentence) -> bool:
    """Whether a sentence came with heads or constituents; CoNLL-U always has heads."""
    return sentence.conllu is not None or sentence.tree is not None or sentence.heads is not None


def read_trees(path: str, tokenize: Tokenizer) -> Iterator[Sentence]:
    """The sentences with words of a file that ``--trees`` names. Raises DataError where it has no trees."""
    for sentence in read_sentences(path, tokenize):
        if not sentence.tokens:
            continue
        if not has_trees(sentence):
            raise DataError("has no trees: --trees takes CoNLL-U, brackets or JSON", path)
        yield sentence


def tree_rows(sentence: Sentence, kept: Sequence[bool]) -> NDArray[np.int32]:
    """The targets [T, 3] of the kept words of a sentence.

    Several words may be roots. Raises DataError if heads are missing or, with file:line, those of CoNLL-U are no tree.
    """
    count = sum(kept)
    rows = np.full((count, COLUMNS), NOWHERE, np.int32)
    heads = _heads_of(sentence)
    if heads is not None:
        kept_heads = np.array(heads_of_kept(heads, kept), np.int32)
        rows[:, 0] = np.where(kept_heads, kept_heads - 1, np.arange(count))
    if sentence.tree is not None and count > 1:
        constituents = constituents_of_kept(sentence.tree, kept)
        rows[:-1, 1:] = spans_of_gaps([(start, end) for _, start, end in constituents], count)
    return rows


def rows_of_piece(rows: NDArray[np.int32], start: int, end: int) -> NDArray[np.int32]:
    """The targets of the words ``start … end − 1`` of a sentence, with positions counted from ``start``.

    Heads outside the piece become `NOWHERE`; constituents keep their words inside it.
    """
    if (start, end) == (0, len(rows)):
        return rows
    piece = np.where(rows[start:end] < 0, NOWHERE, rows[start:end] - start)
    heads = piece[:, 0]
    heads[(heads < 0) | (heads >= end - start)] = NOWHERE
    known = rows[start:end, 1] >= 0
    piece[known, 1:] = piece[known, 1:].clip(0, end - start)
    piece[-1, 1:] = NOWHERE
    return piece


def _heads_of(sentence: Sentence) -> tuple[int, ...] | None:
    if sentence.conllu is None:
        if sentence.heads is None:
            return None
        known = tuple(head for head in sentence.heads if head is not None)
        if len(known) < len(sentence.heads):
            raise DataError("heads of JSON are null; fill them in with: synparse parse --keep heads --format json")
        return known
    heads = sentence.conllu.heads
    if fault := fault_of_heads(heads, single_root=False):
        raise DataError(f"not a tree: {fault}", sentence.conllu.source, sentence.conllu.first_line)
    return heads
