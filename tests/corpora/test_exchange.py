"""Exchange clustering against the log-likelihood computed from its definition."""

import math
from collections import Counter

import numpy as np
import pytest

from synparse import compiled
from synparse.corpora import exchange
from synparse.corpora.exchange import UNIT, Bigrams, Exchange, n_log_n

pytestmark = pytest.mark.usefixtures("charts")

PRECISION = 1e-2  # nats: some hundred terms, each rounded to a unit


def circle(types, length, seed, classes=4):
    """A random text as a circle of types, and random classes for them; the last two types are fixed, each in its own
    class."""
    source = np.random.default_rng(seed)
    text = np.concatenate([np.arange(types), source.integers(0, types, length) * source.integers(0, 2, length)])
    pairs = Counter(zip(text.tolist(), np.roll(text, -1).tolist(), strict=True))
    columns = (np.array(column) for column in zip(*((*pair, count) for pair, count in pairs.items()), strict=True))
    first = np.concatenate([source.integers(0, classes, types - 2), [classes, classes + 1]])
    return Bigrams(*columns), first


def log_likelihood(bigrams, classes):
    """F of the module's docstring, in nats."""
    pairs, singles = Counter(), Counter()
    for first, second, count in zip(*(column.tolist() for column in bigrams), strict=True):
        pairs[classes[first], classes[second]] += count
        singles[classes[first]] += count
    return sum(n * math.log(n) for n in pairs.values()) - 2 * sum(n * math.log(n) for n in singles.values())


@pytest.mark.parametrize("seed", range(5))
def test_gains_are_differences_of_the_log_likelihood(seed):
    bigrams, classes = circle(12, 100, seed)
    gains = Exchange(bigrams, classes, movable=10, open_classes=4).gains(0, 10) * UNIT
    before = log_likelihood(bigrams, classes)
    for type in range(10):
        for word_class in range(4):
            after = classes.copy()
            after[type] = word_class
            assert gains[type, word_class] == pytest.approx(log_likelihood(bigrams, after) - before, abs=PRECISION)


def test_gains_of_a_part_are_those_of_the_whole():
    clustering = Exchange(*circle(12, 100, 1), movable=10, open_classes=4)
    assert np.array_equal(clustering.gains(0, 10)[3:7], clustering.gains(3, 7))


@pytest.mark.parametrize("fraction", [0.0, 1 / 20, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_the_log_likelihood_never_falls(monkeypatch, fraction, seed):
    monkeypatch.setattr(exchange, "BLOCK_FRACTION", fraction)
    bigrams, classes = circle(60, 400, seed, classes=6)
    clustering = Exchange(bigrams, classes, movable=58, open_classes=6)
    assert clustering.likelihood * UNIT == pytest.approx(log_likelihood(bigrams, classes), abs=PRECISION)
    before = clustering.likelihood
    for _ in range(20):
        moved = clustering.one_pass()
        assert clustering.likelihood > before if moved else clustering.likelihood == before
        before = clustering.likelihood
        # What was added up move by move is what the classes give.
        assert before * UNIT == pytest.approx(log_likelihood(bigrams, clustering.classes), abs=PRECISION)
    assert moved == 0
    assert clustering.gains(0, 58).max() == 0  # no type alone can do better
    assert clustering.classes[58:].tolist() == classes[58:].tolist()
    assert clustering.classes[:58].max() < 6


def test_types_move_only_for_a_gain():
    # Two types that alternate with a third one: bigrams of the three only change their names.
    bigrams = Bigrams(*np.array([[0, 2, 50], [2, 0, 50], [1, 2, 50], [2, 1, 50]]).T)
    clustering = Exchange(bigrams, np.array([0, 1, 2]), movable=2, open_classes=2)
    assert clustering.gains(0, 2).tolist() == [[0, 0], [0, 0]]
    assert clustering.one_pass() == 0
    assert clustering.classes.tolist() == [0, 1, 2]


@pytest.mark.parametrize(("few", "passes"), [(0.0, 6), (1 / 200, 3), (1.1, 1)])
def test_passes_end_when_few_types_moved(monkeypatch, few, passes):
    clustering = Exchange(*circle(402, 10, 1), movable=400, open_classes=4)
    moved = iter([100, 2, 1, 1, 1, 1, 1])
    done = []
    monkeypatch.setattr(exchange, "FEW", few)
    monkeypatch.setattr(clustering, "one_pass", lambda: done.append(next(moved)) or done[-1])
    clustering.run(6)
    assert len(done) == passes


def test_blocks_are_halved_until_nothing_is_lost(monkeypatch):
    monkeypatch.setattr(compiled, "CHARTS", None)
    monkeypatch.setattr(exchange, "BLOCK_FRACTION", 1.0)
    halved = 0
    for seed in range(8):
        clustering = Exchange(*circle(60, 200, seed, classes=6), movable=58, open_classes=6)
        calls = []
        gains = clustering.gains
        monkeypatch.setattr(clustering, "gains", lambda start, stop, gains=gains, calls=calls: (
            calls.append((start, stop)), gains(start, stop))[1])  # fmt: skip
        before = clustering.likelihood
        clustering.one_pass()
        assert clustering.likelihood > before
        halved += len(calls) > 1
    assert halved


def test_terms_are_rounded_and_go_on_above_the_table():
    numbers = np.array([0, 1, 2, 1000, 65_535, 65_536, 10**6, 10**9])
    exact = [n * math.log(n) if n else 0.0 for n in numbers.tolist()]
    assert (n_log_n(numbers) * UNIT).tolist() == pytest.approx(exact, abs=UNIT, rel=1e-15)


def test_types_without_bigrams_do_not_move():
    bigrams = Bigrams(*np.array([[0, 1, 3], [1, 0, 3]]).T)
    clustering = Exchange(bigrams, np.array([0, 1, 0]), movable=3, open_classes=2)
    assert clustering.gains(2, 3).tolist() == [[0, 0]]
    clustering.run(6)
    assert clustering.classes[2] == 0


def test_a_text_of_nothing():
    nothing = Bigrams(*np.zeros((3, 0), np.int64))
    clustering = Exchange(nothing, np.array([0, 1]), movable=1, open_classes=1)
    clustering.run(6)
    assert clustering.likelihood == 0
    assert clustering.classes.tolist() == [0, 1]
