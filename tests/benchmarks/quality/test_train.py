"""Which runs are trained, and what is recorded of them."""

import itertools
import shutil
import sys
from pathlib import Path

import pytest

from benchmarks.quality import train
from benchmarks.quality.train import Budget, Record
from synparse.config.recipe import load_recipe
from synparse.store.overwriting import LAST


def test_each_run_has_a_folder_of_its_own():
    plain, changed = load_recipe("udgn-small"), load_recipe("udgn-small", ["training.mask_rate=0.45"])
    texts, teachers = (["a"], ["a", "b"]), ([], ["english"])
    runs = itertools.product((plain, changed), (Budget(20), Budget(60), Budget()), texts, teachers)
    folders = [train.run_folder(Path("work"), *run) for run in runs]
    assert len(set(folders)) == len(folders)
    assert train.run_folder(Path("work"), plain, Budget(20), ["a"]) == folders[0]


def test_a_budget_is_of_minutes_or_epochs():
    recipe = load_recipe("udgn-small", ["training.epochs=1"])
    assert [Budget(minutes).name(recipe) for minutes in (0.5, None)] == ["0.5 minutes", "1 epoch"]
    assert Budget().name(load_recipe("grammar")) == "–"


def test_a_stopped_run_resumes_and_a_finished_run_stays(tmp_path, tiny_udgn):
    directory = tmp_path / "seed-2"
    begin = train.training_command(directory, ["text.txt", "--recipe", "udgn-small"], 2)
    assert begin[3:] == f"train text.txt --recipe udgn-small --seed 2 -o {directory}".split(" ")
    assert not train.is_trained(directory)
    shutil.copytree(tiny_udgn, directory)
    assert train.is_trained(directory)
    (directory / LAST).touch()
    assert not train.is_trained(directory)
    again = train.training_command(directory, ["text.txt", "--recipe", "udgn-small"], 2)
    assert again[3:] == ["train", "--resume", str(directory)]


def test_a_run_is_recorded(tmp_path):
    directory = tmp_path / "seed-1"
    begun = {"commit": "abc", "budget": "1 epoch", "cores": "1"}
    work = "import sys, os; sum(range(10**6)); sys.exit(int(os.environ['OMP_NUM_THREADS']) + 2)"
    assert train.train_seed([sys.executable, "-c", work], directory, begun) == 3
    record = train.read_record(directory)
    assert record[:3] == ("1 epoch", "1", ("abc",))
    assert 0 < record.cpu_minutes < 1
    directory.mkdir()
    (directory / LAST).touch()
    assert train.train_seed([sys.executable, "-c", ""], directory, {**begun, "commit": "def"}) == 0
    again = train.read_record(directory)
    assert again.commits == ("abc", "def")
    assert again.cpu_minutes > record.cpu_minutes
    with train.record_file(directory).open("a") as file:  # it began, and was killed
        file.write('{"commit": "def", "budget": "1 epoch", "cores": "1"}\n')
    assert train.read_record(directory)[2:] == (("abc", "def"), None, None)
    assert again.minutes > record.minutes > 0
    assert train.read_record(tmp_path / "another") == Record()


def test_the_command_names_teachers_and_changes(tmp_path, tiny_udgn, monkeypatch, capsys):
    commands = []
    monkeypatch.setattr(train, "train_seed", lambda command, *_: commands.append(command[4:]) or 0)
    monkeypatch.chdir(tmp_path)
    words = f"--model grammar --teacher {tiny_udgn} --teacher english --set grammar.classes=9 --minutes 2".split()
    more = "--text text.txt --seeds 4 --work runs".split()
    monkeypatch.setattr(sys, "argv", ["train.py", *words, *more])
    train.main()
    [directory] = capsys.readouterr().out.splitlines()
    assert directory.startswith("runs/grammar-")
    assert commands == [
        f"{tmp_path}/text.txt --model grammar --set grammar.classes=9 --teacher {tiny_udgn} --teacher english "
        f"--minutes 2.0 --seed 4 -o {directory}".split()
    ]


def test_failed_training_ends_the_program(tmp_path, monkeypatch):
    monkeypatch.setattr(train, "train_seed", lambda *_: 1)
    monkeypatch.setattr(sys, "argv", ["train.py", "--recipe", "udgn-small", "--work", str(tmp_path)])
    with pytest.raises(SystemExit, match=r"exit codes \[1, 1, 1\]"):
        train.main()
