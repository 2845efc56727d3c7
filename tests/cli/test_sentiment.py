"""``synparse sentiment`` as a user types it."""

import functools
import json

import pytest

from tests.cli import commands

RECIPE = """\
encoders:
  lstm: {hidden_size: 8, dropout: 0.0}
  ordered-memory: {hidden_size: 8, slots: 3}
text: {min_count: 1}
training: {batch_size: 16, epochs: 1, validate_every: 2, learning_rate: 1e-2}
"""
TREES = ["(4 (3 (2 a) (3 good)) (2 film))\n", "(0 (1 (2 a) (1 bad)) (2 film))\n", "(2 (2 a) (2 film))\n"]


synparse = functools.partial(commands.synparse, "sentiment")


@pytest.fixture
def files(tmp_path):
    (tmp_path / "tiny.yaml").write_text(RECIPE, encoding="utf-8")
    (tmp_path / "train.ptb").write_text("".join(TREES * 10), encoding="utf-8")
    (tmp_path / "test.ptb").write_text("".join(TREES + TREES[:1]), encoding="utf-8")
    return tmp_path


def test_train_and_evaluate(files, monkeypatch):
    monkeypatch.chdir(files)
    models = []
    for model, seed in (("lstm", 1), ("lstm", 2), ("ordered-memory", 1)):
        models.append(f"{model}-{seed}")
        given = ["--model", model, "--recipe", "tiny.yaml", "--seed", seed, "--device", "cpu", "-o", models[-1]]
        result = json.loads(synparse("train", "train.ptb", "--valid", "test.ptb", *given, "--json"))
        assert 0 <= result["held_out_accuracy"] <= 1
    text = synparse("evaluate", *models, "--data", "test.ptb")
    assert text.splitlines()[0].split() == (
        ["lstm", "(2)", "ordered-memory", "(1)", "majority:", "positive", "examples"]
    )
    assert text.splitlines()[1].split()[-2:] == ["66.67", "3"]
    assert "protocol           sst2: per cent of the sentences" in text
    plain = json.loads(synparse("evaluate", *models, "--data", "test.ptb", "--json"))
    assert plain["task"] == "sst2"
    assert plain["baselines"]["majority: positive"]["accuracy"] == 66.67
    assert plain["encoders"]["lstm"]["accuracy"]["models"] == 2
    assert plain["models"]["lstm-1"]["examples"] == 3
    assert "\\begin{tabular}" in synparse("evaluate", models[0], "--data", "test.ptb", "--latex")
    assert "there is nothing to resume" in synparse("train", "--resume", models[0], code=1)
    given = ["--recipe", "tiny.yaml", "--model", "lstm", "--device", "cpu", "-o", "five"]
    synparse("train", "train.ptb", "--task", "sst5", *given)
    assert "not a model of the task sst2" in synparse("evaluate", models[0], "five", "--data", "test.ptb", code=1)
    assert json.loads(synparse("evaluate", "five", "--data", "test.ptb", "--json"))["models"]["five"]["examples"] == 4


def test_errors_are_one_line(files, monkeypatch):
    monkeypatch.chdir(files)
    (files / "bad.ptb").write_text("(7 (2 a) (2 b))\n", encoding="utf-8")
    train = ["train", "--model", "lstm", "--recipe", "tiny.yaml", "-o", "model"]
    assert "bad.ptb:1: the label of a node must be 0 to 4" in synparse(*train, "bad.ptb", code=1)
    assert "name the files" in synparse(*train, code=2)
    assert "unknown" in synparse("train", "train.ptb", "--set", "text.phrase=true", "-o", "model", code=2)
    assert "gru" in synparse("train", "train.ptb", "--model", "gru", code=2)
    assert "has no config.yaml" in synparse("evaluate", ".", "--data", "test.ptb", code=1)
    (files / "config.yaml").write_text("task: listops\nprovenance: {}\n", encoding="utf-8")
    assert "not a model of sst2 or sst5" in synparse("evaluate", ".", "--data", "test.ptb", code=1)
    assert "one of --json" in synparse("evaluate", ".", "--data", "test.ptb", "--json", "--tsv", code=2)
    assert not (files / "model").exists()
