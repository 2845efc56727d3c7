"""A task as a question to an encoder: embeddings, encoder, and a classifier of its vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from synparse.corpora.batches import padded
from synparse.corpora.vocabulary import UNKNOWN
from synparse.inducers.batch import IGNORED, Loss
from synparse.inducers.protocol import Learner
from synparse.inducers.uncompiled import uncompiled
from synparse.tasks.encoders import encoder_kind
from synparse.tasks.encoding import Rows
from synparse.tasks.expressions import Example, Expression, Task
from synparse.tasks.recipe import TaskRecipe

PADDING = 1
"""Embeddings before those of the words."""


class Questions(NamedTuple):
    """B examples of S expressions of up to T words.

    words [B, S, T], lengths [B, S]; expressions: of each example; targets [B]: labels, `IGNORED` where none is to be
    found. state: that of a stream, which examples are not.
    """

    words: Tensor
    lengths: Tensor
    expressions: list[list[Expression]]
    targets: Tensor
    state: None = None

    @property
    def rows(self) -> Rows:
        """The first expressions of all examples, then the second ones, no longer than the longest of them."""
        expressions = [expression for column in zip(*self.expressions, strict=True) for expression in column]
        return Rows(
            self.words[:, :, : int(self.lengths.max())].transpose(0, 1).flatten(0, 1),
            self.lengths.t().flatten(),
            [expression.leaves for expression in expressions],
            [expression.heights for expression in expressions],
        )


class Answers(NamedTuple):
    """logits [B, labels]; distances [S B, T − 1] of all rows, where the encoder induces trees."""

    logits: Tensor
    distances: Tensor | None


class Classifier(Learner):
    """ListOps, sentiment: a multi-layer perceptron over the vector of the expression; logic: over [h₁; h₂; h₁∘h₂;
    |h₁ − h₂|] (Shen et al., 2019, section 4.1)."""

    def __init__(self, task: Task, recipe: TaskRecipe) -> None:
        super().__init__()
        D = recipe.architecture.hidden_size
        self.sentences = task.sentences
        self.embedding = nn.Embedding(PADDING + len(task.words), getattr(recipe.architecture, "input_size", D))
        self.encoder = encoder_kind(recipe.encoder).build(recipe.architecture, PADDING + len(task.words))
        self.classifier = nn.Sequential(
            nn.Dropout(recipe.training.classifier_dropout),
            nn.Linear(D if task.sentences == 1 else 4 * D, D),
            nn.ReLU(),
            nn.Dropout(recipe.training.classifier_dropout),
            nn.Linear(D, len(task.labels)),
        )

    def forward(self, rows: Rows) -> Answers:
        vectors, distances = self.encoder(self.embedding(rows.words), rows)
        if self.sentences == 2:
            first, second = vectors.chunk(2)
            vectors = torch.cat([first, second, first * second, (first - second).abs()], 1)
        return Answers(self.classifier(vectors), distances)

    @uncompiled
    def loss(self, questions: Questions) -> Loss:
        """Negative log-likelihood of the labels."""
        logits, targets = self(questions.rows).logits, questions.targets
        return Loss(functional.cross_entropy(logits, targets, ignore_index=IGNORED, reduction="sum"), len(targets))

    def matrix_parameters(self) -> int:
        """Parameters that each word is multiplied by."""
        return sum(
            parameter.numel()
            for name, parameter in self.encoder.named_parameters()
            if parameter.ndim == 2 and "embedding" not in name
        )


class CodedExamples(NamedTuple):
    """Examples with their words as indices: ``words[n][s]`` are those of expression s of example n."""

    examples: Sequence[Example]
    words: list[list[NDArray[np.int32]]]
    lengths: NDArray[np.int64]  # of the longer expression of each example

    def questions(self, chosen: Sequence[int]) -> Questions:
        """These examples as a batch."""
        words, lengths = padded([words for n in chosen for words in self.words[n]])
        return Questions(
            torch.from_numpy(words.reshape(len(chosen), -1, words.shape[1])),
            torch.from_numpy(lengths.reshape(len(chosen), -1)),
            [list(self.examples[n].expressions) for n in chosen],
            torch.tensor([self.examples[n].label for n in chosen]),
        )


def coded(task: Task, examples: Sequence[Example]) -> CodedExamples:
    """The examples with the indices of a model of this task; `UNKNOWN` stands for words that the task does not have,
    where it has that. Raises KeyError for other words."""
    index = {word: position for position, word in enumerate(task.words, PADDING)}
    words = [
        [
            np.array([index[word if word in index else UNKNOWN] for word in expression.words], np.int32)
            for expression in example.expressions
        ]
        for example in examples
    ]
    lengths = [max(len(expression.words) for expression in example.expressions) for example in examples]
    return CodedExamples(examples, words, np.array(lengths, np.int64))
