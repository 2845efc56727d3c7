"""Training objectives: what a model predicts, and the batches in which it reads the corpus."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, repeat
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from synparse.config.training import (
    GuidedTraining,
    MaskedTraining,
    StreamTraining,
    TextTraining,
    TreeTraining,
    WordTraining,
)
from synparse.corpora.batches import Piece, batches_by_length, padded, shuffled_batches
from synparse.corpora.cache import Corpus, TokenCache, word_counts
from synparse.corpora.streams import Segment, segments, stream_length
from synparse.corpora.tree_targets import COLUMNS, NOWHERE, rows_of_piece
from synparse.corpora.vocabulary import END_INDEX, MASK_INDEX, NO_CLASS, UNKNOWN_INDEX
from synparse.inducers.batch import IGNORED, Batch, Guidance, on_device
from synparse.inducers.protocol import Learner
from synparse.training.sampling import inclusion_probabilities, with_candidates

VALIDATION_SEED = 0
"""Seed of the masks of the held-out words: the same in every run, so that perplexities can be compared."""

SHORT_FRACTION = 0.05
"""Fraction of BPTT segments whose mean length is half of the usual one (Merity et al., 2018)."""

LEAST_SEGMENT = 5
"""Fewest words of a segment."""

GUIDED = 0.5
"""The fraction of a run in which the weight of given trees falls to 0. They decide which of many structures a network
learns that predict words as well; once it has one, it learns more from the words (benchmarks/findings.tsv)."""


class TrainingBatch(NamedTuple):
    """A batch, the words it reads, and the factor of the learning rate that makes up for its size."""

    batch: Any
    words: int
    rate_factor: float = 1.0


class Objective(Protocol):
    """A training objective with its data: batches to train on, and a score of the held-out data."""

    @property
    def batches_per_epoch(self) -> float:
        """Roughly, where the lengths of batches vary."""

    def epochs(self, seed: int, first: int) -> Iterator[Iterator[TrainingBatch]]:
        """The training batches of each epoch, without end, from epoch ``first`` on (counted from 1). Read each epoch to
        its end before the next one."""

    def score(self, model: Learner, device: torch.device, precision: Callable[[], Any]) -> float:
        """What `TrainingConfig.measure` names, of the held-out data."""


@dataclass(frozen=True)
class TextObjective:
    """Predictions in the sentences of a corpus, validated by their perplexity.

    batches: those of an epoch, from the seed of the run and the number of the epoch, which decide their order and the
    random numbers in them. held_out: the same in every run. inclusion [V]: of each word, the probability that it is
    among those that a batch is predicted among; None where these are all words.
    """

    batches_per_epoch: float
    batches: Callable[[int, int], Iterator[TrainingBatch]]
    held_out: Sequence[Batch]
    inclusion: Tensor | None = None

    def epochs(self, seed: int, first: int) -> Iterator[Iterator[TrainingBatch]]:
        return (self._epoch(seed, epoch) for epoch in count(first))

    def _epoch(self, seed: int, epoch: int) -> Iterator[TrainingBatch]:
        if self.inclusion is None:
            return self.batches(seed, epoch)
        return (
            batch._replace(batch=with_candidates(batch.batch, self.inclusion, (seed, epoch, index)))
            for index, batch in enumerate(self.batches(seed, epoch))
        )

    @torch.no_grad()
    def score(self, model: Learner, device: torch.device, precision: Callable[[], Any]) -> float:
        """Perplexity per predicted word, the batches read in order; infinite where it overflows."""
        nats, predictions, state = 0.0, 0, None
        for batch in self.held_out:
            with precision():
                loss = model.loss(on_device(batch, device)._replace(state=state))
            nats += float(loss.total)
            predictions += loss.predictions
            state = loss.state
        mean = nats / max(1, predictions)
        return math.exp(mean) if mean < 700 else math.inf


def objective_of(config: TextTraining, corpus: Corpus) -> TextObjective:
    """The objective for these settings on a corpus."""
    sampled = config.sampled_softmax if isinstance(config, WordTraining) else 0
    inclusion = inclusion_probabilities(len(corpus.vocabulary), sampled) if sampled else None
    held_out = held_out_batches(config, corpus.valid)
    if isinstance(config, StreamTraining):
        mean = config.bptt * (1 - SHORT_FRACTION / 2)
        batches_per_epoch = stream_length(corpus.train) / (config.streams * mean)
        batches = partial(stream_batches, config, corpus.train)
        return TextObjective(batches_per_epoch, batches, held_out, inclusion)
    assert isinstance(config, MaskedTraining | TreeTraining)
    batches = partial(sentence_batches, config, corpus.train)
    # Padding and the last batches of pools are not full: by words alone, the learning rate would end too early.
    batches_per_epoch = sum(1 for _ in shuffled_batches(corpus.train, config.batch_tokens, ()))
    return TextObjective(batches_per_epoch, batches, held_out, inclusion)


def held_out_batches(config: TextTraining, cache: TokenCache) -> list[Batch]:
    """The held-out sentences (up to ``config.validation_words`` words), read the same way every time; of a stream, as a
    stream of their own."""
    sentences = max(1, int((cache.offsets[1:] <= config.validation_words).sum()))
    if isinstance(config, StreamTraining):
        tokens, offsets = cache.tokens[: cache.offsets[sentences]], cache.offsets[: sentences + 1]
        read = segments(replace(cache, tokens=tokens, offsets=offsets), config.streams, repeat(config.bptt))
        return [_stream_batch(segment) for segment in read]
    assert isinstance(config, MaskedTraining | TreeTraining)
    generator = torch.Generator().manual_seed(VALIDATION_SEED)
    lengths = cache.lengths[:sentences].tolist()
    return [
        _sentence_batch(config, cache, pieces, generator)
        for pieces in batches_by_length(lengths, range(sentences), config.batch_tokens)
    ]


def sentence_batches(
    config: MaskedTraining | TreeTraining, cache: TokenCache, seed: int, epoch: int
) -> Iterator[TrainingBatch]:
    """An epoch in batches of sentences of about one length: some words masked, or some read as unknown, and the trees
    that the sentences came with, if the model learns from these."""
    generator = torch.Generator().manual_seed(int(np.random.SeedSequence((seed, epoch)).generate_state(1)[0]))
    words = 0
    for pieces in shuffled_batches(cache, config.batch_tokens, (seed, epoch)):
        batch = _sentence_batch(config, cache, pieces, generator)
        if isinstance(config, TreeTraining):
            dropped = torch.rand(batch.words.shape, generator=generator) < config.word_dropout
            batch = batch._replace(words=batch.words.masked_fill(dropped, UNKNOWN_INDEX))
        elif isinstance(config, GuidedTraining):
            fraction = (epoch - 1 + words / max(1, cache.words)) / config.epochs
            if (weight := config.guidance * (1 - fraction / GUIDED)) > 0:
                heads = _tree_targets(cache, pieces, batch.words)[:, :, 0]
                batch = batch._replace(guidance=Guidance(heads, torch.full((len(heads),), weight)))
        of_batch = sum(piece.end - piece.start for piece in pieces)
        words += of_batch
        yield TrainingBatch(batch, of_batch)


def _sentence_batch(
    config: MaskedTraining | TreeTraining, cache: TokenCache, pieces: list[Piece], generator: torch.Generator
) -> Batch:
    if isinstance(config, TreeTraining):
        return tree_batch(cache, pieces)
    return mask_words(*_words(cache, pieces), config.mask_rate, generator, cache.first_class)


def tree_batch(cache: TokenCache, pieces: list[Piece]) -> Batch:
    """Pieces of sentences with their trees, from a cache that has trees."""
    words, lengths = _words(cache, pieces)
    targets = _tree_targets(cache, pieces, words)
    return Batch(words, lengths, targets[:, :, 0], brackets=targets[:, :-1, 1:])


def _tree_targets(cache: TokenCache, pieces: list[Piece], words: Tensor) -> Tensor:
    """[B, T, 3]: the targets of the words [B, T] of these pieces, as `TokenCache` has them, `IGNORED` where there is
    none."""
    assert cache.trees is not None
    trees = np.full((*words.shape, COLUMNS), NOWHERE, np.int64)
    for row, piece in zip(trees, pieces, strict=True):
        rows = cache.trees[cache.offsets[piece.sentence] : cache.offsets[piece.sentence + 1]]
        row[: piece.end - piece.start] = rows_of_piece(rows, piece.start, piece.end)
    return torch.from_numpy(np.where(trees == NOWHERE, IGNORED, trees))


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


def stream_batches(config: StreamTraining, cache: TokenCache, seed: int, epoch: int) -> Iterator[TrainingBatch]:
    """An epoch as a stream, in order, in BPTT segments that hand on their state; each word predicts the next one.

    The length of a segment varies around ``bptt``, so that no word is always the first of one (Merity et al., 2018).
    Unknown words are predicted as <unk>: perplexity is of the same words whether or not they have classes.
    """
    for segment in segments(cache, config.streams, _segment_lengths(config.bptt, seed, epoch)):
        yield TrainingBatch(_stream_batch(segment), int(segment.known.sum()), segment.words.shape[1] / config.bptt)


def _segment_lengths(bptt: int, seed: int, epoch: int) -> Iterator[int]:
    random = np.random.default_rng((seed, epoch))
    while True:
        mean = bptt / (2 if random.random() < SHORT_FRACTION else 1)
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
