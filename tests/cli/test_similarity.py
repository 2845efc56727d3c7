"""``synparse similarity`` as a user types it."""

import functools
import json
import shutil

import pytest

from tests.cli import commands
from tests.untrained import untrained

HEAD = "score\tsentence1\tsentence2\n"


synparse = functools.partial(commands.synparse, "similarity")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with a model and pairs."""
    monkeypatch.chdir(tmp_path)
    untrained(tmp_path / "udgn", "udgn", "a b c d")
    untrained(tmp_path / "on-lstm", "on-lstm", "a b c d")
    words = "abcd"
    rows = [f"{n % 6}\t{words[n % 4]} {words[n % 3]}\t{words[n % 2]}\n" for n in range(24)]
    (tmp_path / "pairs.tsv").write_text(HEAD + "".join(rows), encoding="utf-8")
    return tmp_path


def test_train_and_evaluate(folder):
    given = ["--data", "pairs.tsv", "--set", "training.epochs=1", "--device", "cpu"]
    result = json.loads(synparse("train", "udgn", *given, "-o", "tuned", "--json"))
    assert -1 <= result["held_out_spearman"] <= 1
    shutil.copy(folder / "pairs.tsv", folder / "held-out.tsv")
    synparse("train", "udgn", *given, "--freeze-parser", "--valid", "held-out.tsv", "-o", "frozen")
    of = ["evaluate", "udgn", "tuned", "frozen", "--data", "pairs.tsv"]
    text = synparse(*of, "--baselines")
    for kind in (
        "udgn (1)",
        "udgn tuned (1)",
        "udgn tuned, frozen parser (1)",
        "udgn: word vectors (1)",
        "word overlap",
    ):
        assert kind in text.splitlines()[0]
    assert [line.split()[0] for line in text.splitlines()[1:4]] == ["pairs", "mean", "protocol"]
    plain = json.loads(synparse(*of, "--json"))
    assert [(model["model"], model["sets"]["pairs"]["pairs"]) for model in plain["models"]] == [
        ("udgn", 24),
        ("tuned", 24),
        ("frozen", 24),
    ]
    assert "\\begin{tabular}" in synparse(*of, "--latex")
    synparse(*of, "--tsv", "-o", "table.tsv")
    assert (folder / "table.tsv").read_text().startswith("\tudgn (1)\t")
    assert "there is nothing to resume" in synparse("train", "--resume", "tuned", code=1)
    assert "holds a model" in synparse("train", "udgn", *given, "-o", "tuned", code=2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("one column\n", "bad.tsv:1: no column score"),
        (f"{HEAD}7\ta\tb\n", "bad.tsv:2: the score 7 is out of range: scores are 0 to 5"),
        (f"{HEAD}3\ta\t\n", "bad.tsv:2: sentence2 is empty"),
    ],
)
def test_bad_data_are_one_line(folder, text, message):
    (folder / "bad.tsv").write_text(text, encoding="utf-8")
    assert message in synparse("evaluate", "udgn", "--data", "bad.tsv", code=1)
    assert message in synparse("train", "udgn", "--data", "bad.tsv", "-o", "model", code=1)
    assert not (folder / "model").exists()


def test_wrong_usage_is_one_line(folder):
    assert "language models are udgn" in synparse("evaluate", "english", "--data", "pairs.tsv", code=2)
    assert "no such model" in synparse("evaluate", "none", "--data", "pairs.tsv", code=1)
    assert "name the language model" in synparse("train", "--data", "pairs.tsv", code=2)
    assert "name the files" in synparse("train", "udgn", code=2)
    assert "one of --json" in synparse("evaluate", "udgn", "--data", "pairs.tsv", "--json", "--tsv", code=2)
    error = synparse("train", "on-lstm", "--data", "pairs.tsv", "--freeze-parser", "-o", "model", code=2)
    assert "--freeze-parser: nothing of on-lstm is left to tune without its parser" in error
    assert "a resumed run keeps --freeze-parser" in synparse("train", "--resume", "x", "--freeze-parser", code=2)
    assert not (folder / "model").exists()
