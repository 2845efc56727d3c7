"""How a model is trained: the training section of a recipe, by what the model predicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from synparse.inducers.configurations import NonNegative, Probability
from synparse.inducers.devices import Precision
from synparse.inducers.table import InducerEntry, Objective

Count = Annotated[int, Meta(ge=1)]
CountOrZero = Annotated[int, Meta(ge=0)]
Positive = Annotated[float, Meta(gt=0)]


@dataclass(frozen=True)
class TrainingConfig:
    """How a model is trained; these settings hold for every objective.

    optimizer: ``adam``, ``adamw`` (decoupled weight decay) or ``sgd``.
    learning_rate: after warm-up.
    warmup_steps: updates over which the rate rises from 0.
    schedule: ``constant``; ``linear`` and ``cosine`` fall to 0 at the end of the run; ``plateau`` halves the rate
        whenever validation has not improved for ``patience`` validations; ``average`` keeps it, and once validation is
        worse than ``patience`` validations ago, the model is the mean of the weights from there on (Merity et al.,
        2018, NT-ASGD).
    patience: see schedule (validations).
    gradient_clip: largest norm of the gradient.
    weight_decay: of the optimizer, per update.
    precision: ``float32``, ``bfloat16``, or ``auto``: bfloat16 if the device is fast at it; weights are float32.
    epochs: passes over the corpus, or a part of one.
    validate_every: updates between validations; 0 validates after each epoch.
    accumulation: parts in which the gradient of each batch is computed, one after the other: the same update in less
        memory.

    measure: what a validation measures on held-out data; stops_early: whether ``patience`` validations without a better
    one end the run; fused: whether PyTorch's fused optimizer makes the updates, which rounds differently.
    """

    measure: ClassVar[Literal["perplexity", "accuracy", "spearman", "log_likelihood"]] = "perplexity"
    stops_early: ClassVar[bool] = False
    fused: ClassVar[bool] = True

    optimizer: Literal["adam", "adamw", "sgd"] = "adam"
    learning_rate: Positive = 3e-4
    warmup_steps: CountOrZero = 0
    schedule: Literal["constant", "linear", "cosine", "plateau", "average"] = "plateau"
    patience: Count = 2
    gradient_clip: Positive = 0.25
    weight_decay: NonNegative = 0.0
    precision: Precision = "auto"
    epochs: Count | Positive = 100
    validate_every: CountOrZero = 0
    accumulation: Count = 1


@dataclass(frozen=True)
class ExampleTraining(TrainingConfig):
    """Training on the examples of a task, which ends where validation has not improved for long.

    epochs: passes, at most. patience: validations without a better one after which the run ends. batch_size: examples
    per update.
    """

    stops_early = True

    learning_rate: Positive = 1e-3
    schedule: Literal["constant", "linear", "cosine"] = "constant"
    gradient_clip: Positive = 1.0
    precision: Precision = "float32"
    epochs: Count = 100
    patience: Count = 100
    batch_size: Count = 128


@dataclass(frozen=True)
class TextTraining(TrainingConfig):
    """Training on the sentences of a corpus.

    embedding_init: word embeddings begin ``random``, or from the ``cooccurrence`` of words in the corpus.
    validation_words: each validation reads the held-out part up to this many words.
    """

    objective: ClassVar[Objective]

    embedding_init: Literal["random", "cooccurrence"] = "random"
    validation_words: Count = 100_000

    @property
    def reads_trees(self) -> bool:
        """Whether it learns from trees that come with the sentences."""
        return False

    @property
    def predicted(self) -> str:
        """What is predicted, in words."""
        raise NotImplementedError


@dataclass(frozen=True)
class WordTraining(TextTraining):
    """Training that predicts words.

    bias_init: the bias of the output layer begins at ``zero``, or at the log ``frequency`` of each word, so that the
        model need not learn it.
    sampled_softmax: in training, each batch is predicted among this many sampled words, on average, and its own
        targets; 0 is the whole vocabulary. Validation is exact; the loss of an update is then an estimate.
    """

    bias_init: Literal["zero", "frequency"] = "zero"
    sampled_softmax: CountOrZero = 0


@dataclass(frozen=True)
class MaskedTraining(WordTraining):
    """Training that predicts the masked words of sentences.

    batch_tokens: words per update, padding included; also the longest piece of a sentence seen at once.
    mask_rate: probability that a word is masked and predicted; unknown words never are.
    """

    objective = "masked"

    batch_tokens: Count = 4096
    mask_rate: Annotated[float, Meta(gt=0, lt=1)] = 0.3

    @property
    def predicted(self) -> str:
        return f"masked words (mask rate {self.mask_rate})"


@dataclass(frozen=True)
class GuidedTraining(MaskedTraining):
    """Training that predicts masked words, and may be guided by given trees.

    guidance: the weight of the heads of these trees beside the words, as a mean of −log p over words, at the start of
        the run; it falls to 0 by its half (`synparse.training.objectives.GUIDED`). 0: without trees.
    """

    guidance: NonNegative = 0.0

    @property
    def reads_trees(self) -> bool:
        return self.guidance > 0


@dataclass(frozen=True)
class TreeTraining(TextTraining):
    """Training that predicts the trees of sentences.

    batch_tokens: words per update, padding included; also the longest piece of a sentence seen at once.
    word_dropout: probability that a word is read as <unk>, so that the model learns a vector for unknown words.
    """

    objective = "tree"
    predicted = "heads of words and splits of constituents"
    reads_trees = True

    batch_tokens: Count = 1024
    word_dropout: Probability = 0.1


@dataclass(frozen=True)
class StreamTraining(WordTraining):
    """Training that predicts the next word of a stream.

    streams: rows that the corpus is cut into, read side by side.
    bptt: words of a row per update, on average; gradients reach back this far.
    """

    objective = "next-word"
    predicted = "next words"

    streams: Count = 20
    bptt: Count = 70


TRAINING: Mapping[str, type[TextTraining]] = {
    kind.objective: kind for kind in (MaskedTraining, TreeTraining, StreamTraining)
}
"""The kind of training for each objective."""


def training_of(inducer: InducerEntry) -> type[TextTraining]:
    """The kind of training of a network."""
    return GuidedTraining if inducer.is_guided else TRAINING[inducer.objective]
