import math
from dataclasses import replace

import pytest
import torch

from synparse.corpora.vocabulary import END_INDEX, MASK_INDEX, SPECIAL, UNKNOWN_INDEX
from synparse.inducers.batch import Batch
from synparse.language_models import sentence_scores as module
from synparse.language_models.loading import kinds, load_language_model
from synparse.language_models.sentence_scores import sentence_scores
from tests.untrained import untrained

FIRST, UNK = len(SPECIAL), UNKNOWN_INDEX
SENTENCES = [(4, 5, 6), (4,), (7, UNK, 5, 4, 6, 6), (5, 6, 7), (), (UNK,), (UNK, UNK, 4), (4, 5, 6)]


@pytest.fixture(scope="module", params=kinds())
def model(request, tmp_path_factory):
    return load_language_model(str(untrained(tmp_path_factory.mktemp("model"), request.param, "the dog barks loudly")))


def distributions(model, words):
    """The log-probabilities [T, V] of what stands at each position, of one sentence alone."""
    network = model.network
    with torch.no_grad():
        states = network.contextual(Batch(torch.tensor([words]), torch.tensor([len(words)]))).states
        logits = network.last_layer(states[0]) @ network.embedding.weight.t() + network.output_bias
        return logits.double().log_softmax(-1)


def slow_score(model, sentence):
    """One prediction at a time."""
    if model.objective == "next-word":
        found = distributions(model, [END_INDEX, *sentence])
        return sum(found[position, word].item() for position, word in enumerate([*sentence, END_INDEX]))
    score = 0.0
    for position, word in enumerate(sentence):
        if word != UNK:
            masked = [*sentence[:position], MASK_INDEX, *sentence[position + 1 :]]
            score += distributions(model, masked)[position, word].item()
    return score


@pytest.mark.parametrize("words", [7, 4096])
def test_scores_are_those_of_one_prediction_at_a_time(model, words, monkeypatch):
    monkeypatch.setattr(module, "BATCH_WORDS", words)
    expected = [slow_score(model, sentence) for sentence in SENTENCES]
    assert sentence_scores(model, SENTENCES) == pytest.approx(expected, abs=1e-5)


def test_equal_sentences_have_equal_scores(model):
    scores = sentence_scores(model, SENTENCES)
    assert scores[0] == scores[-1] != scores[3]


def test_a_masked_model_leaves_unknown_words_out_and_others_predict_them(model):
    lone, empty = sentence_scores(model, [(UNK,), ()])
    if model.objective == "masked":
        assert lone == empty == 0
    else:
        assert lone != empty
        assert max(lone, empty) < 0


def test_probabilities_of_sentences_add_up_to_less_than_one(tmp_path):
    model = load_language_model(str(untrained(tmp_path / "model", "lstm", "a b")))
    up_to_one_word = [(), *((word,) for word in range(len(model.vocabulary)))]
    total = sum(map(math.exp, sentence_scores(model, up_to_one_word)))
    after = distributions(model, [END_INDEX])[0].exp()
    assert after[END_INDEX].item() < total < 1


def test_classes_of_unknown_words_are_read_as_themselves_and_predicted_as_unknown(tmp_path):
    plain = load_language_model(str(untrained(tmp_path / "plain", "lstm", "a b c d")))
    vocabulary = type(plain.vocabulary)([*plain.vocabulary.words[:-1], "\td"])
    model = replace(plain, vocabulary=vocabulary)
    of_class = len(vocabulary) - 1
    read = distributions(model, [END_INDEX, of_class])
    assert sentence_scores(model, [(of_class,)]) == pytest.approx(
        [(read[0, UNK] + read[1, END_INDEX]).item()], abs=1e-5
    )
    assert [model.is_unknown(index) for index in (UNK, FIRST, of_class)] == [True, False, True]
