"""ON-LSTM: its equations, and the language model made of them."""

from dataclasses import replace

import pytest
import torch

from synparse.inducers.batch import IGNORED, SENTENCE_START, Batch
from synparse.inducers.loading import choose_tree_layer
from synparse.inducers.on_lstm import (
    OnLstm,
    OnLstmConfig,
    cumax,
    on_lstm_layer,
    ordered_neurons_step,
    syntactic_distances,
)
from tests.inducers.claims import check_noise_in_training_alone, check_state_makes_two_segments_one, check_untied_output

VOCABULARY, START = 20, SENTENCE_START
SMALL = OnLstmConfig(
    embedding_size=8,
    hidden_size=12,
    layers=3,
    chunk_size=4,
    embedding_dropout=0.0,
    input_dropout=0.0,
    hidden_dropout=0.0,
    output_dropout=0.0,
    recurrent_dropout=0.0,
)


@pytest.fixture
def model():
    torch.manual_seed(0)
    model = OnLstm(VOCABULARY, SMALL)
    with torch.no_grad():  # away from the start, where gates hardly differ
        for parameter in model.parameters():
            parameter.mul_(3)
    return model


def plain_layers(model, words, layers):
    """Outputs and master forget gates of each layer for words [T, B], from zero state."""
    states, outputs = model.embedding.weight[words], []
    for layer, size in zip(model.layers[:layers], model.sizes, strict=False):
        zero = states.new_zeros(words.shape[1], size)
        projected = torch.stack([x @ layer.weight.t() + layer.bias for x in states])
        states, *_, forget = on_lstm_layer(projected, zero, zero, layer.recurrent)
        outputs.append((states, forget))
    return outputs


def test_cumax_is_the_probability_that_the_split_came_before():
    probabilities = torch.tensor([0.5, 0.2, 0.3])
    torch.testing.assert_close(cumax(probabilities.log()), torch.tensor([0.5, 0.7, 1.0]))


@pytest.mark.parametrize("forgotten", range(4))
@pytest.mark.parametrize("written", range(4))
def test_where_master_gates_are_binary_chunks_are_erased_kept_or_updated(forgotten, written):
    """The paper's own reading of equations 9–14, for D = 8 neurons in n = 4 chunks of C = 2: the first chunks are
    forgotten, the first ones are written, and where a chunk is both kept and written, an LSTM updates it."""
    torch.manual_seed(0)
    D, n = 8, 4
    raw, cell = torch.randn(1, 4 * D), torch.randn(1, D)
    masters = torch.full((1, 2, n), -1e4)
    masters[0, 0, forgotten] = masters[0, 1, written] = 1e4
    projected = torch.cat([raw, masters.flatten(1)], 1)
    hidden, after, gate = ordered_neurons_step(projected, torch.zeros(1, D), cell, torch.zeros(4 * D + 2 * n, D))
    f, i, o = (raw[0, k * D : (k + 1) * D].sigmoid() for k in range(3))
    candidate = raw[0, 3 * D :].tanh()
    for neuron in range(D):
        chunk = neuron % n
        is_kept, is_written = chunk >= forgotten, chunk < written
        keep = f[neuron] if is_kept and is_written else float(is_kept)
        write = i[neuron] if is_kept and is_written else float(is_written)
        expected = keep * cell[0, neuron] + write * candidate[neuron]
        torch.testing.assert_close(after[0, neuron], expected)
        torch.testing.assert_close(hidden[0, neuron], o[neuron] * expected.tanh())
    assert syntactic_distances(gate[None]).tolist() == [[forgotten]]


def segment(T=7, B=2, seed=0):
    generator = torch.Generator().manual_seed(seed)
    stream = torch.randint(START, VOCABULARY, (B, T + 1), generator=generator)
    return Batch(stream[:, :-1], torch.full((B,), T), stream[:, 1:])


def test_the_loss_is_that_of_the_equations(model):
    batch = segment()
    last, _ = plain_layers(model, batch.words.t(), 3)[-1]
    log_p = torch.log_softmax(last @ model.embedding.weight.t() + model.output_bias, -1)
    expected = -log_p.gather(2, batch.targets.t()[..., None]).sum()
    loss = model.loss(batch)
    torch.testing.assert_close(loss.total, expected, atol=1e-5, rtol=1e-5)
    assert loss.predictions == batch.words.numel()
    temporal = (last[1:] - last[:-1]).square().mean()
    torch.testing.assert_close(loss.penalty, 2 * last.square().mean() + temporal, atol=1e-5, rtol=0)


def test_activations_are_penalised_after_dropout(model):
    model.output_dropout = torch.nn.Dropout(1.0).train()  # all of them
    last, _ = plain_layers(model, segment().words.t(), 3)[-1]
    temporal = (last[1:] - last[:-1]).square().mean()
    torch.testing.assert_close(model.loss(segment()).penalty, temporal, atol=1e-5, rtol=0)


@pytest.mark.parametrize("layer", [1, 2, 3])
def test_distances_are_what_the_layer_forgets(model, layer):
    words = segment().words
    with_start = torch.cat([torch.full((1, 2), START), words.t()])
    _, forget = plain_layers(model, with_start, layer)[-1]
    expected = syntactic_distances(forget)
    choose_tree_layer(model, layer)
    induction = model.induce(Batch(words, torch.full((2,), 7)))
    torch.testing.assert_close(induction.first_distance, expected[1], atol=1e-5, rtol=0)
    torch.testing.assert_close(induction.distances, expected[2:].t(), atol=1e-5, rtol=0)
    assert induction.head_scores is None


def test_layers_above_the_one_read_are_not_run(model):
    with torch.no_grad():
        model.layers[2].recurrent.fill_(float("nan"))
        model.layers[2].weight.fill_(float("nan"))
    assert model.induce(segment()).distances.isfinite().all()


def test_state_makes_two_segments_one(model):
    state = check_state_makes_two_segments_one(model, segment(T=8))
    assert not any(tensor.requires_grad for pair in state for tensor in pair)


def test_positions_without_a_target_do_not_count(model):
    batch = segment()
    targets = batch.targets.clone()
    targets[1, 4:] = IGNORED
    loss = model.loss(batch._replace(targets=targets))
    assert loss.predictions == 11
    assert loss.total < model.loss(batch).total


def test_a_sentence_is_read_as_if_alone(model):
    together = torch.tensor([[5, 6, 7, 8], [9, 10, 0, 0]])
    both = model.induce(Batch(together, torch.tensor([4, 2]))).distances
    alone = model.induce(Batch(together[1:, :2], torch.tensor([2]))).distances
    torch.testing.assert_close(both[1, :1], alone[0])


@pytest.mark.parametrize("name", ["embedding", "input", "hidden", "output", "recurrent"])
def test_each_dropout_acts_in_training_alone(name):
    torch.manual_seed(0)
    model = OnLstm(VOCABULARY, replace(SMALL, **{f"{name}_dropout": 0.5}))
    check_noise_in_training_alone(model, segment())


def test_locked_dropout_has_one_mask_for_all_words():
    torch.manual_seed(0)
    model = OnLstm(VOCABULARY, replace(SMALL, input_dropout=0.5))
    seen = []
    model.layers[0].register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    model.loss(segment())
    dropped = seen[0] == 0
    assert 0 < dropped.float().mean() < 1
    assert (dropped == dropped[:1]).all()


def test_embedding_dropout_takes_a_word_out_everywhere():
    torch.manual_seed(0)
    model = OnLstm(VOCABULARY, replace(SMALL, embedding_dropout=0.5))
    seen = []
    model.layers[0].register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    batch = segment(T=40)
    model.loss(batch)
    gone = (seen[0] == 0).all(-1)
    words = batch.words.t()
    assert 0 < gone.float().mean() < 1
    assert not set(words[gone].tolist()) & set(words[~gone].tolist())


def test_the_output_matrix_is_the_embedding(model):
    assert sum(p.shape[0] == VOCABULARY and p.dim() == 2 for p in model.parameters()) == 1
    assert model.matrix_parameters() == sum(p.numel() for p in model.layers.parameters() if p.dim() == 2)


def test_an_untied_model_has_an_output_matrix_of_its_own_and_a_last_layer_of_hidden_size():
    """As in table 3.3 of the thesis, but for the sizes: 200 and 650."""
    torch.manual_seed(0)
    sizes = replace(SMALL, embedding_size=6, hidden_size=8, layers=2, chunk_size=2, tied=False)
    model = OnLstm(9, sizes).eval()
    assert model.sizes == (8, 8)
    check_untied_output(model)
