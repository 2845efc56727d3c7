"""Estimating grammars by EM (Dempster, Laird & Rubin, 1977): expected counts, then relative frequencies, in turn."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from synparse.config.grammar import GrammarConfig
from synparse.files.processes import Executor
from synparse.inducers import class_grammar, dependency_boundary
from synparse.inducers.class_grammar import ClassGrammars
from synparse.inducers.dependency_boundary import IMPOSSIBLE, DependencyModel, EventCounts
from synparse.parsing.grammars import GrammarInput, arc_weights, at_once
from synparse.trees.lengths import equal_lengths
from synparse.trees.punctuation_cues import Cues
from synparse.trees.span_chart import Array

Counts = TypeVar("Counts", ClassGrammars, EventCounts)

PARTITION = 32
"""Batches, of some 1,900 short sentences, whose expected counts are added up where they are computed. All sums have the
same order, whoever computes them."""

UNLIKELY_SPAN = 1e-5
"""A span that is less probable than this in one pass of EM is in no tree of later ones: hardly any would become more
probable again, and class grammars are learned in four fifths of the time."""

Step = Callable[[float], None]
"""Told the fraction of a part of the work that is done."""


class GrammarExample(NamedTuple):
    """A sentence to learn from: what is known of it, the punctuation cues between its words, if they are seen, the
    log-odds [T] that the head of each word is before it rather than after it, if they are known, which words are verbs
    [T], 1 or 0, which words are leaves even if function words are free [T], if any are, and how many times the sentence
    counts."""

    evidence: GrammarInput
    cues: Cues | None
    directions: Array | None = None
    verbs: Array | None = None
    are_leaves: list[bool] | None = None
    times: int = 1

    @property
    def crossings(self) -> Array:
        """[T, T]: whether punctuation stands between two words."""
        levels = () if self.cues is None else self.cues.levels
        before = np.cumsum([0, *(level > 0 for level in levels)]) if levels else np.zeros(len(self.evidence.classes))
        crossings: Array = before[:, None] != before
        return crossings


class _Batch(NamedTuple):
    """Sentences of one length: classes [B, T], the weights of arcs or spans, and how many times each counts."""

    classes: Array
    weights: Array
    times: int


def learn_dependencies(
    examples: Sequence[GrammarExample], classes: int, config: GrammarConfig, step: Step, executor: Executor = map
) -> tuple[DependencyModel, list[float]]:
    """The dependency model of these sentences, and the log-likelihood in nats before each pass, arc weights included.

    It starts from `dependency_boundary.harmonic_counts`; arcs have the weights of the undirected links. ``executor``
    computes the expected counts of the partitions of the sentences.
    """
    by_head = config.stops == "head"
    counts, batches = dependency_boundary.no_counts(classes), []
    for times, numbers in _batches(examples):
        batch = [examples[number] for number in numbers]
        words = np.array([example.evidence.classes for example in batch])
        crossings = np.array([example.crossings for example in batch])
        nothing = np.zeros(words.shape[1])
        directions = np.array([nothing if example.directions is None else example.directions for example in batch])
        verbs = np.array([nothing if example.verbs is None else example.verbs for example in batch])
        with _times(times, counts) as of_batch:
            _add(of_batch, dependency_boundary.harmonic_counts(words, crossings, classes, directions, verbs))
        weights = np.array([arc_weights(example.evidence, config.link_strength) for example in batch])
        batches.append(_Batch(words, weights.astype(np.float32), times))
    model = dependency_boundary.estimated(counts, by_head)
    likelihoods: list[float] = []
    for _ in _passes(config.dependency_passes, step):
        counts, likelihood = dependency_boundary.no_counts(classes), 0.0
        for of_partition, log_likelihood in executor(partial(_expected_events, model), _partitions(batches)):
            _add(counts, of_partition)
            likelihood += log_likelihood
        likelihoods.append(likelihood)
        model = dependency_boundary.estimated(counts, by_head)
    return model, likelihoods


def _expected_events(model: DependencyModel, batches: Sequence[_Batch]) -> tuple[EventCounts, float]:
    """The expected counts of a partition, and its log-likelihood."""
    counts, likelihood = dependency_boundary.no_counts(model.classes), 0.0
    for batch in batches:
        with _times(batch.times, counts) as of_batch:
            posterior = dependency_boundary.posterior(model, batch.classes, batch.weights, of_batch, np.float32)
        likelihood += batch.times * float(posterior.log_likelihood.sum())
    return counts, likelihood


def learn_constituents(
    examples: Sequence[GrammarExample],
    scores: Sequence[Array],
    classes: int,
    config: GrammarConfig,
    seed: int,
    step: Step,
    executor: Executor = map,
) -> tuple[ClassGrammars, list[list[float]]]:
    """Class grammars of these sentences under their span scores, and the log-likelihood of each in nats before each
    pass, span weights included.

    Their random starts differ, and so do the strengths of the span scores, by turns those of `strengths_of`.
    ``executor``: as in `learn_dependencies`.
    """
    batches = []
    for times, numbers in _batches(examples):
        words = np.array([examples[number].evidence.classes for number in numbers])
        if words.shape[1] > 1:
            weights = np.array([scores[number] for number in numbers])
            batches.append(_Batch(words, weights.astype(np.float32), times))
    grammars = class_grammar.random_grammars(config.class_grammars, config.nonterminals, classes, seed)
    strengths = strengths_of(config)
    likelihoods: list[list[float]] = []
    for _ in _passes(config.grammar_passes, step):
        counts, likelihood = class_grammar.no_counts(grammars), np.zeros(config.class_grammars)
        expected = executor(partial(_expected_productions, grammars, strengths), _partitions(batches))
        batches = []
        for of_partition, log_likelihood, likely in expected:
            _add(counts, of_partition)
            likelihood += log_likelihood
            batches.extend(likely)
        likelihoods.append(likelihood.tolist())
        grammars = class_grammar.estimated(counts)
    return grammars, likelihoods


def _expected_productions(
    grammars: ClassGrammars, strengths: Array, batches: Sequence[_Batch]
) -> tuple[ClassGrammars, Array, list[_Batch]]:
    """The expected counts of a partition, its log-likelihood under each grammar, and the same batches without the spans
    that are unlikely (`UNLIKELY_SPAN`)."""
    counts, likelihood = class_grammar.no_counts(grammars), np.zeros(len(strengths))
    likely = []
    for batch in batches:
        weights = strengths[:, None, None, None] * batch.weights
        with _times(batch.times, counts) as of_batch:
            posterior = class_grammar.posterior(grammars, batch.classes, weights, of_batch)
        likelihood += batch.times * posterior.log_likelihood.sum(1)
        without = np.where(posterior.spans < UNLIKELY_SPAN, np.float32(IMPOSSIBLE), batch.weights)
        likely.append(batch._replace(weights=without))
    return counts, likelihood, likely


def _add(counts: Counts, more: Counts) -> None:
    for part, of_more in zip(counts, more, strict=True):
        part += of_more


@contextmanager
def _times(times: int, counts: Counts) -> Iterator[Counts]:
    """What is added to the value is added to these counts, so many times."""
    once = counts if times == 1 else type(counts)(*map(np.zeros_like, counts))
    yield once
    if times > 1:
        for part, of_once in zip(counts, once, strict=True):
            part += times * of_once


def strengths_of(config: GrammarConfig) -> NDArray[np.float32]:
    """The strength of the span scores for each class grammar."""
    turns = itertools.islice(itertools.cycle(config.span_strengths), config.class_grammars)
    return np.fromiter(turns, np.float32)


def _batches(examples: Sequence[GrammarExample]) -> Iterator[tuple[int, list[int]]]:
    """How many times sentences of a batch count, and their numbers."""
    for times in sorted({example.times for example in examples}):
        numbers = [number for number, example in enumerate(examples) if example.times == times]
        for batch in equal_lengths([len(examples[number].evidence.classes) for number in numbers], at_once):
            yield times, [numbers[place] for place in batch]


def _partitions(batches: Sequence[_Batch]) -> Iterator[Sequence[_Batch]]:
    return (batches[start : start + PARTITION] for start in range(0, len(batches), PARTITION))


def _passes(count: int, step: Step) -> Iterator[None]:
    """The passes of EM, each reported as it begins."""
    for number in range(count):
        step(number / count)
        yield
