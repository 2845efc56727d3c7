"""Training batches of sentences of about the same length.

A batch is a list of pieces (sentence, start, end). Nothing is dropped: a sentence longer than a batch is cut into
pieces that fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.vocabulary import PADDING_INDEX

if TYPE_CHECKING:
    from synparse.corpora.cache import TokenCache

POOL_BATCHES = 100
"""How many batches of shuffled sentences are sorted by length together: a larger pool needs less padding, a smaller
pool mixes lengths better."""


class Piece(NamedTuple):
    """Words ``start … end − 1`` of a sentence: all of them, unless the sentence is longer than a batch."""

    sentence: int
    start: int
    end: int


def batches_by_length(lengths: Sequence[int], order: Sequence[int], batch_tokens: int) -> Iterator[list[Piece]]:
    """The sentences of ``order``, shortest first, in batches of at most ``batch_tokens`` words, padding included."""
    pieces = [
        Piece(sentence, start, min(start + batch_tokens, lengths[sentence]))
        for sentence in order
        for start in range(0, lengths[sentence], batch_tokens)
    ]
    pieces.sort(key=lambda piece: piece.end - piece.start)  # stable: sentences of one length stay shuffled
    batch: list[Piece] = []
    for piece in pieces:
        if batch and (len(batch) + 1) * (piece.end - piece.start) > batch_tokens:
            yield batch
            batch = []
        batch.append(piece)
    if batch:
        yield batch


def shuffled_batches(cache: TokenCache, batch_tokens: int, seed: tuple[int, ...]) -> Iterator[list[Piece]]:
    """One pass over a corpus in random order; the same seed gives the same batches.

    Sentences are shuffled, sorted by length within pools of `POOL_BATCHES` batches, and each pool's batches shuffled.
    Memory: 16 bytes per sentence.
    """
    random = np.random.default_rng(seed)
    order = random.permutation(len(cache))
    lengths = cache.lengths
    mean_length = max(1.0, cache.words / len(cache))
    pool = max(1, int(POOL_BATCHES * batch_tokens / mean_length))
    for start in range(0, len(order), pool):
        chosen = order[start : start + pool]
        local = list(batches_by_length(lengths[chosen].tolist(), range(len(chosen)), batch_tokens))
        for k in random.permutation(len(local)):
            yield [piece._replace(sentence=int(chosen[piece.sentence])) for piece in local[k]]


def padded(sentences: Sequence[Sequence[int] | NDArray[np.int32]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """B sequences of word indices → words [B, T] with padding, and lengths [B]."""
    lengths = np.array([len(sentence) for sentence in sentences], np.int64)
    words = np.full((len(sentences), int(lengths.max())), PADDING_INDEX, np.int64)
    for row, sentence in zip(words, sentences, strict=True):
        row[: len(sentence)] = sentence
    return words, lengths
