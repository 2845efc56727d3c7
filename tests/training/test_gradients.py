"""However a batch is divided, its gradient is the one of the batch at once."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from synparse.inducers.batch import IGNORED, Batch, Candidates, Loss, predictions_of
from synparse.training.distribution import Workers
from synparse.training.gradients import add_gradients, rows_of

CPU = torch.device("cpu")
B, T, V = 7, 4, 5


class Model(nn.Module):
    """Predicts words from the word and the state of its row; its penalty is a mean over the rows."""

    def __init__(self):
        super().__init__()
        generator = torch.Generator().manual_seed(1)
        self.weight = nn.Parameter(torch.randn(V, V, generator=generator, dtype=torch.float64))

    def loss(self, batch):
        logits = self.weight[batch.words]
        if batch.state is not None:
            logits = logits + batch.state[0][:, None]
        total = functional.cross_entropy(logits.flatten(0, 1), batch.targets.flatten(), reduction="sum")
        penalty = logits.square().mean()
        state = (logits[:, -1].detach(), (batch.lengths.double(),))
        return Loss(total, predictions_of(batch), penalty, state)


@pytest.fixture
def batch():
    generator = torch.Generator().manual_seed(2)
    words = torch.randint(V, (B, T), generator=generator)
    targets = torch.randint(V, (B, T), generator=generator)
    targets[torch.rand(B, T, generator=generator) < 0.4] = IGNORED
    state = (torch.randn(B, V, generator=generator, dtype=torch.float64),)
    return Batch(words, torch.arange(1, B + 1), targets, state)


def computed(batch, workers=Workers(), parts=1):  # noqa: B008 - a value
    model = Model()
    if batch.state is not None:  # a state is of the rows of the process alone
        batch = batch._replace(state=(batch.state[0][workers.rank :: workers.size],))
    batch_loss = add_gradients(model.loss, batch, workers, CPU, parts)
    return batch_loss, model.weight.grad


def test_the_gradient_is_that_of_the_loss(batch):
    """Central differences, in float64, of total / predictions + penalty."""
    batch_loss, gradient = computed(batch)
    model, width = Model(), 1e-6
    for i in range(V):
        for j in range(V):
            values = []
            for change in (-width, width):
                with torch.no_grad():
                    model.weight[i, j] += change
                    loss = model.loss(batch)
                    model.weight[i, j] -= change
                values.append(float(loss.total / predictions_of(batch) + loss.penalty))
            assert float(gradient[i, j]) == pytest.approx((values[1] - values[0]) / (2 * width), abs=1e-7)
    assert batch_loss.total == pytest.approx(float(model.loss(batch).total.detach()), abs=1e-12)
    assert batch_loss.predictions == int((batch.targets != IGNORED).sum())


@pytest.mark.parametrize("parts", [2, 3, B, B + 5])
def test_parts_make_the_whole(batch, parts):
    whole, gradient = computed(batch)
    batch_loss, same = computed(batch, parts=parts)
    torch.testing.assert_close(same, gradient, rtol=1e-12, atol=1e-14)
    assert (batch_loss.total, batch_loss.predictions) == (pytest.approx(whole.total), whole.predictions)
    assert torch.equal(batch_loss.state[0], whole.state[0])
    assert torch.equal(batch_loss.state[1][0], whole.state[1][0])


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("size", [2, 3, B])
def test_the_gradients_of_the_processes_sum_to_the_whole(batch, size, parts):
    whole, gradient = computed(batch)
    each = [computed(batch, Workers(rank, size), parts) for rank in range(size)]
    torch.testing.assert_close(sum(process_gradient for _, process_gradient in each), gradient, rtol=1e-12, atol=1e-14)
    assert sum(batch_loss.total for batch_loss, _ in each) == pytest.approx(whole.total)
    for rank, (batch_loss, _) in enumerate(each):
        assert batch_loss.predictions == whole.predictions
        assert torch.equal(batch_loss.state[0], whole.state[0][rank::size])


def test_a_batch_without_predictions_adds_nothing(batch):
    batch_loss, gradient = computed(batch._replace(targets=torch.full((B, T), IGNORED)))
    assert (batch_loss.total, batch_loss.predictions, gradient) == (0.0, 0, None)


def test_rows_keep_the_candidates_of_the_whole_batch(batch):
    candidates = Candidates(torch.arange(3), torch.zeros(3))
    some = rows_of(batch._replace(candidates=candidates), slice(1, None, 3))
    assert torch.equal(some.words, batch.words[[1, 4]])
    assert torch.equal(some.state[0], batch.state[0][[1, 4]])
    assert some.candidates is candidates
    assert some.brackets is None


def test_a_process_without_rows_adds_nothing(batch):
    one_row = rows_of(batch._replace(state=None), slice(0, 1))
    _, gradient = computed(one_row)
    ours, others = (computed(one_row, Workers(rank, 2, CPU)) for rank in (0, 1))
    torch.testing.assert_close(ours[1] + others[1], gradient, rtol=1e-12, atol=1e-14)
    assert others[0].total == 0
