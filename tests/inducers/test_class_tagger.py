"""The tagger against its definition: every sequence of classes of short sentences, its probability."""

import itertools
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.inducers import class_tagger
from synparse.inducers.class_tagger import (
    CANDIDATES,
    OTHER_CLASSES,
    SMOOTHING,
    UNSEEN,
    ClassTagger,
    class_probabilities,
    fractions_of_classes,
    learn_tagger,
)

pytestmark = pytest.mark.usefixtures("charts")

CLASSES, WORDS, FIXED = 3, 5, 2
CLASS_OF = np.array([0, 0, 1, 1, FIXED])
SENTENCES = [np.array(words) for words in ([0, 2, 1], [2, 0], [1], [0, 2, 4, 1, 3], [0, 2, 1], [4, 0])]


def go_on(_):
    return True


def learned(sentences=SENTENCES, passes=0, class_of=CLASS_OF, step=go_on, classes=CLASSES):
    return learn_tagger(sentences, class_of, FIXED, classes, passes, step, np.float64)


def table(tagger):
    """p(word | class), [M, C]."""
    emission = np.zeros((len(tagger.candidates), len(tagger.transition) - 1))
    for word, candidates in enumerate(tagger.candidates):
        emission[word, candidates.astype(int)] = tagger.emission[word]
    return emission


def probabilities(tagger, words):
    """The joint probability of the words and each sequence of classes."""
    C, emission = len(tagger.transition) - 1, table(tagger)
    for classes in itertools.product(range(C), repeat=len(words)):
        steps = itertools.pairwise((C, *classes, C))
        yield (
            classes,
            math.prod(
                [tagger.transition[pair] for pair in steps]
                + [emission[w, c] for w, c in zip(words, classes, strict=True)]
            ),
        )


def expected_counts(tagger, sentences):
    """How often each class follows each one, and how often each word has each class; and the log-likelihood."""
    C = len(tagger.transition) - 1
    transitions, uses, log_likelihood = np.zeros((C + 1, C + 1)), np.zeros((len(tagger.candidates), C)), 0.0
    for words in sentences:
        sequences = list(probabilities(tagger, words))
        total = sum(probability for _, probability in sequences)
        log_likelihood += math.log(total)
        for classes, probability in sequences:
            for pair in itertools.pairwise((C, *classes, C)):
                transitions[pair] += probability / total
            for word, word_class in zip(words, classes, strict=True):
                uses[word, word_class] += probability / total
    return transitions, uses, log_likelihood


def beginning(sentences=SENTENCES):
    """p(class | word) at the start, from the definition."""
    occurrences = UNSEEN + np.bincount(np.concatenate(sentences), minlength=WORDS)
    class_totals = [sum(occurrences[c == CLASS_OF]) for c in range(CLASSES)]
    emission = np.zeros((WORDS, CLASSES))
    for word, own in enumerate(CLASS_OF):
        if own == FIXED:
            emission[word, FIXED] = 1
            continue
        others = class_totals[0] + class_totals[1]
        emission[word] = [OTHER_CLASSES * class_totals[0] / others, OTHER_CLASSES * class_totals[1] / others, 0]
        emission[word, own] += 1 - OTHER_CLASSES
    return emission, occurrences


def random_tagger(seed, classes=3, words=4, candidates=3):
    source = np.random.default_rng(seed)
    transition = source.dirichlet(np.ones(classes + 1), classes + 1)
    chosen = np.stack([source.permutation(classes)[:candidates] for _ in range(words)])
    return ClassTagger(transition, chosen, source.random((words, candidates)))


def test_it_starts_from_the_clustering():
    uses, occurrences = beginning()
    uses *= occurrences[:, None]
    transitions = np.full((CLASSES + 1, CLASSES + 1), SMOOTHING)
    for words in SENTENCES:
        for pair in itertools.pairwise((CLASSES, *CLASS_OF[words], CLASSES)):
            transitions[pair] += 1
    tagger = learned()
    np.testing.assert_allclose(tagger.transition, transitions / transitions.sum(1, keepdims=True))
    np.testing.assert_allclose(table(tagger), uses / uses.sum(0))


@pytest.mark.parametrize("passes", [1, 2, 3])
def test_a_pass_takes_the_expected_counts_for_frequencies(passes):
    """With so few classes, a word keeps all of them, and the tagger before the pass is known exactly."""
    transitions, uses, _ = expected_counts(learned(passes=passes - 1), SENTENCES)
    transitions += SMOOTHING
    uses += UNSEEN * beginning()[0]
    tagger = learned(passes=passes)
    np.testing.assert_allclose(tagger.transition, transitions / transitions.sum(1, keepdims=True))
    np.testing.assert_allclose(table(tagger), uses / uses.sum(0))


def test_every_pass_makes_the_text_more_probable():
    source = np.random.default_rng(1)
    sentences = [source.integers(0, WORDS, length) for length in (3, 4, 2, 5, 3, 4, 5, 2, 1)]
    by_pass = [expected_counts(learned(sentences, passes), sentences)[2] for passes in range(5)]
    # Smoothing is worth a little of the likelihood, far less than what a pass gains here.
    assert all(after > before for before, after in itertools.pairwise(by_pass))


def best_classes(tagger, words):
    """The most probable class of each word of a sentence."""
    return class_probabilities(tagger, [np.array(words)])[0][:, 0].tolist()


@given(seed=st.integers(0, 1000), words=st.lists(st.integers(0, 3), min_size=1, max_size=5))
def test_a_word_has_its_most_probable_class_first(seed, words):
    tagger = random_tagger(seed)
    posterior = np.zeros((len(words), 3))
    for classes, probability in probabilities(tagger, words):
        posterior[np.arange(len(words)), classes] += probability
    posterior /= posterior.sum(1, keepdims=True)
    classes, of_classes = class_probabilities(tagger, [np.array(words)])
    assert classes[:, 0].tolist() == posterior.argmax(1).tolist()
    np.testing.assert_allclose(of_classes, np.take_along_axis(posterior, classes, 1), atol=1e-9)
    assert (np.diff(of_classes, axis=1) <= 0).all()


def test_sentences_of_any_lengths_come_back_in_order(monkeypatch):
    monkeypatch.setattr(class_tagger, "WORDS_AT_ONCE", 6)
    tagger, source = random_tagger(3), np.random.default_rng(1)
    sentences = [source.integers(0, 4, length) for length in (3, 0, 5, 3, 3, 1, 9, 5, 0)]
    alone = [class_probabilities(tagger, [sentence]) for sentence in sentences]
    for together, parts in zip(class_probabilities(tagger, sentences), zip(*alone, strict=True), strict=True):
        np.testing.assert_allclose(together, np.concatenate(parts))
    assert list(map(len, class_probabilities(tagger, []))) == [0, 0]


def test_groups_of_sentences_add_up(monkeypatch):
    at_once = learned(passes=2)
    monkeypatch.setattr(class_tagger, "WORDS_AT_ONCE", 1)
    one_by_one = learned(passes=2)
    for counts, expected in zip(at_once, one_by_one, strict=True):
        np.testing.assert_allclose(counts, expected)


def test_threads_learn_the_same_bytes():
    few = [np.arange(length) % WORDS for length in range(1, 9)]
    for sentences in (SENTENCES[:1], few * 20):
        expected = learned(sentences, 3)
        with ThreadPoolExecutor(3) as threads:
            tagger = learn_tagger(*(sentences, CLASS_OF, FIXED, CLASSES, 3, go_on, np.float64), executor=threads.map)
        for part, other in zip(tagger, expected, strict=True):
            np.testing.assert_array_equal(part, other)


def test_a_word_with_two_uses_has_the_class_that_its_neighbours_tell():
    """Nouns (class 0) follow 4, verbs (class 1) follow 5; 3 is both, and the clustering takes it for a noun."""
    class_of = np.array([0, 0, 1, 0, 3, 4, 2])
    noun, verb, both, the, to = [0, 1], [2, 2], 3, 4, 5
    pairs = itertools.product((*noun, both), (*verb, both))
    sentences = [np.array([the, subject, to, predicate]) for subject, predicate in pairs] * 5
    tagger = learned(sentences, 6, class_of, classes=5)
    assert best_classes(tagger, [the, both, to, both]) == [3, 0, 4, 1]


@pytest.mark.parametrize("passes", [0, 1, 6])
def test_a_word_that_the_text_does_not_have_keeps_its_class(passes):
    tagger = learned([np.array([0, 2])] * 3, passes)
    assert tagger.candidates[[1, 3], 0].tolist() == [0, 1]
    assert best_classes(tagger, [1, 3]) == [0, 1]


@pytest.mark.parametrize("passes", [0, 3])
def test_punctuation_keeps_its_class_and_no_word_gets_it(passes):
    emission = table(learned(passes=passes))
    assert emission[:4, FIXED].tolist() == [0, 0, 0, 0]
    assert emission[4, :2].tolist() == [0, 0]
    of_words = best_classes(learned(passes=passes), [4, 0, 4])
    assert [word_class == FIXED for word_class in of_words] == [True, False, True]


def test_candidates_are_the_most_probable_classes():
    classes = CANDIDATES + 3
    class_of = np.array([*range(classes), 0, 1])
    source = np.random.default_rng(2)
    sentences = [source.integers(0, len(class_of), 5) for _ in range(20)]
    tagger = learn_tagger(sentences, class_of, classes - 1, classes, 0, go_on)
    assert tagger.candidates.shape == tagger.emission.shape == (len(class_of), CANDIDATES)
    # At the start: its own class, then the most frequent ones.
    frequencies = np.bincount(class_of, UNSEEN + np.bincount(np.concatenate(sentences), minlength=len(class_of)))
    order = np.argsort(-frequencies[: classes - 1], kind="stable")
    for word, own in enumerate(class_of[: classes - 1].tolist()):
        if own != classes - 1:
            assert tagger.candidates[word].tolist() == [own, *(c for c in order.tolist() if c != own)][:CANDIDATES]
    assert tagger.candidates[classes - 1, 0] == classes - 1


def test_fractions_of_classes_are_the_probabilities_of_some_words():
    candidates, emission = np.array([[0, 1], [1, 2], [2, 0]]), np.array([[0.5, 0.25], [0.75, 0.5], [0.5, 0.5]])
    tagger = ClassTagger(np.full((5, 5), 0.2), candidates, emission)
    assert fractions_of_classes(tagger, np.array([True, True, False])).tolist() == [0.5, 1.0, 0.5, 0.0]
    assert fractions_of_classes(tagger, np.zeros(3, bool)).tolist() == [0.0] * 4


def test_few_classes_are_all_candidates():
    assert learned().candidates.shape == (WORDS, CLASSES)


def test_each_pass_is_told():
    told = []
    learned(passes=4, step=told.append)
    assert told == [0, 0.25, 0.5, 0.75]
