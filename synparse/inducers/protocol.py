"""The interface of all inducers, which training and parsing use."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from synparse.inducers.batch import IGNORED, Batch, Loss, State
from synparse.inducers.induction import Induction, entropies
from synparse.inducers.output_layer import cross_entropy, log_likelihoods


class Learner(nn.Module):
    """A network that a run of training can train: it has a loss. The objective of the run makes its batches."""

    def loss(self, batch: Any) -> Loss:
        """What training minimises, in nats, summed over the predictions of a batch. Raises ValueError for a batch
        without targets."""
        raise NotImplementedError

    def matrix_parameters(self) -> int:
        """Parameters of the matrices that every word is multiplied by, which tell how long an update takes; 0 where
        that is not known."""
        return 0


class NeuralInducer(Learner):
    """A network that finds trees in sentences. Grammars, whose parameters are estimated by counting, have no loss:
    their functions ``posterior`` and ``estimated`` are the two steps of EM (`synparse.inducers.dependency_boundary`,
    `synparse.inducers.class_grammar`).

    Built as ``Model(vocabulary_size, configuration)``. embedding [V, D], output_bias [V]: the output layer, where words
    are predicted; tree_layer: the layer (from 1) that distances are read from, if there is a choice. Embeddings are
    `nn.Embedding` modules whose rows are words: training may initialise them.
    """

    embedding: nn.Embedding
    output_bias: nn.Parameter
    tree_layer: int
    PARSER: ClassVar[tuple[str, ...]]
    """The parts that ``induce`` reads, attributes of the model; a packed model has no others."""
    ADDED: ClassVar[tuple[str, ...]] = ()
    """Tensors that models of earlier versions do not have; they count as zeros there."""
    NOT_MULTIPLIED: ClassVar[tuple[str, ...]] = ("embedding",)
    """Parts of the names of lookup tables, which no word is multiplied by."""

    def induce(self, batch: Batch, heads: bool = True) -> Induction:
        """The scores of trees. heads=False: head scores are not needed, and may be left out if they cost time."""
        raise NotImplementedError

    def structure_entropies(self, batch: Batch) -> dict[str, Tensor]:
        """How soft the structure is that the model decides on (`entropies`), one number for each decision, by the name
        of what decides; here on the heads of words. Nothing, of a model without structure."""
        head_scores = self.induce(batch).head_scores
        if head_scores is None:
            return {}
        decides = batch.present & (batch.lengths > 1)[:, None]
        probabilities = head_scores.exp() * batch.present[:, None]
        return {"heads": entropies(probabilities[decides], batch.lengths[:, None].expand_as(decides)[decides])}

    def matrix_parameters(self) -> int:
        """The output matrix, which is the embedding, is left out."""
        return sum(
            parameter.numel()
            for name, parameter in self.named_parameters()
            if parameter.dim() > 1 and not any(part in name for part in self.NOT_MULTIPLIED)
        )


@torch.no_grad()
def mean_entropies(model: NeuralInducer, batches: Iterable[Batch]) -> dict[str, float]:
    """The mean of `NeuralInducer.structure_entropies` over all decisions in these batches, by what decides; without
    those that have nothing to decide."""
    by_name: dict[str, list[Tensor]] = {}
    for batch in batches:
        for name, values in model.structure_entropies(batch).items():
            by_name.setdefault(name, []).append(values)
    means = {name: float(torch.cat(values).mean()) for name, values in by_name.items()}
    return {name: mean for name, mean in means.items() if math.isfinite(mean)}


class Contextual(NamedTuple):
    """States [B, T, D] of words in their context, from which the last layer and the output layer predict a word; and of
    a model that reads streams, the state for the batch that follows. penalty: what the parser adds to the loss."""

    states: Tensor
    state: State | None = None
    penalty: Tensor | float = 0.0


class LanguageModel(NeuralInducer):
    """A network that predicts words: masked ones of the batch, or the next one at each position. Unless a model says
    otherwise, it has no trees."""

    PARSER: ClassVar[tuple[str, ...]] = ()

    def induce(self, batch: Batch, heads: bool = True) -> Induction:  # noqa: ARG002 - it has no trees
        """Nothing."""
        return Induction()

    @property
    def last_layer(self) -> nn.Module:
        """What stands between the contextual states and the output layer."""
        return nn.Identity()

    @property
    def output_weight(self) -> Tensor:
        """The output matrix [V, D]: the embedding, unless a model has one of its own."""
        return self.embedding.weight

    def contextual(self, batch: Batch) -> Contextual:
        """The states of all words. A masked model reads sentences; a model of next words reads on from
        ``batch.state``, or begins with zero state where that is None."""
        raise NotImplementedError

    def loss(self, batch: Batch) -> Loss:
        """Cross-entropy of the words to predict. Raises ValueError where the batch has no targets."""
        outputs, targets, contextual = self._outputs(batch)
        total = cross_entropy(outputs, targets, self.output_weight, self.output_bias, batch.candidates)
        return Loss(total, len(targets), contextual.penalty, contextual.state)

    def log_likelihoods(self, batch: Batch) -> tuple[Tensor, State | None]:
        """The log-probability [M], in nats, of each word to predict, row by row, and the state for the batch that
        follows. Raises ValueError where the batch has no targets."""
        outputs, targets, contextual = self._outputs(batch)
        return log_likelihoods(outputs, targets, self.output_weight, self.output_bias), contextual.state

    def _outputs(self, batch: Batch) -> tuple[Tensor, Tensor, Contextual]:
        """The states [M, D] that the words to predict are predicted from, these words, and the states of all words."""
        targets = batch.required_targets
        contextual = self.contextual(batch)
        predicted = targets != IGNORED
        return self.last_layer(contextual.states[predicted]), targets[predicted], contextual


class ChannelAttention(NamedTuple):
    """unmasked, weights [B, H, T, T]: of the message from the word in the column to that in the row, without the
    dependency mask and with it; value, gate: of each channel, what is sent, and what is let in, if there is a gate."""

    unmasked: Tensor
    weights: Tensor
    value: Tensor
    gate: Tensor | None = None


class ChannelLayer(nn.Module):
    """A layer in which words read each other through parallel channels."""

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """states [B, T, D], and what a model masks messages with → [B, T, D]."""
        return self.transform(states, self.attend(states, mask))

    def attend(self, states: Tensor, mask: Tensor) -> ChannelAttention:
        """The weights of the channels, and what passes through them."""
        raise NotImplementedError

    def transform(self, states: Tensor, attention: ChannelAttention) -> Tensor:
        """states [B, T, D], and what `attend` makes of them → [B, T, D]."""
        raise NotImplementedError


class ChannelModel(LanguageModel):
    """A language model whose words read each other through parallel channels in each layer: the channels of UDGN, the
    attention heads of StructFormer and of the Transformer. Their names are `synparse.inducers.table.CHANNEL_MODELS`.
    layers: each a `ChannelLayer`; norm: the layer norm of the contextual states."""

    layers: nn.ModuleList
    norm: nn.LayerNorm

    @property
    def last_layer(self) -> nn.Module:
        return self.norm

    def layer_input(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The states [B, T, D] before the first layer, and what all layers mask messages with."""
        raise NotImplementedError

    def contextual(self, batch: Batch) -> Contextual:
        """The states of the last layer, before the norm."""
        return Contextual(self.after_layers(*self.layer_input(batch)))

    def after_layers(self, states: Tensor, mask: Tensor) -> Tensor:
        """The states [B, T, D] after the last layer, from those before the first one."""
        for layer in self.layers:
            states = layer(states, mask)
        return states

    def channel_weights(self, batch: Batch, masked: bool) -> Tensor:
        """[B, layers, channels, T, T]: the weight of the message that a channel brings to the word in the row from the
        word in the column; anything at padding.

        masked: as the messages are weighted, with the dependency mask; otherwise without it, as the channels would
        weight them if every two words were head and dependent. A model without such a mask has one kind of weights.
        """
        states, mask = self.layer_input(batch)
        all_weights = []
        for layer in self.layers:
            assert isinstance(layer, ChannelLayer)
            attention = layer.attend(states, mask)
            all_weights.append(attention.weights if masked else attention.unmasked)
            states = layer.transform(states, attention)
        return torch.stack(all_weights, 1)
