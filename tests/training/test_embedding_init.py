"""Word vectors that begin from the corpus."""

import math
from collections import Counter

import numpy as np
import pytest
import torch

from synparse.config.recipe import load_recipe
from synparse.config.training import MaskedTraining, StreamTraining
from synparse.corpora.cache import Corpus, TokenCache
from synparse.corpora.vocabulary import SPECIAL, UNKNOWN_INDEX, Vocabulary
from synparse.inducers.udgn import Udgn, UdgnConfig
from synparse.training import embedding_init
from synparse.training.embedding_init import (
    POSITIONS,
    SPREAD,
    mutual_information,
    start_from_cooccurrence,
    start_from_frequencies,
)
from synparse.training.objectives import target_counts
from synparse.training.run import train

FIRST = len(SPECIAL)
CONFIG = UdgnConfig(hidden_size=8, layers=1, channels=2, channel_size=4, parser_layers=1)


def cache(sentences):
    tokens = np.array([word for sentence in sentences for word in sentence], np.int32)
    return TokenCache(tokens, np.cumsum([0, *map(len, sentences)]).astype(np.int64))


def corpus(sentences, size):
    tokens = cache([[word + FIRST for word in sentence] for sentence in sentences])
    return Corpus(tokens, tokens, Vocabulary([*SPECIAL, *(f"w{i}" for i in range(size))]), "")


# Words 0 and 1 stand in the same contexts; 2 and 3 do; 4 never occurs beside another word.
SENTENCES = [[word, 5, 2 + position] for word in (0, 1) for position in (0, 1)] * 3 + [[4]]


def test_words_of_the_same_contexts_begin_alike_in_every_embedding():
    torch.manual_seed(1)
    data = corpus(SENTENCES, 6)
    model = Udgn(len(data.vocabulary), CONFIG)
    before = model.embedding.weight.detach().clone()
    start_from_cooccurrence(model, data)
    for embedding in (model.embedding, model.parser.embedding):
        vectors = embedding.weight.detach()[FIRST:]
        assert torch.allclose(vectors[0], vectors[1], atol=1e-4)
        assert torch.allclose(vectors[2], vectors[3], atol=1e-4)
        assert not torch.allclose(vectors[0], vectors[2], atol=1e-2)
        assert vectors[[0, 1, 2, 3, 5]].std() == pytest.approx(SPREAD, rel=0.05)
    assert torch.equal(model.embedding.weight.detach()[:FIRST], before[:FIRST])
    assert torch.equal(model.embedding.weight.detach()[FIRST + 4], before[FIRST + 4])


def test_the_vectors_reproduce_the_information_where_they_are_wide_enough():
    data = corpus(SENTENCES, 6)
    matrix = mutual_information(data.train, len(data.vocabulary))
    dense = torch.zeros(matrix.shape)
    dense[torch.from_numpy(matrix.rows), torch.from_numpy(matrix.columns)] = torch.from_numpy(matrix.values)
    model = Udgn(len(data.vocabulary), CONFIG)
    start_from_cooccurrence(model, data)
    vectors = model.embedding.weight.detach().double()
    # U √S: the squared Gram matrix of PPMI has the same singular vectors, so their directions agree.
    gram = dense.double() @ dense.double().T
    kept = gram.diagonal() > 0
    scale = (vectors[kept] @ vectors[kept].T).norm()
    values, columns = torch.linalg.eigh(gram[kept][:, kept])
    half = columns @ torch.diag(values.clamp(min=0).sqrt()) @ columns.T
    assert torch.allclose(vectors[kept] @ vectors[kept].T / scale, half / half.norm(), atol=1e-4)


def test_a_corpus_without_contexts_leaves_the_start_random():
    data = corpus([[0], [1]], 2)
    model = Udgn(len(data.vocabulary), CONFIG)
    before = model.embedding.weight.detach().clone()
    start_from_cooccurrence(model, data)
    assert torch.equal(model.embedding.weight.detach(), before)


@pytest.mark.parametrize(
    ("config", "fractions"),
    [
        # Of 6 words, "w0" stands twice, "w1" once, a class (read, never predicted) twice and <unk> once.
        (MaskedTraining(), [1, 1, 1, 1, 3, 2, 1]),
        (StreamTraining(), [1, 1 + 1 + 2, 1, 1 + 2, 3, 2, 1]),  # 2 sentences end
    ],
)
def test_the_output_bias_begins_at_the_log_share_of_what_is_predicted(config, fractions):
    tokens = np.array([FIRST, UNKNOWN_INDEX, FIRST + 2, FIRST, FIRST + 1, FIRST + 2], np.int32)
    cache = TokenCache(tokens, np.array([0, 4, 6]), first_class=FIRST + 2)
    model = Udgn(FIRST + 3, CONFIG)
    start_from_frequencies(model.output_bias, target_counts(config, cache, FIRST + 3))
    expected = torch.tensor(fractions, dtype=torch.float64) / sum(fractions)
    torch.testing.assert_close(model.output_bias.detach(), expected.log().float())


def test_a_run_that_begins_with_frequencies_predicts_better_from_its_first_update(tmp_path, sample_text, tiny_recipe):
    (tmp_path / "text").write_text("".join(f"{line}\n" for line in sample_text))
    losses = {}
    for start in ("zero", "frequency"):
        recipe = load_recipe(str(tiny_recipe), [f"training.bias_init={start}"])
        first = [None]

        def keep(event, first=first):
            first[0] = first[0] or getattr(event, "loss", None)

        train([str(tmp_path / "text")], recipe, tmp_path / start, device="cpu", report=keep)
        losses[start] = first[0]
    assert losses["frequency"] < losses["zero"] - 0.3


def by_hand(sentences, contexts):
    counts = Counter()
    for sentence in sentences:
        for at, word in enumerate(sentence):
            for block, position in enumerate(POSITIONS):
                if 0 <= at + position < len(sentence) and sentence[at + position] < contexts:
                    counts[word, block * contexts + sentence[at + position]] += 1
    total = sum(counts.values())
    rows, columns = Counter(), Counter()
    for (word, context), count in counts.items():
        rows[word] += count
        columns[context] += count
    information = {cell: math.log(count * total / (rows[cell[0]] * columns[cell[1]])) for cell, count in counts.items()}
    return {cell: value for cell, value in information.items() if value > 0}


@pytest.mark.parametrize("contexts", [3, 100])
@pytest.mark.parametrize("portion", [1, 4, 1000])
def test_mutual_information_equals_a_direct_count(monkeypatch, contexts, portion):
    monkeypatch.setattr(embedding_init, "CONTEXT_WORDS", contexts)
    monkeypatch.setattr(embedding_init, "_PORTION", portion)
    sentences = np.random.default_rng(1).integers(0, 7, (6, 5)).tolist()
    sentences += [[2], [0, 1], [6, 0, 3]]
    matrix = mutual_information(cache(sentences), 7)
    cells = {
        (int(row), int(column)): float(value)
        for row, column, value in zip(matrix.rows, matrix.columns, matrix.values, strict=True)
    }
    expected = by_hand(sentences, min(contexts, 7))
    assert cells.keys() == expected.keys()
    assert cells == {cell: pytest.approx(value, rel=1e-5) for cell, value in expected.items()}
    assert matrix.shape == (7, min(contexts, 7) * 4)


def test_only_the_beginning_of_a_long_corpus_is_counted(monkeypatch):
    monkeypatch.setattr(embedding_init, "MOST_WORDS", 6)
    sentences = [[0, 1, 2], [2, 1, 0], [3, 4, 3]]
    assert set(mutual_information(cache(sentences), 5).rows.tolist()) <= {0, 1, 2}


def test_one_word_sentences_have_no_contexts():
    assert len(mutual_information(cache([[0], [1]]), 2).values) == 0
