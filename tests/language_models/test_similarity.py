"""Sentence vectors and their cosines, against a sentence at a time; what is left to learn; pairs in batches."""

import contextlib

import pytest
import torch

from synparse.corpora.vocabulary import END_INDEX, UNKNOWN_INDEX
from synparse.inducers.batch import IGNORED, Batch, predictions_of
from synparse.language_models.loading import kinds, load_language_model
from synparse.language_models.similarity import (
    BATCH,
    CodedPairs,
    Scoring,
    coded,
    compared,
    similarity_of,
)
from synparse.language_models.tuning_recipe import TuningTraining
from synparse.scoring.correlation import spearman
from synparse.trees.errors import SettingError
from tests.untrained import untrained

CPU = torch.device("cpu")
WORDS = "a b c d e f g h"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Untrained models, by kind."""
    path = tmp_path_factory.mktemp("models")
    for kind in kinds():
        untrained(path / kind, kind, WORDS)
    return path


@pytest.fixture(params=kinds())
def model(request, folder):
    return load_language_model(str(folder / request.param))


PAIRS = [("a b c", "a b d e"), ("f", "g h a"), ("h g f e d c b a", "a"), ("zzz", "."), ("a b c", "a b c")]
SCORES = [4.0, 0.0, 1.0, 2.5, 5.0]


def coded_of(model, pairs=PAIRS, scores=SCORES):
    return coded([(first.split(), second.split()) for first, second in pairs], scores, model)


@torch.no_grad()
def vector(model, words):
    """The mean state of a sentence, alone."""
    before = [END_INDEX] if model.objective == "next-word" else []
    batch = Batch(torch.tensor([[*before, *words]]), torch.tensor([len(before) + len(words)]))
    states = model.network.last_layer(model.network.contextual(batch).states)
    return states[0, len(before) :].mean(0)


def test_a_cosine_is_that_of_the_mean_states_of_each_sentence_alone(model):
    pairs = coded_of(model)
    assert pairs.words[3] == ([UNKNOWN_INDEX], [UNKNOWN_INDEX])  # an unknown word; no word at all
    found = compared(pairs, similarity_of(model).eval(), CPU)
    for (first, second), value in zip(pairs.words, found, strict=True):
        expected = torch.cosine_similarity(vector(model, first), vector(model, second), dim=0)
        assert value == pytest.approx(expected.item(), abs=1e-5)
    assert found[-1] == pytest.approx(1)


def test_the_loss_is_the_squared_difference_to_the_scaled_score(folder):
    model = load_language_model(str(folder / "udgn"))
    pairs, similarity = coded_of(model), similarity_of(model).eval()
    batch = pairs.batch(range(5))
    torch.testing.assert_close(batch.targets, torch.tensor([0.8, 0.0, 0.2, 0.5, 1.0]))
    expected = (torch.tensor(compared(pairs, similarity, CPU)) - batch.targets).square()
    loss = similarity.loss(batch)
    torch.testing.assert_close(loss.total, expected.sum())
    assert loss.predictions == predictions_of(batch) == 5
    some = batch._replace(targets=torch.tensor([0.8, IGNORED, IGNORED, IGNORED, 1.0]))
    torch.testing.assert_close(similarity.loss(some).total, expected[[0, 4]].sum())
    assert predictions_of(some) == 2


def test_a_frozen_parser_does_not_learn_and_the_rest_does(folder):
    for kind, frozen in {"udgn": ("parser.",), "structformer": ("embedding.", "parser.", "log_scales")}.items():
        model = load_language_model(str(folder / kind))
        similarity = similarity_of(model, freeze_parser=True)
        similarity.loss(coded_of(model).batch(range(5))).total.backward()
        for name, parameter in model.network.named_parameters():
            learns = not name.startswith(frozen) and name != "output_bias"
            assert (parameter.grad is not None and parameter.grad.abs().sum() > 0) == learns, name


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("transformer", "transformer has no parser"),
        ("lstm", "lstm has no parser"),
        ("on-lstm", "nothing of on-lstm is left to tune"),
        ("ordered-memory", "nothing of ordered-memory is left to tune"),
    ],
)
def test_models_without_a_parser_apart_say_so(folder, kind, message):
    with pytest.raises(SettingError, match=message):
        similarity_of(load_language_model(str(folder / kind)), freeze_parser=True)


def test_pairs_are_compared_in_their_order_over_several_batches():
    lengths = [(number * 7) % 11 + 1 for number in range(BATCH + 40)]
    pairs = CodedPairs([([4] * length, [5]) for length in lengths], [0.0] * len(lengths))
    sizes = []

    def compare(batch):
        sizes.append(len(batch.words))
        return batch.lengths[:, 0].float()

    assert compared(pairs, compare, CPU) == lengths
    assert sizes == [BATCH, 40]


def test_an_epoch_has_every_pair_once_and_another_order_each_time():
    pairs = CodedPairs([([4 + n], [4 + n] * (n % 5 + 1)) for n in range(50)], [float(n % 6) for n in range(50)])
    scoring = Scoring(TuningTraining(batch_size=8), pairs, pairs)
    assert scoring.batches_per_epoch == 7

    def words(epoch):
        return [word for one in epoch for word in one.batch.words[:, 0, 0].tolist()]

    epochs = scoring.epochs(seed=1, first=1)
    first, second = words(next(epochs)), words(next(epochs))
    assert sorted(first) == sorted(second) == list(range(4, 54))
    assert first != second == words(next(scoring.epochs(seed=1, first=2)))
    assert sum(one.words for one in next(scoring.epochs(1, 1))) == sum(map(len, sum(pairs.words, ())))


def test_validation_is_spearman_s_correlation(folder):
    model = load_language_model(str(folder / "udgn"))
    pairs = coded_of(model)
    similarity = similarity_of(model).eval()
    found = Scoring(TuningTraining(), pairs, pairs).score(similarity, CPU, contextlib.nullcontext)
    assert found == spearman(compared(pairs, similarity, CPU), SCORES)
    equal = Scoring(TuningTraining(), pairs, pairs).score(
        lambda batch: torch.ones(len(batch.words)), CPU, contextlib.nullcontext
    )
    assert equal == 0.0
