"""How probable a sentence is to a language model: a sum of log-probabilities of its words.

- A model of the next word reads the sentence from zero state, after <eos>; the score is the log-probability of its
  words and of the <eos> that ends it. An unknown word is predicted as <unk>.
- A masked model has no probability of a sentence. Its score is the pseudo-log-likelihood (Salazar, Liang, Nguyen and
  Kirchhoff 2020, "Masked Language Model Scoring"), Σ log p(word | all others), each word masked in turn. Such a model
  never learned to predict <unk>: unknown words are read, but are left out of the sum.

Sentences of one length are computed together, so there is no padding.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from synparse.corpora.vocabulary import END_INDEX, MASK_INDEX, UNKNOWN_INDEX
from synparse.inducers.batch import IGNORED, SENTENCE_START, Batch, State, on_device, predictions_of
from synparse.inducers.table import Objective
from synparse.language_models.loading import MASKED, NEXT_WORD, LoadedLanguageModel

BATCH_WORDS, BATCH_WORDS_OF_GPU = 2048, 32_768
"""Words of a batch, on the CPU and on other devices."""

BATCH_PAIRS = 1 << 20
"""Pairs of words of a batch, which take memory in attention."""


@torch.inference_mode()
def sentence_scores(model: LoadedLanguageModel, sentences: Sequence[tuple[int, ...]]) -> list[float]:
    """The score of each sentence, given by its indices, in nats. Sentences that are equal are scored once, so their
    scores are equal too.

    Time: the network reads n + 1 words of a sentence of n words, or n times n words where it is masked; the output
    layer predicts n + 1 or n of them.
    """
    scores = dict.fromkeys(sentences, 0.0)
    by_length: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for sentence in scores:
        by_length[len(sentence)].append(sentence)
    score = _SCORES[model.objective]
    for same_length in by_length.values():
        words = torch.tensor(same_length, dtype=torch.long)
        scores.update(zip(same_length, score(model, words).tolist(), strict=True))
    return [scores[sentence] for sentence in sentences]


def log_probabilities(model: LoadedLanguageModel, words: Tensor) -> Tensor:
    """[S, T], sentences of T words → [S]: the log-probability of the words and of the <eos> after them."""
    S, T = words.shape
    before = torch.cat([words.new_full((S, 1), SENTENCE_START), words], 1)
    after = torch.cat([predicted_as(words, model.vocabulary.first_class), words.new_full((S, 1), END_INDEX)], 1)
    rows = rows_of_batch(model, T + 1)
    parts = zip(torch.split(before, rows), torch.split(after, rows), strict=True)
    likelihoods = [log_likelihoods(model, without_padding(*part))[0] for part in parts]
    return torch.cat(likelihoods).view(S, T + 1).sum(1)


def pseudo_log_likelihoods(model: LoadedLanguageModel, words: Tensor) -> Tensor:
    """[S, T], sentences of T words → [S]: Σ log p(word | all others) over the known words. The maskings of a sentence
    stand side by side in a batch."""
    S, T = words.shape
    scores = torch.zeros(S, dtype=torch.float64)
    known = predicted_as(words, model.vocabulary.first_class) != UNKNOWN_INDEX
    for part in torch.split(known.nonzero(), rows_of_batch(model, T)):
        row, column = part[:, 0], part[:, 1:]
        masked = words[row].scatter(1, column, MASK_INDEX)
        targets = torch.full_like(masked, IGNORED).scatter(1, column, words[row].gather(1, column))
        likelihoods, _ = log_likelihoods(model, without_padding(masked, targets))
        scores.index_add_(0, row, likelihoods)
    return scores


_SCORES: Mapping[Objective, Callable[[LoadedLanguageModel, Tensor], Tensor]] = {
    NEXT_WORD: log_probabilities,
    MASKED: pseudo_log_likelihoods,
}


def predicted_as(words: Tensor, first_class: int) -> Tensor:
    """What is predicted where these words are read: <unk> for every class of unknown words."""
    return words.masked_fill(words >= first_class, UNKNOWN_INDEX)


def without_padding(words: Tensor, targets: Tensor) -> Batch:
    """words, targets [B, T] → a batch of B sentences of T words."""
    return Batch(words, torch.full((len(words),), words.shape[1]), targets)


def log_likelihoods(model: LoadedLanguageModel, batch: Batch) -> tuple[Tensor, State | None]:
    """The log-probability [M] of each target of a batch, row by row, in float64 on the CPU; and the state for the batch
    that follows. The batch, but for its state, is on the CPU; one without targets is not computed."""
    if not predictions_of(batch):
        return torch.zeros(0, dtype=torch.float64), batch.state
    device = model.network.embedding.weight.device
    likelihoods, state = model.network.log_likelihoods(on_device(batch, device))
    return likelihoods.double().cpu(), state


def rows_of_batch(model: LoadedLanguageModel, length: int) -> int:
    """How many sentences of this many words make a batch."""
    length = max(1, length)
    is_cpu = model.network.embedding.weight.device.type == "cpu"
    words = BATCH_WORDS if is_cpu else BATCH_WORDS_OF_GPU
    return max(1, min(words // length, BATCH_PAIRS // length**2))
