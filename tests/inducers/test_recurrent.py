import math

import pytest
import torch

from synparse.inducers.batch import IGNORED, Batch
from synparse.inducers.configurations import LstmConfig, OnLstmConfig
from synparse.inducers.lstm import Lstm
from synparse.inducers.on_lstm import OnLstm

SIZES = {"embedding_size": 8, "hidden_size": 12, "layers": 2}
WITHOUT_DROPOUT = dict.fromkeys(
    ["embedding_dropout", "input_dropout", "hidden_dropout", "output_dropout", "recurrent_dropout"], 0.0
)


@pytest.fixture(params=["lstm", "on-lstm"])
def model(request):
    torch.manual_seed(1)
    if request.param == "lstm":
        return Lstm(15, LstmConfig(**SIZES, **WITHOUT_DROPOUT)).eval()
    return OnLstm(15, OnLstmConfig(**SIZES, **WITHOUT_DROPOUT, chunk_size=4)).eval()


def stream(words):
    """All words of a stream but the first are to be predicted."""
    words = torch.tensor([words])
    return Batch(words[:, :-1], torch.tensor([words.shape[1] - 1]), words[:, 1:])


def test_the_state_after_a_segment_makes_the_next_one_a_continuation(model):
    words = [3, 5, 7, 3, 9, 11, 3]
    whole, _ = model.log_likelihoods(stream(words))
    first, state = model.log_likelihoods(stream(words[:4]))
    second, _ = model.log_likelihoods(stream(words[3:])._replace(state=state))
    torch.testing.assert_close(torch.cat([first, second]), whole)


@torch.no_grad()
def test_log_likelihoods_are_those_of_a_softmax_over_all_words(model):
    batch = stream([3, 5, 7, 9])
    states = model.contextual(batch).states[0]
    for position, log_likelihood in enumerate(model.log_likelihoods(batch)[0]):
        scores = [
            float(states[position] @ word + bias)
            for word, bias in zip(model.embedding.weight, model.output_bias, strict=True)
        ]
        target = int(batch.targets[0, position])
        expected = scores[target] - math.log(sum(math.exp(score) for score in scores))
        assert float(log_likelihood) == pytest.approx(expected, abs=1e-5)


def test_the_loss_is_the_sum_of_the_log_likelihoods(model):
    batch = stream([3, 5, 7, 9, 3])
    batch = batch._replace(targets=batch.targets.masked_fill(torch.tensor([[True, False, False, False]]), IGNORED))
    log_likelihoods, _ = model.log_likelihoods(batch)
    assert len(log_likelihoods) == 3
    torch.testing.assert_close(model.loss(batch).total, -log_likelihoods.sum())
