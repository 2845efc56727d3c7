import dataclasses
import itertools
import os
import signal
import threading

import numpy as np
import pytest
import torch
from threadpoolctl import threadpool_info, threadpool_limits

from synparse.inducers.batch import Batch
from synparse.inducers.configurations import StudentConfig, UdgnConfig
from synparse.inducers.kernels import lstm_parser as module
from synparse.inducers.kernels.lstm_parser import (
    LstmParser,
    ParserScores,
    lstm_parser,
    parser_scores,
    weight_shapes_of,
)
from synparse.inducers.loading import keep_parser_only
from synparse.inducers.table import build

SMALL_UDGN = UdgnConfig(hidden_size=12, layers=2, channels=2, channel_size=5, parser_layers=3)
SMALL_STUDENT = StudentConfig(hidden_size=10, layers=2)
VARIANTS = [
    ("udgn", SMALL_UDGN),
    ("udgn", dataclasses.replace(SMALL_UDGN, roles=4, parser_layers=1)),
    ("student", SMALL_STUDENT),
]


def model_of(name, config, seed=1):
    torch.manual_seed(seed)
    model = build(name, 30, config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.uniform_(-1.0, 1.0)  # saturates some gates
    return model


def of(model, config) -> LstmParser:
    return lstm_parser({name: tensor.numpy() for name, tensor in model.state_dict().items()}, config)


def shapes(model):
    return {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}


@pytest.mark.parametrize(("name", "config"), VARIANTS)
@pytest.mark.parametrize("lengths", [(7, 3, 7, 1, 5), (1,), (1, 1), (40,)])
def test_scores_are_those_of_the_module(name, config, lengths):
    """Sentences in any order of lengths, whatever stands at padding."""
    model = model_of(name, config)
    words = np.random.default_rng(2).integers(0, 30, (len(lengths), max(lengths)))
    sizes = np.array(lengths, np.int64)
    batch = Batch(torch.from_numpy(words), torch.from_numpy(sizes))
    with torch.inference_mode():
        expected = model.induce(batch)
    scores = parser_scores(of(model, config), words, sizes)
    for row, T in enumerate(lengths):
        head_scores = expected.head_scores[row, :T, :T].numpy()
        np.testing.assert_allclose(scores.head_scores[row, :T, :T], head_scores, atol=2e-5, rtol=2e-5)
        if scores.distances is None:
            assert expected.distances is None
        else:
            distances = expected.distances[row, : T - 1].numpy()
            np.testing.assert_allclose(scores.distances[row, : T - 1], distances, atol=2e-5, rtol=2e-5)


def test_heads_are_left_out_where_nobody_asks_for_them():
    parser = of(model_of("student", SMALL_STUDENT), SMALL_STUDENT)
    words, lengths = np.ones((2, 4), np.int64), np.array([4, 3])
    without = parser_scores(parser, words, lengths, heads=False)
    assert without.head_scores is None
    np.testing.assert_array_equal(without.distances, parser_scores(parser, words, lengths).distances)
    assert isinstance(without, ParserScores)


def test_parsing_in_threads_leaves_the_number_of_threads_of_products_as_it_was(monkeypatch):
    parser = of(model_of("student", SMALL_STUDENT), SMALL_STUDENT)
    words, compute = np.random.default_rng(5).integers(0, 30, (4, 9)), module._states
    computing = {name: threading.Event() for name in ("first", "second")}
    first_is_done = threading.Event()

    def states(*arguments):
        name = threading.current_thread().name
        computing[name].set()
        if name == "first":
            computing["second"].wait(0.5)  # in vain, where one computes at a time
        else:
            first_is_done.wait(60)
        return compute(*arguments)

    def blas_threads():
        return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

    def run(function):  # in a thread of its own, which then does not hold on to the number
        thread = threading.Thread(target=function)
        thread.start()
        thread.join()

    monkeypatch.setattr(module, "_states", states)
    first, second = (
        threading.Thread(target=parser_scores, args=(parser, words, np.full(4, 9)), name=name) for name in computing
    )
    outside = []
    run(lambda: outside.append(threadpool_limits(limits=3, user_api="blas")))
    before = blas_threads()
    first.start()
    computing["first"].wait(60)
    second.start()
    first.join()
    first_is_done.set()
    second.join()
    after = blas_threads()
    run(outside[0].restore_original_limits)
    assert after == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
def test_a_process_that_is_forked_while_a_thread_parses_can_parse(monkeypatch):
    parser = of(model_of("student", SMALL_STUDENT), SMALL_STUDENT)
    words, compute, is_computing = np.zeros((1, 9), np.int64), module._states, threading.Event()
    expected = parser_scores(parser, words, np.array([9])).head_scores

    def states(*arguments):
        is_computing.set()
        threading.Event().wait(0.2)  # so that the fork comes meanwhile
        return compute(*arguments)

    monkeypatch.setattr(module, "_states", states)
    thread = threading.Thread(target=parser_scores, args=(parser, words, np.array([9])))
    thread.start()
    is_computing.wait(60)
    child = os.fork()
    if not child:
        signal.alarm(60)  # ends a process that waits for ever
        is_same = np.array_equal(parser_scores(parser, words, np.array([9])).head_scores, expected)
        os._exit(0 if is_same else 1)
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("is_packed", [True, False])
@pytest.mark.parametrize(
    ("name", "config"),
    [
        *VARIANTS,
        *(
            ("udgn", dataclasses.replace(SMALL_UDGN, gates=gates, competition=competition, position=position))
            for gates, competition, position in itertools.product(
                (True, False), ("softmax", "single"), ("relative", "encoding")
            )
        ),
    ],
)
def test_shapes_are_those_of_the_module(name, config, is_packed):
    model = build(name, 30, config)
    parsing, rest = weight_shapes_of(30, config)
    if is_packed:
        keep_parser_only(model)
        assert shapes(model) == parsing
    else:
        assert shapes(model) == parsing | rest
