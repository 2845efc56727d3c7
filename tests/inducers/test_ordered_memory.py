"""Ordered Memory against a literal transcription of its equations, and its trees against those of the actions."""

import itertools
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from synparse.inducers.batch import IGNORED, SENTENCE_START, Batch
from synparse.inducers.ordered_memory import (
    MemoryAttention,
    OrderedMemory,
    OrderedMemoryConfig,
    OrderedMemoryInducer,
    RnnCell,
    action_distances,
    ordered_memory_step,
)
from synparse.trees.distances import unbiased_spans
from tests.inducers.claims import check_noise_in_training_alone, check_state_makes_two_segments_one
from tests.trees.binary_trees import all_binary_sets

VOCABULARY = 20
SMALL = OrderedMemoryConfig(
    hidden_size=6, slots=4, dropout=0.0, output_dropout=0.0, attention_dropout=0.0, cell_dropout=0.0
)


def sharpened(model, factor=3.0):
    """Away from the start, where all slots are much alike."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" not in name:
                parameter.mul_(factor)
    return model


@pytest.fixture(params=[{}, {"attention": "published"}, {"cell": "rnn"}], ids=["released", "published", "rnn"])
def memory(request):
    torch.manual_seed(0)
    return sharpened(OrderedMemory(5, replace(SMALL, **request.param)))


def layer_norm(norm, x):
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.square().mean(-1, keepdim=True) + norm.eps).sqrt() * norm.weight + norm.bias


def literal_attention(attention, word, candidate):
    """αⁱ: equation 8, or that of the authors' code."""
    if attention.is_published:
        W1 = torch.cat([attention.key.weight, attention.query.weight], 1)
        return attention.score @ torch.tanh(W1 @ torch.cat([candidate, word]) + attention.query.bias) / len(W1) ** 0.5
    query = layer_norm(attention.query_norm, attention.query.weight @ word + attention.query.bias)
    key = layer_norm(attention.key_norm, attention.key.weight @ candidate + attention.key.bias)
    return attention.score @ torch.relu(query + key) / len(word) ** 0.5


def literal_cell(model, memory, candidate):
    """oⁱ: equations 12 and 13, or the cell of a recursive network."""
    cell = model.cell
    if isinstance(cell, RnnCell):
        return torch.tanh(cell.both.weight @ torch.cat([memory, candidate]) + cell.both.bias)
    W1 = torch.cat([cell.of_candidate.weight, cell.of_memory.weight], 1)
    inner = torch.relu(W1 @ torch.cat([candidate, memory]) + cell.of_memory.bias)
    v, r, c, u = (cell.gates.weight @ inner + cell.gates.bias).view(4, len(memory))
    return layer_norm(model.norm, torch.sigmoid(v) * candidate + torch.sigmoid(r) * memory + torch.sigmoid(c) * u)


def literal(model, inputs):
    """Algorithm 1 for one sentence [T, D_in], all N slots at every word: the outputs M̂ᴺ [T, D] and p [T, N]."""
    attention, N = model.attention, model.slots
    D = len(model.word.weight)
    M = inputs.new_zeros(N, D)
    M_hat = inputs.new_zeros(N, D)
    occupied = inputs.new_zeros(N)
    outputs, distributions = [], []
    for x in inputs:
        word = layer_norm(model.norm, model.word.weight @ x + model.word.bias)
        alpha = torch.stack([literal_attention(attention, word, M_hat[i]) for i in range(N)])
        beta = torch.exp(alpha - alpha.max())
        shifted = [*occupied[1:], torch.tensor(1.0, dtype=inputs.dtype)]
        masked = [beta[i] * shifted[i] for i in range(N)]
        p = [value / sum(masked) for value in masked]
        forward = [sum(p[: i + 1]) for i in range(N)]
        backward = [sum(p[i:]) for i in range(N)]
        M = torch.stack([M[i] * (1 - backward[i]) + M_hat[i] * backward[i] for i in range(N)])
        below, new = word, []
        for i in range(N):
            out = literal_cell(model, M[i], below)
            below = word * (1 - forward[i]) + out * forward[i]
            new.append(below)
        M_hat, occupied = torch.stack(new), torch.stack(forward)
        outputs.append(below)
        distributions.append(torch.stack(p))
    return torch.stack(outputs), torch.stack(distributions)


def by_the_paper(model, inputs):
    """`ordered_memory_step` for each word of inputs [T, B, D_in]: the outputs M̂ᴺ [T, B, D] and p [T, N, B]."""
    B, D = inputs.shape[1], len(model.word.weight)
    state = [inputs.new_zeros(model.slots, B, *size) for size in ((D,), (D,), ())]
    outputs, distributions = [], []
    for x in inputs:
        *state, p = ordered_memory_step(model, x, *state)
        outputs.append(state[1][-1])
        distributions.append(p)
    return torch.stack(outputs), torch.stack(distributions)


def test_a_step_is_the_transcription(memory):
    memory.double()
    inputs = torch.randn(6, 2, 5, dtype=torch.float64)
    outputs, p = by_the_paper(memory, inputs)
    for row in range(2):
        expected = literal(memory, inputs[:, row])
        torch.testing.assert_close(outputs[:, row], expected[0])
        torch.testing.assert_close(p[:, :, row], expected[1])


def test_attention_that_is_sure_of_a_slot_that_is_shut_gives_numbers(memory):
    with torch.no_grad():
        memory.attention.score.mul_(1e4)
    inputs = torch.randn(12, 3, 5, requires_grad=True)
    outputs = memory(inputs).outputs
    outputs.square().sum().backward()
    assert outputs.isfinite().all()
    assert inputs.grad.isfinite().all()


def shift_reduce(slots_attended):
    """Algorithm 2 for one sentence: the spans of the tree."""
    stack, spans = [(0, 1)], set()

    def reduce():
        right, left = stack.pop(), stack.pop()
        stack.append((left[0], right[1]))
        spans.add(stack[-1])

    head = slots_attended[0] - 1
    for word, slot in enumerate(slots_attended[1:], 1):
        for _ in range(slot - head):
            if len(stack) > 1:
                reduce()
        stack.append((word, word + 1))
        head = slot - 1
    while len(stack) > 1:
        reduce()
    return spans or {(0, 1)}


def spans_of(attended, slots):
    distances = action_distances(torch.tensor(attended)[:, None], slots)
    assert distances.shape == (1, len(attended) - 1)
    return set(unbiased_spans(distances[0].tolist()))


@pytest.mark.parametrize("slots", [1, 3, 4])
def test_distances_give_the_tree_of_algorithm_2_for_every_sequence_of_slots(slots):
    for T in range(1, 6):
        for later in itertools.product(range(1, slots + 1), repeat=T - 1):
            attended = (slots, *later)
            assert spans_of(attended, slots) == shift_reduce(attended)


@given(st.integers(1, 30), st.data())
def test_distances_give_the_tree_of_algorithm_2_for_long_sentences(slots, data):
    later = data.draw(st.lists(st.integers(1, slots), max_size=40))
    assert spans_of((slots, *later), slots) == shift_reduce((slots, *later))


def slots_of(spans, count, slots):
    """The slots that a memory attends which builds this tree: each word completes what ends before it."""
    attended = [slots]
    for word in range(1, count):
        complete = sum(end == word for _, end in spans)
        attended.append(attended[-1] - 1 + complete)
    return attended


@pytest.mark.parametrize("count", range(2, 7))
def test_every_binary_tree_has_its_slots_and_comes_back_from_the_distances(count):
    trees = all_binary_sets(count)
    assert len(trees) == [1, 2, 5, 14, 42][count - 2]
    for spans in trees:
        attended = slots_of(spans, count, slots=count)
        assert min(attended) >= 1
        assert spans_of(attended, slots=count) == spans


@pytest.fixture
def model():
    torch.manual_seed(0)
    return sharpened(OrderedMemoryInducer(VOCABULARY, SMALL))


def segment(T=7, B=2, seed=0):
    generator = torch.Generator().manual_seed(seed)
    stream = torch.randint(SENTENCE_START + 1, VOCABULARY, (B, T + 1), generator=generator)
    stream[:, 0] = SENTENCE_START
    stream[1, 3] = SENTENCE_START
    return Batch(stream[:, :-1], torch.full((B,), T), stream[:, 1:])


def test_the_loss_is_that_of_each_sentence_alone(model):
    batch = segment()
    expected = 0.0
    for row, bounds in ((0, (0, 7)), (1, (0, 3)), (1, (3, 7))):
        part = slice(*bounds)
        last, _ = literal(model.memory, model.embedding.weight[batch.words[row, part]])
        log_p = torch.log_softmax(last @ model.embedding.weight.t() + model.output_bias, -1)
        expected -= log_p.gather(1, batch.targets[row, part, None]).sum()
    loss = model.loss(batch)
    torch.testing.assert_close(loss.total, expected, atol=1e-4, rtol=1e-5)
    assert loss.predictions == batch.words.numel()


def test_state_makes_two_segments_one_loss(model):
    state = check_state_makes_two_segments_one(model, segment(T=8))
    assert not any(tensor.requires_grad for tensor in state)


def test_the_state_has_a_row_for_each_stream_and_one_shape_whatever_is_open(model):
    batch = segment()
    state = model.loss(batch).state
    for tensor, shape in zip(state, ((2, 6), (2, 4, 6), (2, 4, 6), (2, 4)), strict=True):
        assert tensor.shape == shape
    for row in range(2):
        part = Batch(batch.words[row : row + 1], batch.lengths[:1], batch.targets[row : row + 1])
        after = part._replace(state=tuple(tensor[row : row + 1] for tensor in state))
        alone = model.loss(part._replace(state=model.loss(part).state))
        torch.testing.assert_close(model.loss(after).total, alone.total, atol=1e-4, rtol=1e-5)
    short = model.loss(Batch(batch.words[:, :1], torch.ones(2), batch.targets[:, :1]))
    assert [tensor.shape for tensor in short.state] == [tensor.shape for tensor in state]


def test_positions_without_a_target_do_not_count(model):
    batch = segment()
    targets = batch.targets.clone()
    targets[1, 4:] = IGNORED
    assert model.loss(batch._replace(targets=targets)).predictions == 11


def test_a_sentence_is_induced_as_it_is_read_in_training(model):
    words = [SENTENCE_START, 5, 6, 7, 8, 9]
    _, p = literal(model.memory, model.embedding.weight[words])
    tree = shift_reduce([int(slot) + 1 for slot in p.argmax(1)])
    without_start = {(start - 1, end - 1) for start, end in tree if start > 0} | {(0, 5)}
    without_start |= {(0, end - 1) for start, end in tree if start == 0 and end > 2}
    induction = model.induce(Batch(torch.tensor([words[1:]]), torch.tensor([5])))
    assert set(unbiased_spans(induction.distances[0].tolist())) == without_start
    assert induction.head_scores is None


def test_padding_does_not_change_distances(model):
    together = torch.tensor([[5, 6, 7, 8, 9], [10, 11, 12, 0, 0]])
    both = model.induce(Batch(together, torch.tensor([5, 3]))).distances
    alone = model.induce(Batch(together[1:, :3], torch.tensor([3]))).distances
    assert both[1, :2].tolist() == alone[0].tolist()


def test_one_word_has_no_distances(model):
    assert model.induce(Batch(torch.tensor([[5], [6]]), torch.tensor([1, 1]))).distances.shape == (2, 0)


@pytest.mark.parametrize("name", ["dropout", "output_dropout", "attention_dropout", "cell_dropout", "attention_noise"])
def test_dropout_and_noise_act_in_training_alone(name):
    torch.manual_seed(0)
    model = OrderedMemoryInducer(VOCABULARY, replace(SMALL, **{name: 0.5}))
    check_noise_in_training_alone(model, segment())


def test_noise_has_the_deviation_that_is_asked_for():
    torch.manual_seed(0)
    quiet, noisy = (MemoryAttention(replace(SMALL, attention_noise=noise)) for noise in (0.0, 3.0))
    noisy.load_state_dict(quiet.state_dict())
    query, candidates = torch.randn(2000, 6), torch.randn(5, 2000, 6)
    noise = noisy(query, candidates) - quiet(query, candidates)
    assert noise.mean().abs() < 0.1
    assert (noise.std() - 3.0).abs() < 0.1
    assert torch.equal(noisy.eval()(query, candidates), quiet(query, candidates))


def test_matrices_are_counted_without_the_embedding(model):
    D = SMALL.hidden_size
    assert model.matrix_parameters() == 3 * D * D + 2 * 4 * D * D + 16 * D * D
