"""Classes of words in context: a hidden Markov model whose states are the word classes.

Exchange clustering gives each word one class. But many a word has several uses (*to run*, *a run*), and of a rare word
the neighbours often say more than its few occurrences. So the classes become the states of a hidden Markov model

    p(words, classes) = Π_t p(c_t | c_{t−1}) p(w_t | c_t)

which starts from the clustering and is improved by a few passes of expectation maximization (Baum–Welch). Few, because
likelihood goes on rising long after the classes have stopped getting better as parts of speech (Merialdo, 1994,
"Tagging English Text with a Probabilistic Model", Computational Linguistics 20). A word in its sentence then has its
most probable class.

Glossary
    words                [B, T] numbers of word types, below M, in B sentences of T words; classes are below C
    emitted              [B, T, C] p(w_t | c_t)
    forward, backward    [B, T, C] α and β of Rabiner (1989, "A Tutorial on Hidden Markov Models"), scaled so that α
                         sums to 1 at each word, and α β is the probability of each class
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from synparse import compiled
from synparse.trees.lengths import stacked
from synparse.trees.span_chart import Array

OTHER_CLASSES = 0.1
"""At the start, a word has its class with all but this probability, and others in proportion to their frequency."""

CANDIDATES = 4
"""Classes that a word can have in the end: the most probable ones."""

SMOOTHING = 0.05
"""Added to the expected count of every transition."""

UNSEEN = 1e-3
"""Occurrences that every word has beside those in the text, so that a word that is not in it keeps its class."""

WORDS_AT_ONCE = 20_000

PARTS = 4
"""Parts of the text whose expected counts are added up apart, and then together in the same order, whoever computes
them. As many tables of the classes of all words are in memory."""


class ClassTagger(NamedTuple):
    """transition [C + 1, C + 1]: p(next class | class); the last row is the beginning of a sentence, the last column is
    its end. candidates [M, `CANDIDATES`]: the classes that each word can have; emission, of the same shape:
    p(word | class).
    """

    transition: Array
    candidates: Array
    emission: Array


def learn_tagger(
    sentences: Sequence[Array],
    class_of: Array,
    fixed: int,
    classes: int,
    passes: int,
    step: Callable[[float], object],
    dtype: Any = np.float32,
    executor: Callable[..., Iterable[tuple[Array, Array]]] = map,
) -> ClassTagger:
    """The tagger after some passes of EM over sentences of word numbers, none of them empty.

    class_of [M]: the class of each word, to start from. Words of the class ``fixed``, that of punctuation, keep it.
    ``step`` is told the fraction that is done; ``dtype`` is that of the probabilities, whose counts are added up as
    float64; ``executor`` is ``map``, or one of threads, by which compiled counts are computed in `PARTS`.
    Compiled, classes that a word hardly has (1e-4; in float64, 1e-19) are left out there. Time O(words · C²) a pass.
    """
    batches = list(stacked(sentences, WORDS_AT_ONCE))
    occurrences = UNSEEN + np.bincount(np.concatenate(sentences), minlength=len(class_of))
    beginning = _beginning(class_of, np.bincount(class_of, occurrences, classes), fixed)
    transitions, uses = _transitions_of(batches, class_of, classes), beginning * occurrences[:, None]
    parts = [sentences[first::PARTS] for first in range(min(PARTS, len(sentences)))]
    for number in range(passes):
        step(number / passes)
        transition, emission = (part.astype(dtype) for part in _estimated(transitions, uses))
        transitions, uses = np.full_like(transitions, SMOOTHING), UNSEEN * beginning
        if compiled.CHARTS is not None:
            for counts in executor(partial(_expected_counts, transition, emission), parts):
                transitions += counts[0]
                uses += counts[1]
        else:
            for _, words in batches:
                _count(transition, emission, words, transitions, uses)
    transition, emission = _estimated(transitions, uses)
    candidates = np.argsort(-uses, axis=1, kind="stable")[:, :CANDIDATES]
    return ClassTagger(transition, candidates, np.take_along_axis(emission, candidates, 1))


def fractions_of_classes(tagger: ClassTagger, are_meant: Array) -> Array:
    """How probably a word of each class is one of those that are meant, [C]. are_meant [M]"""
    candidates, emission = tagger.candidates[are_meant], tagger.emission[are_meant]
    classes = len(tagger.transition) - 1
    return np.bincount(candidates.ravel().astype(np.int64), emission.ravel(), classes)


def class_probabilities(tagger: ClassTagger, sentences: Sequence[Array]) -> tuple[Array, Array]:
    """The classes that each word of sentences of word numbers can have, the most probable first, and their
    probabilities in the sentence, over all classes of the other words: [words, `CANDIDATES`], one sentence after the
    other. Compiled, time O(words)."""
    transition, emission = (np.ascontiguousarray(part, np.float64) for part in (tagger.transition, tagger.emission))
    candidates = np.ascontiguousarray(tagger.candidates, np.int64)
    words = np.concatenate([np.zeros(0, np.int64), *sentences])
    probabilities = np.zeros((len(words), candidates.shape[1]))
    if compiled.CHARTS is None:
        ends = np.cumsum([len(sentence) for sentence in sentences])
        for numbers, of_length in stacked(sentences, WORDS_AT_ONCE):
            emitted = np.zeros((*of_length.shape, len(transition) - 1))
            np.put_along_axis(emitted, candidates[of_length], emission[of_length], 2)
            of_words = np.take_along_axis(_posterior(transition, emitted).classes, candidates[of_length], 2)
            for number, of_sentence in zip(numbers, of_words, strict=True):
                probabilities[ends[number] - len(of_sentence) : ends[number]] = of_sentence
    elif len(words):
        _compute(transition, candidates, emission, sentences, None, None, probabilities)
    order = np.argsort(-probabilities, axis=1, kind="stable")
    return np.take_along_axis(candidates[words], order, 1), np.take_along_axis(probabilities, order, 1)


def _expected_counts(transition: Array, emission: Array, sentences: Sequence[Array]) -> tuple[Array, Array]:
    """Transitions [C + 1, C + 1] and uses [M, C]."""
    counts = np.zeros(transition.shape), np.zeros(emission.shape)
    _compute(transition, None, emission, sentences, *counts, None)
    return counts


def _compute(
    transition: Array, candidates: Array | None, emission: Array, sentences: Sequence[Array], *results: Array | None
) -> None:
    """Expected counts, transitions and uses, or probabilities, by synparse/compiled/class_tagger.h."""
    lengths = np.array([len(words) for words in sentences], np.int64)
    compiled.CHARTS.class_tagger(transition, candidates, emission, np.concatenate(sentences), lengths, *results)


class _Posterior(NamedTuple):
    """classes [B, T, C]: the probability of each class of each word; forward, backward: α and β; scales [B, T]: what α
    was divided by, p(word | words before)."""

    classes: Array
    forward: Array
    backward: Array
    scales: Array


def _posterior(transition: Array, emitted: Array) -> _Posterior:
    """T ≥ 1. Time O(B T C²)."""
    B, T, C = emitted.shape
    between = transition[:C, :C]
    forward, backward, scales = (np.empty(shape, emitted.dtype) for shape in ((B, T, C), (B, T, C), (B, T)))
    state = np.broadcast_to(transition[C, :C], (B, C))
    for t in range(T):
        state = state * emitted[:, t]
        scales[:, t] = state.sum(1)
        forward[:, t] = state / scales[:, t : t + 1]
        state = forward[:, t] @ between
    after = np.broadcast_to(transition[:C, C], (B, C))
    after = after / (forward[:, -1] * after).sum(1, keepdims=True)
    for t in range(T - 1, -1, -1):
        backward[:, t] = after
        after = (emitted[:, t] * after) @ between.T / scales[:, t : t + 1]
    return _Posterior(forward * backward, forward, backward, scales)


def _count(transition: Array, emission: Array, words: Array, transitions: Array, uses: Array) -> None:
    """Add the expected counts of some sentences of one length: transitions [C + 1, C + 1], and the classes of words,
    uses [M, C]. emission [M, C]."""
    C = uses.shape[1]
    emitted = emission[words]
    posterior = _posterior(transition, emitted)
    transitions[C, :C] += posterior.classes[:, 0].sum(0)
    transitions[:C, C] += posterior.classes[:, -1].sum(0)
    arriving = emitted[:, 1:] * posterior.backward[:, 1:] / posterior.scales[:, 1:, None]
    pairs = posterior.forward[:, :-1].reshape(-1, C).T @ arriving.reshape(-1, C)
    transitions[:C, :C] += transition[:C, :C] * pairs
    np.add.at(uses, words, posterior.classes)


def _beginning(class_of: Array, frequencies: Array, fixed: int) -> Array:
    """p(class | word) [M, C] at the start: the clustering, with a little room for other classes. frequencies [C]."""
    others = np.where(np.arange(len(frequencies)) == fixed, 0.0, frequencies)
    uses = np.tile(OTHER_CLASSES * others / max(1.0, others.sum()), (len(class_of), 1))
    uses[np.arange(len(class_of)), class_of] += 1 - OTHER_CLASSES
    uses[class_of == fixed] = np.arange(len(frequencies)) == fixed
    return uses


def _transitions_of(batches: Sequence[tuple[list[int], Array]], class_of: Array, classes: int) -> Array:
    """How often the classes of the clustering follow each other, [C + 1, C + 1]."""
    transitions = np.full((classes + 1, classes + 1), SMOOTHING)
    for _, words in batches:
        edge = np.full((len(words), 1), classes)
        states = np.concatenate([edge, class_of[words], edge], 1)
        np.add.at(transitions, (states[:, :-1], states[:, 1:]), 1)
    return transitions


def _estimated(transitions: Array, uses: Array) -> tuple[Array, Array]:
    """Relative frequencies: p(next class | class), p(word | class). A class without words emits none."""
    return transitions / transitions.sum(1, keepdims=True), uses / np.maximum(uses.sum(0), np.finfo(float).tiny)
