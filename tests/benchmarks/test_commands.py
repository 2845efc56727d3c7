"""What is trained and parsed, what is not done again, and what is recorded of it."""

import json
import os

import pytest

from benchmarks import commands
from benchmarks.commands import CommandError, Record, is_trained, parsed, read_record, record_file, run, trained
from synparse.store.model_directory import RUN
from synparse.trees.errors import SettingError


@pytest.fixture
def model(tmp_path, monkeypatch):
    """The directory of a model whose training, and its resuming, write files at once."""

    def run(*arguments, record=None):
        seen.append(" ".join(map(str, arguments)))
        directory.mkdir(exist_ok=True)
        (directory / "config.yaml").touch()
        (directory / RUN).unlink(missing_ok=True)
        if record is not None:
            record.write('{"minutes": 2, "CPU minutes": 1.5}\n')

    seen = []
    directory = tmp_path / "runs" / "model"
    monkeypatch.setattr(commands, "run", run)
    monkeypatch.setattr(commands, "commit", lambda: f"commit {len(seen)}")
    return directory, seen


def test_a_run_begins_resumes_and_is_not_made_again(model):
    directory, seen = model
    for _ in range(2):
        assert trained(directory, "text.txt", "--seed", 1, settings="1 minute") == directory
    assert seen == [f"train text.txt --seed 1 --output {directory}"]
    assert read_record(directory) == Record("1 minute", commands.THREADS, ("commit 0",), 1.5, 2)
    (directory / RUN).touch()
    assert not is_trained(directory)
    trained(directory, "text.txt", "--seed", 1, settings="1 minute", cores="1 each, 2 at once")
    assert seen[1:] == [f"train --resume {directory}"]
    record = Record("1 minute", "1 each, 2 at once", ("commit 0", "commit 1"), 3.0, 4)
    assert read_record(directory) == record
    with record_file(directory).open("a") as file:  # it began, and was killed
        file.write('{"commit": "c", "settings": "1 minute", "cores": "1"}\n')
    assert read_record(directory)[2:] == (("commit 0", "commit 1", "c"), None, None)


def test_a_directory_is_for_one_setting(model):
    directory, _ = model
    trained(directory, settings="1 minute")
    with pytest.raises(SettingError, match="was trained with 1 minute; name another folder by --work"):
        trained(directory, settings="2 minutes")
    assert read_record(directory.with_name("another")) == Record()


def test_trees_are_made_again_for_a_newer_model(model, tmp_path):
    directory, seen = model
    trained(directory)
    source, output = tmp_path / "text.txt", tmp_path / "trees"
    for age in (None, -60, 60):
        if age is not None:
            output.touch()
            config = (directory / "config.yaml").stat()
            os.utime(output, (config.st_atime, config.st_mtime + age))
        parsed(source, directory, output, "--raw")
    parse = f"parse {source} --model {directory} --jobs 1 --raw --output {output}"
    assert seen[1:] == [parse, parse]


def test_a_command_that_fails_is_named_and_has_said_why(capfd, tmp_path):
    with (tmp_path / "record").open("w+") as record:
        with pytest.raises(CommandError, match="synparse parse missing --model chain ended with exit code 1"):
            run("parse", "missing", "--model", "chain", record=record)
        record.seek(0)
        assert set(json.loads(record.read())) == {"minutes", "CPU minutes"}
    assert "missing: cannot be read" in capfd.readouterr().err


def test_a_program_ends_with_what_failed():
    def fails():
        raise CommandError("synparse train ended with exit code 3")

    def stops():
        raise KeyboardInterrupt

    with pytest.raises(SystemExit, match="exit code 3"):
        commands.program(fails)
    with pytest.raises(SystemExit, match="130"):
        commands.program(stops)
