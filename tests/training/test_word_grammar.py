"""A grammar over words: its gradient by finite differences, and what it learns from spans."""

import numpy as np
import pytest

from synparse.config.grammar import GrammarConfig
from synparse.inducers.class_grammar import ClassGrammars, posterior
from synparse.training.word_grammar import Adam, Side, learn_word_grammar

WORDS = 12
CONFIG = GrammarConfig(word_nonterminals=5, word_passes=40)


def softmax(scores):
    return np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)


@pytest.mark.usefixtures("charts")
@pytest.mark.parametrize(
    "changed", [(0, "parents"), (0, "parts"), (0, "bias"), (1, "parents"), (1, "parts"), (1, "bias")]
)
def test_gradients_are_those_of_the_log_likelihood(changed):
    source, N, C, size = np.random.default_rng(1), 3, 4, 2
    sides = [
        Side(source.normal(size=(N, size)), source.normal(size=(N + C, size)), source.normal(size=N + C)) for _ in "lr"
    ]
    root, words = softmax(source.normal(size=N)), source.integers(0, C, (6, 5))

    def expected(sides, with_counts=False):
        grammar = ClassGrammars(root[None], *(side.probabilities()[None] for side in sides))
        return posterior(grammar, words, None, with_counts, np.float64)

    of_counts = expected(sides, with_counts=True).counts
    side, name = changed
    gradient = getattr(sides[side].gradient(sides[side].probabilities(), of_counts[1 + side][0]), name)
    parameters = getattr(sides[side], name)
    for place in np.ndindex(parameters.shape):
        likelihoods = []
        for step in (1e-5, -1e-5):
            moved = parameters.copy()
            moved[place] += step
            several = [one._replace(**{name: moved}) if number == side else one for number, one in enumerate(sides)]
            likelihoods.append(expected(several).log_likelihood.sum())
        assert gradient[place] == pytest.approx((likelihoods[0] - likelihoods[1]) / 2e-5, abs=1e-5)


def test_the_first_steps_of_adam():
    # Moving means are corrected for their start at 0, so the first step is the rate; the second, worked by hand:
    # mean (0.75 · 0.25 · 2 − 0.25 · 1) / (1 − 0.75²), square (0.999 · 0.001 · 4 + 0.001 · 1) / (1 − 0.999²).
    parameter = np.array([1.0])
    adam = Adam([parameter])
    adam.step([np.array([2.0])], 0.1)
    assert parameter == pytest.approx(1.1)
    adam.step([np.array([-1.0])], 0.1)
    assert parameter == pytest.approx(1.1 + 0.1 * (0.125 / 0.4375) / np.sqrt(0.004996 / 0.001999))


def phrases(seed, count):
    """Sentences of phrases of two words, each of the first half of the words before one of the second half, and the
    probabilities of their spans: the phrases, under a tree that branches to the right."""
    source, half = np.random.default_rng(seed), WORDS // 2
    sentences, spans = [], []
    for length in source.integers(2, 5, count):
        firsts, seconds = source.integers(0, half, length), source.integers(half, WORDS, length)
        words = np.stack([firsts, seconds], 1).ravel()
        chart = np.full((len(words) + 1, len(words) + 1), 0.05)
        for start in range(0, len(words), 2):
            chart[start, start + 2] = chart[start, len(words)] = 0.95
        sentences.append(words)
        spans.append(chart)
    return sentences, spans


def test_phrases_are_learned_from_spans_and_recognized_without():
    told = []
    grammar, likelihoods = learn_word_grammar(*phrases(1, 300), np.full(WORDS, 100), CONFIG, 1, told.append)
    assert likelihoods[-1] > likelihoods[0] + 300
    assert told == sorted(told)
    assert (told[0], told[-1] < 1) == (0, True)
    sentences, _ = phrases(2, 50)
    for words in sentences:
        spans = posterior(grammar, words[None]).spans[0]
        inside = [spans[start, start + 2] for start in range(0, len(words), 2)]
        across = [spans[start, start + 2] for start in range(1, len(words) - 1, 2)]
        assert min(inside) > 0.9
        assert max(across, default=0) < 0.1


def test_the_same_seed_gives_the_same_grammar_and_another_one_another():
    def learned(seed):
        config = GrammarConfig(word_nonterminals=2, word_passes=2)
        return learn_word_grammar(*phrases(1, 20), np.arange(WORDS), config, seed, lambda _: None)[0]

    first, same, other = learned(1), learned(1), learned(2)
    assert all(np.array_equal(*parts) for parts in zip(first, same, strict=True))
    assert not np.allclose(first.left, other.left)


def test_probabilities_of_words_are_relative_to_their_frequency():
    occurrences = np.arange(WORDS)
    config = GrammarConfig(word_nonterminals=2, word_passes=1)
    grammar, _ = learn_word_grammar(*phrases(1, 20), occurrences, config, 1, lambda _: None)
    frequencies = (occurrences + 0.5) / (occurrences + 0.5).sum()
    for rules in (grammar.left[0], grammar.right[0]):
        assert rules[:, :2].sum(1) + (rules[:, 2:] * frequencies).sum(1) == pytest.approx(np.ones(2), abs=1e-5)
    assert grammar.root.sum() == pytest.approx(1)
