"""The chunker against its definition: every sequence of tags of short segments; and span scores, span by span."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.inducers import base_phrases
from synparse.inducers.base_phrases import (
    EDGE,
    LEAST_PROBABILITY,
    LEFT,
    PAIRS,
    RIGHT,
    SMOOTHING,
    B,
    Chunker,
    I,
    O,
    adpositions,
    ends_phrases,
    expected_events,
    inside_phrases,
    learn_chunker,
    phrase_probabilities,
    phrase_scores,
)

WORDS = 4
SEGMENTS = [np.array(words) for words in ([0, 1, 2], [3], [0, 1], [2, 0, 1, 3, 0, 1], [0, 1, 2], [1, 1, 1, 1])]

pytestmark = pytest.mark.usefixtures("charts")


def go_on(_):
    return True


def random_chunker(seed, words=WORDS):
    source = np.random.default_rng(seed)
    inside, outside = source.dirichlet(np.ones(3)), source.dirichlet(np.ones(3))
    emission = source.dirichlet(np.ones(words), len(PAIRS)).T
    return Chunker(source.dirichlet(np.ones(2)), np.array([1, *inside, *outside]), emission)


def taggings(n):
    """The tags of a segment of n words that the paper allows: B before I alone, I after B or I alone; and no B after I,
    which is ours."""
    for tags in itertools.product((B, I, O), repeat=n):
        pairs = [(None, tags[0]), *itertools.pairwise((*tags, EDGE))]
        if all(((a == B) <= (b == I)) and ((b == I) <= (a in (B, I))) and (a, b) != (I, B) for a, b in pairs):
            yield tags


def probabilities(chunker, words):
    """The joint probability of the words and each sequence of tags."""
    for tags in taggings(len(words)):
        pairs = [PAIRS.index(pair) for pair in itertools.pairwise((*tags, EDGE))]
        emitted = [chunker.emission[word, pair] for word, pair in zip(words, pairs, strict=True)]
        yield tags, chunker.start[(B, O).index(tags[0])] * math.prod([*chunker.steps[pairs], *emitted])


def phrases_of(tags):
    """The spans of a B with the I behind it."""
    starts = [number for number, tag in enumerate(tags) if tag == B]
    return [(start, next(n for n in range(start + 1, len(tags) + 1) if (*tags, O)[n] != I)) for start in starts]


def expected_counts(chunker, segments):
    """First tags, pairs by word, and the log-likelihood."""
    starts, pairs, log_likelihood = np.zeros(2), np.zeros((WORDS, len(PAIRS))), 0.0
    for words in segments:
        taggings = list(probabilities(chunker, words))
        total = sum(probability for _, probability in taggings)
        log_likelihood += math.log(total)
        for tags, probability in taggings:
            starts[(B, O).index(tags[0])] += probability / total
            for word, pair in zip(words, itertools.pairwise((*tags, EDGE)), strict=True):
                pairs[word, PAIRS.index(pair)] += probability / total
    return starts, pairs, log_likelihood


def test_a_phrase_has_two_words_and_another_word_behind_it():
    assert list(taggings(1)) == [(O,)]
    assert set(taggings(2)) == {(B, I), (O, O)}
    assert set(taggings(3)) == {(B, I, I), (B, I, O), (O, B, I), (O, O, O)}
    assert (B, I, B, I) not in set(taggings(4))
    assert sorted(set(itertools.chain(*(itertools.pairwise((*tags, EDGE)) for tags in taggings(4))))) == sorted(PAIRS)


def test_to_begin_with_all_allowed_tags_are_equally_probable():
    chunker, likelihoods = learn_chunker(SEGMENTS, WORDS, 0, go_on)
    assert likelihoods == []
    assert chunker.start.tolist() == [1 / 2, 1 / 2]
    assert chunker.steps.tolist() == [1, *[1 / 3] * 3, *[1 / 3] * 3]
    assert (chunker.emission == 1 / WORDS).all()


@pytest.mark.parametrize("passes", [1, 2, 4])
def test_a_pass_takes_the_expected_counts_for_frequencies(passes):
    before, _ = learn_chunker(SEGMENTS, WORDS, passes - 1, go_on)
    learned, likelihoods = learn_chunker(SEGMENTS, WORDS, passes, go_on)
    starts, pairs, log_likelihood = expected_counts(before, SEGMENTS)
    assert likelihoods[-1] == pytest.approx(log_likelihood)
    np.testing.assert_allclose(learned.start, starts / starts.sum())
    totals = pairs.sum(0)
    tag_totals = [sum(totals[n] for n, pair in enumerate(PAIRS) if pair[0] == tag) for tag, _ in PAIRS]
    np.testing.assert_allclose(learned.steps, totals / tag_totals)
    np.testing.assert_allclose(learned.emission, (pairs + SMOOTHING) / (pairs + SMOOTHING).sum(0))


def test_every_pass_makes_the_text_more_probable_until_none_does():
    segments = [np.array(words) for words in ([0, 1, 2], [0, 1], [3, 0, 1], [2, 3, 0, 1], [0, 1, 3])] * 30
    _, likelihoods = learn_chunker(segments, WORDS, 200, go_on)
    assert all(after >= before for before, after in itertools.pairwise(likelihoods))
    assert 5 < len(likelihoods) < 200
    assert likelihoods[-1] - likelihoods[-2] < 1e-5 * abs(likelihoods[-1])


def test_each_pass_is_told():
    told = []
    learn_chunker(SEGMENTS, WORDS, 5, told.append)
    assert told == [0.0, 0.2, 0.4, 0.6, 0.8]


def test_words_that_end_segments_come_to_end_phrases():
    """An article (0) and a noun (1); a preposition (2) between them."""
    segments = [np.array(words) for words in ([0, 1], [0, 1, 2, 0, 1], [2, 0, 1], [0, 1, 3], [0, 1, 3, 2, 0, 1])] * 20
    chunker, _ = learn_chunker(segments, WORDS, 40, go_on)
    [phrases] = phrase_probabilities(chunker, [np.array([0, 1, 2, 0, 1])])
    assert set(zip(*np.nonzero(phrases > 0.9), strict=True)) == {(0, 2), (3, 5)}


@given(seed=st.integers(0, 1000), words=st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=7))
def test_the_probability_of_a_phrase_is_that_of_its_tags(seed, words):
    chunker = random_chunker(seed)
    expected, total = np.zeros((len(words) + 1, len(words) + 1)), 0.0
    for tags, probability in probabilities(chunker, words):
        total += probability
        for span in phrases_of(tags):
            expected[span] += probability
    [phrases] = phrase_probabilities(chunker, [np.array(words)])
    np.testing.assert_allclose(phrases, expected / total, atol=1e-12)


def test_segments_of_any_lengths_come_back_in_order(monkeypatch):
    chunker, source = random_chunker(1), np.random.default_rng(1)
    segments = [source.integers(0, WORDS, length) for length in (4, 0, 2, 4, 1, 4, 9)]
    monkeypatch.setattr(base_phrases, "WORDS_AT_ONCE", 8)
    together = phrase_probabilities(chunker, segments)
    for words, phrases in zip(segments, together, strict=True):
        assert phrases.shape == (len(words) + 1, len(words) + 1)
        np.testing.assert_allclose(phrases, phrase_probabilities(chunker, [words])[0], atol=1e-12)
    assert phrase_probabilities(chunker, []) == []


@pytest.mark.parametrize("length", [1, 2, 3])
def test_whatever_the_text_had_every_segment_has_a_probability(length):
    """Where all segments have one word, for instance, no tag ever follows another."""
    chunker, _ = learn_chunker([np.zeros(length, int)] * 50, WORDS, 60, go_on)
    assert min(map(np.min, chunker)) >= LEAST_PROBABILITY
    rounded = Chunker(*(np.float64(np.float32(part)) for part in chunker))  # as it is saved
    for other in (1, 2, 3, 4, 200):
        [phrases] = phrase_probabilities(rounded, [np.arange(other) % WORDS])
        assert np.isfinite(phrases).all()
        assert phrases.min() >= -1e-9
        assert phrases.max() <= 1 + 1e-9


def slow_scores(probabilities, branching, weight):
    """By the definition, span by span."""
    bounds = [0, *itertools.accumulate(len(segment) - 1 for segment in probabilities)]
    T = bounds[-1]
    phrases = {}
    for offset, segment in zip(bounds, probabilities, strict=False):
        for (i, j), probability in np.ndenumerate(segment):
            phrases[offset + i, offset + j] = probability

    def edge(position):
        return 1 - sum(p for (a, b), p in phrases.items() if a < position < b)

    scores = {}
    for i, j in itertools.combinations(range(T + 1), 2):
        crossed = sum(p for (a, b), p in phrases.items() if i < a < j < b or a < i < b < j)
        scores[i, j] = phrases.get((i, j), 0) - crossed
        is_in_one = not any(i < bound < j for bound in bounds)
        branches = 0.0
        if branching == RIGHT and (j == T or (j in bounds and is_in_one)):
            branches = edge(i)
        elif branching == LEFT and (i == 0 or (i in bounds and is_in_one)):
            branches = edge(j)
        scores[i, j] += weight * branches
    return scores


@given(seed=st.integers(0, 2**16), lengths=st.lists(st.integers(1, 5), min_size=1, max_size=3))
def test_a_span_is_inside_of_larger_base_phrases(seed, lengths):
    probabilities = segment_probabilities(seed, lengths)
    bounds = [0, *itertools.accumulate(lengths)]
    inside = inside_phrases(probabilities)
    for i, j in itertools.combinations(range(bounds[-1] + 1), 2):
        expected = sum(
            probability
            for offset, segment in zip(bounds, probabilities, strict=False)
            for (a, b), probability in np.ndenumerate(segment)
            if offset + a <= i and j <= offset + b and (offset + a, offset + b) != (i, j)
        )
        assert inside[i, j] == pytest.approx(expected, abs=1e-12)


def segment_probabilities(seed, lengths):
    words = [np.random.default_rng([seed, number]).integers(0, WORDS, n) for number, n in enumerate(lengths)]
    return phrase_probabilities(random_chunker(seed), words)


@given(
    seed=st.integers(0, 1000),
    lengths=st.lists(st.integers(1, 5), min_size=1, max_size=3),
    branching=st.sampled_from([RIGHT, LEFT, "none"]),
)
def test_span_scores_are_those_of_the_definition(seed, lengths, branching):
    probabilities = segment_probabilities(seed, lengths)
    [scores] = phrase_scores([probabilities], branching, 0.7)
    assert scores.shape == (sum(lengths) + 1, sum(lengths) + 1)
    for span, score in slow_scores(probabilities, branching, 0.7).items():
        assert scores[span] == pytest.approx(score, abs=1e-9), span


def test_scores_by_hand():
    """Two phrases for sure, of the words 0 1 and 3 4, in one segment of five words."""
    certain = np.zeros((6, 6))
    certain[0, 2] = certain[3, 5] = 1
    [plain] = phrase_scores([[certain]], "none", 0.7)
    assert (plain[0, 2], plain[3, 5], plain[2, 5], plain[0, 5]) == (1, 1, 0, 0)
    assert (plain[1, 3], plain[2, 4], plain[1, 4]) == (-1, -1, -2)
    right, left = (phrase_scores([[certain]], branching, 0.5)[0] - plain for branching in (RIGHT, LEFT))
    spans = np.triu(np.ones((6, 6)), 1) > 0
    assert set(zip(*np.nonzero(right * spans), strict=True)) == {(0, 5), (2, 5), (3, 5)}
    assert set(zip(*np.nonzero(left * spans), strict=True)) == {(0, 2), (0, 3), (0, 5)}
    assert (right[2, 5], left[0, 3]) == (0.5, 0.5)


def test_a_sentence_without_words_has_no_scores():
    for branching in (RIGHT, LEFT, "none"):
        phrases = phrase_probabilities(random_chunker(1), [np.zeros(0, int)])
        assert phrase_scores([phrases], branching, 1).shape == (1, 1, 1)


BY_HAND = {
    "of": {(O, B): 0.75, (O, O): 0.25},
    "no": {(I, O): 1, (O, B): 0.25},  # behind phrases, or between two
    "too": {(O, O): 0.75, (O, EDGE): 1},
    "dog": {(B, I): 1, (I, I): 1, (I, EDGE): 1},
}
EMISSION = np.array([[of_word.get(pair, 0.0) for pair in PAIRS] for of_word in BY_HAND.values()])
STEPS = np.array([1, 0, 0.5, 0.5, 0.5, 0.25, 0.25])


def test_expected_events_follow_from_the_visits_of_each_tag():
    """v_B = ½ + ½ v_O and v_I = v_B; v_O = ½ + ½ v_I + ¼ v_O: so v_B = v_I = 5/4, v_O = 3/2."""
    events = expected_events(Chunker(np.array([0.5, 0.5]), STEPS, EMISSION))
    expected = np.array([5, 0, 2.5, 2.5, 3, 1.5, 1.5]) / 4 * EMISSION
    np.testing.assert_allclose(events, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("branching", "expected"),
    [(RIGHT, [True, False, False, False]), ("none", [True, False, False, False]), (LEFT, [True, True, False, False])],
)
def test_adpositions_stand_before_base_phrases_or_at_the_border_of_two(branching, expected):
    assert adpositions(Chunker(np.array([0.5, 0.5]), STEPS, EMISSION), branching).tolist() == expected


@pytest.mark.parametrize(
    ("events", "is_preposition", "is_postposition"),
    [
        ({(O, B): 2, (O, O): 2}, True, False),  # as often before a phrase as not
        ({(O, B): 1, (O, O): 2}, False, False),
        ({(O, B): 2, (B, I): 2}, False, False),  # outside, and at a border, in half of all events
        ({(O, B): 3, (B, I): 2}, True, True),
        ({(I, O): 3, (I, EDGE): 2}, False, True),
        ({(I, O): 2, (O, B): 1, (O, EDGE): 2}, True, True),
        ({(O, EDGE): 1}, True, False),
    ],
)
def test_what_an_adposition_is_depends_on_the_shares_of_its_events(
    events, is_preposition, is_postposition, monkeypatch
):
    row = [float(events.get(pair, 0)) for pair in PAIRS]
    monkeypatch.setattr(base_phrases, "expected_events", lambda _: np.array([row]))
    assert (adpositions(None, RIGHT).tolist(), adpositions(None, LEFT).tolist()) == (
        [is_preposition],
        [is_postposition],
    )


def test_words_end_phrases_that_are_mostly_last_in_them_and_often_last_in_segments(monkeypatch):
    """Of 24 events, 6 end a segment: the average word ends one in a quarter of its own, so 1.5 times is 3 of 8."""
    rows = [
        {(I, O): 2, (I, EDGE): 4, (O, B): 2},  # 4 of 8 at the end, last in 6
        {(I, O): 6, (I, EDGE): 1, (O, B): 1},  # an auxiliary: seldom at the end
        {(O, EDGE): 1, (B, I): 1},  # a pronoun: never in a phrase with others
        {(I, I): 6},
    ]
    events = np.array([[float(row.get(pair, 0)) for pair in PAIRS] for row in rows])
    monkeypatch.setattr(base_phrases, "expected_events", lambda _: events)
    assert ends_phrases(None).tolist() == [True, False, False, False]
    events[0, PAIRS.index((O, B))] = 6  # last in half of its events
    assert not ends_phrases(None).any()


def test_a_damaged_chunker_whose_segments_never_end_has_finite_events():
    events = expected_events(Chunker(np.array([0.5, 0.5]), np.array([1.0, 1, 0, 0, 0, 1, 0]), EMISSION))
    assert np.isfinite(events).all()
