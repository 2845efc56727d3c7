"""What a model is asked to predict."""

from __future__ import annotations

import torch
from torch import Tensor

from synparse.corpora.vocabulary import MASK_INDEX, SPECIAL, UNKNOWN_INDEX
from synparse.inducers.batch import IGNORED, Batch


def mask_words(words: Tensor, lengths: Tensor, rate: float, generator: torch.Generator) -> Batch:
    """Masked language modelling: each word is replaced by <mask>, with probability ``rate``, and is to be predicted.

    words [B, T], lengths [B], on the CPU. <unk> is never masked: predicting it teaches nothing. A batch in which
    chance masked nothing gets one masked word, if it has one that is known.
    """
    maskable = Batch(words, lengths).present & (words != UNKNOWN_INDEX)
    chosen = (torch.rand(words.shape, generator=generator) < rate) & maskable
    if not chosen.any() and maskable.any():
        candidates = maskable.flatten().nonzero().squeeze(1)
        chosen.view(-1)[candidates[torch.randint(len(candidates), (1,), generator=generator)]] = True
    return Batch(words.masked_fill(chosen, MASK_INDEX), lengths, words.masked_fill(~chosen, IGNORED))


def height_prior(heights: Tensor, batch: Batch, vocabulary_size: int) -> Tensor:
    """How far heights are from rising with the rarity of words: 1 − their correlation over the words shown, 0 … 2.

    heights [B, T]. Content words are rare and head their constituents; function words are frequent and depend. A
    masked language model alone finds this order or its reverse, as chance has it in the first hundreds of updates (for
    it, head and dependent are near symmetric). Rarity is the logarithm of the rank by frequency, which is the order of
    the vocabulary; <unk> counts as the rarest word.
    """
    shown = batch.present & (batch.words != MASK_INDEX)
    ranks = batch.words[shown] - len(SPECIAL)
    rarity = torch.where(ranks < 0, vocabulary_size, ranks + 1).to(heights.dtype).log()
    one, other = heights[shown], rarity
    one, other = one - one.mean(), other - other.mean()
    correlation: Tensor = (one * other).sum() / (one.norm() * other.norm()).clamp(min=1e-6)
    return 1.0 - correlation
