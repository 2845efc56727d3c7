import torch

from synparse.corpora.vocabulary import MASK_INDEX, UNKNOWN_INDEX
from synparse.inducers.batch import IGNORED
from synparse.training.objectives import mask_words


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
    share = (batch.targets != IGNORED).sum() / known.sum()
    assert abs(share - 0.3) < 0.02


def test_a_batch_always_has_something_to_predict_if_it_can():
    words, lengths = torch.tensor([[5]]), torch.tensor([1])
    batch = mask_words(words, lengths, 1e-9, torch.Generator().manual_seed(0))
    assert batch.targets.tolist() == [[5]]
    nothing = mask_words(torch.tensor([[UNKNOWN_INDEX]]), lengths, 0.9, torch.Generator().manual_seed(0))
    assert nothing.targets.tolist() == [[IGNORED]]
