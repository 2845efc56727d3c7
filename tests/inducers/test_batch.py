import torch

from synparse.corpora.vocabulary import SPECIAL
from synparse.inducers.batch import IGNORED, SENTENCE_START, Batch, predictions_of

WORDS = torch.tensor([[4, 5, 6], [7, 0, 0]])
LENGTHS = torch.tensor([3, 1])


def test_padding_is_not_present():
    expected = torch.tensor([[True, True, True], [True, False, False]])
    assert torch.equal(Batch(WORDS, LENGTHS).present, expected)


def test_predictions_are_the_terms_of_the_loss():
    targets = torch.tensor([[4, IGNORED, 6], [0, IGNORED, IGNORED]])  # 0 is a head or a word, too
    brackets = torch.tensor([[[0, 2], [0, 3]], [[IGNORED, IGNORED], [IGNORED, IGNORED]]])
    assert predictions_of(Batch(WORDS, LENGTHS)) == 0
    assert predictions_of(Batch(WORDS, LENGTHS, targets)) == 3
    assert predictions_of(Batch(WORDS, LENGTHS, targets, brackets=brackets)) == 5
    assert predictions_of(Batch(WORDS, LENGTHS, brackets=brackets)) == 2


def test_sentences_of_a_stream_begin_as_the_vocabulary_has_it():
    assert SPECIAL[SENTENCE_START] == "<eos>"
