"""Tuning runs of tiny models: what they learn, save and resume."""

import json
import shutil
from pathlib import Path

import pytest
import torch

from synparse.language_models.loading import load_language_model
from synparse.language_models.tuning import TUNING
from synparse.language_models.tuning_recipe import load_tuning_recipe
from synparse.parsing.parser import Parser
from synparse.training.trainer import resume, train
from synparse.trees.errors import DataError, SettingError
from tests.stopping import stop_when
from tests.untrained import untrained

WORDS = "a b c d e f g h"
SMALL = ["training.batch_size=8", "training.epochs=2", "training.warmup_steps=0", "training.learning_rate=0.02"]


pytestmark = pytest.mark.usefixtures("ctrl_c_is_heard")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return str(untrained(tmp_path_factory.mktemp("models") / "udgn", "udgn", WORDS))


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """Forty pairs; those that begin with the same word are alike."""
    path = tmp_path_factory.mktemp("pairs") / "pairs.tsv"
    words = WORDS.split()
    rows = [
        (5 * (n % 2), f"{words[n % 8]} {words[n % 7]}", f"{words[n % 8 if n % 2 else (n + 3) % 8]} {words[n % 5]}")
        for n in range(40)
    ]
    text = "".join(f"{score}\t{first}\t{second}\n" for score, first, second in rows)
    path.write_text(f"score\tsentence1\tsentence2\n{text}", encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def held_out(pairs):
    """The same in another file."""
    return shutil.copy(pairs, f"{pairs}-held-out.tsv")


def recipe(model, *overrides):
    return load_tuning_recipe("similarity-small", model, [*SMALL, *overrides])


def weights(directory):
    return load_language_model(str(directory)).network.state_dict()


def test_a_run_is_a_model_directory_that_says_what_it_was_tuned_on_and_parses(tmp_path, model, pairs, held_out):
    result = train(TUNING, [pairs], recipe(model), tmp_path / "tuned", valid=held_out, device="cpu")
    assert result.measure == "spearman"
    assert result.steps == 10
    tuned = load_language_model(str(tmp_path / "tuned"))
    tuning = tuned.description.provenance["tuning"]
    assert (tuning["model"], tuning["pairs"], tuning["held_out_pairs"]) == ("udgn", 40, 40)
    assert tuning["held_out_spearman"] == pytest.approx(result.score, abs=1e-5)
    assert tuned.description.provenance["seed"] == 1
    before, after = weights(model), weights(tmp_path / "tuned")
    assert all(torch.equal(before[name], after[name]) == (name == "output_bias") for name in before)
    rows = [json.loads(line) for line in (tmp_path / "tuned" / "log.jsonl").read_text().splitlines()]
    assert max(row["spearman"] for row in rows) == pytest.approx(result.score, abs=1e-4)
    assert "synparse similarity evaluate tuned" in (tmp_path / "tuned" / "README.md").read_text()
    [tree] = Parser.load(tmp_path / "tuned").parse([["a", "b", "c"]])
    assert len(tree.heads) == 3


def test_with_a_frozen_parser_the_trees_stay(tmp_path, model, pairs, held_out):
    train(
        TUNING, [pairs], recipe(model, "training.freeze_parser=true"), tmp_path / "tuned", valid=held_out, device="cpu"
    )
    before, after = weights(model), weights(tmp_path / "tuned")
    for name in before:
        is_frozen = name.startswith("parser.") or name == "output_bias"
        assert torch.equal(before[name], after[name]) == is_frozen, name


def test_it_learns_what_can_be_learnt(tmp_path, model, pairs, held_out):
    scores = []

    def report(event):
        if getattr(event, "score", None) is not None:
            scores.append(event.score)

    train(
        TUNING,
        [pairs],
        recipe(model, "training.epochs=16"),
        tmp_path / "tuned",
        valid=held_out,
        device="cpu",
        report=report,
    )
    assert max(scores) > 0.8


def test_without_a_file_that_validates_some_pairs_are_held_out(tmp_path, model, pairs):
    train(TUNING, [pairs], recipe(model), tmp_path / "tuned", device="cpu")
    tuning = load_language_model(str(tmp_path / "tuned")).description.provenance["tuning"]
    assert (tuning["pairs"], tuning["held_out_pairs"]) == (36, 4)
    few = tmp_path / "few.tsv"
    few.write_text("score\tsentence1\tsentence2\n" + "1\ta\tb\n" * 19, encoding="utf-8")
    with pytest.raises(DataError, match="at least 20 pairs"):
        train(TUNING, [str(few)], recipe(model), tmp_path / "other", device="cpu")
    assert not (tmp_path / "other").exists()


def test_a_file_that_cannot_validate_is_told(tmp_path, model, pairs):
    same = tmp_path / "same.tsv"
    same.write_text("score\tsentence1\tsentence2\n" + "1\ta\tb\n" * 3, encoding="utf-8")
    with pytest.raises(DataError, match=r"same\.tsv: all pairs have the same score"):
        train(TUNING, [pairs], recipe(model), tmp_path / "other", valid=str(same), device="cpu")


def test_a_stopped_run_goes_on_to_the_same_result(tmp_path, model, pairs, held_out):
    stop = stop_when(lambda event: getattr(event, "step", None) == 7)
    whole = train(TUNING, [pairs], recipe(model), tmp_path / "whole", valid=held_out, device="cpu")
    stopped = train(TUNING, [pairs], recipe(model), tmp_path / "stopped", valid=held_out, device="cpu", report=stop)
    assert stopped.interrupted
    assert stopped.is_resumable
    with pytest.raises(DataError, match="the corpus has changed"):
        resume(TUNING, tmp_path / "stopped", data=[_changed(tmp_path, pairs)], device="cpu")
    shutil.copytree(model, tmp_path / "kept")
    _with_other_words(model)
    with pytest.raises(DataError, match="the corpus has changed"):
        resume(TUNING, tmp_path / "stopped", device="cpu")
    shutil.rmtree(model)
    shutil.move(tmp_path / "kept", model)
    resumed = resume(TUNING, tmp_path / "stopped", device="cpu")
    assert (resumed.steps, resumed.score) == (whole.steps, whole.score)
    one, other = weights(tmp_path / "whole"), weights(tmp_path / "stopped")
    assert all(torch.equal(one[name], other[name]) for name in one)
    with pytest.raises(DataError, match="nothing to resume"):
        resume(TUNING, tmp_path / "stopped")


def _with_other_words(model):
    [path] = Path(model).rglob("vocabulary.txt")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines[:-2], lines[-1], lines[-2]]), encoding="utf-8")


def _changed(folder, pairs):
    lines = Path(pairs).read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "changed.tsv").write_text("".join(lines[:-1]), encoding="utf-8")
    return str(folder / "changed.tsv")


def test_an_output_that_exists_is_kept_and_models_that_cannot_are_told(tmp_path, model, pairs, held_out, tiny_student):
    train(TUNING, [pairs], recipe(model), tmp_path / "tuned", valid=held_out, device="cpu")
    with pytest.raises(SettingError, match="holds a model; --force replaces it"):
        train(TUNING, [pairs], recipe(model), tmp_path / "tuned", device="cpu")
    with pytest.raises(SettingError, match=r"predicts trees, not words; language models are udgn"):
        train(TUNING, [pairs], recipe(str(tiny_student)), tmp_path / "other", device="cpu")
    assert not (tmp_path / "other").exists()
