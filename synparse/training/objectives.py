"""What a model is asked to predict."""

from __future__ import annotations

import torch
from torch import Tensor

from synparse.corpora.vocabulary import MASK_INDEX, UNKNOWN_INDEX
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
