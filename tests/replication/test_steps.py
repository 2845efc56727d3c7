"""What a step is named by, and what makes it another step."""

import pytest

from synparse.replication.steps import Made, Output, Shipped, Step, UserFile, typed, with_needs, words, words_to_resume
from synparse.trees.errors import DataError


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "a text.txt"
    path.write_text("a b\n", encoding="utf-8")
    return path


def training(text, *more):
    command = ("train", UserFile(str(text)))
    arguments = (*command, *more, "--output", Output("model"), "--json")
    return Step("train udgn seed 1", arguments, resumed_by=command, is_training=True)


def test_the_command_is_what_a_user_types(text, tmp_path):
    model = training(text)
    scored = Step("perplexity", ("perplexity", Made(model, "model"), "--json"))
    assert words(model, tmp_path) == [
        *("train", str(text), "--output", f"{tmp_path}/{model.folder}/model", "--json"),
    ]
    assert words(scored, tmp_path) == ["perplexity", f"{tmp_path}/{model.folder}/model", "--json"]
    resumed = ["train", str(text), "--resume", f"{tmp_path}/{model.folder}/model", "--json"]
    assert words_to_resume(model, tmp_path) == resumed
    assert typed(["train", "a text.txt"]) == "synparse train 'a text.txt'"


def test_another_setting_another_content_and_another_model_are_other_steps(text, tmp_path):
    one = training(text)
    assert one == training(text)
    assert hash(one) == hash(training(text))
    seeded = training(text, "--seed", "2")
    assert seeded != one
    assert seeded.folder != one.folder
    assert Step("x", ("eval", Made(one, "model"))) != Step("x", ("eval", Made(seeded, "model")))
    moved = tmp_path / "elsewhere.txt"
    moved.write_text(text.read_text())
    assert training(moved) == one
    moved.write_text("a b c\n")
    assert training(moved) != one


def test_a_shipped_recipe_counts_by_its_content(tmp_path):
    def step(content):
        (tmp_path / "recipe.yaml").write_text(content)
        return Step("train", ("train", "--recipe", Shipped("small", tmp_path / "recipe.yaml"))).key

    assert step("layers: 1") != step("layers: 22")


def test_what_is_needed_comes_first_and_once(text):
    model = training(text)
    parsed = Step("parse", ("parse", Made(model, "model"), "--output", Output("trees")))
    scores = [Step(name, ("eval", Made(parsed, "trees"), name)) for name in ("uas", "uuas")]
    assert list(with_needs(scores)) == [model, parsed, *scores]
    assert parsed.outputs == ("trees",)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(DataError, match=r"none\.txt: cannot be read"):
        training(tmp_path / "none.txt").key  # noqa: B018
