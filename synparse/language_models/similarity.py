"""How alike two sentences are to a language model: the cosine of their vectors, which can be tuned to people's scores.

The vector of a sentence is the mean of the contextual states of the words that the model reads, after its last layer
norm. Tuning minimises the squared difference between the cosine and the score, scaled to 0 … 1: the objective of
Reimers, Gurevych: Sentence-BERT. EMNLP 2019, section 3. Shen's thesis, section 4.3.5, tunes UDGN on the same data
without naming an objective.

Glossary
    B pairs, N sentences, T words, D size of a state
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from synparse.corpora.batches import padded
from synparse.corpora.vocabulary import UNKNOWN_INDEX
from synparse.inducers.batch import IGNORED, SENTENCE_START, Batch, Loss, on_device
from synparse.inducers.protocol import LanguageModel, Learner
from synparse.inducers.uncompiled import uncompiled
from synparse.language_models.loading import NEXT_WORD, LoadedLanguageModel
from synparse.language_models.sentence_pairs import HIGHEST, PairOfTokens
from synparse.scoring.correlation import spearman
from synparse.training.example_batches import batches_in_order, batches_of_pool
from synparse.training.objectives import TrainingBatch
from synparse.trees.errors import SettingError

if TYPE_CHECKING:
    from synparse.language_models.tuning_recipe import TuningTraining

POOL_BATCHES = 20
"""Batches' worth of random pairs that are sorted by length together."""

BATCH = 128
"""Pairs that are compared at once where nothing is trained."""


class PairBatch(NamedTuple):
    """B pairs of sentences of up to T words.

    words [B, 2, T], lengths [B, 2]; targets [B]: scores, 0 … 1, or `IGNORED`. state: that of a stream, which pairs are
    not.
    """

    words: Tensor
    lengths: Tensor
    targets: Tensor
    state: None = None

    @property
    def sentences(self) -> tuple[Tensor, Tensor]:
        """The words [2B, T] and lengths [2B] of all first sentences, then of all second ones."""
        longest = int(self.lengths.max())
        return self.words[:, :, :longest].transpose(0, 1).flatten(0, 1), self.lengths.t().flatten()


class SentenceSimilarity(Learner):
    """A language model that compares sentences. reads_stream: whether it predicts next words, and so reads <eos> before
    a sentence."""

    def __init__(self, language_model: LanguageModel, reads_stream: bool) -> None:
        super().__init__()
        self.language_model = language_model
        self.reads_stream = reads_stream

    def vectors(self, words: Tensor, lengths: Tensor) -> Tensor:
        """words [N, T], lengths [N] → [N, D], the mean state of the words of each sentence."""
        present = Batch(words, lengths).present
        if self.reads_stream:
            words = functional.pad(words, (1, 0), value=SENTENCE_START)
        states = self.language_model.contextual(Batch(words, lengths + self.reads_stream)).states
        states = self.language_model.last_layer(states[:, int(self.reads_stream) :])
        total: Tensor = (states * present[..., None]).sum(1)
        return total / lengths[:, None]

    def forward(self, batch: PairBatch) -> Tensor:
        """The cosine [B] of each pair."""
        return cosines(self.vectors(*batch.sentences))

    @uncompiled
    def loss(self, batch: PairBatch) -> Loss:
        """The squared differences between cosines and scores."""
        known = batch.targets != IGNORED
        errors = (self(batch) - batch.targets)[known]
        return Loss(errors.square().sum(), len(errors))

    def matrix_parameters(self) -> int:
        return self.language_model.matrix_parameters()


def cosines(vectors: Tensor) -> Tensor:
    """vectors [2B, D], first those of the first sentences → [B]."""
    first, second = vectors.float().chunk(2)
    return functional.cosine_similarity(first, second, dim=-1)


def similarity_of(model: LoadedLanguageModel, freeze_parser: bool = False) -> SentenceSimilarity:
    """The model as one that compares sentences. freeze_parser: the parts that trees are induced with do not learn, so
    that its trees stay as they are; of a StructFormer these are the word embeddings too, which its parser reads.

    Raises SettingError for a parser to freeze of a model that has none, or that is nothing else.
    """
    network = model.network
    if freeze_parser:
        parser = type(network).PARSER
        rest = {name.partition(".")[0] for name, _ in network.named_parameters()} - {*parser, "output_bias"}
        if not parser:
            raise SettingError(f"--freeze-parser: {model.kind} has no parser")
        if not rest:
            raise SettingError(f"--freeze-parser: nothing of {model.kind} is left to tune without its parser")
        for name, parameter in network.named_parameters():
            parameter.requires_grad_(name.partition(".")[0] not in parser)
    return SentenceSimilarity(network, model.objective == NEXT_WORD)


class CodedPairs(NamedTuple):
    """Pairs as word indices of a model: ``words[n]`` are those of the two sentences of pair n."""

    words: list[tuple[list[int], list[int]]]
    scores: Sequence[float]

    def batch(self, chosen: Sequence[int]) -> PairBatch:
        """These pairs, their scores scaled to 0 … 1."""
        words, lengths = padded([sentence for n in chosen for sentence in self.words[n]])
        return PairBatch(
            torch.from_numpy(words.reshape(len(chosen), 2, -1)),
            torch.from_numpy(lengths.reshape(len(chosen), 2)),
            torch.tensor([self.scores[n] / HIGHEST for n in chosen]),
        )

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Of the longer sentence of each pair."""
        return np.array([max(map(len, sentences)) for sentences in self.words])


def coded(tokens: Iterable[PairOfTokens], scores: Sequence[float], model: LoadedLanguageModel) -> CodedPairs:
    """Pairs as the model reads them; a sentence of which it reads no word is one unknown word."""
    words = [
        (model.indices(first) or [UNKNOWN_INDEX], model.indices(second) or [UNKNOWN_INDEX]) for first, second in tokens
    ]
    return CodedPairs(words, scores)


@torch.no_grad()
def compared(pairs: CodedPairs, compare: Callable[[PairBatch], Tensor], device: torch.device) -> list[float]:
    """The similarity of each pair, as ``compare`` finds it for a batch."""
    similarities = [0.0] * len(pairs.words)
    for chosen in batches_in_order(pairs.lengths, BATCH):
        values = compare(on_device(pairs.batch(chosen), device)).tolist()
        for n, value in zip(chosen, values, strict=True):
            similarities[n] = value
    return similarities


class Scoring:
    """The `Objective` of learning the scores of pairs; Spearman's correlation with held-out scores validates."""

    def __init__(self, config: TuningTraining, training: CodedPairs, held_out: CodedPairs) -> None:
        self.config, self.training, self.held_out = config, training, held_out
        self.batches_per_epoch = math.ceil(len(training.words) / config.batch_size)

    def epochs(self, seed: int, first: int) -> Iterator[Iterator[TrainingBatch]]:
        return (self._epoch(seed, epoch) for epoch in count(first))

    def _epoch(self, seed: int, epoch: int) -> Iterator[TrainingBatch]:
        """All pairs, each once, in batches of about one length and in random order."""
        random, lengths, size = np.random.default_rng((seed, epoch)), self.training.lengths, self.config.batch_size
        order = random.permutation(len(lengths))
        for start in range(0, len(order), POOL_BATCHES * size):
            for chosen in batches_of_pool(order[start : start + POOL_BATCHES * size], lengths, size, random):
                batch = self.training.batch(chosen)
                yield TrainingBatch(batch, int(batch.lengths.sum()))

    def score(self, model: Learner, device: torch.device, precision: Callable[[], Any]) -> float:
        """Spearman's correlation with the scores of the held-out pairs; 0 where all cosines are equal."""
        with precision():
            similarities = compared(self.held_out, model, device)
        return spearman(similarities, self.held_out.scores) or 0.0
