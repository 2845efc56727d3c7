"""What goes into an inducer: a batch of sentences as word indices."""

from __future__ import annotations

from typing import Any, NamedTuple

from torch import Tensor

IGNORED = -100
"""Target of a position that is not to be predicted."""

SENTENCE_START = 3
"""Index of the word that stands before each sentence of a stream, `<eos>` of every vocabulary."""


class Candidates(NamedTuple):
    """The words that a batch is predicted among in training, in place of the whole vocabulary.

    words [K]: vocabulary indices in ascending order, all targets of the batch among them; log_inclusion [K]: the log
    of the probability with which each was drawn, 0 where it is certain.
    """

    words: Tensor
    log_inclusion: Tensor


class Batch(NamedTuple):
    """B sentences of up to T words.

    words [B, T]: vocabulary indices as the model reads them (masked, in training); anything at padding.
    lengths [B]: words in each sentence, at least 1; padding comes after the last word.
    targets [B, T]: the index to predict at each position, `IGNORED` where there is none; None in parsing.
    state: where the rows go on from an earlier batch, what the model's loss of that batch carried.
    candidates: what the targets are predicted among; None is the whole vocabulary, the exact loss.
    """

    words: Tensor
    lengths: Tensor
    targets: Tensor | None = None
    state: Any = None
    candidates: Candidates | None = None

    @property
    def present(self) -> Tensor:
        """[B, T] boolean: True on words, False on padding."""
        positions = self.lengths.new_tensor(range(self.words.shape[1]))
        return positions < self.lengths[:, None]


class Loss(NamedTuple):
    """Negative log-likelihood in nats, summed over the predicted words, and how many there are.

    Sums add up over batches; perplexity is exp(total / predictions). Training minimises total / predictions + penalty.
    state: for the batch that goes on where this one ends, where the model reads streams.
    """

    total: Tensor
    predictions: int
    penalty: Tensor | float = 0.0
    state: Any = None
