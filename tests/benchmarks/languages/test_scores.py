"""Scores of two sentences, worked by hand."""

import pytest

from benchmarks.languages.data import languages_in, training_sentences
from benchmarks.languages.scores import content_chain_scores, over_seeds, tree_scores
from benchmarks.quality.gold import read_gold
from synparse.trees import function_words


def test_chains_skip_the_function_words_of_the_training_text(data, monkeypatch):
    monkeypatch.setattr(function_words, "MOST_FREQUENT", 1)  # der
    [spanish] = languages_in(data, "es")
    [german] = languages_in(data, "de")
    scores = content_chain_scores(read_gold(spanish.dev), training_sentences(german))
    # Der Hund bellt: all three are right. Sie → sah, sah → Katze, der → Katze, Katze → zu, zu: the root
    assert scores["content-chain UAS"] == [pytest.approx(100 * 5 / 8, abs=0.01)]
    assert scores["content-chain UUAS"] == [pytest.approx(100 * 6 / 8, abs=0.01)]  # and sah — Katze
    # Der → Hund, Hund: the root, bellt → Hund; Sie: the root, sah → Sie, der → sah, Katze → sah, zu → Katze
    assert scores["content-chain-back UAS"] == [pytest.approx(100 * 2 / 8, abs=0.01)]
    assert scores["content-chain-back UUAS"] == [pytest.approx(100 * 4 / 8, abs=0.01)]


def test_gold_itself_scores_everything(data):
    dev = data / "es" / "dev.conllu.gz"
    assert tree_scores(read_gold(dev), dev, "supervised ") == {"supervised UAS": [100.0], "supervised UUAS": [100.0]}


def test_scores_of_seeds_stand_together():
    assert over_seeds([{"UAS": [1.0], "UUAS": [None]}, {"UAS": [2.0], "UUAS": [3.0]}]) == {
        "UAS": [1.0, 2.0],
        "UUAS": [None, 3.0],
    }
