from dataclasses import replace

import pytest

from synparse.config.recipe import model_recipe_from
from synparse.corpora.vocabulary import SPECIAL, UNKNOWN_INDEX
from synparse.language_models.loading import kinds, load_language_model
from synparse.store.model_directory import ModelDescription, Packed, StoredModel
from synparse.store.models import Model, config_file, one_member
from synparse.trees.errors import DataError, SettingError
from tests.untrained import ARCHITECTURES, untrained


@pytest.mark.parametrize("kind", ARCHITECTURES)
def test_every_language_model_is_loaded_ready_to_predict(kind, tmp_path):
    model = load_language_model(str(untrained(tmp_path / "model", kind, "the dog 's")))
    assert (model.kind, model.objective) == (kind, "masked" if kind in kinds("masked") else "next-word")
    assert not model.network.training
    assert model.network.embedding.weight.shape[0] == len(model.vocabulary) == len(SPECIAL) + 3
    assert model.normalized(["The", "dog", ",", "barks"]) == ["the", "dog", "barks"]
    assert model.indices(["The", "dog", ",", "barks"]) == [len(SPECIAL), len(SPECIAL) + 1, UNKNOWN_INDEX]


def test_the_kinds_are_those_of_the_table():
    assert {"udgn", "structformer", "transformer"} <= set(kinds("masked"))
    assert {"on-lstm", "ordered-memory", "lstm"} <= set(kinds("next-word"))
    assert sorted(kinds("masked") + kinds("next-word")) == sorted(kinds()) == sorted(ARCHITECTURES)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("student", "predicts trees"), ("grammar", "predicts word classes"), ("dbm", "predicts word classes")],
)
def test_models_that_cannot_are_refused_with_the_kinds_that_can(kind, reason, tmp_path):
    description = ModelDescription(model_recipe_from({"model": kind}), {})
    (tmp_path / "config.yaml").write_bytes(config_file(one_member(tmp_path, description)))
    with pytest.raises(SettingError) as caught:
        load_language_model(str(tmp_path))
    assert str(caught.value) == f"{tmp_path} ({kind}) {reason}, not words; language models are {', '.join(kinds())}"


def test_packed_models_bundles_and_trees_without_a_model_are_refused(tmp_path):
    packed = ModelDescription(model_recipe_from({"model": "udgn"}), {}, Packed())
    (tmp_path / "config.yaml").write_bytes(config_file(one_member(tmp_path, packed)))
    with pytest.raises(SettingError, match=r"\(packed udgn\) has no output layer; name the model that it was"):
        load_language_model(str(tmp_path))
    with pytest.raises(SettingError, match=r"chain \(a baseline\) has trees without predicting words; language models"):
        load_language_model("chain")
    with pytest.raises(SettingError, match=r"english \(student\) predicts trees, not words; language models"):
        load_language_model("english")
    taught, names = tmp_path / "taught", ("udgn-1", "udgn-2")
    members = {name: StoredModel(untrained(taught / name, "udgn", "the cat"), packed) for name in names}
    (taught / "config.yaml").write_bytes(config_file(Model(taught, members, names, names)))
    with pytest.raises(SettingError, match="taught is packed for parsing, without an output layer"):
        load_language_model(str(taught))
    members = {name: one._replace(description=replace(packed, packed=None)) for name, one in members.items()}
    (taught / "config.yaml").write_bytes(config_file(Model(taught, members, names, names)))
    with pytest.raises(SettingError, match=r"several models for parsing \(udgn-1, udgn-2\); name the folder of one"):
        load_language_model(str(taught))
    with pytest.raises(DataError, match="no such model"):
        load_language_model(str(tmp_path / "missing"))
