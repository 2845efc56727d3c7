import json
import math
from pathlib import Path

import pytest
import torch
import yaml

from synparse.config.recipe import load_recipe
from synparse.parsing.parser import Parser
from synparse.store.model_directory import load_model
from synparse.training.run import train
from synparse.trees.errors import DataError, SettingError, TrainingError


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
    assert result.score is not None
    assert load_model(tmp_path / "model").description.provenance["steps"] == 20
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.parametrize("name", ["tiny_on_lstm", "tiny_udgn", "tiny_student"])
def test_other_models_leave_whole_directories_too(request, name):
    directory = request.getfixturevalue(name)
    card = (directory / "README.md").read_text(encoding="utf-8")
    assert ("(next-word) |" in card) == (name == "tiny_on_lstm")
    assert ("pred.conllu" in card) == (name != "tiny_on_lstm")
    assert ("without seeing a tree" in card) == (name != "tiny_student")
    assert ("| trees | heads of" in card) == (name == "tiny_student")
    assert load_model(directory).description.recipe.model in card


def test_a_student_reproduces_the_trees_it_is_shown(tmp_path, tiny_student_recipe, sample_text):
    """The brackets of one parser and the heads of another, on sentences that it has not seen too."""
    sentences = [line.split()[:7] for line in sample_text]
    brackets = Parser.load("right-branching").parse(sentences)
    heads = Parser.load("chain").parse(sentences)
    lines = [
        json.dumps({"tokens": one.tokens, "constituents": [c[1:] for c in one.tree.constituents], "heads": other.heads})
        for one, other in zip(brackets, heads, strict=True)
    ]
    (tmp_path / "shown.jsonl").write_text("\n".join(lines[:300]))
    settings = ["architecture.hidden_size=24", "training.epochs=12", "training.batch_tokens=128"]
    train([str(tmp_path / "shown.jsonl")], load_recipe(str(tiny_student_recipe), settings), tmp_path / "m")
    # The heads do not fit the brackets, so they are not those of the phrases.
    parses = Parser.load(tmp_path / "m").parse(sentences, head_decoder="mst")
    for part in (slice(0, 300), slice(300, None)):
        same_tree = [one.tree == other.tree for one, other in zip(parses[part], brackets[part], strict=True)]
        same_heads = [one.heads == other.heads for one, other in zip(parses[part], heads[part], strict=True)]
        assert min(sum(same_tree), sum(same_heads)) > 0.9 * len(same_tree)


@pytest.mark.parametrize(("suffix", "heads", "splits"), [("conllu", True, False), ("brackets", False, True)])
def test_a_student_learns_from_a_treebank_what_is_there(tmp_path, tiny_student_recipe, suffix, heads, splits):
    gold = Path(__file__).resolve().parents[2] / "data" / "sample" / f"gold.{suffix}"
    train([str(gold)], load_recipe(str(tiny_student_recipe)), tmp_path / "m")
    corpus = load_model(tmp_path / "m").description.provenance["corpus"]
    assert (corpus["heads"] > 0, corpus["splits"] > 0) == (heads, splits)
    assert corpus["heads"] in (0, corpus["training_words"])
    assert corpus["splits"] in (0, corpus["training_words"] - corpus["training_sentences"])
    parser = Parser.load(tmp_path / "m")
    assert parser.head_decoders == (("projective", "mst", "argmax", "phrases") if heads else ())
    assert parser.tree_decoders == (("projective",) if heads else ("unbiased", "splits", "published"))
    [parse] = parser.parse(["the dog sees the cat"])
    assert (parse.heads is not None, parse.distances is not None) == (heads, splits)
    card = (tmp_path / "m" / "README.md").read_text(encoding="utf-8")
    assert ("pred.conllu" in card) == heads


@pytest.mark.parametrize(
    ("name", "content", "position"),
    [
        ("x.txt", "the dog barked\n", "x.txt: has no trees to learn from"),
        ("x.jsonl", '{"tokens": ["a"], "heads": null}\n', "x.jsonl: has no trees to learn from"),
        ("x.conllu", "1\ta" + "\t_" * 8 + "\n", "x.conllu:1: word 1 (a) has no head"),
    ],
)
@pytest.mark.parametrize("is_valid", [False, True])
def test_a_corpus_without_trees_is_told_and_how_to_make_them(
    tmp_path, tiny_student, tiny_student_recipe, name, content, position, is_valid
):
    (tmp_path / name).write_text(content)
    shown, other = str(tiny_student.parent / "corpus.jsonl"), str(tmp_path / name)
    corpus, valid = ([shown], other) if is_valid else ([shown, other], None)
    with pytest.raises(DataError, match=r"make them with: synparse parse --model MODEL --format json") as caught:
        train(corpus, load_recipe(str(tiny_student_recipe)), tmp_path / "model", valid=valid)
    assert position in str(caught.value)
    assert not (tmp_path / "model").exists()


def test_other_models_read_the_words_of_trees(tmp_path, tiny_recipe, tiny_model, sample_trees):
    (tmp_path / "corpus.jsonl").write_text("\n".join(sample_trees), encoding="utf-8")
    train([str(tmp_path / "corpus.jsonl")], load_recipe(str(tiny_recipe)), tmp_path / "model", device="cpu")
    assert (tmp_path / "model" / "weights.safetensors").read_bytes() == (
        tiny_model / "weights.safetensors"
    ).read_bytes()


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
    assert result.score is None
    assert list(tmp_path.iterdir()) == []


def test_a_bad_corpus_leaves_nothing(tmp_path, tiny_recipe):
    (tmp_path / "corpus.txt").write_text("\n\n \n")
    with pytest.raises(DataError, match="no words"):
        train([str(tmp_path / "corpus.txt")], load_recipe(str(tiny_recipe)), tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.txt"]


def test_a_decoder_to_record_that_will_not_fit_is_told_before_training(tmp_path, tiny_recipe):
    recipe = load_recipe(str(tiny_recipe), ["parsing.brackets=grammar", "grammar.parts=none"])
    with pytest.raises(SettingError, match=r"parsing\.brackets: structformer will have no decoder 'grammar'"):
        train([str(tmp_path / "not-read.txt")], recipe, tmp_path / "model")
