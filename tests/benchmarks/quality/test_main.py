"""Training and scoring in one command."""

import shutil

import pytest

from benchmarks.quality import __main__ as quality
from benchmarks.quality import train
from benchmarks.quality.table import NOTHING


@pytest.fixture
def trained(monkeypatch, tiny_udgn):
    """The seeds that were trained, in place of which the same model is there."""
    seeds = []

    def train_seed(command, directory, begun):
        seeds.append(command[command.index("--seed") + 1])
        shutil.copytree(tiny_udgn, directory)
        train.record_file(directory).write_text(
            f'{{"commit": "abc", "budget": "{begun["budget"]}", "cores": "{begun["cores"]}"}}\n{{"CPU minutes": 2}}\n'
        )
        return 0

    monkeypatch.setattr(train, "train_seed", train_seed)
    return seeds


def test_a_trained_model_is_scored_with_and_without_punctuation(tmp_path, tiny_udgn_recipe, trained, run):
    arguments = ["--recipe", tiny_udgn_recipe, "--epochs", 1, "--seeds", 1, 2, "--parallel", 2]
    arguments += ["--work", tmp_path / "work"]
    rows = run(quality, *arguments)
    assert sorted(trained) == ["1", "2"]
    assert run(quality, *arguments) == rows
    assert len(trained) == 2
    assert [row["punctuation"] for row in rows] == ["evidence", "ignore"]
    row = rows[0]
    assert (row["budget"], row["trained at"], row["cores"]) == ("1 epoch", "abc", "1 each, 2 at once")
    assert (row["seeds"], row["CPU minutes"]) == ("1 1", "2.0 (0.0)")
    assert row["command"].startswith(f"python -m benchmarks.quality --recipe {tiny_udgn_recipe} --epochs 1 --seeds 1 2")
    assert row["WSJ UAS stanford"].endswith("(0.0)")  # the same model twice
    assert row["GUM agreement UF1"] == row["GUM agreement UAS"] == "100.0"
    assert row["EWT UAS UD"] == row["GUM UAS stanford"] == NOTHING  # the folder has no such files
    noted = run(quality, *arguments, "--note", "another")
    assert [row["note"] for row in noted] == [NOTHING, NOTHING, "another", "another"]
