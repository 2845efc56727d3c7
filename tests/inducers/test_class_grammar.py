"""The grammars against their definition: every binary tree of up to six words, every labelling, its probability."""

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.inducers import class_grammar
from synparse.inducers.class_grammar import (
    SMOOTHING,
    ClassGrammars,
    best_labels,
    estimated,
    no_counts,
    posterior,
    random_grammars,
)

pytestmark = pytest.mark.usefixtures("charts")

NONTERMINALS, CLASSES = 2, 3
exactly = functools.partial(posterior, dtype=np.float64)


class Counted(NamedTuple):
    log_likelihood: np.ndarray
    spans: np.ndarray
    counts: ClassGrammars


def counted(grammars, classes, weights=None, dtype=np.float64):
    counts = no_counts(grammars)
    return Counted(*posterior(grammars, classes, weights, counts, dtype), counts)


def uneven_grammars(count, seed, nonterminals=NONTERMINALS, classes=CLASSES):
    """Grammars far from the uniform one."""
    source = np.random.default_rng(seed)
    symbols = np.ones(nonterminals + classes)
    return ClassGrammars(
        source.dirichlet(symbols[:nonterminals], count),
        source.dirichlet(symbols, (count, nonterminals)),
        source.dirichlet(symbols, (count, nonterminals)),
    )


def single(grammars, number):
    return ClassGrammars(*(part[number : number + 1] for part in grammars))


@functools.cache
def binary_trees(start, end):
    """The spans of two words or more of every tree, in pre-order, each with its parts."""
    if end - start == 1:
        return [()]
    return [
        (((start, end), (start, middle), (middle, end)), *left, *right)
        for middle in range(start + 1, end)
        for left, right in itertools.product(binary_trees(start, middle), binary_trees(middle, end))
    ]


def spans_of(tree):
    return [span for span, _, _ in tree]


def productions(tree, labels, words):
    """The index of the top label, and those of the left and right part of each span, in the parameters."""
    label = dict(zip(spans_of(tree), labels, strict=True))

    def symbol(span):
        return label.get(span, NONTERMINALS + words[span[0]])

    return labels[0], [(label[span], symbol(left), symbol(right)) for span, left, right in tree]


def probability(grammars, number, words, weights, tree, labels):
    root, left, right = (part[number] for part in grammars)
    top, rules = productions(tree, labels, words)
    weight = math.exp(sum(weights[span] for span in spans_of(tree)))
    return weight * root[top] * math.prod(left[parent, b] * right[parent, c] for parent, b, c in rules)


def labellings(T):
    return itertools.product(range(NONTERMINALS), repeat=T - 1)


def enumerated(grammars, number, words, weights):
    """Log-likelihood, spans and counts of one sentence by one grammar, by adding up over all labelled trees."""
    T = len(words)
    total, spans = 0.0, np.zeros((T + 1, T + 1))
    root, left, right = (np.zeros_like(part[number]) for part in grammars)
    for tree in binary_trees(0, T):
        for labels in labellings(T):
            p = probability(grammars, number, words, weights, tree, labels)
            top, rules = productions(tree, labels, words)
            total += p
            root[top] += p
            for parent, b, c in rules:
                left[parent, b] += p
                right[parent, c] += p
            for span in spans_of(tree):
                spans[span] += p
    return math.log(total), spans / total, ClassGrammars(root / total, left / total, right / total)


@pytest.mark.parametrize("weighting", ["none", "of spans", "of the spans of each grammar"])
@pytest.mark.parametrize("T", range(2, 7))
def test_exact_over_all_labelled_trees(T, weighting):
    source = np.random.default_rng(T)
    grammars, classes = uneven_grammars(2, T), source.integers(0, CLASSES, (2, T))
    shape = (2, 2, T + 1, T + 1) if weighting == "of the spans of each grammar" else (2, T + 1, T + 1)
    weights = source.normal(0, 2, shape) if weighting != "none" else None
    result = counted(grammars, classes, weights)
    each_weight = np.broadcast_to(0.0 if weights is None else weights, (2, 2, T + 1, T + 1))
    expected = [[enumerated(grammars, g, classes[b], each_weight[g, b]) for b in range(2)] for g in range(2)]
    np.testing.assert_allclose(result.log_likelihood, [[value[0] for value in row] for row in expected])
    np.testing.assert_allclose(result.spans, np.mean([[value[1] for value in row] for row in expected], 0), atol=1e-12)
    for part in range(3):
        counts = [sum(value[2][part] for value in row) for row in expected]
        np.testing.assert_allclose(result.counts[part], counts, atol=1e-12)


@pytest.mark.parametrize("B", [1, 7])
def test_counts_and_spans_are_derivatives_of_the_log_likelihood(B):
    step = 1e-6
    source = np.random.default_rng(B)
    grammars, classes = uneven_grammars(2, B), source.integers(0, CLASSES, (B, 8))
    weights = source.normal(size=(B, 9, 9))
    result = counted(grammars, classes, weights)

    def slope(up, down):
        higher, lower = (exactly(*moved).log_likelihood.sum() for moved in (up, down))
        return (higher - lower) / (2 * step)

    for name in ClassGrammars._fields:
        for index in itertools.islice(np.ndindex(getattr(grammars, name).shape), 0, None, 3):
            moved = []
            for by in (step, -step):
                parameter = getattr(grammars, name).copy()
                parameter[index] *= math.exp(by)
                moved.append((grammars._replace(**{name: parameter}), classes, weights))
            assert slope(*moved) == pytest.approx(getattr(result.counts, name)[index], abs=1e-6)
    for start, end in itertools.combinations(range(9), 2):
        change = np.zeros_like(weights)
        change[0, start, end] = step
        expected = 2 * result.spans[0, start, end]  # of two grammars
        up, down = ((grammars, classes, weights + sign * change) for sign in (1, -1))
        assert slope(up, down) == pytest.approx(expected, abs=1e-6)


@given(T=st.integers(2, 9), B=st.integers(1, 4), count=st.integers(1, 4), seed=st.integers(0, 999))
def test_grammars_and_sentences_side_by_side_equal_each_alone(T, B, count, seed):
    source = np.random.default_rng(seed)
    grammars, classes = uneven_grammars(count, seed), source.integers(0, CLASSES, (B, T))
    weights = source.normal(0, 3, (B, T + 1, T + 1))
    together = counted(grammars, classes, weights)
    alone = [
        [counted(single(grammars, g), classes[b : b + 1], weights[b : b + 1]) for b in range(B)] for g in range(count)
    ]
    np.testing.assert_allclose(
        together.log_likelihood, [[value.log_likelihood[0, 0] for value in row] for row in alone]
    )
    np.testing.assert_allclose(together.spans, np.mean([[value.spans[0] for value in row] for row in alone], 0))
    for part in range(3):
        expected = [sum(value.counts[part][0] for value in row) for row in alone]
        np.testing.assert_allclose(together.counts[part], expected, atol=1e-12)
    np.testing.assert_allclose(together.spans.sum((1, 2)), T - 1)


@given(T=st.integers(2, 12), B=st.sampled_from([1, 5, 40]), seed=st.integers(0, 99))
def test_single_precision_is_near_double(T, B, seed):
    source = np.random.default_rng(seed)
    grammars, classes = random_grammars(4, 10, CLASSES, seed), source.integers(0, CLASSES, (B, T))
    weights = source.normal(-40, 10, (B, T + 1, T + 1))
    single, double = counted(grammars, classes, weights, np.float32), counted(grammars, classes, weights)
    np.testing.assert_allclose(single.log_likelihood, double.log_likelihood, rtol=1e-6)
    np.testing.assert_allclose(single.spans, double.spans, atol=1e-4)
    for part, expected in zip(single.counts, double.counts, strict=True):
        np.testing.assert_allclose(part, expected, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("B", [1, 10])
@pytest.mark.parametrize("low", ["none", "many", "all"])
def test_two_hundred_words_neither_overflow_nor_vanish(low, B):
    T = 200 if B == 1 else 60
    source = np.random.default_rng(1)
    grammars, classes = random_grammars(2, 4, CLASSES, 1), source.integers(0, CLASSES, (B, T))
    chosen = {"none": 0.0, "many": 0.7, "all": 1.0}[low]
    weights = np.where(source.random((B, T + 1, T + 1)) < chosen, -80.0, 0.0)
    result = counted(grammars, classes, weights, np.float32)
    assert np.isfinite(result.log_likelihood).all()
    np.testing.assert_allclose(result.spans.sum((1, 2)), T - 1, rtol=1e-4)
    np.testing.assert_allclose(result.counts.left.sum((1, 2)), B * (T - 1), rtol=1e-3)
    if low == "all":
        free = posterior(grammars, classes)
        np.testing.assert_allclose(result.log_likelihood, free.log_likelihood - 80 * (T - 1), rtol=1e-6)
        np.testing.assert_allclose(result.spans, free.spans, atol=1e-4)


def test_forbidden_spans_are_in_no_tree():
    grammars, words = uneven_grammars(2, 3), np.array([0, 1, 2, 1, 0])
    weights = np.zeros((6, 6))
    weights[[0, 1, 1], [2, 3, 4]] = -np.inf
    result = exactly(grammars, words[None], weights[None])
    expected = [enumerated(grammars, g, words, weights) for g in range(2)]
    np.testing.assert_allclose(result.log_likelihood[:, 0], [value[0] for value in expected])
    np.testing.assert_allclose(result.spans[0], (expected[0][1] + expected[1][1]) / 2, atol=1e-12)


def test_counts_are_added_to_what_is_there():
    grammars, classes = uneven_grammars(2, 3), np.array([[0, 1, 2, 1], [2, 1, 0, 0]])
    counts = no_counts(grammars)
    for sentence in classes:
        exactly(grammars, sentence[None], counts=counts)
    for part, expected in zip(counts, counted(grammars, classes).counts, strict=True):
        np.testing.assert_allclose(part, expected)


def test_two_words_by_hand():
    left, right = np.array([[[0.5, 0.3, 0.2]]]), np.array([[[0.1, 0.2, 0.7]]])
    grammars = ClassGrammars(np.ones((1, 1)), left, right)
    weights = np.zeros((1, 3, 3))
    weights[0, 0, 2] = 2
    result = counted(grammars, np.array([[0, 1]]), weights)
    assert result.log_likelihood == pytest.approx(np.array([[2 + math.log(0.3 * 0.7)]]))
    assert result.spans[0].tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    assert result.counts.root == pytest.approx(np.ones((1, 1)))
    assert result.counts.left == pytest.approx(np.array([[[0, 1, 0]]]))
    assert result.counts.right == pytest.approx(np.array([[[0, 0, 1]]]))
    assert best_labels(grammars, 0, [0, 1], [(0, 2)]) == [0]


@given(T=st.integers(2, 6), number=st.integers(0, 1), seed=st.integers(0, 999), weighted=st.booleans())
def test_best_labels_over_all_labellings(T, number, seed, weighted):
    source = np.random.default_rng(seed)
    grammars, words = uneven_grammars(2, seed), source.integers(0, CLASSES, T)
    weights = source.normal(0, 2, (T + 1, T + 1)) if weighted else np.zeros((T + 1, T + 1))
    value = functools.partial(probability, grammars, number, words, weights)
    for tree in binary_trees(0, T):
        best_of_tree = max(value(tree, labels) for labels in labellings(T))
        assert value(tree, best_labels(grammars, number, words, spans_of(tree))) == pytest.approx(best_of_tree)


def test_best_labels_of_two_hundred_words_in_a_deep_tree():
    grammars = random_grammars(1, 4, CLASSES, 1)
    spans = [(0, end) for end in range(200, 1, -1)]
    assert len(best_labels(grammars, 0, [0, 1] * 100, spans)) == 199


def test_rules_without_probability_are_not_used():
    left = np.array(
        [[[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5]]]
    )  # the first has the second at its left, which has words
    right = np.array([[[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]]])
    grammars = ClassGrammars(np.array([[1.0, 0.0]]), left, right)
    assert best_labels(grammars, 0, [0, 0, 1], [(0, 3), (0, 2)]) == [0, 1]


def test_the_m_step_by_hand():
    counts = ClassGrammars(np.array([[2.0, 1]]), np.array([[[1.0, 0, 3], [0, 0, 0]]]), np.zeros((1, 2, 3)))
    grammars = estimated(counts)
    assert SMOOTHING == 0.1
    assert grammars.root[0] == pytest.approx([2.1 / 3.2, 1.1 / 3.2])
    assert grammars.left[0, 0] == pytest.approx([1.1 / 4.3, 0.1 / 4.3, 3.1 / 4.3])
    assert grammars.left[0, 1] == pytest.approx([1 / 3] * 3)
    assert grammars.right[0, 1] == pytest.approx([1 / 3] * 3)


@given(lengths=st.lists(st.integers(2, 7), min_size=1, max_size=4), seed=st.integers(0, 999))
def test_expectation_maximization_never_lowers_the_likelihood(lengths, seed):
    source = np.random.default_rng(seed)
    # With weights of its own, a grammar keeps spans that the other one leaves out.
    corpus = [(source.integers(0, CLASSES, (3, T)), source.normal(0, 2, (2, 3, T + 1, T + 1))) for T in lengths]
    grammars, likelihoods = uneven_grammars(2, seed, 3), []
    for _ in range(5):
        posteriors = [counted(grammars, classes, weights) for classes, weights in corpus]
        likelihoods.append(sum(result.log_likelihood.sum(1) for result in posteriors))
        counts = ClassGrammars(*(sum(parts) for parts in zip(*(result.counts for result in posteriors), strict=True)))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(class_grammar, "SMOOTHING", 1e-12)
            grammars = estimated(counts)
    assert (np.diff(likelihoods, axis=0) > -1e-6).all()


def test_random_grammars_are_distributions_and_depend_on_their_number_alone():
    grammars, fewer = random_grammars(3, 5, 7, seed=1), random_grammars(2, 5, 7, seed=1)
    assert (grammars.nonterminals, grammars.classes) == (5, 7)
    for part, first in zip(grammars, fewer, strict=True):
        np.testing.assert_allclose(part.sum(-1), 1)
        np.testing.assert_array_equal(part[:2], first)
        assert not np.allclose(part[0], part[1])
