"""Training and scoring in one command."""

import itertools
import shutil
from pathlib import Path

import pytest

from benchmarks import commands
from benchmarks.quality import __main__ as quality
from benchmarks.quality.table import NOTHING
from synparse.config.recipe import load_recipe


@pytest.fixture
def trained(monkeypatch, tiny_udgn):
    """The commands that trained, in place of which the same model is there."""
    seen = []

    def run(*arguments, record):
        seen.append([*map(str, arguments)])
        shutil.copytree(tiny_udgn, arguments[-1])
        record.write('{"minutes": 3, "CPU minutes": 2}\n')

    monkeypatch.setattr(commands, "run", run)
    monkeypatch.setattr(commands, "commit", lambda: "abc")
    monkeypatch.setattr(quality, "THREADS", "1")
    return seen


def test_each_run_has_a_folder_of_its_own():
    plain, changed = load_recipe("udgn-small"), load_recipe("udgn-small", ["training.mask_rate=0.45"])
    sources = (["a"], ["a", "b"], ["a", "teacher b"])
    folders = [
        quality.run_folder(Path("work"), *run) for run in itertools.product((plain, changed), (20, None), sources)
    ]
    assert len(set(folders)) == len(folders)
    assert quality.run_folder(Path("work"), plain, 20, ["a"]) == folders[0]


def test_a_budget_is_of_minutes_or_epochs():
    recipe = load_recipe("udgn-small", ["training.epochs=1"])
    assert [quality.budget_of(recipe, minutes) for minutes in (0.5, None)] == ["0.5 minutes", "1 epoch"]
    assert quality.budget_of(load_recipe("grammar"), None) == NOTHING


def test_the_command_names_teachers_and_changes(tmp_path, tiny_udgn, trained, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = f"--model grammar --teacher {tiny_udgn} --teacher english --set grammar.classes=9 --minutes 2".split()
    run(quality, *words, *"--text text.txt --seeds 4 --work runs --punctuation ignore".split())
    [command] = trained
    assert command[-1].startswith("runs/grammar-")
    assert command[:-1] == (
        f"train {tmp_path}/text.txt --model grammar --set grammar.classes=9 --teacher {tiny_udgn} --teacher english "
        "--minutes 2.0 --seed 4 --output".split()
    )


def test_a_trained_model_is_scored_with_and_without_punctuation(tmp_path, tiny_udgn_recipe, trained, run):
    arguments = ["--recipe", tiny_udgn_recipe, "--epochs", 1, "--seeds", 1, 2, "--parallel", 2]
    arguments += ["--work", tmp_path / "work"]
    rows = run(quality, *arguments)
    assert sorted(command[command.index("--seed") + 1] for command in trained) == ["1", "2"]
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
