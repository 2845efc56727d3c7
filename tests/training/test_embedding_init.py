"""Word vectors that begin from the corpus."""

import numpy as np
import pytest
import torch

from synparse.config.recipe import load_recipe
from synparse.config.training import MaskedTraining, StreamTraining
from synparse.corpora.cache import Corpus, TokenCache
from synparse.corpora.cooccurrence import mutual_information
from synparse.corpora.vocabulary import SPECIAL, UNKNOWN_INDEX, Vocabulary
from synparse.inducers.udgn import Udgn, UdgnConfig
from synparse.training.embedding_init import SPREAD, start_from_cooccurrence, start_from_frequencies
from synparse.training.objectives import target_counts
from synparse.training.run import train

FIRST = len(SPECIAL)
CONFIG = UdgnConfig(hidden_size=8, layers=1, channels=2, channel_size=4, parser_layers=1)


def corpus(sentences, size):
    tokens = np.array([word + FIRST for sentence in sentences for word in sentence], np.int32)
    cache = TokenCache(tokens, np.cumsum([0, *map(len, sentences)]).astype(np.int64))
    return Corpus(cache, cache, Vocabulary([*SPECIAL, *(f"w{i}" for i in range(size))]), "")


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
