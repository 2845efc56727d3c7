"""The border of the extension: it computes what NumPy does, and refuses what it cannot read."""

import functools
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse import compiled
from synparse.corpora import exchange
from synparse.corpora.exchange import Exchange
from synparse.inducers import class_grammar, class_tagger, dependency_boundary
from synparse.inducers.class_tagger import class_probabilities
from synparse.inducers.kernels import lstm_parser
from synparse.trees.heads import phrase_heads
from synparse.trees.span_chart import best_binary_spans, several_best_trees
from tests.corpora.test_exchange import circle
from tests.inducers.test_class_tagger import random_tagger

needs_charts = pytest.mark.skipif(compiled.CHARTS is None, reason="the charts are not compiled here")


def in_numpy(function, *arguments, **named):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "CHARTS", None)
        return function(*arguments, **named)


def assert_equal(results, expected, **tolerance):
    for part, other in zip(results, expected, strict=True):
        np.testing.assert_allclose(part, other, **tolerance)


def test_without_the_extension_there_is_none(monkeypatch):
    monkeypatch.setitem(sys.modules, "synparse.compiled.charts", None)
    assert compiled._charts() is None


@needs_charts
@given(
    T=st.integers(2, 30),
    B=st.integers(1, 3),
    G=st.integers(1, 3),
    N=st.integers(1, 20),
    seed=st.integers(0, 999),
    weighting=st.sampled_from(["none", "of spans", "of the spans of each grammar"]),
)
def test_class_grammars_are_those_of_numpy(T, B, G, N, seed, weighting):
    source = np.random.default_rng(seed)
    grammars, classes = class_grammar.random_grammars(G, N, 5, seed), source.integers(0, 5, (B, T))
    shape = (G, B, T + 1, T + 1) if weighting == "of the spans of each grammar" else (B, T + 1, T + 1)
    weights = None if weighting == "none" else source.normal(-10, 10, shape)
    counts, of_numpy = class_grammar.no_counts(grammars), class_grammar.no_counts(grammars)
    result = class_grammar.posterior(grammars, classes, weights, counts, np.float64)
    expected = in_numpy(class_grammar.posterior, grammars, classes, weights, of_numpy, np.float64)
    assert_equal((*result, *counts), (*expected, *of_numpy), rtol=1e-9, atol=1e-12)


@needs_charts
@given(T=st.integers(2, 20), B=st.integers(1, 11), G=st.integers(1, 3), seed=st.integers(0, 999))
def test_spans_that_hardly_any_tree_has_do_not_count(T, B, G, seed):
    source = np.random.default_rng(seed)
    grammars, classes = class_grammar.random_grammars(G, 5, 5, seed), source.integers(0, 5, (B, T))
    arguments = (grammars, classes, source.choice([0.0, -20.0, -60.0], (B, T + 1, T + 1)))
    result, expected = class_grammar.posterior(*arguments), in_numpy(class_grammar.posterior, *arguments)
    # What the weights alone make less probable than 1e-6 may be somewhat more probable under a grammar.
    assert_equal(result, expected, rtol=1e-5, atol=1e-5)


@needs_charts
@given(
    T=st.integers(1, 20),
    B=st.integers(1, 11),  # eight are computed side by side
    seed=st.integers(0, 999),
    is_weighted=st.booleans(),
    forbidden=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_dependency_models_are_those_of_numpy(T, B, seed, is_weighted, forbidden):
    source = np.random.default_rng(seed)
    model = dependency_boundary.DependencyModel(
        source.dirichlet(np.ones(4)),
        source.random((4, 2, 2)),
        source.dirichlet(np.ones(4), (4, 2, 2)),
        bool(seed % 2),
    )
    weights = np.where(source.random((B, T, T)) < forbidden, -np.inf, source.normal(-5, 10, (B, T, T)))
    weights = weights if is_weighted else None
    shares = np.sort(source.dirichlet(np.ones(3), (B, T)) * source.integers(0, 2, (B, T, 3)) + [0.1, 0, 0])[..., ::-1]
    classes, counts, of_numpy = source.integers(0, 4, (B, T)), *(dependency_boundary.no_counts(4) for _ in range(2))
    result = dependency_boundary.posterior(model, classes, weights, counts)
    expected = in_numpy(dependency_boundary.posterior, model, classes, weights, of_numpy)
    assert_equal((*result, *counts), (*expected, *of_numpy), rtol=1e-9, atol=1e-12)
    several = source.integers(0, 4, (B, T, 3)), weights, None, np.float64, shares / shares.sum(2, keepdims=True)
    expected = in_numpy(dependency_boundary.posterior, model, *several)
    assert_equal(dependency_boundary.posterior(model, *several), expected, rtol=1e-9, atol=1e-12)


@needs_charts
@pytest.mark.parametrize("stops_by_head", [False, True])
def test_dependency_models_that_nearly_always_stop_are_exact_in_single_precision(stops_by_head):
    source = np.random.default_rng(1)
    stop = np.full((4, 2, 2), 1 - 1e-9)
    model = dependency_boundary.DependencyModel(
        source.dirichlet(np.ones(4)), stop, source.dirichlet(np.ones(4), (4, 2, 2)), stops_by_head
    )
    arguments = (model, source.integers(0, 4, (5, 9)), source.normal(0, 2, (5, 9, 9)))
    result = dependency_boundary.posterior(*arguments, dtype=np.float32)
    assert_equal(result, in_numpy(dependency_boundary.posterior, *arguments), rtol=1e-4, atol=1e-5)


@needs_charts
@given(
    lengths=st.lists(st.integers(1, 12), min_size=1, max_size=5),
    C=st.integers(2, 40),
    K=st.integers(1, 4),
    seed=st.integers(0, 999),
)
def test_classes_in_context_are_those_of_numpy(lengths, C, K, seed):
    source = np.random.default_rng(seed)
    M, K = 6, min(K, C)
    sentences = [source.integers(0, M, length) for length in lengths]
    transition, emission = source.dirichlet(np.ones(C + 1), C + 1), source.random((M, C))
    counts, expected = ((np.zeros((C + 1, C + 1)), np.zeros((M, C))) for _ in range(2))
    class_tagger._compute(transition, None, emission, sentences, *counts, None)
    for words in sentences:
        class_tagger._count(transition, emission, words[None], *expected)
    assert_equal(counts, expected, rtol=1e-9)
    arguments = (random_tagger(seed, C, M, K), sentences)
    (classes, probabilities), others = class_probabilities(*arguments), in_numpy(class_probabilities, *arguments)
    assert_equal([probabilities], [others[1]], rtol=1e-9, atol=1e-12)
    assert (classes[:, 0] == others[0][:, 0]).all()


@needs_charts
def test_a_class_that_only_the_next_word_makes_probable_counts_no_word_twice():
    """In float32, classes that are improbable so far are left out while the tagger is learned."""
    beginning, end = 3, 3
    transition = np.zeros((4, 4), np.float32)
    transition[beginning, :2] = 1 - 9e-6, 9e-6
    transition[0, [0, 2, end]] = 0.5, 1e-7, 0.5
    transition[1, 2] = 1
    transition[2, [0, end]] = 0.5
    emission = np.array([[1, 1, 0], [0, 0, 1]], np.float32)  # the second word has the third class
    transitions, uses = class_tagger._expected_counts(transition, emission, [np.array([0, 1, 0])])
    assert (transitions.sum(), uses.sum()) == (pytest.approx(4, abs=1e-3), pytest.approx(3, abs=1e-3))
    assert uses[0] == pytest.approx([2, 0, 0], abs=1e-3)  # exactly, its first use has the second class


@needs_charts
@given(
    T=st.integers(2, 30),
    count=st.integers(1, 12),
    seed=st.integers(0, 999),
    with_prior=st.booleans(),
    ties=st.booleans(),
)
def test_best_trees_and_heads_of_phrases_are_those_of_numpy(T, count, seed, with_prior, ties):
    source = np.random.default_rng(seed)
    spans, arcs = source.normal(size=(1, T + 1, T + 1)), source.normal(size=(T, T))
    if ties:
        spans, arcs = spans.round(), arcs.round()
    [tree] = best_binary_spans(spans)
    assert [tree] == in_numpy(best_binary_spans, spans)
    assert several_best_trees(spans[0], count) == in_numpy(several_best_trees, spans[0], count)
    for scores in (arcs, arcs.T):
        assert phrase_heads(scores, tree, with_prior) == in_numpy(phrase_heads, scores, tree, with_prior)


@needs_charts
@given(
    types=st.integers(3, 60),
    length=st.integers(1, 400),
    K=st.integers(1, 8),
    block=st.sampled_from([0.0, 1 / 20, 1.0]),
    times=st.sampled_from([1, 1000, exchange.TABLED]),
    seed=st.integers(0, 999),
)
def test_exchanged_classes_are_those_of_numpy(types, length, K, block, times, seed):
    bigrams, classes = circle(types, length, seed, K)
    bigrams = bigrams._replace(counts=bigrams.counts * times)
    results = []
    for run in (Exchange.run, functools.partial(in_numpy, Exchange.run)):
        clustering = Exchange(bigrams, classes, movable=types - 2, open_classes=K)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(exchange, "BLOCK_FRACTION", block)
            run(clustering, 6)
        results.append((clustering.likelihood, clustering.classes.tolist()))
    assert results[0] == results[1]


@needs_charts
@given(
    n=st.integers(1, 9),
    going_on=st.integers(0, 9),
    D=st.integers(1, 20),
    side=st.integers(0, 1),
    seed=st.integers(0, 999),
    size=st.sampled_from([0.1, 1.0, 100.0]),
)
def test_steps_of_an_lstm_are_those_of_numpy(n, going_on, D, side, seed, size):
    source = np.random.default_rng(seed)
    gates, product, cell = (
        source.normal(0, size, shape).astype(np.float32) for shape in ((n, 4 * D), (min(n, going_on), 4 * D), (9, D))
    )
    results = []
    for computed in (lstm_parser._step, functools.partial(in_numpy, lstm_parser._step)):
        after, out = cell.copy(), np.zeros((n, 2 * D), np.float32)
        computed(gates.copy(), product if len(product) else None, after, out, side)
        results.append((after, out))
    assert_equal(*results, rtol=1e-5, atol=4e-6 * max(1, size))  # what is left of products of up to 4 is not more exact
    after, out = results[0]
    assert (after[n:] == cell[n:]).all()
    assert not np.split(out, 2, axis=1)[1 - side].any()


@needs_charts
def test_weights_without_numbers_are_no_step_of_an_lstm():
    gates, out = np.full((1, 4), np.nan, np.float32), np.zeros((1, 2), np.float32)
    lstm_parser._step(gates, None, np.zeros((1, 1), np.float32), out, 0)
    assert np.isnan(out[0, 0])


@needs_charts
@pytest.mark.parametrize(
    "spans",
    [
        [(0, 4), (1, 4), (1, 3)][::-1],
        [(0, 4), (0, 2), (1, 3)],
        [(0, 4), (0, 2), (3, 5)],
        [(0, 4), (-1, 2), (2, 4)],
        [(0, 4), (0, 2)],
    ],
)
def test_spans_that_are_no_binary_tree_are_refused(spans):
    with pytest.raises(ValueError, match="spans: "):
        phrase_heads(np.zeros((4, 4)), spans)


ARRAYS = {
    "root": np.full((1, 2), 0.5),
    "left": np.full((1, 2, 5), 0.2),
    "right": np.full((1, 2, 5), 0.2),
    "classes": np.zeros((1, 4), np.int64),
    "weights": np.zeros((1, 1, 5, 5)),
    "log_likelihood": np.zeros((1, 1)),
    "spans": np.zeros((1, 5, 5)),
    "root_counts": None,
    "left_counts": None,
    "right_counts": None,
}


@needs_charts
@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("root", np.zeros((1, 2), np.float32), "do not fit together"),
        ("left", np.zeros((1, 3, 5)), r"left: the type or the shape \[GNM\] is wrong"),
        ("right", np.zeros((1, 2, 5), np.int64), "right: the type or the shape"),
        ("classes", np.zeros((1, 4), np.int32), "classes: the type or the shape"),
        ("classes", np.zeros((0, 4), np.int64), "classes: the type or the shape"),
        ("classes", np.array([[0, 1, 3, 0]]), "classes: 3 is not below 3"),
        ("classes", np.array([[0, 1, -1, 0]]), "classes: -1 is not below 3"),
        ("weights", np.zeros((2, 1, 5, 5)), "do not fit together"),
        ("weights", np.zeros((1, 5, 5)), "weights: the type or the shape"),
        ("root_counts", np.zeros((1, 2)), "do not fit together"),
        ("spans", np.zeros((1, 6, 6)), "spans: the type or the shape"),
    ],
)
def test_arrays_of_another_type_or_shape_are_refused(name, array, message):
    with pytest.raises(ValueError, match=message):
        compiled.CHARTS.class_grammar(*(ARRAYS | {name: array}).values())


@needs_charts
def test_results_go_to_contiguous_arrays_that_can_be_written():
    frozen = np.zeros((1, 5, 5))
    frozen.flags.writeable = False
    for spans in (frozen, np.zeros((1, 5, 10))[:, :, ::2]):
        with pytest.raises((BufferError, ValueError)):
            compiled.CHARTS.class_grammar(*(ARRAYS | {"spans": spans}).values())
    with pytest.raises(TypeError, match="10 arrays are expected, not 1"):
        compiled.CHARTS.class_grammar(frozen)
