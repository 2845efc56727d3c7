"""Recipes and model directories as version 0.1 wrote them are read as the present ones."""

import shutil

import pytest
import yaml

from synparse.cli.app import run
from synparse.config.recipe import load_recipe, recipe_folder, shipped_recipes
from synparse.config.settings import plain_settings
from synparse.parsing.options import ParserOptions
from synparse.parsing.pack import pack
from synparse.parsing.parser import Parser
from synparse.store.model_directory import load, plain_description
from synparse.store.models import open_model
from synparse.trees.errors import SettingError

BEFORE = {
    "embedding_init:": "word_start:",
    "bias_init:": "bias_start:",
    "sampled_softmax:": "sampled_words:",
    "phrase_boundaries:": "phrase_edges:",
    "brackets: boundaries": "brackets: edges",
    "heads: boundaries": "heads: edges",
}
SENTENCES = ["The old man the boats .", "( A dog , the cat saw ) barks at 1,990 of them .", "no", ""]


def as_before(text):
    for name, old in BEFORE.items():
        text = text.replace(name, old)
    return text


@pytest.fixture
def present(tmp_path, tiny_udgns):
    """A directory like that of the model which version 0.1 shipped: packed UDGNs with phrase boundaries."""
    options = ParserOptions(punctuation="evidence", function_words="leaves")
    return pack(tiny_udgns, tiny_udgns, tmp_path / "present", options=options).model.directory


@pytest.fixture
def english(present, tmp_path):
    """The same, as version 0.1 wrote it: each model with a config of its own."""
    folder, model = shutil.copytree(present, tmp_path / "english"), open_model(present)
    parts = {"brackets": list(model.brackets), "heads": list(model.heads)}
    configs = {".": {"members": parts, "parse": plain_settings(model.parsing)}}
    configs |= {name: plain_description(member.description) for name, member in model.members.items()}
    for name, values in configs.items():
        text = as_before(yaml.safe_dump(values, sort_keys=False))
        (folder / name / "config.yaml").write_text(text, encoding="utf-8")
    for path in list(folder.rglob("boundaries.safetensors")):
        path.rename(path.with_name("edges.safetensors"))
    return folder


@pytest.mark.parametrize("name", shipped_recipes())
def test_recipes_of_before_are_read(name, tmp_path):
    written = as_before((recipe_folder() / f"{name}.yaml").read_text(encoding="utf-8"))
    assert "phrase_edges:" in written
    (tmp_path / f"{name}.yaml").write_text(written, encoding="utf-8")
    assert load_recipe(str(tmp_path / f"{name}.yaml")) == load_recipe(name)


def test_overrides_of_before_are_read_and_the_last_one_counts(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text("model: udgn\ntraining: {word_start: cooccurrence, sampled_words: 9}\n", encoding="utf-8")
    [stage] = load_recipe(str(path), ["training.sampled_softmax=4"]).networks
    assert stage.training.embedding_init == "cooccurrence"
    assert stage.training.sampled_softmax == 4


def test_settings_that_are_no_more_may_be_there_but_cannot_be_set(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text("model: udgn\ntraining: {moving_average: 0.9, short_first: 1, epochs: 3}\n", encoding="utf-8")
    [stage] = load_recipe(str(path)).networks
    assert stage.training.epochs == 3
    with pytest.raises(SettingError, match=r"unknown setting training\.moving_average: it no longer exists"):
        load_recipe(str(path), ["training.moving_average=0.9"])


def test_a_task_recipe_of_before_is_read(tmp_path):
    from synparse.tasks.recipe import load_task_recipe

    written = (recipe_folder() / "tasks" / "listops-small.yaml").read_text(encoding="utf-8")
    path = tmp_path / "listops-small.yaml"
    path.write_text(written.replace("short_fraction:", "short_share:"), encoding="utf-8")
    assert "short_share" in path.read_text(encoding="utf-8")
    assert load_task_recipe(str(path), "lstm") == load_task_recipe("listops-small", "lstm")


def test_a_packed_model_of_before_parses_as_the_present_one(english, present):
    assert "edges" in (english / "config.yaml").read_text(encoding="utf-8")
    now, before = Parser.load(present, device="cpu"), Parser.load(english, device="cpu")
    assert before.parse(SENTENCES) == now.parse(SENTENCES)
    old, new = open_model(english), open_model(present)
    assert (old.brackets, old.heads, old.parsing) == (new.brackets, new.heads, new.parsing)
    assert [member.description for member in old.members.values()] == [
        member.description for member in new.members.values()
    ]
    assert run(["info", str(english)]) == 0


def test_a_model_written_anew_over_one_of_before_has_its_own_boundaries(english):
    for member in open_model(english).members.values():
        [before] = member.directory.glob("edges.safetensors")
        boundaries = load(member, without_torch=True).boundaries
        shutil.copy(before, member.directory / "boundaries.safetensors")
        before.write_bytes(b"of the model before")
        again = load(member, without_torch=True).boundaries
        assert all((boundary == same_boundary).all() for boundary, same_boundary in zip(boundaries, again, strict=True))


def test_what_is_written_has_the_present_names():
    written = yaml.safe_dump([load_recipe(name).as_mapping() for name in shipped_recipes()])
    assert not any(old.split(":")[0] + ":" in written for old in list(BEFORE.values())[:4])
