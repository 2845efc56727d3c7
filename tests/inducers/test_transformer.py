import math

import torch

from synparse.inducers.batch import Batch
from synparse.inducers.configurations import TransformerConfig
from synparse.inducers.kernels.positions import position_encoding
from synparse.inducers.transformer import Transformer, TransformerLayer
from tests.inducers.claims import states_by_messages

CONFIG = TransformerConfig(hidden_size=8, layers=2, attention_heads=2, feed_forward_size=12, dropout=0.0)


def test_a_layer_is_the_paper_word_by_word():
    torch.manual_seed(1)
    layer = TransformerLayer(CONFIG).double()
    states = torch.randn(1, 3, 8, dtype=torch.float64)
    out = layer(states, torch.ones(1, 3, dtype=torch.bool))
    query, key, value = layer.query_key_value(layer.attention_norm(states[0])).view(3, 3, 2, 4).unbind(1)
    mixed = torch.zeros(3, 2, 4, dtype=torch.float64)
    for i in range(3):
        for h in range(2):
            weights = torch.softmax(torch.stack([query[i, h] @ key[j, h] / 2 for j in range(3)]), 0)
            mixed[i, h] = sum(weights[j] * value[j, h] for j in range(3))
    expected = states[0] + layer.attention_out(mixed.reshape(3, 8))
    expected = expected + layer.feed_forward_out(torch.relu(layer.feed_forward_in(layer.feed_forward_norm(expected))))
    torch.testing.assert_close(out[0], expected)


def test_weights_are_a_distribution_over_words_and_none_on_padding():
    torch.manual_seed(1)
    present = torch.tensor([[True, True, True], [True, False, False]])
    weights = TransformerLayer(CONFIG).attend(torch.randn(2, 3, 8), present).weights
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 2, 3))
    assert (weights[1, :, :, 1:] == 0).all()


def test_padding_changes_nothing():
    torch.manual_seed(1)
    model = Transformer(20, CONFIG).eval()
    words = torch.randint(4, 20, (1, 3))
    alone = model.contextual(Batch(words, torch.tensor([3]))).states
    padded = torch.cat([words, torch.zeros(1, 2, dtype=torch.long)], 1)
    torch.testing.assert_close(model.contextual(Batch(padded, torch.tensor([3]))).states[:, :3], alone)


def test_words_know_where_they_stand():
    torch.manual_seed(1)
    model = Transformer(20, CONFIG).eval()
    states = model.contextual(Batch(torch.tensor([[5, 5]]), torch.tensor([2]))).states[0]
    assert not torch.allclose(states[0], states[1])


def test_messages_by_the_channel_weights_give_the_contextual_states():
    torch.manual_seed(3)
    model, batch = Transformer(20, CONFIG).eval(), Batch(torch.randint(4, 20, (2, 5)), torch.tensor([5, 3]))
    weights = model.channel_weights(batch, True)
    assert weights.shape == (2, 2, 2, 5, 5)
    assert torch.equal(weights, model.channel_weights(batch, False))  # it has no mask
    states = model.embedding(batch.words) * math.sqrt(8) + position_encoding(5, 8, torch.device("cpu"))
    torch.testing.assert_close(states_by_messages(model.layers, states, weights), model.contextual(batch).states)
