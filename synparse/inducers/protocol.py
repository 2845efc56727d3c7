"""The interface of all inducers, which training and parsing use."""

from __future__ import annotations

from typing import ClassVar, Protocol

from torch import nn

from synparse.inducers.batch import Batch, Loss
from synparse.inducers.induction import Induction


class Inducer(Protocol):
    """A model that finds trees in sentences.

    ``loss`` is what training minimises. An inducer whose parameters are estimated by counting will implement
    ``expected_counts(batch)`` in its place: the expected number of each event in the sentences, under its current
    parameters. Both add up over batches.

    PARSER names the parts that ``induce`` reads, attributes of the model; a packed model has no others.
    """

    PARSER: ClassVar[tuple[str, ...]]

    def loss(self, batch: Batch) -> Loss:
        """Negative log-likelihood of the targets of the batch. Raises ValueError for a batch without targets."""
        ...

    def induce(self, batch: Batch, heads: bool = True) -> Induction:
        """The scores of trees. heads=False: head scores are not needed, and may be left out if they cost time."""
        ...


class NeuralInducer(nn.Module, Inducer):
    """A network: an inducer whose parameters are tensors, trained by the gradient of its loss.

    Built as ``Model(vocabulary_size, configuration)``. output_bias [V]: of the output layer, if it predicts words;
    tree_layer: the layer (from 1) that distances are read from, if there is a choice. Embeddings are `nn.Embedding`
    modules whose rows are words: training may initialise them.
    """

    output_bias: nn.Parameter
    tree_layer: int
    NOT_MULTIPLIED: ClassVar[tuple[str, ...]] = ("embedding",)
    """Parts of the names of lookup tables, which no word is multiplied by."""

    def matrix_parameters(self) -> int:
        """The number of parameters of matrices that every word is multiplied by, which gives the time of an update,
        roughly. The output matrix, which is the embedding, is left out."""
        return sum(
            parameter.numel()
            for name, parameter in self.named_parameters()
            if parameter.dim() > 1 and not any(part in name for part in self.NOT_MULTIPLIED)
        )
