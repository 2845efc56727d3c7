"""The model against its definition: every projective tree of up to six words, its events and its probability."""

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.inducers import dependency_boundary
from synparse.inducers.dependency_boundary import (
    ACROSS,
    ADJACENT,
    LATER,
    LEFT,
    RIGHT,
    SMOOTHING,
    VERB,
    DependencyModel,
    EventCounts,
    estimated,
    harmonic_counts,
    no_counts,
    posterior,
)

pytestmark = pytest.mark.usefixtures("charts")

CLASSES = 3


class Counted(NamedTuple):
    log_likelihood: np.ndarray
    arcs: np.ndarray
    counts: EventCounts


def counted(model, classes, weights=None):
    counts = no_counts(model.classes)
    return Counted(*posterior(model, classes, weights, counts), counts)


def random_model(seed, stops_by_head=False, classes=CLASSES):
    source = np.random.default_rng(seed)
    return DependencyModel(
        source.dirichlet(np.ones(classes)),
        source.random((classes, 2, 2)),
        source.dirichlet(np.ones(classes), (classes, 2, 2)),
        stops_by_head,
    )


@functools.cache
def projective_trees(T):
    """Every tree of T words with one root, as the head of each word, that of the root itself."""

    def halves(head, dependents):
        """All ways to hang all these words of one side, from the nearest to the farthest, below the head."""
        if not dependents:
            yield {}
            return
        for reached in range(1, len(dependents) + 1):
            first_dependents, others = dependents[:reached], dependents[reached:]
            for tree, rest in itertools.product(trees(sorted(first_dependents), head), halves(head, others)):
                yield tree | rest

    def trees(words, head):
        """All trees over these neighbouring words, whose root depends on the head, or on itself if that is None."""
        for place, root in enumerate(words):
            above = {root: root if head is None else head}
            sides = halves(root, words[:place][::-1]), halves(root, words[place + 1 :])
            for left, right in itertools.product(*map(list, sides)):
                yield above | left | right

    return [tuple(tree[word] for word in range(T)) for tree in trees(list(range(T)), None)]


def events(model, words, heads):
    """What happens in a tree: the kind of each event, as the counts name it, and its index there."""
    T = len(words)

    def far_end(word, side):
        below = [word] + [far_end(other, side) for other in range(T) if heads[other] == word != other]
        return max(below) if side == RIGHT else min(below)

    for head in range(T):
        if heads[head] == head:
            yield "root", (words[head],)
        for side in (LEFT, RIGHT):
            dependents = [word for word in range(T) if heads[word] == head and (word > head, word < head)[side == LEFT]]
            outermost, adjacent = head, ADJACENT
            for dependent in sorted(dependents, key=lambda word: abs(word - head)):
                decides = head if model.stops_by_head else outermost
                yield "goes_on", (words[decides], side, adjacent)
                yield "attach", (words[head], side, adjacent, words[dependent])
                outermost, adjacent = far_end(dependent, side), LATER
            yield "stop", (words[head if model.stops_by_head else outermost], side, adjacent)


def enumerated(model, words, weights):
    """Log-likelihood, arcs and counts of one sentence, by adding up over all trees."""
    T = len(words)
    total, arcs, counts = 0.0, np.zeros((T, T)), no_counts(len(model.root))
    for heads in projective_trees(T):
        happened = list(events(model, words, heads))
        probability = math.exp(sum(weights[word, head] for word, head in enumerate(heads)))
        for kind, index in happened:
            probability *= 1 - model.stop[index] if kind == "goes_on" else getattr(model, kind)[index]
        total += probability
        arcs[np.arange(T), heads] += probability
        for kind, index in happened:
            getattr(counts, kind)[index] += probability
    return math.log(total), arcs / total, EventCounts(*(part / total for part in counts))


@pytest.mark.parametrize(("T", "count"), [(1, 1), (2, 2), (3, 7), (4, 30), (5, 143), (6, 728)])
def test_as_many_projective_trees_as_there_are(T, count):
    assert len(set(projective_trees(T))) == count  # OEIS A006013


@pytest.mark.parametrize("stops_by_head", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("T", range(1, 7))
def test_exact_over_all_trees(T, weighted, stops_by_head):
    source = np.random.default_rng(T)
    model = random_model(T, stops_by_head)
    classes = source.integers(0, CLASSES, (3, T))
    weights = source.normal(0, 2, (3, T, T)) if weighted else np.zeros((3, T, T))
    result = counted(model, classes, weights if weighted else None)
    expected = [enumerated(model, *sentence) for sentence in zip(classes, weights, strict=True)]
    np.testing.assert_allclose(result.log_likelihood, [values[0] for values in expected])
    np.testing.assert_allclose(result.arcs, [values[1] for values in expected], atol=1e-12)
    counts = zip(*(values[2] for values in expected), strict=True)
    for part, counts_of_sentences in zip(result.counts, counts, strict=True):
        np.testing.assert_allclose(part, sum(counts_of_sentences), atol=1e-12)


@pytest.mark.parametrize("stops_by_head", [False, True])
def test_a_word_of_several_classes_has_their_mean_parameters(stops_by_head):
    source = np.random.default_rng(1)
    T, model = 6, random_model(1, stops_by_head)
    classes, weights = source.integers(0, CLASSES, (2, T, 2)), source.normal(0, 2, (2, T, T))
    shares = np.array([[0.75, 0.25], [1, 0], [0.5, 0.5]] * 4).reshape(2, T, 2)
    result = posterior(model, classes, weights, shares=shares)
    for number in range(2):
        mix = np.zeros((T, CLASSES))  # each word has a class of its own
        np.add.at(mix, (np.arange(T)[:, None], classes[number]), shares[number])
        attach = np.einsum("hc,csad,ed->hsae", mix, model.attach, mix)
        alone = DependencyModel(mix @ model.root, np.einsum("wc,csa->wsa", mix, model.stop), attach, stops_by_head)
        log_likelihood, arcs, _ = enumerated(alone, np.arange(T), weights[number])
        np.testing.assert_allclose(result.arcs[number], arcs, atol=1e-12)
        assert result.log_likelihood[number] == pytest.approx(log_likelihood)
    with pytest.raises(ValueError, match="one class"):
        posterior(model, classes, counts=no_counts(CLASSES), shares=shares)


@pytest.mark.parametrize("stops_by_head", [False, True])
def test_counts_and_arcs_are_derivatives_of_the_log_likelihood(stops_by_head):
    step = 1e-6
    model = random_model(1, stops_by_head)
    source = np.random.default_rng(1)
    classes, weights = source.integers(0, CLASSES, (2, 9)), source.normal(size=(2, 9, 9))
    result = counted(model, classes, weights)

    def slope(up, down):
        higher, lower = (posterior(*moved).log_likelihood.sum() for moved in (up, down))
        return (higher - lower) / (2 * step)

    def moved(name, index, by):
        parameter = getattr(model, name).copy()
        parameter[index] += by
        return model._replace(**{name: parameter}), classes, weights

    for name in ("root", "stop", "attach"):
        for index in np.ndindex(getattr(model, name).shape):
            value = getattr(model, name)[index]
            expected = getattr(result.counts, name)[index] / value
            if name == "stop":
                expected -= result.counts.goes_on[index] / (1 - value)
            found_slope = slope(moved(name, index, step), moved(name, index, -step))
            assert found_slope == pytest.approx(expected, rel=1e-4, abs=1e-4)
    for dependent, head in itertools.product(range(9), repeat=2):
        change = np.zeros_like(weights)
        change[0, dependent, head] = step
        found_slope = slope((model, classes, weights + change), (model, classes, weights - change))
        assert found_slope == pytest.approx(result.arcs[0, dependent, head], abs=1e-6)


@given(T=st.integers(1, 12), B=st.integers(1, 5), seed=st.integers(0, 999))
def test_every_word_has_one_head_and_every_sentence_one_root(T, B, seed):
    source = np.random.default_rng(seed)
    classes, weights = source.integers(0, CLASSES, (B, T)), source.normal(0, 5, (B, T, T))
    result = counted(random_model(seed, bool(seed % 2)), classes, weights)
    np.testing.assert_allclose(result.arcs.sum(2), 1)
    np.testing.assert_allclose(result.arcs.diagonal(0, 1, 2).sum(1), 1)
    assert result.counts.root.sum() == pytest.approx(B)
    assert result.counts.stop.sum() == pytest.approx(2 * B * T)
    assert result.counts.attach.sum() == pytest.approx(result.counts.goes_on.sum()) == pytest.approx(B * (T - 1))


def test_counts_are_added_to_what_is_there():
    model, classes = random_model(1), np.array([[0, 1, 2, 1], [2, 1, 0, 0]])
    counts = no_counts(CLASSES)
    for sentence in classes:
        posterior(model, sentence[None], counts=counts)
    for part, expected in zip(counts, counted(model, classes).counts, strict=True):
        np.testing.assert_allclose(part, expected)


@pytest.mark.parametrize("forbidding", [-np.inf, -1e6])
def test_a_forbidden_arc_has_no_probability(forbidding):
    model = random_model(2)
    classes, weights = np.array([[0, 1, 2, 1, 0]]), np.zeros((1, 5, 5))
    weights[0, 3, [0, 1, 3]] = weights[0, 0, 0] = forbidding
    result = counted(model, classes, weights)
    log_likelihood, arcs, counts = enumerated(model, classes[0], weights[0])
    np.testing.assert_allclose(result.log_likelihood[0], log_likelihood)
    np.testing.assert_allclose(result.arcs[0], arcs, atol=1e-12)
    for part, expected in zip(result.counts, counts, strict=True):
        np.testing.assert_allclose(part, expected, atol=1e-12)


def test_a_sentence_without_any_tree_harms_no_other():
    classes, weights = np.array([[0, 1, 2], [0, 1, 2]]), np.zeros((2, 3, 3))
    weights[0, 1] = -np.inf
    result = counted(random_model(3), classes, weights)
    alone = counted(random_model(3), classes[1:])
    assert result.log_likelihood[0] == -np.inf
    assert not result.arcs[0].any()
    np.testing.assert_allclose(result.arcs[1], alone.arcs[0])
    np.testing.assert_allclose(result.counts.attach, alone.counts.attach)


@pytest.mark.parametrize("spread", [0, 1, 30, 1000])
def test_two_hundred_words_with_low_and_with_unlike_weights(spread):
    source = np.random.default_rng(spread)
    classes = source.integers(0, CLASSES, (2, 200))
    weights = -16.2 + spread * source.normal(size=(2, 200, 200))
    result = counted(random_model(4), classes, weights)
    assert np.isfinite(result.log_likelihood).all()
    np.testing.assert_allclose(result.arcs.sum(2), 1)
    assert result.counts.stop.sum() == pytest.approx(2 * 2 * 200)


def test_equal_weights_of_all_arcs_change_nothing_but_the_likelihood():
    classes = np.random.default_rng(5).integers(0, CLASSES, (1, 200))
    result, lowered = (posterior(random_model(5), classes, np.full((1, 200, 200), low)) for low in (0.0, -16.2))
    np.testing.assert_allclose(result.arcs, lowered.arcs)
    np.testing.assert_allclose(result.log_likelihood - 200 * 16.2, lowered.log_likelihood)


def test_one_class():
    model = DependencyModel(np.ones(1), np.full((1, 2, 2), 0.5), np.ones((1, 2, 2, 1)))
    result = counted(model, np.zeros((1, 4), int))
    assert result.log_likelihood[0] == pytest.approx(math.log(30 * 0.5**11))  # 30 trees, 8 stops, 3 times going on
    assert result.counts.root == pytest.approx([1])


def test_the_m_step_by_hand():
    counts = no_counts(2)
    counts.root[:] = 3, 1
    counts.stop[0, RIGHT, ADJACENT], counts.goes_on[0, RIGHT, ADJACENT] = 5, 2
    counts.attach[0, RIGHT, ADJACENT] = 6, 2
    counts.attach[1, LEFT, LATER] = 0, 2
    model = estimated(counts, stops_by_head=True)
    assert SMOOTHING == 1
    assert model.stops_by_head
    assert model.root == pytest.approx([8 / 14, 6 / 14])
    assert model.stop[0, RIGHT, ADJACENT] == pytest.approx(6 / 9)
    assert model.stop[1, LEFT, LATER] == pytest.approx(1 / 2)
    overall = np.array([7, 5]) / 12
    assert model.attach[0, RIGHT, ADJACENT] == pytest.approx((np.array([6, 2]) + 10 * overall) / 18)
    assert model.attach[1, LEFT, LATER] == pytest.approx((np.array([0, 2]) + 10 * overall) / 12)
    assert model.attach[0, LEFT, LATER] == pytest.approx(overall)


@given(
    lengths=st.lists(st.integers(1, 7), min_size=1, max_size=4),
    seed=st.integers(0, 999),
    stops_by_head=st.booleans(),
)
def test_expectation_maximization_never_lowers_the_likelihood(lengths, seed, stops_by_head):
    source = np.random.default_rng(seed)
    corpus = [(source.integers(0, CLASSES, (3, T)), source.normal(0, 2, (3, T, T))) for T in lengths]
    model, likelihoods = random_model(seed, stops_by_head), []
    for _ in range(5):
        posteriors = [counted(model, classes, weights) for classes, weights in corpus]
        likelihoods.append(sum(result.log_likelihood.sum() for result in posteriors))
        counts = EventCounts(*map(sum, zip(*(result.counts for result in posteriors), strict=True)))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(dependency_boundary, "SMOOTHING", 1e-12)
            model = estimated(counts, stops_by_head)
    assert (np.diff(likelihoods) > -1e-6).all()


def test_parameters_are_distributions():
    model = estimated(harmonic_of([[0, 1, 1, 2]], 4))
    np.testing.assert_allclose(model.root.sum(), 1)
    np.testing.assert_allclose(model.attach.sum(3), 1)
    assert ((model.stop > 0) & (model.stop < 1)).all()


def harmonic_of(words, count, crossings=False, directions=0.0, verbs=0.0):
    """Of sentences without punctuation, known directions and verbs, unless they are given."""
    B, T = np.shape(words)
    known = (np.broadcast_to(values, (B, T)) for values in (directions, verbs))
    return harmonic_counts(np.array(words), np.broadcast_to(crossings, (B, T, T)), count, *known)


def test_harmonic_counts_by_hand():
    counts = harmonic_of([[0, 1, 1]], 3)
    # heads of the words 0, 1, 2 at distances 1 and 2 weigh 1/2 and 1/3; a third of each word's probability is the root
    near, far, half = 2 / 3 * 3 / 5, 2 / 3 * 2 / 5, 2 / 3 / 2
    assert counts.root == pytest.approx([1 / 3, 2 / 3, 0])
    for adjacent in (ADJACENT, LATER):
        assert counts.attach[0, RIGHT, adjacent] == pytest.approx([0, half + far, 0])
        assert counts.attach[1, LEFT, adjacent] == pytest.approx([near + far, half, 0])
        assert counts.attach[1, RIGHT, adjacent] == pytest.approx([0, near, 0])
        assert counts.goes_on[:, LEFT, adjacent] == pytest.approx([0, (near + far + half) / 2, 0])
        assert counts.goes_on[:, RIGHT, adjacent] == pytest.approx([(half + far) / 2, near / 2, 0])
        assert counts.stop[:, LEFT, adjacent] == pytest.approx([1 / 2, 1, 0])


def test_harmonic_counts_avoid_arcs_across_punctuation():
    crossings = np.zeros((1, 3, 3), bool)
    crossings[0, :2, 2] = crossings[0, 2, :2] = True  # the last word is behind a comma
    counts = harmonic_of([[0, 1, 2]], 3, crossings)
    assert counts.attach[0, RIGHT, ADJACENT, 1] == pytest.approx(2 / 3 * 1 / (1 + ACROSS))
    assert counts.attach[2, LEFT, ADJACENT, 1] == pytest.approx(2 / 3 * ACROSS / (1 + ACROSS))
    assert counts.attach[0, RIGHT, ADJACENT, 2] == pytest.approx(2 / 3 * 2 / 5)


def test_harmonic_counts_of_one_word():
    counts = harmonic_of([[1], [1]], 2)
    assert counts.root == pytest.approx([0, 2])
    assert not counts.attach.any()


def test_harmonic_counts_take_known_verbs():
    counts = harmonic_of([[0, 1, 2, 3]], 4, verbs=[[0.0, 1.0, 0.0, 1.0]])
    more, less = math.exp(VERB), math.exp(-VERB)
    total = 2 + 2 * more
    assert counts.root == pytest.approx([1 / total, more / total, 1 / total, more / total])
    # The second word is a verb: others than the fourth, at distances 1, 1 and 2, are less probable heads of it.
    weights = np.array([less / 2, less / 2, 1 / 3]) / (less + 1 / 3) * (1 - more / total)
    heads = [counts.attach[0, RIGHT, LATER, 1], counts.attach[2, LEFT, LATER, 1], counts.attach[3, LEFT, LATER, 1]]
    assert heads == pytest.approx(weights)
    # Heads of the first word, which is none, are as near as ever.
    weights = np.array([1 / 2, 1 / 3, 1 / 4]) / (1 / 2 + 1 / 3 + 1 / 4) * (1 - 1 / total)
    assert [counts.attach[head, LEFT, LATER, 0] for head in (1, 2, 3)] == pytest.approx(weights)


def test_harmonic_counts_take_known_directions():
    words, directions = [[0, 1, 2]], [[0.0, np.log(4), 0.0]]
    with_directions, without = harmonic_of(words, 3, directions=directions), harmonic_of(words, 3)
    # The word between two others: 1/3 + 1/3 of its heads before, by odds of 4 to 1 now.
    before, after = with_directions.attach[0, 1, 0, 1], with_directions.attach[2, 0, 0, 1]
    assert (before, after) == (pytest.approx(8 / 15), pytest.approx(2 / 15))
    np.testing.assert_allclose(with_directions.attach[:, :, :, [0, 2]], without.attach[:, :, :, [0, 2]])
