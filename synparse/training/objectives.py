"""What a model is asked to predict, and in which portions it reads the corpus for that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from synparse.config.training import MaskedTraining, StreamTraining, TrainingConfig, TreeTraining, WordTraining
from synparse.corpora.batches import Piece, batches_by_length, padded, shuffled_batches
from synparse.corpora.cache import TokenCache, word_counts
from synparse.corpora.streams import Segment, segments, stream_length
from synparse.corpora.tree_targets import COLUMNS, NOWHERE, rows_of_piece
from synparse.corpora.vocabulary import END_INDEX, MASK_INDEX, NO_CLASS, UNKNOWN_INDEX
from synparse.inducers.batch import IGNORED, Batch

VALIDATION_SEED = 0
"""Of the masks of the held-out words: the same for every run, so that perplexities can be compared."""

STAGES = (12, 25)
"""Most words of the sentences that are read first, and of those that are read next, where short ones come first."""

SHORT_FRACTION = 0.05
"""Stretches of a stream whose mean length is half of the usual one (Merity et al., 2018), and their least length."""
LEAST_SEGMENT = 5


class TrainingBatch(NamedTuple):
    """A batch, the words it reads, and the factor of the learning rate that makes up for its size."""

    batch: Batch
    words: int
    rate_factor: float = 1.0


class Objective(Protocol):
    """Batches of a corpus with targets. ``epoch`` (from 1) and ``seed`` decide order and chance."""

    def batches_per_epoch(self, cache: TokenCache) -> float: ...

    def training(self, cache: TokenCache, seed: int, epoch: int) -> Iterator[TrainingBatch]: ...

    def validation(self, cache: TokenCache) -> list[Batch]: ...


def objective_of(config: TrainingConfig) -> Objective:
    """The objective that these settings are for."""
    if isinstance(config, StreamTraining):
        return NextWord(config)
    if isinstance(config, TreeTraining):
        return GivenTree(config)
    assert isinstance(config, MaskedTraining)
    return MaskedWord(config)


class _OfSentences:
    """Batches of sentences of about one length."""

    def __init__(self, config: MaskedTraining | TreeTraining) -> None:
        self.config = config

    def batches_per_epoch(self, cache: TokenCache) -> float:
        return cache.words / self.config.batch_tokens

    def training(self, cache: TokenCache, seed: int, epoch: int) -> Iterator[TrainingBatch]:
        generator = torch.Generator().manual_seed(int(np.random.SeedSequence((seed, epoch)).generate_state(1)[0]))
        for pieces in shuffled_batches(cache, self.config.batch_tokens, (seed, epoch), self._stages(epoch)):
            batch = self._batch(cache, pieces, generator)
            yield TrainingBatch(batch, sum(piece.end - piece.start for piece in pieces))

    def validation(self, cache: TokenCache) -> list[Batch]:
        """The held-out sentences (up to ``config.validation_words`` words), read the same way every time."""
        generator = torch.Generator().manual_seed(VALIDATION_SEED)
        sentences = max(1, int((cache.offsets[1:] <= self.config.validation_words).sum()))
        lengths = cache.lengths[:sentences].tolist()
        return [
            self._held_out_batch(cache, pieces, generator)
            for pieces in batches_by_length(lengths, range(sentences), self.config.batch_tokens)
        ]

    def _stages(self, _: int) -> Sequence[int]:
        """Most words of the sentences of each stage but the last, where a pass has several."""
        return ()

    def _batch(self, cache: TokenCache, pieces: list[Piece], generator: torch.Generator) -> Batch:
        raise NotImplementedError

    def _held_out_batch(self, cache: TokenCache, pieces: list[Piece], generator: torch.Generator) -> Batch:
        return self._batch(cache, pieces, generator)


class MaskedWord(_OfSentences):
    """Masked language modelling: some words of sentences hidden, of held-out ones too."""

    config: MaskedTraining

    def _batch(self, cache: TokenCache, pieces: list[Piece], generator: torch.Generator) -> Batch:
        return mask_words(*_words(cache, pieces), self.config.mask_rate, generator, cache.first_class)

    def _stages(self, epoch: int) -> Sequence[int]:
        return STAGES if epoch <= self.config.curriculum_epochs else ()


class GivenTree(_OfSentences):
    """The trees that sentences came with; in training, some words are read as unknown."""

    config: TreeTraining

    def _batch(self, cache: TokenCache, pieces: list[Piece], generator: torch.Generator) -> Batch:
        batch = tree_batch(cache, pieces)
        dropped = torch.rand(batch.words.shape, generator=generator) < self.config.word_dropout
        return batch._replace(words=batch.words.masked_fill(dropped, UNKNOWN_INDEX))

    def _held_out_batch(self, cache: TokenCache, pieces: list[Piece], _: torch.Generator) -> Batch:
        return tree_batch(cache, pieces)


def tree_batch(cache: TokenCache, pieces: list[Piece]) -> Batch:
    """Pieces of sentences and what is known of their trees, for a cache that has them."""
    assert cache.trees is not None
    words, lengths = _words(cache, pieces)
    trees = np.full((*words.shape, COLUMNS), NOWHERE, np.int64)
    for row, piece in zip(trees, pieces, strict=True):
        of_sentence = cache.trees[cache.offsets[piece.sentence] : cache.offsets[piece.sentence + 1]]
        row[: piece.end - piece.start] = rows_of_piece(of_sentence, piece.start, piece.end)
    targets = torch.from_numpy(np.where(trees == NOWHERE, IGNORED, trees))
    return Batch(words, lengths, targets[:, :, 0], brackets=targets[:, :-1, 1:])


def _words(cache: TokenCache, pieces: list[Piece]) -> tuple[Tensor, Tensor]:
    """words [B, T], lengths [B]."""
    words, lengths = padded([cache[piece.sentence][piece.start : piece.end] for piece in pieces])
    return torch.from_numpy(words), torch.from_numpy(lengths)


def mask_words(
    words: Tensor, lengths: Tensor, rate: float, generator: torch.Generator, first_class: int = NO_CLASS
) -> Batch:
    """Each word is replaced by <mask>, with probability ``rate``, and is to be predicted.

    words [B, T], lengths [B], on the CPU. <unk> and the classes of unknown words, the indices from ``first_class`` on,
    are never masked: predicting them teaches nothing. So the same words are masked, and perplexity is of the same ones,
    whether or not there are classes. A batch in which chance masked nothing gets one masked word, if it has one that is
    known.
    """
    maskable = Batch(words, lengths).present & (words != UNKNOWN_INDEX) & (words < first_class)
    chosen = (torch.rand(words.shape, generator=generator) < rate) & maskable
    if not chosen.any() and maskable.any():
        candidates = maskable.flatten().nonzero().squeeze(1)
        chosen.view(-1)[candidates[torch.randint(len(candidates), (1,), generator=generator)]] = True
    return Batch(words.masked_fill(chosen, MASK_INDEX), lengths, words.masked_fill(~chosen, IGNORED))


class NextWord:
    """Next-word prediction over the corpus as a stream, in order, in stretches that hand on their state.

    The length of a stretch varies around ``bptt``, so that no word is always the first of one (Merity et al., 2018).
    Unknown words are predicted as <unk>: perplexity is of the same words whether or not they have classes.
    """

    def __init__(self, config: StreamTraining) -> None:
        self.config = config

    def batches_per_epoch(self, cache: TokenCache) -> float:
        mean = self.config.bptt * (1 - SHORT_FRACTION / 2)
        return stream_length(cache) / (self.config.streams * mean)

    def training(self, cache: TokenCache, seed: int, epoch: int) -> Iterator[TrainingBatch]:
        for segment in segments(cache, self.config.streams, self._lengths(seed, epoch)):
            batch = _stream_batch(segment)
            yield TrainingBatch(batch, int(segment.known.sum()), segment.words.shape[1] / self.config.bptt)

    def validation(self, cache: TokenCache) -> list[Batch]:
        """The held-out sentences (up to ``config.validation_words`` words) as a stream of their own."""
        sentences = max(1, int((cache.offsets[1:] <= self.config.validation_words).sum()))
        tokens, offsets = cache.tokens[: cache.offsets[sentences]], cache.offsets[: sentences + 1]
        read = replace(cache, tokens=tokens, offsets=offsets)
        lengths = iter(lambda: self.config.bptt, None)
        return [_stream_batch(segment) for segment in segments(read, self.config.streams, lengths)]

    def _lengths(self, seed: int, epoch: int) -> Iterator[int]:
        random = np.random.default_rng((seed, epoch))
        while True:
            mean = self.config.bptt / (2 if random.random() < SHORT_FRACTION else 1)
            yield max(LEAST_SEGMENT, round(random.normal(mean, LEAST_SEGMENT)))


def _stream_batch(segment: Segment) -> Batch:
    words, following = torch.from_numpy(segment.words), torch.from_numpy(segment.following)
    lengths = torch.full((len(words),), words.shape[1])
    return Batch(words, lengths, following.masked_fill(~torch.from_numpy(segment.known), IGNORED))


def target_counts(config: WordTraining, cache: TokenCache, vocabulary_size: int) -> NDArray[np.int64]:
    """How often each word can be a target in one pass over the corpus."""
    counts = word_counts(cache, vocabulary_size)
    unknown = counts[UNKNOWN_INDEX] + counts[cache.first_class :].sum()
    is_stream = isinstance(config, StreamTraining)
    counts[cache.first_class :] = 0
    counts[UNKNOWN_INDEX] = unknown if is_stream else 0
    counts[END_INDEX] = len(cache) if is_stream else 0
    return counts
