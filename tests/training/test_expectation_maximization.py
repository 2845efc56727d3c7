import os
import signal

import numpy as np
import pytest

from synparse.config.grammar import GrammarConfig
from synparse.files.processes import pool, threads
from synparse.inducers import class_grammar, dependency_boundary
from synparse.inducers.class_grammar import random_grammars
from synparse.inducers.dependency_boundary import estimated, harmonic_counts
from synparse.parsing.grammars import GrammarInput, arc_weights
from synparse.training import expectation_maximization
from synparse.training.expectation_maximization import (
    GrammarExample,
    learn_constituents,
    learn_dependencies,
    strengths_of,
)
from synparse.trees.punctuation_cues import cues_of

CLASSES = 4


def example(T, seed=0, cues=None):
    source = np.random.default_rng([seed, T])
    links = np.log(source.dirichlet(np.ones(T), T))
    return GrammarExample(GrammarInput(source.integers(0, CLASSES, T), links, None, np.zeros((T + 1, T + 1))), cues)


EXAMPLES = [example(T, seed) for seed in range(20) for T in (2, 3, 5, 8)]
SCORES = [
    np.random.default_rng(number).normal(size=np.shape(sentence.evidence.spans))
    for number, sentence in enumerate(EXAMPLES)
]


def config(**settings):
    return GrammarConfig(classes=CLASSES, class_grammars=3, nonterminals=4, **settings)


def always(_):
    return True


@pytest.fixture
def barely_smoothed(monkeypatch):
    """Smoothing is a prior; without any, EM never makes the text less probable."""
    for module in (dependency_boundary, class_grammar):
        monkeypatch.setattr(module, "SMOOTHING", 1e-9)


@pytest.mark.parametrize("stops", ["outermost", "head"])
@pytest.mark.usefixtures("barely_smoothed")
def test_no_pass_makes_the_text_less_probable_to_the_dependency_model(stops):
    model, likelihoods = learn_dependencies(EXAMPLES, CLASSES, config(stops=stops, dependency_passes=12), always)
    assert len(likelihoods) == 12
    assert (np.diff(likelihoods) > -1e-6).all()
    assert likelihoods[-1] > likelihoods[0] + 1
    assert model.stops_by_head == (stops == "head")


@pytest.mark.usefixtures("barely_smoothed")
def test_no_pass_makes_the_text_less_probable_to_class_grammars():
    _, likelihoods = learn_constituents(EXAMPLES, SCORES, CLASSES, config(grammar_passes=12), 1, always)
    assert np.shape(likelihoods) == (12, 3)
    assert (np.diff(likelihoods, axis=0) > -1e-2).all()  # sums of numbers in single precision
    assert (np.subtract(likelihoods[-1], likelihoods[0]) > 1).all()


def learned_by(executor):
    """A dependency model and class grammars, with their log-likelihoods, of many small partitions."""
    settings = config(dependency_passes=3, grammar_passes=3)
    dependencies = learn_dependencies(EXAMPLES, CLASSES, settings, always, executor)
    return dependencies, learn_constituents(EXAMPLES, SCORES, CLASSES, settings, 1, always, executor)


def assert_same(learned, expected):
    for (model, likelihoods), (other, others) in zip(learned, expected, strict=True):
        assert likelihoods == others
        for part, other_part in zip(model, other, strict=True):
            np.testing.assert_array_equal(part, other_part)


@pytest.fixture
def small_partitions(monkeypatch):
    monkeypatch.setattr(expectation_maximization, "PARTITION", 1)


@pytest.mark.usefixtures("small_partitions")
@pytest.mark.parametrize("executors", [lambda: pool(2), threads], ids=["processes", "threads"])
def test_several_processes_or_threads_learn_the_same_bytes(executors, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    with executors() as executor:
        assert_same(learned_by(executor), learned_by(map))


@pytest.mark.usefixtures("small_partitions")
def test_a_cluster_learns_the_same_bytes_though_a_worker_is_killed(dask_address, tmp_path):
    from synparse.parsing.cluster import cluster, map_on_cluster

    counted = []
    with cluster(dask_address, 2, tmp_path) as client:

        def executor(function, items):
            partitions = list(items)
            counted.append(sum(len(batch.classes) for batches in partitions for batch in batches))
            results = map_on_cluster(function, partitions, client)
            yield next(results)
            if len(counted) == 2:
                killed = next(iter(client.run(os.getpid).values()))
                os.kill(killed, signal.SIGKILL)
            yield from results

        assert_same(learned_by(executor), learned_by(map))
    assert counted == [len(EXAMPLES)] * 6  # each sentence once a pass


def test_sums_over_partitions_are_those_of_all_sentences(monkeypatch):
    together = learned_by(map)
    monkeypatch.setattr(expectation_maximization, "PARTITION", 1)
    for (model, likelihoods), (other, others) in zip(learned_by(map), together, strict=True):
        np.testing.assert_allclose(likelihoods, others, rtol=1e-9)
        for part, other_part in zip(model, other, strict=True):
            np.testing.assert_allclose(part, other_part, rtol=0, atol=1e-9)


def test_one_pass_is_one_expectation_and_one_maximization():
    sentence = EXAMPLES[3]
    words, weights = sentence.evidence.classes[None], arc_weights(sentence.evidence, 0.5)[None]
    nothing = np.zeros(words.shape)  # neither directions nor verbs
    start = estimated(harmonic_counts(words, sentence.crossings[None], CLASSES, nothing, nothing))
    events = dependency_boundary.no_counts(CLASSES)
    posterior = dependency_boundary.posterior(start, words, weights, events)
    model, [likelihood] = learn_dependencies(
        [sentence], CLASSES, config(dependency_passes=1, link_strength=0.5), always
    )
    assert likelihood == pytest.approx(posterior.log_likelihood[0], rel=1e-5)
    for learned, expected in zip(model, estimated(events), strict=True):
        np.testing.assert_allclose(learned, expected, rtol=1e-4)
    untrained, none = learn_dependencies([sentence], CLASSES, config(dependency_passes=0), always)
    assert none == []
    np.testing.assert_allclose(untrained.attach, start.attach)

    settings = config(grammar_passes=1, span_strengths=(0.5,))
    begun = random_grammars(3, 4, CLASSES, 7)
    strengths = strengths_of(settings)[:, None, None, None]
    productions = class_grammar.no_counts(begun)
    posterior = class_grammar.posterior(begun, words, strengths * SCORES[3][None], productions)
    grammars, [likelihoods] = learn_constituents([sentence], [SCORES[3]], CLASSES, settings, 7, always)
    np.testing.assert_allclose(likelihoods, posterior.log_likelihood[:, 0], rtol=1e-4)
    for learned, expected in zip(grammars, class_grammar.estimated(productions), strict=True):
        np.testing.assert_allclose(learned, expected, rtol=1e-3)


def test_a_span_that_is_unlikely_in_a_pass_is_left_out_of_later_ones(monkeypatch):
    sentence, settings = example(3), config(grammar_passes=2, span_strengths=(1.0,))
    words, scores = sentence.evidence.classes[None], np.zeros((4, 4))
    scores[0, 2] = 3  # so that the span from 1 to 3 is less probable than a half
    _, of_all = learn_constituents([sentence], [scores], CLASSES, settings, 7, always)
    monkeypatch.setattr(expectation_maximization, "UNLIKELY_SPAN", 0.5)
    _, without = learn_constituents([sentence], [scores], CLASSES, settings, 7, always)
    assert without[0] == of_all[0]
    begun = random_grammars(3, 4, CLASSES, 7)
    productions = class_grammar.no_counts(begun)
    class_grammar.posterior(begun, words, scores[None], productions)
    scores[1, 3] = -np.inf
    then = class_grammar.posterior(class_grammar.estimated(productions), words, scores[None])
    np.testing.assert_allclose(without[1], then.log_likelihood[:, 0], rtol=1e-5)
    assert (np.array(of_all[1]) > without[1]).all()


def test_strengths_take_turns():
    strengths = strengths_of(GrammarConfig(class_grammars=5, span_strengths=(0.5, 2.0)))
    assert strengths.tolist() == [0.5, 2.0, 0.5, 2.0, 0.5]


def test_each_pass_is_told_and_none_is_left_out():
    told = []
    assert len(learn_dependencies(EXAMPLES, CLASSES, config(dependency_passes=10), told.append)[1]) == 10
    assert told == [number / 10 for number in range(10)]
    assert len(learn_constituents(EXAMPLES, SCORES, CLASSES, config(grammar_passes=3), 1, told.append)[1]) == 3
    assert told[10:] == [0, 1 / 3, 2 / 3]


def test_arcs_across_punctuation_are_known():
    tokens = "the dog , who barks ; sees it".split()
    read = [token.isalpha() for token in tokens]
    crossings = example(6, cues=cues_of(tokens, read)).crossings
    part = np.array([0, 0, 1, 1, 2, 2])
    np.testing.assert_array_equal(crossings, part[:, None] != part)
    assert not example(6).crossings.any()
    assert not example(2, cues=cues_of(["a", "b"], [True, True])).crossings.any()


def test_without_sentences_nothing_is_known():
    model, likelihoods = learn_dependencies([], CLASSES, config(dependency_passes=1), always)
    np.testing.assert_allclose(model.root, 1 / CLASSES)
    assert likelihoods == [0.0]
    grammars, _ = learn_constituents([example(1)], [np.zeros((2, 2))], CLASSES, config(grammar_passes=1), 1, always)
    np.testing.assert_allclose(grammars.root, 1 / 4)


def test_a_sentence_that_counts_three_times_is_three_copies():
    weighted = EXAMPLES[0]._replace(times=3)
    copies, once = [*EXAMPLES[1:], *[EXAMPLES[0]] * 3], [*EXAMPLES[1:], weighted]
    settings = config(dependency_passes=3, grammar_passes=3)
    of_copies, of_one = (learn_dependencies(examples, CLASSES, settings, always) for examples in (copies, once))
    for expected, part in zip(of_copies[0], of_one[0], strict=True):
        np.testing.assert_allclose(part, expected, rtol=1e-12)
    np.testing.assert_allclose(of_one[1], of_copies[1], rtol=1e-12)
    scores = [*SCORES[1:], SCORES[0]]
    of_one = learn_constituents(once, scores, CLASSES, settings, 1, always)
    of_copies = learn_constituents(copies, [*scores, *scores[-1:] * 2], CLASSES, settings, 1, always)
    for expected, part in zip(of_copies[0], of_one[0], strict=True):
        np.testing.assert_allclose(part, expected, rtol=1e-6)  # counts of a batch are added up as float32
    np.testing.assert_allclose(of_one[1], of_copies[1], rtol=1e-6)
