"""UDGN against a literal transcription of its equations, with every ablation of table 4.4."""

import math
from dataclasses import replace

import pytest
import torch

from synparse.inducers.batch import IGNORED, Batch, Guidance
from synparse.inducers.kernels.positions import position_encoding
from synparse.inducers.udgn import Udgn, UdgnConfig, dependency_mask
from tests.inducers.claims import check_noise_in_training_alone
from tests.untrained import perturbed

VOCABULARY = 20
SMALL = UdgnConfig(
    hidden_size=12,
    layers=2,
    channels=3,
    channel_size=4,
    parser_layers=2,
    dropout=0.0,
    parser_dropout=0.0,
    attention_dropout=0.0,
)
ABLATIONS = {
    "paper": {},
    "no non-linearity": {"nonlinear_values": False},
    "no gates": {"gates": False},
    "sigmoid": {"competition": "sigmoid"},
    "single channel": {"competition": "single"},
    "position encoding": {"position": "encoding"},
    "roles": {"roles": 5},
}


def made(**changes):
    torch.manual_seed(0)
    return perturbed(Udgn(VOCABULARY, replace(SMALL, **changes)))


def batch_of(*lengths, seed=0):
    generator = torch.Generator().manual_seed(seed)
    T = max(lengths)
    words = torch.randint(4, VOCABULARY, (len(lengths), T), generator=generator)
    targets = torch.full_like(words, IGNORED)
    for row, length in enumerate(lengths):
        words[row, length:] = 0
        targets[row, : (length + 1) // 2] = words[row, : (length + 1) // 2]
    return Batch(words, torch.tensor(lengths), targets)


def lstm(layer, inputs):
    """One direction of an LSTM over a sentence [T, D_in], word by word."""
    D = layer.hidden_size
    h = c = torch.zeros(D)
    states = []
    for x in inputs:
        gates = layer.weight_ih_l0 @ x + layer.bias_ih_l0 + layer.weight_hh_l0 @ h + layer.bias_hh_l0
        i, f, g, o = gates.split(D)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        states.append(h)
    return states


def transcribed_parser(model, words):
    """p [T, T] of one sentence, the diagonal still in."""
    parser = model.parser
    states = [parser.embedding.weight[w] for w in words]
    if model.config.roles:
        for position, w in enumerate(words):
            fraction = torch.softmax(parser.role_of_word.weight[w], 0)
            states[position] = states[position] + sum(s * t for s, t in zip(fraction, parser.roles, strict=True))
    for forwards, backwards in zip(parser.forward_layers, parser.backward_layers, strict=True):
        before, after = lstm(forwards, states), lstm(backwards, states[::-1])[::-1]
        states = [torch.cat(pair) for pair in zip(before, after, strict=True)]
    D = model.config.hidden_size
    both = [parser.parent_child.weight @ state + parser.parent_child.bias for state in states]
    rows = [[both[i][D:] @ both[j][:D] / math.sqrt(D) for j in range(len(words))] for i in range(len(words))]
    return torch.softmax(torch.tensor(rows), 1)


def transcribed_logits(model, words):
    """Logits [T, V] of one sentence; equation numbers are the thesis'."""
    config = model.config
    T = len(words)
    p = transcribed_parser(model, words)
    p = p - p.diag().diag()
    m = p + p.t() - p * p.t()  # 4.2.8
    h = model.embedding.weight[words]
    if config.position == "encoding":
        h = h * math.sqrt(config.hidden_size) + position_encoding(T, config.hidden_size, h.device)
    width = config.channels * config.channel_size
    H = 1 if config.competition == "single" else config.channels
    d = width // H
    for layer in model.layers:
        parts = (h @ layer.projection.weight.t() + layer.projection.bias).split(width, 1)
        q, k, v = (part.view(T, H, d) for part in parts[:3])
        u = torch.zeros(T, H, d)
        for i in range(T):
            for j in range(T):
                a = torch.empty(H)
                for c in range(H):
                    b = 0.0
                    if config.position == "relative" and i != j:
                        b = layer.direction[0 if j < i else 1, c]
                    a[c] = (q[i, c] @ k[j, c] + b) / math.sqrt(d)
                w = (torch.softmax(a, 0) if config.competition == "softmax" else torch.sigmoid(a)) * m[i, j]
                for c in range(H):
                    u[i, c] += w[c] * (torch.tanh(v[j, c]) if config.nonlinear_values else v[j, c])
        if config.gates:
            u = u * torch.sigmoid(parts[3].view(T, H, d))
        h = h + u.reshape(T, width) @ layer.out.weight.t() + layer.out.bias
    mean, variance = h.mean(1, keepdim=True), h.var(1, keepdim=True, unbiased=False)
    normed = (h - mean) / torch.sqrt(variance + model.norm.eps) * model.norm.weight + model.norm.bias
    return normed @ model.embedding.weight.t() + model.output_bias


@pytest.mark.parametrize("changes", ABLATIONS.values(), ids=ABLATIONS.keys())
@torch.no_grad()
def test_the_loss_is_the_transcription(changes):
    model = made(**changes)
    batch = batch_of(5, 3)
    expected = 0.0
    for row, length in enumerate(batch.lengths.tolist()):
        log_p = torch.log_softmax(transcribed_logits(model, batch.words[row, :length].tolist()), 1)
        for position in range(length):
            if batch.targets[row, position] != IGNORED:
                expected -= float(log_p[position, batch.targets[row, position]])
    loss = model.loss(batch)
    assert loss.predictions == 5
    assert float(loss.total) == pytest.approx(expected, abs=2e-5, rel=1e-5)


@torch.no_grad()
def test_head_scores_are_the_parsers_probabilities():
    model = made()
    batch = batch_of(6, 4, 1)
    scores = model.induce(batch).head_scores
    for row, length in enumerate(batch.lengths.tolist()):
        p = transcribed_parser(model, batch.words[row, :length].tolist())
        torch.testing.assert_close(scores[row, :length, :length].exp(), p, atol=1e-5, rtol=0)
        assert (scores[row, :length, length:] < -60).all()


def test_the_mask_is_symmetric_and_empty_on_the_diagonal_and_padding():
    log_p = torch.log_softmax(torch.randn(2, 4, 4), -1)
    present = torch.tensor([[True] * 4, [True, True, False, False]])
    log_p[1, :, 2:] = -math.inf
    m = dependency_mask(log_p, present)
    torch.testing.assert_close(m, m.transpose(1, 2))
    assert (m >= 0).all()
    assert (m <= 1).all()
    assert (m.diagonal(dim1=1, dim2=2) == 0).all()
    assert (m[1, 2:] == 0).all()
    assert (m[1, :, 2:] == 0).all()


def test_gradients_reach_the_parser_and_no_padding():
    model = made()
    loss = model.loss(batch_of(6, 2))
    loss.total.backward()
    assert all(parameter.grad.isfinite().all() for parameter in model.parameters())
    assert model.parser.parent_child.weight.grad.abs().sum() > 0
    assert not model.parser.embedding.weight.grad[0].any()  # the word of padding


def test_ablations_remove_what_they_name():
    names = {key: {name for name, _ in made(**changes).named_parameters()} for key, changes in ABLATIONS.items()}
    assert "layers.0.direction" in names["paper"] - names["position encoding"]
    assert made(gates=False).layers[0].projection.out_features == 3 * 12
    assert made().layers[0].projection.out_features == 4 * 12
    assert made(competition="single").layers[0].channels == 1
    assert names["roles"] - names["paper"] == {"parser.role_of_word.weight", "parser.roles"}


@pytest.mark.parametrize("name", ["dropout", "parser_dropout", "attention_dropout"])
def test_each_dropout_acts_in_training_alone(name):
    check_noise_in_training_alone(made(**{name: 0.5}), batch_of(6, 5))


@pytest.mark.parametrize("name", ABLATIONS)
def test_messages_by_the_channel_weights_give_the_contextual_states(name):
    model, batch = made(**ABLATIONS[name]).eval(), batch_of(5, 3)
    weights, competition = model.channel_weights(batch, True), model.channel_weights(batch, False)
    H = 1 if name == "single channel" else 3
    assert weights.shape == competition.shape == (2, 2, H, 5, 5)
    mask = dependency_mask(model.parser(batch.words, batch.lengths, batch.present), batch.present)
    torch.testing.assert_close(weights, competition * mask[:, None, None])
    if name not in ("sigmoid", "single channel"):
        torch.testing.assert_close(competition.sum(2), torch.ones(2, 2, 5, 5))  # the channels compete
    states = model.embedding(batch.words)
    if name == "position encoding":
        states = states * math.sqrt(12) + position_encoding(5, 12, states.device)
    for number, layer in enumerate(model.layers):
        _, _, value, *gate = layer.projection(states).view(2, 5, -1, H, 12 // H).unbind(2)
        value = value if name == "no non-linearity" else torch.tanh(value)
        messages = torch.einsum("bhij,bjhd->bihd", weights[:, number], value)
        messages = messages if name == "no gates" else messages * torch.sigmoid(gate[0])
        states = states + layer.out(messages.flatten(2))
    torch.testing.assert_close(states, model.contextual(batch).states)


@torch.no_grad()
def test_given_heads_add_their_negative_log_probability_in_the_mean_over_words():
    model, batch = made(), batch_of(4, 4)
    heads = torch.tensor([[1, 1, 3, IGNORED], [0, 0, 1, 2]])
    guided = model.loss(batch._replace(guidance=Guidance(heads, torch.tensor([0.5, 2.0]))))
    expected = 0.0
    for row, weight in enumerate((0.5, 2.0)):
        p = transcribed_parser(model, batch.words[row].tolist())
        of_row = [(word, head) for word, head in enumerate(heads[row].tolist()) if head != IGNORED]
        expected -= weight * sum(math.log(p[word, head]) for word, head in of_row)
    assert float(guided.penalty) == pytest.approx(expected / 8, rel=1e-5)
    alone = model.loss(batch)
    assert (float(alone.penalty), alone.predictions) == (0.0, guided.predictions)
    torch.testing.assert_close(guided.total, alone.total)  # so perplexities can be compared


@pytest.mark.parametrize("name", ["paper", "no gates", "no non-linearity", "single channel"])
@pytest.mark.parametrize("layer", [1, 2])
def test_the_size_of_a_message_is_what_it_adds_to_a_state(name, layer):
    model, batch = made(**ABLATIONS[name]).eval(), batch_of(4)
    sizes, competition = model.message_sizes(batch, layer)[0], model.channel_weights(batch, False)[0, layer - 1]
    states, mask = model.layer_input(batch)
    for before in model.layers[: layer - 1]:
        states = before(states, mask)
    graph_layer = model.layers[layer - 1]
    H = graph_layer.channels
    _, _, value, *gate = graph_layer.projection(states)[0].view(4, -1, H, 12 // H).unbind(1)
    value = value if name == "no non-linearity" else torch.tanh(value)
    out = graph_layer.out.weight.view(12, H, -1)
    for channel in range(H):
        for i in range(4):
            for j in range(4):
                message = competition[channel, i, j] * value[j, channel]
                message = message * torch.sigmoid(gate[0][i, channel]) if gate else message
                torch.testing.assert_close(sizes[channel, i, j], torch.linalg.norm(out[:, channel] @ message))


@pytest.mark.parametrize("name", ["paper", "no gates", "single channel"])
def test_the_first_message_is_that_of_two_words_in_a_sentence(name):
    model = made(**ABLATIONS[name]).eval()
    words = torch.tensor([[5, 9, 7]])
    states = model.embedding(words)
    attention = model.layers[0].attend(states, torch.ones(1, 3, 3))
    for dependent, head in ((0, 2), (2, 0), (1, 2)):
        gate = 1.0 if attention.gate is None else torch.sigmoid(attention.gate[0, head])
        message = attention.unmasked[0, :, head, dependent, None] * attention.value[0, dependent] * gate
        expected = model.layers[0].out.weight @ message.flatten()
        [first_message] = model.first_messages([int(words[0, dependent])], [int(words[0, head])], dependent < head)
        torch.testing.assert_close(torch.from_numpy(first_message), expected)
    assert model.first_messages([], [], True).shape == (0, 12)
