import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.averaging import normalized_scores
from synparse.trees.head_probabilities import word_head_probabilities
from synparse.trees.phrase_boundaries import (
    BoundaryScores,
    missing_of_probabilities,
    outside_dependents,
    unbroken_phrase_scores,
)
from synparse.trees.punctuation import is_punctuation
from synparse.trees.punctuation_cues import Cues, broken_costs, cues_of, split_ranks
from tests.trees.binary_trees import boundary_spans
from tests.trees.test_punctuation_cues import no_cues, sentences

LOGS = {"the": (0.8, 0.01), "old": (0.3, 0.2), "man": (0.05, 0.9), "saw": (0.5, 0.3), "dogs": (0.2, 0.7)}


def boundaries_of(words):
    return BoundaryScores(*np.log([LOGS[word] for word in words]).T)


def random_boundaries(T, seed):
    return BoundaryScores(*-np.random.default_rng(seed).exponential(2, (2, T)))


def test_a_sentence_by_hand():
    words = "the old man saw dogs".split()
    # ((the (old man)) (saw dogs)): old … man .3 × .9, the … man 1 × .9, saw … dogs .5 × 1. Its rivals have the … saw,
    # which ends with .3, man … dogs, which begins with .05, or old … dogs, with .3 and without "the … man".
    span_scores = unbroken_phrase_scores(boundaries_of(words))
    assert math.isclose(span_scores[1, 3], math.log(0.3 * 0.9))
    assert math.isclose(span_scores[0, 3], math.log(0.9))
    assert math.isclose(span_scores[3, 5], math.log(0.5))
    assert span_scores[0, 5] == 0
    assert boundary_spans(boundaries_of(words)) == [(0, 5), (0, 3), (1, 3), (3, 5)]
    # Punctuation after "the" is a boundary: only the whole sentence contains both sides of it.
    cues = cues_of("the , old man saw dogs".split(), [True, False, True, True, True, True])
    assert boundary_spans(boundaries_of(words), cues) == [(0, 5), (1, 5), (1, 3), (3, 5)]
    # So it costs nothing to begin after it, or to end before it.
    span_scores = unbroken_phrase_scores(boundaries_of(words), cues.levels)
    assert math.isclose(span_scores[1, 3], math.log(0.9))
    assert math.isclose(span_scores[2, 4], math.log(0.05 * 0.3))


def test_one_word_and_two():
    assert boundary_spans(random_boundaries(1, 0), Cues((), ()), np.zeros((1, 1))) == [(0, 1)]
    assert boundary_spans(random_boundaries(2, 0), Cues((1,), ()), np.zeros((2, 2))) == [(0, 2)]


@given(T=st.integers(1, 8), seed=st.integers(0, 999))
def test_missing_arcs_are_the_arcs_of_a_phrase_minus_the_expected_ones(T, seed):
    scores = np.random.default_rng(seed).normal(0, 2, (T, T)).astype(np.float32)
    missing = missing_of_probabilities(word_head_probabilities(scores))
    arcs = np.exp(normalized_scores(scores))
    for start in range(T + 1):
        for end in range(start + 2, T + 1):
            inside = [(word, head) for word in range(start, end) for head in range(start, end) if word != head]
            assert math.isclose(missing[start, end], end - start - 1 - sum(arcs[pair] for pair in inside), abs_tol=1e-5)


@given(T=st.integers(1, 8), seed=st.integers(0, 999))
def test_outside_dependents_are_those_of_words_with_heads_inside(T, seed):
    heads = np.exp(normalized_scores(np.random.default_rng(seed).normal(0, 2, (T, T))))
    expected = np.zeros((T + 1, T + 1))
    for start in range(T + 1):
        for end in range(start + 1, T + 1):
            for word in range(start, end):
                has_head = sum(heads[word, head] for head in range(start, end) if head != word)
                dependents = sum(heads[other, word] for other in range(T) if not start <= other < end)
                expected[start, end] += has_head * dependents
    np.testing.assert_allclose(outside_dependents(heads), expected, atol=1e-9)


def test_sentences_side_by_side_are_as_each_alone():
    heads = np.exp(normalized_scores(np.random.default_rng(0).normal(0, 2, (3, 5, 5))))
    for of_sentences in (outside_dependents, missing_of_probabilities):
        np.testing.assert_allclose(of_sentences(heads), [of_sentences(alone) for alone in heads], atol=1e-12)


def test_in_a_chain_to_the_right_phrases_begin_with_the_first_word():
    chain = np.eye(4, k=1)
    chain[3, 3] = 1
    assert [outside_dependents(chain)[0, end] for end in range(5)] == [0, 0, 0, 0, 0]
    assert [outside_dependents(chain)[span] for span in ((1, 3), (2, 4), (1, 4), (1, 2))] == [1, 1, 1, 0]


def test_certain_heads_keep_phrases_together():
    heads = [2, 0, 2, 2]
    scores = np.full((4, 4), -np.inf)
    for word, head in enumerate(heads):
        scores[word, head - 1 if head else word] = 0
    flat = BoundaryScores(np.zeros(4), np.zeros(4))
    assert boundary_spans(flat) == [(0, 4), (1, 4), (2, 4)]
    missing = missing_of_probabilities(word_head_probabilities(scores))
    lacks = {(0, 2): 0, (1, 3): 0, (2, 4): 1, (0, 3): 0, (1, 4): 0, (0, 4): 0}
    assert {span: round(missing[span], 6) for span in lacks} == lacks
    assert boundary_spans(flat, None, scores) == [(0, 4), (1, 4), (1, 3)]


@given(sentences(), st.integers(0, 999))
def test_a_span_never_crosses_a_gap_that_splits_before_its_boundaries(sentence, seed):
    cues, distances = sentence
    T = len(distances) + 1
    ranks = split_ranks(cues)
    scores = np.random.default_rng(seed).normal(0, 3, (T, T))
    spans = boundary_spans(random_boundaries(T, seed), cues, scores)
    assert len(spans) == max(1, T - 1)
    for start, end in spans:
        at_boundaries = min([ranks[position - 1] for position in (start, end) if 0 < position < T], default=math.inf)
        assert max(ranks[start : end - 1], default=-math.inf) <= at_boundaries
    assert set(cues.enclosed) <= set(spans)


@given(T=st.integers(1, 8), seed=st.integers(0, 999))
def test_cues_of_a_sentence_without_punctuation_change_nothing(T, seed):
    boundaries = random_boundaries(T, seed)
    assert (unbroken_phrase_scores(boundaries) == unbroken_phrase_scores(boundaries, no_cues(T).levels)).all()
    assert not broken_costs(no_cues(T)).any()


def test_a_pair_is_a_constituent_and_strong_punctuation_splits_before_weak():
    tokens = "a b , c ( d e ) f ; g h".split()
    cues = cues_of(tokens, [not is_punctuation(token) for token in tokens])
    for seed in range(20):
        assert {(0, 6), (0, 2), (3, 5), (6, 8)} <= set(boundary_spans(random_boundaries(8, seed), cues))
