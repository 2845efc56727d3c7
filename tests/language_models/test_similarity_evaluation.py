"""Rankings of models, tuned or not, and of the baselines."""

import shutil

import pytest
import torch

from synparse.corpora.normalization import TextConfig
from synparse.corpora.vocabulary import SPECIAL
from synparse.language_models.loading import load_language_model
from synparse.language_models.sentence_pairs import SentencePairFile
from synparse.language_models.similarity_evaluation import WORD_OVERLAP, Ranking, evaluate, kind_of, word_overlaps
from synparse.scoring.correlation import spearman
from synparse.store.model_directory import ModelDescription
from synparse.store.models import config_file, one_member
from synparse.trees.errors import SettingError
from tests.untrained import untrained

WORDS = "a b c d e f g h"
ROWS = [(5, "a b c", "a b c"), (3.5, "a b", "a c d"), (0, "e f", "g h"), (1, "a", "h g f"), (2, "c d e f", "f e")]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A UDGN, one that says it was tuned, and an LSTM."""
    folder = tmp_path_factory.mktemp("models")
    for name, kind in (("udgn", "udgn"), ("lstm", "lstm")):
        untrained(folder / name, kind, WORDS)
    one = load_language_model(str(folder / "udgn"))
    provenance = {"corpus": {}, "tuning": {"training": {"freeze_parser": True}}}
    description = ModelDescription(one.description.recipe, provenance)
    tuned = shutil.copytree(folder / "udgn", folder / "tuned")
    (tuned / "config.yaml").write_bytes(config_file(one_member(tuned, description)))
    return [str(folder / name) for name in ("udgn", "tuned", "lstm")]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("pairs") / "some.tsv"
    rows = "".join("\t".join(map(str, row)) + "\n" for row in ROWS)
    path.write_text(f"score\tsentence1\tsentence2\n{rows}", encoding="utf-8")
    return str(path)


def test_every_model_ranks_every_file(models, file):
    found = evaluate([*models, f"{models[0]}/"], [file], "cpu", baselines=True)
    assert list(found.files) == ["some"]
    assert [one.kind for one in found.models] == [
        *("udgn", "udgn: word vectors", "udgn tuned, frozen parser", "udgn tuned, frozen parser: word vectors"),
        *("lstm", "lstm: word vectors", WORD_OVERLAP),
    ]
    udgn, vectors, tuned, *_, overlap = found.models
    assert udgn.correlations == tuned.correlations
    assert udgn.mean == udgn.correlations["some"]
    expected = [1, 1 / 6**0.5, 0, 0, 2 / 8**0.5]  # shared words over the root of the product of the sizes
    assert overlap.correlations["some"] == pytest.approx(spearman(expected, [row[0] for row in ROWS]))
    embedding = load_language_model(models[0]).network.embedding.weight
    index = {word: number for number, word in enumerate(WORDS.split(), len(SPECIAL))}
    means = [
        [embedding[[index[word] for word in sentence.split()]].mean(0) for sentence in sentences]
        for _, *sentences in ROWS
    ]
    cosines = [torch.cosine_similarity(*pair, dim=0).item() for pair in means]
    assert vectors.correlations["some"] == pytest.approx(spearman(cosines, [row[0] for row in ROWS]))


def test_a_file_is_named_once(models, file):
    with pytest.raises(SettingError, match="is named twice"):
        evaluate(models, [file, file], "cpu")


def test_kinds_tell_tuned_models_apart(models):
    assert [kind_of(load_language_model(name)) for name in models] == ["udgn", "udgn tuned, frozen parser", "lstm"]


def test_the_mean_is_of_all_files_or_of_none():
    assert Ranking("m", "udgn", {"a": 0.5, "b": 0.2}).mean == pytest.approx(0.35)
    assert Ranking("m", "udgn", {"a": 0.5, "b": None}).mean is None


def test_words_that_two_sentences_share():
    pairs = [(["A", "b", "B", "."], ["a", "c"]), (["."], ["a"]), (["1990"], ["2000"])]
    assert word_overlaps(pairs, TextConfig()) == [0.5, 0.0, 1.0]
    assert SentencePairFile("x", []).sources == []
