"""Learning a grammar over words, from what class grammars know of spans.

Class grammars see a hundred classes, not words, so that few probabilities have to be estimated: they cannot tell *of*
from *in*, or *say* from *eat*. Here the terminals are the words themselves, and rules have the same form (Liu et al.,
2023: P(A → B C) = left(B | A) · right(C | A), B and C nonterminals or words). What keeps so many probabilities together
is that they are products of vectors:

    left(B | A) ∝ exp(a_A · b_B + bias_B),   and right(C | A) with vectors of its own.

Every span has the weight of its posterior probability under the class grammars, so that the grammar sees the trees that
these think possible (Park & Kim, 2024). The logarithm of the likelihood is ascended by the gradient, by Adam (Kingma &
Ba, 2015), as in neural PCFGs (Kim, Dyer & Rush, 2019), but without layers: the derivative of log Z by the score of a
part is n(A → B) − n(A) left(B | A), with expected counts n from the chart. EM with as many words stays near its start.

In parsing, spans have no weights: what the grammar says of a span is then evidence of another kind, and the mean with
the posterior of class grammars makes better trees than either.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.config.grammar import GrammarConfig
from synparse.inducers.class_grammar import ClassGrammars, posterior, restricted
from synparse.training.expectation_maximization import Step
from synparse.trees.lengths import equal_lengths

Array = NDArray[Any]

SIZE = 32
"""Of the vectors of parents and parts."""

RATE, LAST_RATE = 0.01, 0.0002
"""The step size of Adam, which falls from the first to the last one in even steps."""

MOMENTUM, SQUARES = 0.75, 0.999
"""The factors of Adam's moving means: β₁ and β₂."""

BATCH_WORDS = 1024
"""Words of sentences of one length whose gradients make one step."""

STORED = 1e-6, 5e4
"""The least and the greatest value of a rule: numbers that half precision has, and 0 is none of them, so that no
sentence is impossible."""

LEAST_PROBABILITY = math.exp(-8)
"""Of a span whose probability is less, the weight."""


class Side(NamedTuple):
    """The scores of left or right parts: parents [N, D], parts [N + M, D], bias [N + M]."""

    parents: Array
    parts: Array
    bias: Array

    def probabilities(self) -> Array:
        """Of each part under each parent, [N, N + M]."""
        return _softmax(self.parents @ self.parts.T + self.bias)

    def gradient(self, probabilities: Array, counts: Array) -> Side:
        """The derivatives of the likelihood, from expected counts [N, N + M]."""
        of_scores = counts - counts.sum(1, keepdims=True) * probabilities
        return Side(of_scores @ self.parts, of_scores.T @ self.parents, of_scores.sum(0))


class Adam:
    """Gradient ascent with moving means of gradients and of their squares, of parameters that change in place."""

    def __init__(self, parameters: Sequence[Array]) -> None:
        self.parameters = parameters
        self.means, self.squares = ([np.zeros_like(part) for part in parameters] for _ in range(2))
        self.steps = 0

    def step(self, gradients: Sequence[Array], rate: float) -> None:
        self.steps += 1
        of_means, of_squares = 1 - MOMENTUM**self.steps, 1 - SQUARES**self.steps
        parts = zip(self.parameters, gradients, self.means, self.squares, strict=True)
        for parameter, gradient, mean, square in parts:
            mean += (1 - MOMENTUM) * (gradient - mean)
            square += (1 - SQUARES) * (gradient * gradient - square)
            parameter += rate * (mean / of_means) / (np.sqrt(square / of_squares) + 1e-8)


def learn_word_grammar(
    sentences: Sequence[Array], spans: Sequence[Array], occurrences: Array, config: GrammarConfig, seed: int, step: Step
) -> tuple[ClassGrammars, list[float]]:
    """A grammar over M words, and its log-likelihood in nats in each pass, span weights included.

    sentences: the numbers of their words, [T], T ≥ 2; spans: of each sentence, the probabilities of spans at
    [start, end], [T + 1, T + 1]; occurrences [M]: of words in the text. The probabilities of a word in the grammar are
    divided by its relative frequency in the text, which changes no posterior: so few digits are enough to store them.
    """
    source, N = np.random.default_rng(seed), config.word_nonterminals
    frequencies = (occurrences + 0.5) / (occurrences + 0.5).sum()
    bias = np.concatenate([np.full(N, -np.log(N)), np.log(frequencies)]).astype(np.float32)
    scale = np.concatenate([np.ones(N), 1 / frequencies]).astype(np.float32)

    def drawn(size: float, *shape: int) -> Array:
        return np.asarray(np.float32(size) * source.standard_normal(shape, np.float32))

    sides = [Side(drawn(1.0, N, SIZE), drawn(0.1, len(bias), SIZE), bias.copy()) for _ in ("left", "right")]
    root = drawn(0.3, N)
    adam = Adam([root, *sides[0], *sides[1]])

    def grammar() -> ClassGrammars:
        left, right = (side.probabilities() * scale for side in sides)
        return ClassGrammars(_softmax(root)[None], left[None], right[None])

    batches = list(equal_lengths([len(words) for words in sentences], lambda length: BATCH_WORDS // length))
    steps = config.word_passes * len(batches)
    likelihoods: list[float] = []
    for _ in range(config.word_passes):
        likelihood = 0.0
        for number in source.permutation(len(batches)):
            batch, fraction = batches[number], adam.steps / steps
            step(fraction)
            words = np.stack([sentences[index] for index in batch])
            weights = np.log(np.maximum(np.stack([spans[index] for index in batch]), LEAST_PROBABILITY))
            of_all = grammar()
            few, numbers, symbols = restricted(of_all, words)
            expected = posterior(few, numbers, weights, with_counts=True)
            assert expected.counts is not None
            likelihood += float(expected.log_likelihood.sum())
            gradients = [expected.counts.root[0] - len(batch) * of_all.root[0]]
            for side, given, of_few in zip(sides, of_all[1:], expected.counts[1:], strict=True):
                counts = np.zeros_like(given[0])
                counts[:, symbols] = of_few[0]
                gradients += side.gradient(given[0] / scale, counts)
            adam.step([gradient / words.size for gradient in gradients], RATE + fraction * (LAST_RATE - RATE))
        likelihoods.append(likelihood)
    learned = grammar()
    return ClassGrammars(learned.root, *(np.clip(rules, *STORED) for rules in learned[1:])), likelihoods


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))
