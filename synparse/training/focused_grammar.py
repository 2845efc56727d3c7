"""Learning a class grammar from the trees that the other grammars think possible, by the gradient.

The class grammars that are learned by EM see classes in context, and span scores. This one has the same form (Liu et
al., 2023), but sees the class that a word has wherever it stands; and every span has the weight of its posterior
probability under the others, so that the grammar sees the trees that these think possible (Park & Kim, 2024, where such
a grammar is focused on the trees of other parsers). The logarithm of the likelihood is ascended by the gradient, as in
neural PCFGs (Kim, Dyer & Rush, 2019), with Adam (Kingma & Ba, 2015), but without layers:

    left(B | A) ∝ exp(a_A · b_B + bias_B), and right(C | A) with vectors of its own.

The derivative of log Z by such a score is n(A → B) − n(A) left(B | A), with expected counts n from the chart. EM, in as
many passes, hardly leaves its start.

In parsing, its spans have no weights. What it says of them is evidence of another kind than what the others say, so the
mean of both makes better trees than either.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from synparse.config.grammar import GrammarConfig
from synparse.files.processes import Executor
from synparse.inducers.class_grammar import ClassGrammars, no_counts, posterior
from synparse.training.expectation_maximization import Step
from synparse.trees.averaging import softmax
from synparse.trees.lengths import equal_lengths
from synparse.trees.span_chart import Array

SIZE = 32
"""Of the vectors of parents and parts."""

ROOT_SPREAD, PARENT_SPREAD, PART_SPREAD = 0.3, 1.0, 0.1
"""The standard deviations of the scores of roots and of the numbers of vectors at the start."""

RATE, LAST_RATE = 0.01, 0.0002
"""The step size of Adam, which falls from the first to the last one in even steps."""

MOMENTUM, SQUARES = 0.75, 0.999
"""The factors of Adam's moving means: β₁ and β₂."""

BATCH_WORDS, PARTS = 1024, 2
"""Words of sentences of one length whose gradients make one step, and the parts of these that threads compute: as many
parts, however many threads there are, so that all learn the same grammar."""

LEAST_SPAN = np.exp(-8.0)
"""The least weight of a span."""

LEAST_RULE = 1e-9
"""The least probability of a rule, so that no sentence is impossible."""


class Side(NamedTuple):
    """What gives the scores of left or right parts: parents [N, D], parts [N + C, D], bias [N + C]."""

    parents: Array
    parts: Array
    bias: Array

    def probabilities(self) -> Array:
        """Of each part under each parent, [N, N + C]."""
        return softmax(self.parents @ self.parts.T + self.bias)

    def gradient(self, counts: Array, probabilities: Array) -> Side:
        """The derivatives of the log-likelihood, from expected counts [N, N + C] under the `probabilities`."""
        by_scores = softmax_gradient(counts, probabilities)
        return Side(by_scores @ self.parts, by_scores.T @ self.parents, by_scores.sum(0))


def softmax_gradient(counts: Array, probabilities: Array) -> Array:
    """The derivative of the log-likelihood by the scores whose softmax gives these probabilities."""
    derivative: Array = counts - counts.sum(-1, keepdims=True) * probabilities
    return derivative


class Adam:
    """Gradient ascent with moving means of gradients and of their squares, of parameters that change in place."""

    def __init__(self, parameters: Array) -> None:
        self.parameters = parameters
        self.mean, self.square = np.zeros((2, *parameters.shape))
        self.steps = 0

    def step(self, gradient: Array, rate: float) -> None:
        self.steps += 1
        self.mean += (1 - MOMENTUM) * (gradient - self.mean)
        self.square += (1 - SQUARES) * (gradient * gradient - self.square)
        mean, square = self.mean / (1 - MOMENTUM**self.steps), self.square / (1 - SQUARES**self.steps)
        self.parameters += rate * mean / (np.sqrt(square) + 1e-8)


def learn_focused_grammar(
    sentences: Sequence[Array],
    spans: Sequence[Array],
    classes: int,
    config: GrammarConfig,
    seed: int,
    step: Step,
    executor: Executor = map,
) -> tuple[ClassGrammars, list[float]]:
    """One grammar over C classes, and its log-likelihood in nats in each pass, span weights included.

    sentences: the classes of their words, [T], T ≥ 2; spans: of each sentence, the probabilities of spans at
    [start, end], [T + 1, T + 1]. ``executor`` computes the expected counts of the `PARTS` of a batch.
    """
    source, N = np.random.default_rng(seed), config.focused_nonterminals
    counts = np.bincount(np.concatenate([[], *sentences]).astype(np.int64), minlength=classes) + 0.5
    bias = np.concatenate([np.full(N, -np.log(N)), np.log(counts / counts.sum())])
    start = [source.normal(0, ROOT_SPREAD, N)]
    for _ in range(2):
        parents, parts = source.normal(0, PARENT_SPREAD, (N, SIZE)), source.normal(0, PART_SPREAD, (len(bias), SIZE))
        start += [parents, parts, bias]
    adam = Adam(_in_a_row(start))
    each = np.split(adam.parameters, np.cumsum([part.size for part in start[:-1]]))
    root, *of_sides = (part.reshape(at_start.shape) for part, at_start in zip(each, start, strict=True))
    left, right = Side(*of_sides[:3]), Side(*of_sides[3:])
    batches = list(equal_lengths([len(words) for words in sentences], lambda length: BATCH_WORDS // length))
    steps = config.focused_passes * len(batches)
    likelihoods: list[float] = []
    for _ in range(config.focused_passes):
        likelihood = 0.0
        for number in source.permutation(len(batches)):
            fraction, batch = adam.steps / steps, batches[number]
            step(fraction)
            grammar = _grammar(root, left, right)
            parts_of_batch = np.array_split(batch, min(PARTS, len(batch)))
            of_parts = executor(partial(_expected, grammar, sentences, spans), parts_of_batch)
            expected, likelihoods_of_parts = zip(*of_parts, strict=True)
            likelihood += sum(likelihoods_of_parts)
            of_root, of_left, of_right = (sum(of_each)[0] for of_each in zip(*expected, strict=True))
            gradients = [
                softmax_gradient(of_root, grammar.root[0]),
                *left.gradient(of_left, grammar.left[0]),
                *right.gradient(of_right, grammar.right[0]),
            ]
            words = len(batch) * len(sentences[batch[0]])
            adam.step(_in_a_row(gradients) / words, RATE + fraction * (LAST_RATE - RATE))
        likelihoods.append(likelihood)
    return ClassGrammars(*(np.maximum(part, LEAST_RULE) for part in _grammar(root, left, right))), likelihoods


def _in_a_row(parts: Sequence[Array]) -> Array:
    return np.concatenate([part.ravel() for part in parts])


def _expected(
    grammar: ClassGrammars, sentences: Sequence[Array], spans: Sequence[Array], numbers: Array
) -> tuple[ClassGrammars, float]:
    """The expected counts of the sentences with these numbers, all of one length, and their log-likelihood."""
    words = np.array([sentences[number] for number in numbers])
    weights = np.log(np.maximum(np.array([spans[number] for number in numbers]), LEAST_SPAN))
    counts = no_counts(grammar)
    return counts, float(posterior(grammar, words, weights, counts).log_likelihood.sum())


def _grammar(root: Array, left: Side, right: Side) -> ClassGrammars:
    return ClassGrammars(softmax(root)[None], left.probabilities()[None], right.probabilities()[None])
