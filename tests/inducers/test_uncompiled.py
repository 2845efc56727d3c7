import pytest
import torch
from torch import Tensor

from synparse.inducers.batch import Batch
from synparse.inducers.on_lstm import OnLstm, OnLstmConfig
from synparse.inducers.udgn import Udgn, UdgnConfig
from synparse.inducers.uncompiled import uncompiled


@pytest.fixture
def seen():
    """The graphs that PyTorch's compiler made, and a backend that runs them as they are."""
    graphs = []

    def backend(graph, _):
        graphs.append(graph)
        return graph.forward

    torch._dynamo.reset()
    yield graphs, backend
    torch._dynamo.reset()


def functions_in(graphs):
    return [node.target for graph in graphs for node in graph.graph.nodes if node.op == "call_function"]


def test_the_compiler_sees_what_is_around_but_nothing_within(seen):
    graphs, backend = seen
    calls = []

    @uncompiled
    def loop(states: Tensor) -> Tensor:
        calls.append(torch.compiler.is_compiling())
        for row in states:
            states = states + torch.sin(row)
        return states

    def around(states: Tensor) -> Tensor:
        return loop(torch.cos(states)) * 2

    made = torch.compile(around, backend=backend, dynamic=True)
    for length in range(3, 9):
        states = torch.randn(length, 2)
        assert torch.equal(made(states), around(states))
    assert torch.cos in functions_in(graphs)
    assert torch.sin not in functions_in(graphs)
    assert not any(calls)
    assert len(graphs) <= 4  # of one length, and of all


def test_the_loops_of_a_recurrent_model_are_not_compiled_anew_for_each_length(seen):
    graphs, backend = seen
    torch.manual_seed(1)
    model = OnLstm(20, OnLstmConfig(embedding_size=8, hidden_size=8, layers=2, chunk_size=4)).eval()
    assert_lengths_share_graphs(model, graphs, backend)
    assert torch.cumsum not in functions_in(graphs)


def test_a_udgn_is_not_compiled_anew_for_each_length(seen):
    torch.manual_seed(1)
    assert_lengths_share_graphs(Udgn(20, UdgnConfig(hidden_size=8, layers=1, channels=2, channel_size=4)).eval(), *seen)


def assert_lengths_share_graphs(model, graphs, backend):
    loss = torch.compile(model.loss, backend=backend, dynamic=True)
    counts = []
    for length in range(4, 9):
        words = torch.randint(4, 20, (2, length))
        given = Batch(words, torch.full((2,), length), words.roll(-1, 1))
        torch.testing.assert_close(loss(given).total, model.loss(given).total)
        counts.append(len(graphs))
    assert graphs
    assert counts[1] == counts[-1]
