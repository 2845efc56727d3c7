import json
import math

import pytest
import torch
import yaml

from synparse.model_directory import load_model
from synparse.parser import Parser
from synparse.recipe import load_recipe
from synparse.training.loop import TrainingError
from synparse.training.run import train
from synparse.trees.errors import DataError


def test_a_run_leaves_a_whole_model_directory_and_nothing_else(tiny_model):
    names = sorted(path.name for path in tiny_model.iterdir())
    assert names == ["README.md", "config.yaml", "log.jsonl", "vocabulary.txt", "weights.safetensors"]
    assert sorted(path.name for path in tiny_model.parent.iterdir()) == ["corpus.txt", "model"]
    config = yaml.safe_load((tiny_model / "config.yaml").read_text(encoding="utf-8"))
    assert config["recipe"]["text"]["min_count"] == 2
    assert len(config["provenance"]["corpus"]["sha256"]) == 64
    rows = [json.loads(line) for line in (tiny_model / "log.jsonl").read_text().splitlines()]
    assert config["provenance"]["held_out_perplexity"] == pytest.approx(
        min(row["perplexity"] for row in rows), abs=0.01
    )
    assert "synparse eval" in (tiny_model / "README.md").read_text(encoding="utf-8")


def test_the_same_seed_gives_the_same_model(tmp_path, tiny_model, tiny_recipe):
    again = tmp_path / "again"
    train([str(tiny_model.parent / "corpus.txt")], load_recipe(str(tiny_recipe)), again, device="cpu")
    assert (again / "weights.safetensors").read_bytes() == (tiny_model / "weights.safetensors").read_bytes()


def test_a_loaded_model_is_the_saved_one(tiny_model):
    model = load_model(tiny_model)
    assert len(model.vocabulary) == model.description.provenance["vocabulary_words"]
    assert Parser.load(tiny_model, device="cpu").parse(["the dog sees the cat ."])[0].heads


def test_an_interrupt_keeps_the_best_model_so_far(tmp_path, tiny_model, tiny_recipe):
    def interrupt(event):
        if getattr(event, "step", 0) == 25:
            raise KeyboardInterrupt

    recipe = load_recipe(str(tiny_recipe), ["training.epochs=50"])
    result = train([str(tiny_model.parent / "corpus.txt")], recipe, tmp_path / "model", report=interrupt)
    assert result.interrupted
    assert result.perplexity is not None
    assert load_model(tmp_path / "model").description.provenance["steps"] == 20
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.parametrize("name", ["tiny_on_lstm", "tiny_udgn"])
def test_other_models_leave_whole_directories_too(request, name):
    directory = request.getfixturevalue(name)
    card = (directory / "README.md").read_text(encoding="utf-8")
    assert ("next-word perplexity" in card) == (name == "tiny_on_lstm")
    assert ("pred.conllu" in card) == (name == "tiny_udgn")
    assert load_model(directory).description.recipe.model in card


def test_a_broken_run_keeps_the_best_model_and_says_where(tmp_path, tiny_model, tiny_recipe):
    recipe = load_recipe(str(tiny_recipe), ["training.epochs=50"])

    def spoil(event):
        if getattr(event, "step", 0) == 25:
            with torch.no_grad():
                event.model.norm.weight.fill_(math.nan)

    with pytest.raises(TrainingError, match=r"at step 26; lower training.learning_rate .* is in .*model"):
        train([str(tiny_model.parent / "corpus.txt")], recipe, tmp_path / "model", report=spoil)
    assert load_model(tmp_path / "model").description.provenance["steps"] == 20


def test_an_interrupt_before_the_first_validation_leaves_nothing(tmp_path, tiny_model, tiny_recipe):
    def interrupt(event):
        if getattr(event, "step", 0) == 5:
            raise KeyboardInterrupt

    result = train(
        [str(tiny_model.parent / "corpus.txt")], load_recipe(str(tiny_recipe)), tmp_path / "m", report=interrupt
    )
    assert result.interrupted
    assert result.perplexity is None
    assert list(tmp_path.iterdir()) == []


def test_a_bad_corpus_leaves_nothing(tmp_path, tiny_recipe):
    (tmp_path / "corpus.txt").write_text("\n\n \n")
    with pytest.raises(DataError, match="no words"):
        train([str(tmp_path / "corpus.txt")], load_recipe(str(tiny_recipe)), tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.txt"]
