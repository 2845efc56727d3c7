"""A task as a question to an encoder: embeddings, encoder, and a classifier of its vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from synparse.corpora.batches import padded
from synparse.tasks.encoders import Rows, encoder_kind
from synparse.tasks.expressions import Example, Task
from synparse.tasks.recipe import TaskRecipe

PADDING = 1
"""Embeddings before those of the words."""


class Questions(NamedTuple):
    """Rows of the examples' first expressions, then of their second ones, and the labels [B]."""

    rows: Rows
    labels: Tensor


class Answers(NamedTuple):
    """logits [B, labels]; distances [R, T − 1] of all rows, where the encoder induces trees."""

    logits: Tensor
    distances: Tensor | None


class Classifier(nn.Module):
    """ListOps: a multi-layer perceptron over the vector of the expression; logic: over [h₁; h₂; h₁∘h₂; |h₁ − h₂|] (Shen
    et al., 2019, section 4.1)."""

    def __init__(self, task: Task, recipe: TaskRecipe) -> None:
        super().__init__()
        D = recipe.architecture.hidden_size
        self.sentences = task.sentences
        self.embedding = nn.Embedding(PADDING + len(task.words), D)
        self.encoder = encoder_kind(recipe.encoder).encoder(recipe.architecture)
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


class Coded(NamedTuple):
    """Examples with their words as indices: ``words[s][n]`` are those of expression s of example n."""

    examples: Sequence[Example]
    words: tuple[list[NDArray[np.int32]], ...]
    lengths: NDArray[np.int64]  # of the longer expression of each example

    def questions(self, chosen: Sequence[int], device: torch.device) -> Questions:
        """These examples as a batch."""
        words, lengths = padded([sentence[n] for sentence in self.words for n in chosen])
        expressions = [self.examples[n].expressions[s] for s in range(len(self.words)) for n in chosen]
        rows = Rows(
            torch.from_numpy(words).to(device),
            torch.from_numpy(lengths).to(device),
            [expression.leaves for expression in expressions],
            [expression.heights for expression in expressions],
        )
        return Questions(rows, torch.tensor([self.examples[n].label for n in chosen], device=device))


def coded(task: Task, examples: Sequence[Example]) -> Coded:
    """The examples with the indices of a model of this task."""
    index = {word: position for position, word in enumerate(task.words, PADDING)}
    words = tuple(
        [np.array([index[word] for word in example.expressions[s].words], np.int32) for example in examples]
        for s in range(task.sentences)
    )
    lengths = [max(len(expression.words) for expression in example.expressions) for example in examples]
    return Coded(examples, words, np.array(lengths, np.int64))
