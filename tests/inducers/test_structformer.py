"""StructFormer against slow, literal transcriptions of its equations."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest
import torch
from torch import nn

from synparse.inducers.batch import IGNORED, Batch
from synparse.inducers.kernels.positions import position_encoding
from synparse.inducers.structformer import (
    INFINITE,
    POSITIONS,
    DependencyAttentionLayer,
    StructFormer,
    StructFormerConfig,
    calibrate,
    parent_distribution,
)
from tests.inducers.claims import states_by_messages

SMALL = StructFormerConfig(
    hidden_size=16, layers=2, attention_heads=4, feed_forward_size=32, parser_layers=2, convolution_width=3, dropout=0.0
)
VOCABULARY = 20


def random_scores(T: int, seed: int, scale: float = 2.0) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    distances = scale * torch.randn(2, T, generator=generator, dtype=torch.float64)
    distances[:, -1] = INFINITE
    return distances, scale * torch.randn(2, T, generator=generator, dtype=torch.float64)


def equation_12(tau, delta, boundary_scale, head_scale):
    """P(j | i) for one sentence as the sum over all spans [l, r], the diagonal (left out by the paper) included."""
    T = len(delta)

    def inside(j, i):  # eq. 7: word j is in C(x_i)
        if not 0 <= j < T:
            return 0.0
        if j == i:
            return 1.0
        highest = max(tau[min(i, j) : max(i, j)])
        return 1 / (1 + math.exp(min(700.0, -(delta[i] - highest) * boundary_scale)))

    P = [[0.0] * T for _ in range(T)]
    for i in range(T):
        for l in range(i + 1):  # noqa: E741 - the paper's letter
            for r in range(i, T):
                span = (inside(l, i) - inside(l - 1, i)) * (inside(r, i) - inside(r + 1, i))  # eq. 8–10
                total = sum(math.exp(delta[k] * head_scale) for k in range(l, r + 1))
                for j in range(l, r + 1):
                    P[i][j] += span * math.exp(delta[j] * head_scale) / total  # eq. 11, 12
    return torch.tensor(P, dtype=torch.float64)


@pytest.mark.parametrize("T", [1, 2, 3, 7, 12])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_closed_form_is_the_sum_over_all_spans(T, seed):
    distances, heights = random_scores(T, seed)
    scales = torch.tensor([1.3, 0.7], dtype=torch.float64)
    parents, root = parent_distribution(distances, heights, *scales)
    for b in range(2):
        expected = equation_12(distances[b].tolist(), heights[b].tolist(), 1.3, 0.7)
        assert torch.allclose(parents[b] + torch.diag(root[b]), expected, atol=1e-10)


def test_each_word_has_one_head_or_is_the_root():
    distances, heights = random_scores(30, 5)
    parents, root = parent_distribution(distances, heights, torch.tensor(1.0), torch.tensor(1.0))
    assert torch.all(parents >= -1e-12)
    assert torch.allclose(parents.sum(2) + root, torch.ones(2, 30, dtype=torch.float64))


def test_the_closed_form_holds_in_float32_for_long_sentences():
    distances, heights = random_scores(80, 3)
    temperature = torch.tensor(1.0)
    exact, _ = parent_distribution(distances, heights, temperature.double(), temperature.double())
    single, _ = parent_distribution(distances.float(), heights.float(), temperature, temperature)
    assert (single - exact).abs().max() < 1e-5


def test_the_gradient_of_the_closed_form_is_right():
    distances, heights = random_scores(5, 2)
    distances.requires_grad_()
    heights.requires_grad_()
    scales = torch.tensor([1.1, 0.9], dtype=torch.float64, requires_grad=True)

    def function(distances, heights, scales):
        return parent_distribution(distances, heights, scales[0], scales[1])

    assert torch.autograd.gradcheck(function, (distances, heights, scales))


def test_heights_far_apart_stay_finite():
    heights = torch.tensor([[0.0, -500.0, 300.0, -80.0]], requires_grad=True)
    distances = torch.tensor([[1.0, 90.0, -100.0, INFINITE]])
    parents, root = parent_distribution(distances, heights, torch.tensor(1.0), torch.tensor(1.0))
    parents.sum().backward()
    assert torch.isfinite(parents).all()
    assert torch.isfinite(root).all()
    assert torch.isfinite(heights.grad).all()


def cut_off_margin(tau, delta):
    """The largest margin by which a constituent short of the sentence stays under both its boundaries (A.2)."""
    T, margin = len(delta), 0.0
    for l in range(T):  # noqa: E741
        for r in range(l, T):
            if (l, r) != (0, T - 1):
                left = tau[l - 1] if l else INFINITE
                margin = max(margin, min(left, tau[r]) - max(delta[l : r + 1]))
    return margin


@pytest.mark.parametrize("T", [1, 2, 5, 9])
def test_calibration_subtracts_the_largest_margin_of_each_sentence(T):
    distances, heights = random_scores(T, 11)
    calibrated = calibrate(distances, heights)
    for b in range(2):
        margin = cut_off_margin(distances[b].tolist(), heights[b].tolist())
        assert torch.allclose(calibrated[b, : T - 1], distances[b, : T - 1] - margin)
        if T > 1:
            assert cut_off_margin([*calibrated[b, : T - 1].tolist(), INFINITE], heights[b].tolist()) < 1e-9


def test_attention_is_equation_13_to_17():
    torch.manual_seed(0)
    layer = DependencyAttentionLayer(SMALL).double().eval()
    T, D, H = 5, SMALL.hidden_size, SMALL.attention_heads
    states = torch.randn(1, T, D, dtype=torch.float64)
    parents = torch.rand(1, T, T, dtype=torch.float64)
    query, key, value = layer.query_key_value(layer.attention_norm(states))[0].split(D, dim=1)
    expected = torch.zeros(T, D, dtype=torch.float64)
    d = D // H
    for h in range(H):
        w_parent, w_dependent = layer.relation[h].exp()
        columns = slice(h * d, (h + 1) * d)
        for i in range(T):
            for j in range(T):
                p = (w_parent * parents[0, i, j] + w_dependent * parents[0, j, i]) / (w_parent + w_dependent)
                q = torch.sigmoid(query[i, columns] @ key[j, columns] / math.sqrt(d))
                expected[i, columns] += p * q * value[j, columns]
    assert torch.allclose(layer.mixed(layer.attend(states, parents))[0], layer.attention_out(expected), atol=1e-10)


def model(**changes) -> StructFormer:
    torch.manual_seed(0)
    return StructFormer(VOCABULARY, replace(SMALL, **changes)).eval()


def normed(vector):
    return (vector - vector.mean()) / (vector.var(unbiased=False) + 1e-5).sqrt()


@torch.no_grad()
def test_distances_and_heights_are_equation_1_to_3():
    parser = model().parser
    nn.init.constant_(parser.height.bias, 0.7)
    embedded = torch.randn(1, 6, SMALL.hidden_size)
    half = SMALL.convolution_width // 2
    states = list(embedded[0])
    for layer in parser.convolutions:
        kernel, bias = layer.weight, layer.bias
        padded = [torch.zeros(SMALL.hidden_size)] * half + states + [torch.zeros(SMALL.hidden_size)] * half
        states = [
            torch.tanh(normed(sum(padded[i + k] @ kernel[k] for k in range(2 * half + 1)) + bias)) for i in range(6)
        ]  # eq. 1, with layer norm (section 4.5)
    w_tau, W_tau, b_tau = parser.distance.weight[0], parser.pair.weight, parser.pair.bias
    tau = [w_tau @ torch.tanh(normed(W_tau @ torch.cat(pair) + b_tau)) for pair in pairwise(states)]  # eq. 2
    w_1, b_1, W_2, b_2 = parser.height.weight[0], parser.height.bias[0], parser.single.weight, parser.single.bias
    delta = [w_1 @ torch.tanh(normed(W_2 @ s + b_2)) + b_1 for s in states]  # eq. 3
    distances, heights = parser(embedded, torch.ones(1, 6, dtype=torch.bool))
    torch.testing.assert_close(distances[0], torch.tensor([*tau, INFINITE]))
    torch.testing.assert_close(heights[0], torch.tensor(delta))


@torch.no_grad()
@pytest.mark.parametrize("position", ["none", "learned", "sinusoid"])
def test_positions_are_added_to_the_input_of_the_encoder_alone(position):
    former, batch = model(position=position), batch_of([3, 4, 5, 3, 4, 5])
    embedded = former.embedding(batch.words)
    *_, parents, _ = former.parse(embedded, batch.present)
    states = embedded
    if position == "learned":
        states = embedded + former.position.weight[:6]
    elif position == "sinusoid":
        states = 4 * embedded + position_encoding(6, 16, embedded.device)  # √16, as in `Transformer`
    for layer in former.layers:
        states = layer(states, parents)
    torch.testing.assert_close(former.contextual(batch).states, states)


@torch.no_grad()
def test_words_beyond_the_learned_positions_have_the_last_one():
    former = model(position="learned")
    embedded = torch.zeros(1, POSITIONS + 3, SMALL.hidden_size)
    states = former.encoder_input(embedded)[0]
    torch.testing.assert_close(states[POSITIONS - 1 :], former.position.weight[-1].expand(4, -1))


@torch.no_grad()
@pytest.mark.parametrize("relations", ["parent", "dependent"])
def test_attention_to_parents_or_dependents_alone(relations):
    former, batch = model(relations=relations), batch_of([3, 4, 5, 6])
    *_, parents, _ = former.parse(former.embedding(batch.words), batch.present)
    weights, q = former.channel_weights(batch, True), former.channel_weights(batch, False)
    p = parents if relations == "parent" else parents.transpose(1, 2)
    torch.testing.assert_close(weights, p[:, None, None] * q)
    assert not any("relation" in name for name in former.state_dict())


def batch_of(*sentences: list[int], targets: bool = False) -> Batch:
    T = max(map(len, sentences))
    words = torch.tensor([[*sentence, *[0] * (T - len(sentence))] for sentence in sentences])
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    wanted = torch.where(Batch(words, lengths).present, words, IGNORED) if targets else None
    return Batch(words, lengths, wanted)


@torch.no_grad()
def test_padding_and_company_do_not_change_a_sentence():
    sentences = [[3, 4, 5, 6, 7], [8], [9, 10, 11], [5] * 40]
    inducer = model()
    together = inducer.induce(batch_of(*sentences))
    for row, sentence in enumerate(sentences):
        T = len(sentence)
        alone = inducer.induce(batch_of(sentence))
        assert torch.allclose(together.distances[row, : T - 1], alone.distances[0], atol=1e-5)
        assert torch.allclose(together.heights[row, :T], alone.heights[0], atol=1e-5)
        assert torch.allclose(together.head_scores[row, :T, :T].exp(), alone.head_scores[0].exp(), atol=1e-5)


@torch.no_grad()
def test_the_loss_of_a_batch_is_the_sum_over_its_sentences():
    sentences = [[3, 4, 5, 6, 7], [8, 9], [9, 10, 11]]
    inducer = model()
    together = inducer.loss(batch_of(*sentences, targets=True))
    alone = [inducer.loss(batch_of(sentence, targets=True)) for sentence in sentences]
    assert together.predictions == sum(loss.predictions for loss in alone) == 10
    assert together.total.item() == pytest.approx(sum(loss.total.item() for loss in alone), rel=1e-4)


@torch.no_grad()
def test_distances_and_heights_are_the_same_without_heads():
    inducer, batch = model(), batch_of([3, 4, 5, 6, 7, 8], [3, 5, 4])
    nn.init.constant_(inducer.parser.height.bias, -1.0)  # so that distances are lowered
    full, light = inducer.induce(batch), inducer.induce(batch, heads=False)
    assert light.head_scores is None
    assert torch.equal(full.distances, light.distances)
    assert torch.equal(full.heights, light.heights)


@pytest.mark.parametrize("changes", [{}, {"position": "learned"}, {"relations": "parent", "position": "sinusoid"}])
def test_every_parameter_learns(changes):
    inducer = model(**changes).train()
    loss = inducer.loss(batch_of([3, 4, 5, 6, 7], [8, 9, 10], targets=True))
    loss.total.backward()
    without = {name for name, p in inducer.named_parameters() if p.grad is None or not p.grad.abs().sum() > 0}
    # Where calibration lowers the distances, all heights may rise by as much, and nothing changes.
    assert without <= {"parser.height.bias"}


def test_the_bias_of_heights_learns_where_no_constituent_is_cut_off():
    inducer = model().train()
    nn.init.constant_(inducer.parser.height.bias, 2.0)
    inducer.loss(batch_of([3, 4, 5, 6, 7], targets=True)).total.backward()
    assert inducer.parser.height.bias.grad.abs() > 0


def test_messages_by_the_channel_weights_give_the_contextual_states():
    torch.manual_seed(3)
    former, batch = model().eval(), Batch(torch.randint(4, 20, (2, 5)), torch.tensor([5, 3]))
    weights, q = former.channel_weights(batch, True), former.channel_weights(batch, False)
    states = states_by_messages(former.layers, former.embedding(batch.words), weights)
    torch.testing.assert_close(states[0], former.contextual(batch).states[0])
    *_, parents, _ = former.parse(former.embedding(batch.words), batch.present)
    for number, layer in enumerate(former.layers):
        for head, (parent, dependent) in enumerate(torch.softmax(layer.relation, 1)):
            p = parent * parents + dependent * parents.transpose(1, 2)  # eq. 15
            torch.testing.assert_close(weights[:, number, head], p * q[:, number, head])


def test_shares_of_the_parent_are_those_of_equation_14():
    former = model()
    shares = former.parent_shares()
    for layer, heads in zip(former.layers, shares, strict=True):
        expected = [float(w[0].exp() / w.exp().sum()) for w in layer.relation.detach()]
        assert heads == pytest.approx(expected)
    assert model(relations="dependent").parent_shares() == [[0.0] * 4] * 2
