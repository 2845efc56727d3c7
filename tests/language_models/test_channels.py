import numpy as np
import pytest
import scipy.stats
import torch

from synparse.inducers.batch import Batch
from synparse.language_models import channels
from synparse.language_models.channels import (
    channel_correlations,
    gold_sentences,
    load_channel_model,
)
from synparse.trees.conllu import format_conllu
from synparse.trees.errors import DataError, SettingError
from tests.untrained import untrained

WORDS = "the old dog saw it a cat"
GOLD = (
    format_conllu("The old dog saw it .".split(), (3, 3, 4, 0, 4, 4), ("det", "amod", "nsubj", "root", "obj", "punct"))
    + format_conllu("a cat saw the dog".split(), (2, 3, 0, 5, 3), ("det", "nsubj:outer", "root", "det", "obj"))
    + format_conllu("it saw , unknown words".split(), (2, 0, 2, 3, 4), ("nsubj", "root", "punct", "amod", "_"))
    + format_conllu(["!"], (0,), ("root",))
    + format_conllu("a dog".split(), (2, 0), ("det", "root"))
)
# The arcs between words that a model reads: of the third sentence, "it" alone, as the comma is not read and "words" has
# no relation.
ARCS = [
    *(("the old dog saw it", j, i, r) for j, i, r in ((0, 2, "det"), (1, 2, "amod"), (2, 3, "nsubj"), (4, 3, "obj"))),
    *(
        ("a cat saw the dog", j, i, r)
        for j, i, r in ((0, 1, "det"), (1, 2, "nsubj:outer"), (3, 4, "det"), (4, 2, "obj"))
    ),
    ("it saw unknown words", 0, 1, "nsubj"),
    ("a dog", 0, 1, "det"),
]
KINDS = ("udgn", "structformer", "transformer")


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {kind: load_channel_model(str(untrained(folder / kind, kind, WORDS))) for kind in KINDS}


@pytest.fixture(scope="module")
def gold():
    return gold_sentences(GOLD.splitlines(keepends=True), "gold.conllu")


@pytest.mark.parametrize("weights", ["competition", "masked"])
@pytest.mark.parametrize("kind", KINDS)
def test_correlations_are_those_of_scipy_arc_by_arc(models, gold, kind, weights):
    model = models[kind]
    [found] = channel_correlations([model], gold, "gold", weights=weights, frequent=20)
    assert found.arcs == len(ARCS) == 10
    assert [(one.relation, one.arcs) for one in found.best] == [
        ("det", 4), ("nsubj", 2), ("obj", 2), ("amod", 1), ("nsubj:outer", 1)
    ]  # fmt: skip
    rows = []
    for words, dependent, head, _ in ARCS:
        batch = Batch(torch.tensor([model.vocabulary.indices(words.split())]), torch.tensor([len(words.split())]))
        with torch.inference_mode():
            weights_of_arcs = model.network.channel_weights(batch, weights == "masked")
        rows.append(weights_of_arcs[0, :, :, head, dependent].numpy())  # the head receives
    for best, matrix in zip(found.best, found.matrix, strict=True):
        is_relation = [float(relation == best.relation) for *_, relation in ARCS]
        expected = np.array(
            [
                [scipy.stats.pearsonr([row[layer, channel] for row in rows], is_relation)[0] for channel in range(2)]
                for layer in range(2)
            ]
        )
        np.testing.assert_allclose(matrix, expected, atol=1e-4)
        assert best.correlation == matrix[best.layer - 1, best.channel - 1] == matrix.max()
    assert found.mean_of_best == pytest.approx(np.mean([one.correlation for one in found.best]))


def test_relations_are_chosen_and_cut(models, gold):
    [found] = channel_correlations([models["udgn"]], gold, "gold", names="universal", frequent=2)
    assert [(one.relation, one.arcs) for one in found.best] == [("det", 4), ("nsubj", 3)]
    [named] = channel_correlations([models["udgn"]], gold, "gold", relations=["obj", "det"])
    assert [one.relation for one in named.best] == ["obj", "det"]
    with pytest.raises(SettingError, match="gold has no arc with the relation 'case'; it has det, nsubj, obj, amod"):
        channel_correlations([models["udgn"]], gold, "gold", relations=["det", "case"])


def test_relations_of_several_models_are_those_that_all_read(models, gold, tmp_path):
    reads_punctuation = load_channel_model(str(untrained(tmp_path, "udgn", WORDS, punctuation="keep")))
    [alone] = channel_correlations([reads_punctuation], gold, "gold")
    assert "punct" in [one.relation for one in alone.best]
    both = channel_correlations([reads_punctuation, models["udgn"]], gold, "gold")
    assert [[one.relation for one in of_model.best] for of_model in both] == [
        ["det", "amod", "nsubj", "obj", "nsubj:outer"]
    ] * 2


def test_batches_do_not_matter(models, gold, monkeypatch):
    [together] = channel_correlations([models["udgn"]], gold, "gold")
    monkeypatch.setattr(channels, "BATCH_WORDS", 1)  # one sentence at a time, none of them cut
    [alone] = channel_correlations([models["udgn"]], gold, "gold")
    np.testing.assert_allclose(alone.matrix, together.matrix, atol=1e-5)


def test_a_relation_of_all_arcs_has_no_correlation(models):
    gold = gold_sentences(format_conllu(["the", "cat"], (2, 0), ("det", "root")).splitlines(True), "gold")
    [found] = channel_correlations([models["transformer"]], gold, "gold")
    [best] = found.best
    assert best == ("det", 1, None, None, None)
    assert found.mean_of_best is None


def test_induced_and_trivial_relations_of_gold_arcs(models, gold):
    [found] = channel_correlations([models["udgn"]], gold, "gold", with_clusters=True)
    assert list(found.clusters)[:4] == ["channels", "messages", "random", "direction"]
    assert all(1 <= scores["clusters"] <= 4 for scores in found.clusters.values())
    assert all(0 <= scores["v_measure"] <= 1 for scores in found.clusters.values())
    # obj is right of its head, all others are left of it.
    assert found.clusters["direction"]["v_measure"] > 0
    with pytest.raises(SettingError, match=r"\(transformer\) induces no relations; a udgn does"):
        channel_correlations([models["udgn"], models["transformer"]], gold, "gold", with_clusters=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (format_conllu(["a", "b"], (2, 1)), "gold:1: not a gold tree: no word has head 0"),
        ("1\ta\t_\t_\t_\t_\tx\t_\t_\t_\n", "gold:1: word 1"),
    ],
)
def test_bad_gold_files_are_told(text, message):
    with pytest.raises(DataError, match=message):
        gold_sentences(text.splitlines(True), "gold")


def test_a_file_without_arcs_is_told(models):
    with pytest.raises(DataError, match="gold: holds no arcs with relations between words that the model reads"):
        channel_correlations([models["udgn"]], [], "gold")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lstm", "the model lstm has no channels; models with channels are udgn, structformer, transformer"),
        ("english", "the model student has no channels; models with channels are udgn, structformer, transformer"),
        ("chain", "language models are udgn, structformer, "),
    ],
)
def test_models_without_channels_are_refused(name, message, tmp_path):
    model = str(untrained(tmp_path / "lstm", "lstm", WORDS)) if name == "lstm" else name
    with pytest.raises(SettingError, match=message):
        load_channel_model(model)
