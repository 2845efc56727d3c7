"""The models that a run is given, and what cannot be given."""

import pytest
import yaml

from synparse.parsing.parser import Parser
from synparse.training.given_models import copy_teacher, start_of, teachers_of
from synparse.trees.errors import DataError, SettingError
from tests.untrained import untrained


def test_a_model_to_start_from_has_one_network(tiny_udgn, tiny_grammar):
    recipe, member = start_of(str(tiny_udgn.parent))
    assert (recipe.networks[0].model, member.directory) == ("udgn", tiny_udgn)
    of_folder, member = start_of(str(tiny_udgn))
    assert (of_folder.networks, member.directory) == ((recipe.networks[0],), tiny_udgn)
    with pytest.raises(SettingError, match="there is no network to start from"):
        start_of(str(tiny_grammar))


def test_a_directory_of_several_models_is_as_many_teachers(tmp_path, tiny_taught):
    untrained(tmp_path / "a", "udgn", "the dog")
    teachers = teachers_of([str(tmp_path / "a"), str(tiny_taught)], tmp_path / "model")
    assert [teacher.directory for teacher in teachers] == [tmp_path / "a", tiny_taught / "udgn-1"]


def test_what_cannot_teach_is_told(tmp_path, tiny_grammar):
    untrained(tmp_path / "a", "udgn", "the dog")
    untrained(tmp_path / "b", "udgn", "the dog", punctuation="keep")
    with pytest.raises(SettingError, match="--teacher: chain is a baseline, which has nothing to teach"):
        teachers_of(["chain"], tmp_path / "model")
    with pytest.raises(SettingError, match="has only grammars, which do not teach others; name a network"):
        teachers_of([str(tiny_grammar)], tmp_path / "model")
    with pytest.raises(DataError, match="no such model"):
        teachers_of(["nothing"], tmp_path / "model")
    with pytest.raises(SettingError, match=r"a teacher is in .*a, which would be overwritten"):
        teachers_of([str(tmp_path / "a")], tmp_path / "a")
    with pytest.raises(SettingError, match="a teacher is in"):
        teachers_of([str(tmp_path / "a")], tmp_path)
    with pytest.raises(SettingError, match="do not read the same tokens"):
        teachers_of([str(tmp_path / "a"), str(tmp_path / "b")], tmp_path / "model")


def test_a_copy_parses_as_the_teacher_did(tmp_path, tiny_taught):
    [teacher] = teachers_of([str(tiny_taught)], tmp_path / "model")
    copy_teacher(teacher, tmp_path / "model" / "udgn-1")
    names = {path.name for path in (tmp_path / "model" / "udgn-1").iterdir()}
    assert names == {"vocabulary.txt", "weights.safetensors", "boundaries.safetensors", "config.yaml"}
    parses = [Parser.load(path).parse(["the dog sees"]) for path in (teacher.directory, tmp_path / "model" / "udgn-1")]
    assert parses[0] == parses[1]
    written = yaml.safe_load((tmp_path / "model" / "udgn-1" / "config.yaml").read_text())
    assert written["members"]["udgn-1"]["folder"] == "."
