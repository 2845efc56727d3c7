from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from synparse.config.training import GuidedTraining, MaskedTraining, StreamTraining, TreeTraining
from synparse.corpora.batches import Piece
from synparse.corpora.cache import TokenCache
from synparse.corpora.vocabulary import MASK_INDEX, UNKNOWN_INDEX
from synparse.inducers.batch import IGNORED, predictions_of
from synparse.training.objectives import (
    held_out_batches,
    mask_words,
    objective_of,
    sentence_batches,
    stream_batches,
    tree_batch,
)


def masked(rate, seed=0, size=(200, 50)):
    words = torch.randint(UNKNOWN_INDEX, 30, size, generator=torch.Generator().manual_seed(1))
    words[words == MASK_INDEX] = 5
    lengths = torch.randint(1, size[1] + 1, (size[0],), generator=torch.Generator().manual_seed(2))
    return words, mask_words(words, lengths, rate, torch.Generator().manual_seed(seed))


def test_masked_words_are_the_targets_and_the_others_stay():
    words, batch = masked(0.3)
    chosen = batch.targets != IGNORED
    assert torch.equal(batch.words[~chosen], words[~chosen])
    assert torch.equal(batch.targets[chosen], words[chosen])
    assert (batch.words[chosen] == MASK_INDEX).all()


def test_unknown_words_and_padding_are_never_masked():
    words, batch = masked(0.9)
    chosen = batch.targets != IGNORED
    assert not (chosen & ~batch.present).any()
    assert not (chosen & (words == UNKNOWN_INDEX)).any()


def test_the_rate_is_that_of_known_words():
    words, batch = masked(0.3)
    known = batch.present & (words != UNKNOWN_INDEX)
    fraction = (batch.targets != IGNORED).sum() / known.sum()
    assert abs(fraction - 0.3) < 0.02


def test_a_batch_always_has_something_to_predict_if_it_can():
    words, lengths = torch.tensor([[5]]), torch.tensor([1])
    batch = mask_words(words, lengths, 1e-9, torch.Generator().manual_seed(0))
    assert batch.targets.tolist() == [[5]]
    nothing = mask_words(torch.tensor([[UNKNOWN_INDEX]]), lengths, 0.9, torch.Generator().manual_seed(0))
    assert nothing.targets.tolist() == [[IGNORED]]


def test_classes_of_unknown_words_are_never_masked_and_change_no_other_mask():
    words, lengths = torch.randint(4, 30, (50, 20)), torch.full((50,), 20)
    as_unknown = words.masked_fill(words >= 25, UNKNOWN_INDEX)
    plain, classed = (
        mask_words(read, lengths, 0.5, torch.Generator().manual_seed(0), first_class=25) for read in (as_unknown, words)
    )
    assert torch.equal(classed.targets, plain.targets)
    assert torch.equal(classed.words, torch.where(words >= 25, words, plain.words))
    only_classes = mask_words(torch.tensor([[25, 26]]), torch.tensor([2]), 0.9, torch.Generator(), first_class=25)
    assert only_classes.targets.tolist() == [[IGNORED, IGNORED]]


@pytest.fixture
def corpus():
    return TokenCache(np.arange(4, 4 + 3000, dtype=np.int32) % 90 + 4, np.arange(0, 3001, 10))


def test_a_stream_gives_the_next_word_and_varies_its_segments(corpus):
    config = StreamTraining(streams=3, bptt=20)
    batches = list(stream_batches(config, corpus, seed=1, epoch=1))
    for training_batch in batches[:-1]:
        words, targets = training_batch.batch.words, training_batch.batch.targets
        assert torch.equal(words[:, 1:], targets[:, :-1])
        assert training_batch.rate_factor == words.shape[1] / 20
    widths = [training_batch.batch.words.shape[1] for training_batch in batches]
    assert len(set(widths)) > 3
    assert 15 < sum(widths) / len(widths) < 25
    assert sum(training_batch.words for training_batch in batches) == corpus.words + len(corpus)
    objective = objective_of(config, SimpleNamespace(train=corpus, valid=corpus, vocabulary=range(99)))
    assert len(batches) == pytest.approx(objective.batches_per_epoch, rel=0.2)


def test_sentences_have_as_many_batches_as_are_reckoned_with():
    offsets = np.cumsum([0, *np.random.default_rng(0).integers(1, 60, 2000)])
    corpus = TokenCache(np.full(offsets[-1], 5, np.int32), offsets)
    config = MaskedTraining(batch_tokens=512)
    objective = objective_of(config, SimpleNamespace(train=corpus, valid=corpus, vocabulary=range(99)))
    batches = list(sentence_batches(config, corpus, seed=1, epoch=3))
    assert len(batches) == pytest.approx(objective.batches_per_epoch, rel=0.02)
    assert len(batches) > 1.02 * corpus.words / 512


@pytest.fixture
def treed():
    """((a b) c), headed by b, and d … i, each but d headed by the one before, with one constituent (g h i)."""
    first = [[1, 0, 2], [1, 0, 3], [1, -1, -1]]
    second = [[0, -1, -1], [0, -1, -1], [1, -1, -1], [2, 3, 6], [3, 3, 6], [4, -1, -1]]
    return TokenCache(np.arange(4, 13, dtype=np.int32), np.array([0, 3, 9]), trees=np.array(first + second, np.int32))


def test_a_batch_has_the_trees_of_its_pieces(treed):
    batch = tree_batch(treed, [Piece(0, 0, 3), Piece(1, 2, 6)])
    assert batch.words.tolist() == [[4, 5, 6, 0], [9, 10, 11, 12]]
    assert batch.targets.tolist() == [[1, 1, 1, IGNORED], [IGNORED, 0, 1, 2]]
    none = [IGNORED, IGNORED]
    assert batch.brackets.tolist() == [[[0, 2], [0, 3], none], [none, [1, 4], [1, 4]]]
    assert predictions_of(batch) == 3 + 2 + 3 + 2


def test_a_fraction_of_words_is_unknown_in_training_and_none_in_validation(treed):
    whole = TokenCache(np.tile(treed.tokens, 200), np.arange(0, 1801, 9), trees=np.zeros((1800, 3), np.int32))
    config = TreeTraining(batch_tokens=90, word_dropout=0.25)
    batches = [training_batch.batch for training_batch in sentence_batches(config, whole, 1, 1)]
    dropped = torch.cat([batch.words.flatten() for batch in batches]) == UNKNOWN_INDEX
    assert dropped.float().mean() == pytest.approx(0.25, abs=0.04)
    assert all(predictions_of(batch) == 90 + 80 for batch in batches)
    assert not any((batch.words == UNKNOWN_INDEX).any() for batch in held_out_batches(config, whole))
    assert sum(batch.words.numel() for batch in held_out_batches(config, whole)) == 1800


def test_heads_of_given_trees_guide_masked_words_in_training_alone(treed):
    config = GuidedTraining(batch_tokens=6, guidance=0.5, epochs=4)
    batches = [[each.batch for each in sentence_batches(config, treed, 1, epoch)] for epoch in (1, 2, 3)]
    first, second = sorted(batches[0], key=lambda batch: batch.lengths)
    assert first.guidance.heads.tolist() == [[1, 1, 1]]
    assert second.guidance.heads.tolist() == [[0, 0, 1, 2, 3, 4]]
    # The weight falls in two passes of nine words.
    left = 1 - float(batches[0][0].lengths) / 18, 1 - (9 + float(batches[1][0].lengths)) / 18
    weights = [float(batch.guidance.weights) for epoch in batches[:2] for batch in epoch]
    assert weights == pytest.approx([0.5, 0.5 * left[0], 0.25, 0.5 * left[1]])
    assert [batch.guidance for batch in batches[2]] == [None, None]
    assert MASK_INDEX in torch.cat([first.words, second.words], 1)
    assert [batch.guidance for batch in held_out_batches(config, treed)] == [None, None]
    words_alone = sentence_batches(replace(config, guidance=0.0), treed, 1, 1)
    assert [each.batch.guidance for each in words_alone] == [None, None]


def words_of(batches):
    return [training_batch.batch.words.tolist() for training_batch in batches]


def test_epochs_differ_and_seeds_repeat(corpus, treed):
    for batches, config in (
        (stream_batches, StreamTraining(streams=3, bptt=20)),
        (sentence_batches, MaskedTraining(batch_tokens=100)),
    ):
        first, again, other = (words_of(batches(config, corpus, 1, epoch)) for epoch in (1, 1, 2))
        assert first == again != other
    config = TreeTraining(batch_tokens=3, word_dropout=0.5)
    first, again, other = (words_of(sentence_batches(config, treed, seed, 1)) for seed in (1, 1, 2))
    assert first == again != other


def test_an_objective_goes_on_from_any_epoch(corpus):
    config = MaskedTraining(batch_tokens=100, sampled_softmax=9)
    objective = objective_of(config, SimpleNamespace(train=corpus, valid=corpus, vocabulary=range(99)))
    first, second = (list(batches) for batches, _ in zip(objective.epochs(1, 1), range(2), strict=False))
    again = list(next(objective.epochs(1, 2)))
    assert words_of(second) == words_of(again) != words_of(first)
    candidates = [
        [training_batch.batch.candidates.words.tolist() for training_batch in epoch] for epoch in (first, second, again)
    ]
    assert candidates[1] == candidates[2] != candidates[0]


@pytest.mark.parametrize(
    "config",
    [
        StreamTraining(streams=3, bptt=20, validation_words=500),
        MaskedTraining(batch_tokens=100, validation_words=500),
    ],
)
def test_validation_is_the_same_every_time_and_no_longer_than_asked(corpus, config):
    first, again = ([batch.words.tolist() for batch in held_out_batches(config, corpus)] for _ in range(2))
    assert first == again
    predicted = sum(int((batch.targets != IGNORED).sum()) for batch in held_out_batches(config, corpus))
    assert predicted == 550 or config.objective == "masked"
    assert 0 < predicted <= 550
