import shutil

import pytest
import yaml

from synparse.config.grammar import GrammarConfig
from synparse.config.recipe import load_recipe
from synparse.files.folders import save_together
from synparse.parsing.parser import Parser
from synparse.store.models import GrammarSet, open_model
from synparse.training.assembly import assembled, copy_teacher, files_of, teachers_of
from synparse.trees.errors import DataError, SettingError
from tests.untrained import untrained

CORPUS = {"files": ["a.txt"], "training_words": 10, "training_sentences": 5}
RECORDS = [{"number": 1, "stage": "udgn", "minutes": 0.5, "result": "networks: 2, passes: 3"}]


def test_folders_become_one_parser(tmp_path, tiny_udgns):
    recipe = load_recipe("udgn-small", ["parsing.function_words=free"])
    names = ("udgn-1", "udgn-2")
    for name, folder in zip(names, tiny_udgns, strict=False):
        shutil.copytree(folder, tmp_path / name)
    model = assembled(tmp_path, recipe, names, [], CORPUS, 7, RECORDS)
    save_together(tmp_path, files_of(model, "english"))
    found = open_model(tmp_path)
    assert (found.brackets, found.heads, found.grammars) == (names, names, ())
    assert (found.recipe, found.parsing) == (recipe, recipe.parsing)
    assert (found.provenance["corpus"], found.provenance["seed"]) == (CORPUS, 7)
    assert found.provenance["stages"] == RECORDS
    assert "torch" not in found.provenance["versions"]
    assert (tmp_path / "README.md").read_text().startswith("# english\n")
    parses = [Parser.load(path).parse(["the dog sees"]) for path in (tmp_path, [tmp_path / name for name in names])]
    assert parses[0] == parses[1]


def test_without_a_corpus_it_is_that_of_the_first_model(tmp_path, tiny_udgn):
    shutil.copytree(tiny_udgn, tmp_path / "udgn-1")
    model = assembled(tmp_path, load_recipe("udgn-small"), ["udgn-1"], [], {}, 1, [])
    assert model.provenance["corpus"] == open_model(tiny_udgn).description.provenance["corpus"]


def test_grammars_are_named_with_those_that_taught_them(tmp_path, tiny_taught):
    shutil.copytree(tiny_taught, tmp_path / "model")
    before = open_model(tiny_taught)
    model = assembled(tmp_path / "model", before.recipe, ["udgn-1"], before.grammars, {}, 1, [])
    save_together(tmp_path / "model", files_of(model, "model"))
    assert open_model(tmp_path / "model").grammars == before.grammars
    assert Parser.load(tmp_path / "model").parse(["the dog"]) == Parser.load(tiny_taught).parse(["the dog"])


def test_a_folder_that_is_damaged_is_told(tmp_path):
    one = GrammarSet("grammars-1", ("udgn-1",), GrammarConfig())
    with pytest.raises(DataError, match="no such model"):
        assembled(tmp_path, load_recipe("udgn-small"), ["udgn-1"], [one], CORPUS, 1, [])


def test_a_directory_of_several_models_is_as_many_teachers(tmp_path, tiny_taught):
    untrained(tmp_path / "a", "udgn", "the dog")
    found = teachers_of([str(tmp_path / "a"), str(tiny_taught)], tmp_path / "model")
    assert [one.directory for one in found] == [tmp_path / "a", tiny_taught / "udgn-1"]


def test_what_cannot_teach_is_told(tmp_path):
    untrained(tmp_path / "a", "udgn", "the dog")
    untrained(tmp_path / "b", "udgn", "the dog", punctuation="keep")
    with pytest.raises(SettingError, match="--teacher: chain is a baseline, which has nothing to teach"):
        teachers_of(["chain"], tmp_path / "model")
    with pytest.raises(DataError, match="no such model"):
        teachers_of(["nothing"], tmp_path / "model")
    with pytest.raises(SettingError, match=r"a teacher is in .*a, which this run overwrites"):
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
