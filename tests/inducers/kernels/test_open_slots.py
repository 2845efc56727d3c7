"""The recurrence over open slots against the paper's, in all slots."""

from dataclasses import replace

import pytest
import torch

from synparse.inducers.ordered_memory import OrderedMemory
from tests.inducers.test_ordered_memory import SMALL, by_the_paper, sharpened


@pytest.fixture
def memory():
    torch.manual_seed(0)
    return sharpened(OrderedMemory(5, SMALL))


@pytest.mark.parametrize("slots", [1, 3, 8])
@pytest.mark.parametrize(("factor", "dtype"), [(1.0, torch.float32), (3.0, torch.float32), (20.0, torch.float64)])
def test_the_kernels_compute_the_paper(slots, factor, dtype):
    torch.manual_seed(0)  # large weights make large numbers of rounding, so these are tried in float64
    model = sharpened(OrderedMemory(5, replace(SMALL, slots=slots)), factor).to(dtype)
    inputs = torch.randn(6, 2, 5, dtype=dtype)
    reading = model(inputs)
    outputs, p = by_the_paper(model, inputs)
    torch.testing.assert_close(reading.outputs, outputs, atol=1e-5, rtol=1e-5)
    assert torch.equal(reading.attended, p.argmax(1) + 1)


def test_gradients_are_those_of_the_paper(memory):
    memory.double()
    inputs = torch.randn(5, 2, 5, dtype=torch.float64, requires_grad=True)
    given = [inputs, *memory.parameters()]
    weights = torch.randn(5, 2, 6, dtype=torch.float64)
    ours = torch.autograd.grad((memory(inputs).outputs * weights).sum(), given)
    plain, _ = by_the_paper(memory, inputs)
    for gradient, expected in zip(ours, torch.autograd.grad((plain * weights).sum(), given), strict=True):
        torch.testing.assert_close(gradient, expected, atol=1e-9, rtol=1e-6)


def test_closed_slots_are_not_computed(memory, monkeypatch):
    def attended(bottom):
        """How many slots are attended at each word, where the bottom of the stack has this logit."""
        sizes = []

        def logits(_, candidates):
            sizes.append(len(candidates))
            return torch.tensor([*[0.0] * (len(candidates) - 1), bottom])[:, None].expand(-1, 2)

        monkeypatch.setattr(memory.attention, "forward", logits)
        memory(torch.randn(9, 2, 5))
        return sizes

    assert attended(0.0) == [1, 2, 3, 4, 4, 4, 4, 4, 4]
    assert attended(50.0) == [1, 2, 2, 2, 2, 2, 2, 2, 2]  # every word completes all there is


def test_memory_makes_two_segments_one(memory):
    inputs = torch.randn(8, 2, 5)
    whole = memory(inputs)
    first = memory(inputs[:3])
    second = memory(inputs[3:], first.memory)
    torch.testing.assert_close(torch.cat([first.outputs, second.outputs]), whole.outputs)


def test_a_sentence_begins_with_an_empty_memory(memory):
    inputs = torch.randn(8, 2, 5)
    begins = torch.zeros(8, 2, dtype=torch.bool)
    begins[5, 1] = True
    reading = memory(inputs, begins=begins)
    torch.testing.assert_close(reading.outputs[:, 0], memory(inputs).outputs[:, 0])
    torch.testing.assert_close(reading.outputs[5:, 1], memory(inputs[5:]).outputs[:, 1])


def test_sentences_that_are_over_are_left_alone(memory):
    inputs = torch.randn(6, 3, 5)
    whole, cut = memory(inputs), memory(inputs, lengths=[6, 4, 1])
    for row, length in enumerate([6, 4, 1]):
        torch.testing.assert_close(cut.outputs[:length, row], whole.outputs[:length, row])
        assert torch.equal(cut.attended[:length, row], whole.attended[:length, row])
        assert not cut.outputs[length:, row].any()
    assert cut.memory.leaf.shape == (1, 6)
