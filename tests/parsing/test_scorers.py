"""The scores that decoders get: of each sentence alone, whatever it was computed with."""

import random

import numpy as np
import pytest

from synparse.corpora.normalization import TextConfig
from synparse.corpora.vocabulary import Vocabulary
from synparse.inducers.kernels.lstm_parser import ParserScores
from synparse.parsing import scorers
from synparse.parsing.options import ParserOptions
from synparse.parsing.scorers import DISTANCES, HEIGHTS, ModelToLoad, check_tokens_read, load_member, members_to_load
from synparse.store.models import open_model
from synparse.trees.errors import DataError, SettingError
from synparse.trees.function_words import FREE, MOST_FREQUENT
from synparse.trees.trivial import TRIVIAL_PARSERS
from tests.untrained import loaded

ON_CPU = ParserOptions(device="cpu")
SENTENCES = [["the", "dog", "sees", "the", "cat"], ["hello"], ["zyx", "wvu"], ["the", "dog"] * 20]


def member(path, options=ON_CPU):
    [part], _ = members_to_load(str(path))
    return load_member(part, options, is_alone=True)


@pytest.mark.parametrize("name", TRIVIAL_PARSERS)
def test_trivial_scores_are_the_distances_and_heights_of_the_tree(name):
    trivial, source = member(name, ParserOptions(seed=5)), random.Random(5)
    assert trivial.gives_heads
    for scores, words in zip(trivial.score(SENTENCES, True), SENTENCES, strict=True):
        expected = TRIVIAL_PARSERS[name]([False] * len(words), source)
        assert (scores.distances, scores.heights) == (list(expected.distances), list(expected.heights))
        assert scores.head_scores is scores.boundaries is scores.is_function is None


def test_a_name_is_a_trivial_parser_or_a_directory(tiny_udgn):
    assert members_to_load("chain") == ([ModelToLoad("chain")], None)
    [part], stored = members_to_load(str(tiny_udgn))
    assert (part.stored.directory, part.for_brackets, part.for_heads) == (tiny_udgn, True, True)
    assert stored == open_model(tiny_udgn)
    with pytest.raises(DataError, match="no such model"):
        members_to_load("missing")


@pytest.mark.parametrize("model", ["tiny_model", "tiny_udgn", "tiny_on_lstm", "tiny_student"])
def test_scores_are_of_the_sentence_alone(request, model, monkeypatch):
    scorer = member(request.getfixturevalue(model))
    together = scorer.score(SENTENCES, True)
    monkeypatch.setattr(scorers, "BATCH_TOKENS", max(map(len, SENTENCES)))
    for words, scores in zip(SENTENCES, together, strict=True):
        [alone] = scorer.score([words], True)
        T = len(words)
        if DISTANCES in scorer.gives:
            assert len(scores.distances) == T - 1
            np.testing.assert_allclose(scores.distances, alone.distances, atol=1e-4)
        if HEIGHTS in scorer.gives:
            assert len(scores.heights) == T
            np.testing.assert_allclose(scores.heights, alone.heights, atol=1e-4)
        assert (scores.head_scores is not None) == scorer.gives_heads
        if scorer.gives_heads:
            assert scores.head_scores.shape == (T, T)
            np.testing.assert_allclose(scores.head_scores, alone.head_scores, atol=1e-4)


def test_function_words_are_the_most_frequent_ones(tiny_udgn):
    assert [scores.is_function for scores in member(tiny_udgn).score(SENTENCES, True)] == [None] * len(SENTENCES)
    leaves = member(tiny_udgn, ParserOptions(device="cpu", function_words="leaves"))
    vocabulary = Vocabulary.read(tiny_udgn / "vocabulary.txt", 10_000)
    for scores, words in zip(leaves.score(SENTENCES, True), SENTENCES, strict=True):
        assert scores.is_function == vocabulary.is_frequent(vocabulary.indices(words), MOST_FREQUENT)


def test_scores_that_are_no_numbers_are_damage(tiny_on_lstm):
    """Weights that are no numbers are refused when they are read; large ones may still make such scores."""
    stored = loaded(tiny_on_lstm)

    def induce(words, *_):
        return ParserScores(distances=np.full((len(words), words.shape[1] - 1), np.nan))

    score = scorers._scorer(stored, induce, True, FREE)
    with pytest.raises(DataError, match="model tiny-on-lstm: its scores are not finite, so the weights are damaged"):
        score(SENTENCES, True)


def test_a_layer_is_for_a_model_that_has_layers(tiny_on_lstm, tiny_udgn):
    second = ParserOptions(device="cpu", layer=2)
    for name in ("chain", str(tiny_udgn)):
        [part], _ = members_to_load(name)
        with pytest.raises(SettingError, match="layers"):
            load_member(part, second, is_alone=True)
        assert not load_member(part, second, is_alone=False).has_tree_layers  # it is another model's
    assert member(tiny_on_lstm, second).has_tree_layers


def test_trained_models_must_read_the_same_tokens():
    drops, keeps, trivial = (
        scorers.Member(TextConfig(punctuation=punctuation), model, lambda *_: [])
        for punctuation, model in (("drop", "udgn"), ("keep", "on-lstm"), ("keep", "chain"))
    )
    check_tokens_read(["a", "b", "c"], [drops, trivial, drops])
    with pytest.raises(SettingError, match=r"a and c do not read the same tokens: .* is drop in one, keep in the"):
        check_tokens_read(["a", "b", "c"], [drops, trivial, keeps])
