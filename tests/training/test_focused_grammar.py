"""A focused grammar: its gradient by finite differences, and what it learns from spans."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from synparse.config.grammar import GrammarConfig
from synparse.inducers.class_grammar import ClassGrammars, no_counts, posterior
from synparse.training.focused_grammar import Adam, Side, learn_focused_grammar, softmax_gradient
from synparse.trees.averaging import softmax

CLASSES = 12
CONFIG = GrammarConfig(focused_nonterminals=5, focused_passes=40)


@pytest.mark.usefixtures("charts")
@pytest.mark.parametrize("number", [0, 1])
def test_gradients_are_those_of_the_log_likelihood(number):
    source, N, C, size = np.random.default_rng(1), 3, 4, 2
    shapes = (N, size), (N + C, size), (N + C,)
    sides = [Side(*(source.normal(size=shape) for shape in shapes)) for _ in range(2)]
    root_scores, words = source.normal(size=N), source.integers(0, C, (6, 5))

    def grammar():
        return ClassGrammars(softmax(root_scores)[None], *(side.probabilities()[None] for side in sides))

    def expected():
        return posterior(grammar(), words, None, dtype=np.float64)

    counts = no_counts(grammar())
    posterior(grammar(), words, None, counts, np.float64)
    gradient = sides[number].gradient(counts[1 + number][0], sides[number].probabilities())
    by_root = softmax_gradient(counts.root[0], grammar().root[0])
    for parameters, derivatives in ((root_scores, by_root), *zip(sides[number], gradient, strict=True)):
        for place in np.ndindex(parameters.shape):
            likelihoods, value = [], parameters[place]
            for moved in (value + 1e-5, value - 1e-5):
                parameters[place] = moved
                likelihoods.append(expected().log_likelihood.sum())
            parameters[place] = value
            assert derivatives[place] == pytest.approx((likelihoods[0] - likelihoods[1]) / 2e-5, abs=1e-5)


def test_the_first_steps_of_adam():
    # Moving means are corrected for their start at 0, so the first step is the rate; the second, worked by hand:
    # mean (0.75 · 0.25 · 2 − 0.25 · 1) / (1 − 0.75²), square (0.999 · 0.001 · 4 + 0.001 · 1) / (1 − 0.999²).
    parameter = np.array([1.0])
    adam = Adam(parameter)
    adam.step(np.array([2.0]), 0.1)
    assert parameter == pytest.approx(1.1)
    adam.step(np.array([-1.0]), 0.1)
    assert parameter == pytest.approx(1.1 + 0.1 * (0.125 / 0.4375) / np.sqrt(0.004996 / 0.001999))


def phrases(seed, count):
    """Sentences of phrases of two words, each of the first half of the classes before one of the second half, and the
    probabilities of their spans: the phrases, under a tree that branches to the right."""
    source, half = np.random.default_rng(seed), CLASSES // 2
    sentences, spans = [], []
    for length in source.integers(2, 5, count):
        firsts, seconds = source.integers(0, half, length), source.integers(half, CLASSES, length)
        words = np.stack([firsts, seconds], 1).ravel()
        chart = np.full((len(words) + 1, len(words) + 1), 0.05)
        for start in range(0, len(words), 2):
            chart[start, start + 2] = chart[start, len(words)] = 0.95
        sentences.append(words)
        spans.append(chart)
    return sentences, spans


def test_phrases_are_learned_from_spans_and_recognized_without():
    told = []
    grammar, likelihoods = learn_focused_grammar(*phrases(1, 300), CLASSES, CONFIG, 1, told.append)
    assert likelihoods[-1] > likelihoods[0] + 300
    assert told == sorted(told)
    assert (told[0], told[-1] < 1) == (0, True)
    for words in phrases(2, 50)[0]:
        spans = posterior(grammar, words[None]).spans[0]
        inside = [spans[start, start + 2] for start in range(0, len(words), 2)]
        across = [spans[start, start + 2] for start in range(1, len(words) - 1, 2)]
        assert min(inside) > 0.9
        assert max(across, default=0) < 0.1


def test_the_same_seed_gives_the_same_grammar_by_any_number_of_threads_and_another_one_another():
    def learned(seed, executor=map):
        config = GrammarConfig(focused_nonterminals=2, focused_passes=2)
        return learn_focused_grammar(*phrases(1, 20), CLASSES, config, seed, lambda _: None, executor)[0]

    with ThreadPoolExecutor(3) as threads:
        first, same, other = learned(1), learned(1, threads.map), learned(2)
    assert all(np.array_equal(*parts) for parts in zip(first, same, strict=True))
    assert not np.allclose(first.left, other.left)
    for part in first:
        assert part.sum(-1) == pytest.approx(np.ones(part.shape[:-1]))
        assert part.min() > 0


def test_without_sentences_a_focused_grammar_is_random():
    grammar, likelihoods = learn_focused_grammar([], [], CLASSES, CONFIG, 1, lambda _: None)
    assert (grammar.classes, grammar.nonterminals, likelihoods) == (CLASSES, 5, [0.0] * 40)
