"""What every inducer of the table offers to training and parsing."""

from pathlib import Path

import pytest
import torch
from torch import nn

from synparse.config.recipe import load_recipe
from synparse.inducers.batch import Batch
from synparse.inducers.configurations import UdgnConfig
from synparse.inducers.induction import Induction
from synparse.inducers.protocol import NeuralInducer, mean_entropies
from synparse.inducers.table import INDUCERS, build
from tests.untrained import NETWORKS

TESTS = Path(__file__).resolve().parents[1]
V = 11


@pytest.fixture(params=NETWORKS)
def entry(request):
    return request.param, INDUCERS[request.param]


@pytest.fixture
def model(entry):
    name, _ = entry
    recipe = "tiny" if name == "structformer" else f"tiny-{name}"
    torch.manual_seed(1)
    return build(name, V, load_recipe(str(TESTS / f"{recipe}.yaml")).networks[0].architecture).eval()


def test_an_inducer_gives_the_scores_that_its_traits_name(entry, model):
    _, inducer = entry
    words = torch.randint(4, V, (2, 5))
    with torch.no_grad():
        induction = model.induce(Batch(words, torch.tensor([5, 3])))
    assert isinstance(induction, Induction)
    assert (induction.distances is not None) == inducer.traits.gives_distances
    assert (induction.heights is not None) == inducer.traits.gives_heights
    assert (induction.head_scores is not None) == inducer.traits.gives_heads
    shapes = {"distances": (2, 4), "first_distance": (2,), "heights": (2, 5), "head_scores": (2, 5, 5)}
    for name, shape in shapes.items():
        tensor = getattr(induction, name)
        assert tensor is None or tuple(tensor.shape) == shape


def test_a_loss_without_anything_to_predict_is_an_error(model):
    with pytest.raises(ValueError, match=r"without (targets|trees)"):
        model.loss(Batch(torch.randint(4, V, (2, 5)), torch.tensor([5, 3])))


def test_the_parser_is_made_of_parts_that_are_there(model):
    assert model.PARSER
    for name in model.PARSER:
        assert hasattr(model, name)


class Counted(NeuralInducer):
    PARSER = ()

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(7, 3)
        self.inner = nn.Linear(3, 5)
        self.outer = nn.Linear(5, 2, bias=False)


def test_matrices_are_counted_without_biases_and_embeddings():
    assert Counted().matrix_parameters() == 3 * 5 + 5 * 2


def test_where_nothing_is_decided_there_is_no_mean_entropy():
    model = build("udgn", 8, UdgnConfig(hidden_size=8, layers=1, channels=2, channel_size=4, parser_layers=1)).eval()
    word, words = Batch(torch.tensor([[4]]), torch.tensor([1])), Batch(torch.tensor([[4, 5]]), torch.tensor([2]))
    assert mean_entropies(model, [word]) == {}
    assert mean_entropies(model, [word, words]) == mean_entropies(model, [words])
