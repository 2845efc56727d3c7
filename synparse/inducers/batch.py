"""The input of an inducer, a batch of sentences as word indices, and the loss that it returns in training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor

State: TypeAlias = "tuple[Tensor | State, ...]"
"""State carried from one BPTT segment of a stream to the next: tensors without gradient, with a row for each
stream, in tuples nested as the model needs them."""

IGNORED = -100
"""Target of a position where nothing is to be predicted."""

SENTENCE_START = 3
"""Index of the word that stands before each sentence of a stream, `<eos>` of every vocabulary."""


class Candidates(NamedTuple):
    """Sampled softmax: the words among which the targets of a batch are predicted in training, in place of the whole
    vocabulary.

    words [K]: vocabulary indices in ascending order, all targets of the batch among them; log_inclusion [K]: the log
    of the probability with which each was drawn, 0 where it is certain.
    """

    words: Tensor
    log_inclusion: Tensor


class Guidance(NamedTuple):
    """Given trees, which a network that predicts words learns beside these.

    heads [B, T]: positions in the sentence, where the root is its own head, `IGNORED` where there is none. weights [B]:
    of a sentence's heads in the loss.
    """

    heads: Tensor
    weights: Tensor


class Batch(NamedTuple):
    """B sentences of up to T words.

    words [B, T]: vocabulary indices as the model reads them (masked, in training); anything at padding.
    lengths [B]: words in each sentence, at least 1; padding comes after the last word.
    targets [B, T]: the index to predict at each position, `IGNORED` where there is none; None in parsing.
    state: of streams, what the loss of the segment before this one carried; None at their beginning.
    candidates: of a sampled softmax; None: the whole vocabulary, which gives the exact loss.
    brackets [B, T − 1, 2]: where trees are predicted: first word and end of the smallest constituent that holds words
        t and t + 1, `IGNORED` where there is none. ``targets`` are then heads, positions in the sentence, where the
        root is its own head.
    guidance: given trees beside the words to predict; None: none.
    """

    words: Tensor
    lengths: Tensor
    targets: Tensor | None = None
    state: State | None = None
    candidates: Candidates | None = None
    brackets: Tensor | None = None
    guidance: Guidance | None = None

    @property
    def present(self) -> Tensor:
        """[B, T] boolean: True on words, False on padding."""
        positions = torch.arange(self.words.shape[1], device=self.lengths.device)
        return positions < self.lengths[:, None]

    @property
    def required_targets(self) -> Tensor:
        """The targets of a batch that is trained on. Raises ValueError where there are none."""
        if self.targets is None:
            raise ValueError("a batch without targets has no loss")
        return self.targets


class Loss(NamedTuple):
    """Negative log-likelihood in nats, summed over the predicted words, and how many there are.

    Sums add up over batches; perplexity is exp(total / predictions). Training minimises total / predictions + penalty.
    state: of a model that reads streams, for the batch that follows.
    """

    total: Tensor
    predictions: int
    penalty: Tensor | float = 0.0
    state: State | None = None


def predictions_of(batch: Any) -> int:
    """The number of predictions, which are the terms of the loss."""
    brackets = getattr(batch, "brackets", None)
    predicted = (batch.targets, None if brackets is None else brackets[..., 0])
    return sum(int((targets != IGNORED).sum()) for targets in predicted if targets is not None)


def on_device(batch: Any, device: torch.device) -> Any:
    """The batch, which was made on the CPU, with its tensors there; its state is where the model left it."""
    if device.type == "cpu":
        return batch
    return mapped(lambda values: values[0].to(device) if isinstance(values[0], Tensor) else values[0], [batch])


def rows_of(batch: Any, rows: slice) -> Any:
    """Some rows of a batch and of its state, among the candidates of the whole one."""
    parts = (
        value if isinstance(value, Candidates) else mapped(lambda values: values[0][rows], [value]) for value in batch
    )
    return type(batch)(*parts)


def mapped(function: Callable[[Sequence[Any]], Any], values: Sequence[Any]) -> Any:
    """``function`` of what stands at the same position of several values: nested tuples, the same ones, in which None
    stays."""
    first = values[0]
    if first is None:
        return None
    if not isinstance(first, tuple):
        return function(values)
    inner = [mapped(function, together) for together in zip(*values, strict=True)]
    return type(first)(*inner) if hasattr(first, "_fields") else tuple(inner)
