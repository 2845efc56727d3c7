"""How soft the structure of models is."""

import math
from itertools import pairwise

import pytest
import torch

from synparse.inducers.batch import SENTENCE_START, Batch
from synparse.inducers.configurations import (
    OnLstmConfig,
    OrderedMemoryConfig,
    StructFormerConfig,
    StudentConfig,
    TransformerConfig,
    UdgnConfig,
)
from synparse.inducers.induction import entropies
from synparse.inducers.table import build

OF_HEADS = {
    "udgn": UdgnConfig(hidden_size=8, layers=1, channels=2, channel_size=4, parser_layers=1),
    "student": StudentConfig(hidden_size=8, layers=1),
    "structformer": StructFormerConfig(
        hidden_size=8, layers=1, attention_heads=2, feed_forward_size=8, parser_layers=1, convolution_width=3
    ),
}


def test_entropies_by_hand():
    probabilities = torch.tensor([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.25, 0.5, 0.25]])
    expected = [1.0, 0.0, 1.5 * math.log(2) / math.log(3)]
    assert entropies(probabilities, torch.tensor([2, 3, 3])).tolist() == pytest.approx(expected)
    assert entropies(torch.full((1, 4), 0.25), 4).tolist() == pytest.approx([1.0])


def model(name, config):
    torch.manual_seed(0)
    return build(name, 12, config).eval()


@torch.no_grad()
@pytest.mark.parametrize("name", OF_HEADS)
def test_each_word_of_two_or_more_decides_on_its_head(name):
    network = model(name, OF_HEADS[name])
    words = torch.tensor([[4, 5, 6, 7], [8, 0, 0, 0], [9, 10, 0, 0]])
    values = network.structure_entropies(Batch(words, torch.tensor([4, 1, 2])))["heads"]
    assert len(values) == 4 + 2
    scores = network.induce(Batch(words[:1], torch.tensor([4]))).head_scores[0]
    expected = [-sum(float(p) * math.log(max(p, 1e-30)) for p in row.exp()) / math.log(4) for row in scores]
    assert values[:4].tolist() == pytest.approx(expected, abs=1e-4)


@torch.no_grad()
def test_a_parser_that_knows_nothing_is_as_soft_as_can_be():
    network = model("udgn", OF_HEADS["udgn"])
    for parameter in network.parser.parent_child.parameters():
        parameter.zero_()
    values = network.structure_entropies(Batch(torch.tensor([[4, 5, 6]]), torch.tensor([3])))["heads"]
    assert values.tolist() == pytest.approx([1.0] * 3)


@torch.no_grad()
def test_layers_of_on_lstm_decide_where_to_split_the_memory():
    network = model("on-lstm", OnLstmConfig(embedding_size=8, hidden_size=8, layers=2, chunk_size=2))
    batch = Batch(torch.tensor([[4, 5, 6], [7, 8, 0]]), torch.tensor([3, 2]))
    by_layer = network.structure_entropies(batch)
    assert {name: len(values) for name, values in by_layer.items()} == {"layer 1": 5, "layer 2": 5}
    assert all(0 < float(value) <= 1 + 1e-5 for values in by_layer.values() for value in values)
    out = network.layers[0](network.embedding(batch.words[:1].t()), [state[:1] for state in network.zero_state(2)[0]])
    master_forget = [0.0, *out.forget[0, 0].tolist()]  # a cumulative sum of probabilities
    splits = [after - before for before, after in pairwise(master_forget)]
    expected = -sum(p * math.log(p) for p in splits) / math.log(len(splits))
    assert float(by_layer["layer 1"][0]) == pytest.approx(expected, abs=1e-4)


@torch.no_grad()
def test_ordered_memory_decides_on_slots_and_forgets_at_the_start_of_a_sentence():
    network = model("ordered-memory", OrderedMemoryConfig(hidden_size=8, slots=4))
    sentence = [SENTENCE_START, 5, 6, 7]
    alone = network.structure_entropies(Batch(torch.tensor([sentence]), torch.tensor([4])))["slots"]
    both = network.structure_entropies(Batch(torch.tensor([sentence * 2]), torch.tensor([8])))["slots"]
    assert len(alone) == 3
    torch.testing.assert_close(both[4:], alone)


def test_a_transformer_has_no_structure():
    network = model("transformer", TransformerConfig(hidden_size=8, layers=1, attention_heads=2, feed_forward_size=8))
    assert network.structure_entropies(Batch(torch.tensor([[4]]), torch.tensor([1]))) == {}
