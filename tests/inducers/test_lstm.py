import pytest
import torch
from torch import nn

from synparse.inducers.batch import Batch
from synparse.inducers.configurations import LstmConfig
from synparse.inducers.lstm import Lstm, LstmLayer
from tests.inducers.claims import check_untied_output

CONFIG = LstmConfig(embedding_size=5, hidden_size=6, layers=2, recurrent_dropout=0.0)


def lstm_step(projected, hidden, cell, recurrent):
    """One word of an LSTM, gate by gate (Hochreiter and Schmidhuber, 1997; with forget gates)."""
    i, f, c, o = (projected + hidden @ recurrent.t()).chunk(4, 1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(c)
    return torch.sigmoid(o) * torch.tanh(cell), cell


def test_a_layer_is_the_recurrence_word_by_word():
    torch.manual_seed(1)
    layer = LstmLayer(4, 6, CONFIG).double()
    inputs = torch.randn(3, 2, 4, dtype=torch.float64)
    hidden, cell = torch.randn(2, 2, 6, dtype=torch.float64)
    out = layer(inputs, (hidden, cell))
    for word, expected in zip(inputs, out.hidden, strict=True):
        hidden, cell = lstm_step(word @ layer.weight.t() + layer.bias, hidden, cell, layer.recurrent)
        torch.testing.assert_close(hidden, expected)
    torch.testing.assert_close(out.last_hidden, hidden)
    torch.testing.assert_close(out.last_cell, cell)


def test_drop_connect_drops_recurrent_weights_in_training_alone():
    torch.manual_seed(1)
    layer = LstmLayer(4, 6, LstmConfig(recurrent_dropout=0.5))
    inputs, zeros = torch.randn(3, 2, 4), torch.zeros(2, 6)
    kept = layer.eval()(inputs, (zeros, zeros)).hidden
    dropped = layer.train()(inputs, (zeros, zeros)).hidden
    torch.testing.assert_close(dropped[0], kept[0])  # nothing recurs at the first word
    assert not torch.allclose(dropped[1:], kept[1:])


@pytest.mark.parametrize("size", [5, 8])
def test_the_first_layer_reads_embeddings_and_the_last_is_as_wide(size):
    model = Lstm(9, LstmConfig(embedding_size=size, hidden_size=6, layers=3))
    assert [tuple(layer.weight.shape) for layer in model.layers] == [(24, size), (24, 6), (4 * size, 6)]
    assert isinstance(model.last_layer, nn.Identity)


def test_it_has_no_trees():
    model = Lstm(9, CONFIG).eval()
    assert model.induce(Batch(torch.randint(4, 9, (2, 3)), torch.tensor([3, 2]))) == (None, None, None, None)


def test_an_untied_model_has_an_output_matrix_of_its_own_and_a_last_layer_of_hidden_size():
    torch.manual_seed(0)
    model = Lstm(9, LstmConfig(embedding_size=5, hidden_size=6, layers=2, tied=False)).eval()
    assert [tuple(layer.weight.shape) for layer in model.layers] == [(24, 5), (24, 6)]
    check_untied_output(model)
    assert model.matrix_parameters() == 24 * (5 + 6) + 24 * (6 + 6)
