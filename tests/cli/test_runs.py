"""What the commands that train say of a run, and what --resume does not go with."""

import json
import signal
import sys
from pathlib import Path

import pytest
import typer

from synparse.cli import app
from synparse.cli.runs import MAY_CHANGE, Display, print_result
from synparse.training.events import Note, Reading, TrainingResult
from synparse.training.loop import Progress

DONE = TrainingResult(Path("model"), "perplexity", 12.3456, 40, 5000, 7.89, None, False)
STOPPED = TrainingResult(Path("model"), "accuracy", 0.98765, 40, 5000, 7.89, signal.SIGTERM, True)
STEP = Progress(20, 2, 4000, 2.0, 3.5, 0.1, "perplexity", 12.3456, True, 0.5, False, None)


def test_a_finished_run_is_silent(capsys):
    print_result(DONE, "perplexity", as_json=False)
    assert capsys.readouterr() == ("", "")


def test_the_result_as_json(capsys):
    print_result(DONE, "perplexity", as_json=True)
    assert json.loads(capsys.readouterr().out) == {
        "model": "model", "perplexity": 12.35, "steps": 40, "words": 5000, "seconds": 7.9, "interrupted": False,
        "stages": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("number", "score", "is_resumable", "message"),
    [
        (signal.SIGTERM, 0.98765, True,
         "the best model so far (accuracy 0.9877) is in model; continue with --resume model"),
        (signal.SIGINT, None, True, "this run has no model yet; continue with --resume model"),
        (signal.SIGINT, None, False, "this run has no model yet"),
    ],
)  # fmt: skip
def test_a_run_that_was_interrupted_says_what_is_kept(capsys, number, score, is_resumable, message):
    result = TrainingResult(Path("model"), "accuracy", score, 40, 5000, 7.89, number, is_resumable)
    with pytest.raises(typer.Exit) as caught:
        print_result(result, "accuracy", as_json=False)
    assert caught.value.exit_code == 128 + number
    assert capsys.readouterr().err == f"synparse: interrupted after 40 updates; {message}\n"


def test_a_run_that_was_interrupted_between_stages_holds_a_parser(capsys):
    stages = ({"number": 1}, {"number": 2})
    result = TrainingResult(Path("m"), signal=signal.SIGINT, is_resumable=True, has_parser=True, stages=stages)
    with pytest.raises(typer.Exit):
        print_result(result, "perplexity", as_json=False)
    message = "synparse: interrupted; the parser so far is in m; 2 stages done; continue with --resume m\n"
    assert capsys.readouterr().err == message


def test_of_several_processes_the_first_one_speaks(capsys, monkeypatch):
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "2")
    print_result(DONE, "perplexity", as_json=True)
    with pytest.raises(typer.Exit):
        print_result(STOPPED, "accuracy", as_json=True)
    assert capsys.readouterr() == ("", "")


def test_progress_is_shown_on_a_terminal_alone(capsys, monkeypatch):
    events = [Reading(10_000), Note("a note"), STEP]
    with Display(quiet=False) as display:
        for event in events:
            display.update(event)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Display(quiet=True) as display:
        for event in [*events, Note("a note", True)]:
            display.update(event)
    assert capsys.readouterr() == ("", "")
    with Display(quiet=False) as display:
        for event in events:
            display.update(event)
    out, error = capsys.readouterr()
    assert out == ""
    assert "a note" in error
    assert "step      20, perplexity 12.35  (best so far, saved)" in error
    assert "step 20, 2,000 tokens/s, perplexity 12.35" in error


def test_what_may_change_are_parameters_of_the_commands_that_train():
    command = app._Commands(name="synparse").get_command(None, "train")
    of_tasks = {"data"}
    assert {parameter.name for parameter in command.params} | of_tasks >= MAY_CHANGE


@pytest.mark.parametrize("option", [["--seed", "3"], ["--output", "x"], ["--model", "udgn"], ["--force"], ["--raw"]])
def test_what_a_run_was_begun_with_is_not_said_again(capsys, option):
    assert app.run(["train", "--resume", "model", *option]) == 2
    assert f"a resumed run keeps {option[0]} from its first command" in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--minutes", "3"], ["--epochs", "3"], ["--save-every", "5"], ["--device", "cpu"]])
def test_what_a_run_may_have_anew_is_taken(capsys, option, tmp_path):
    assert app.run(["train", "--resume", str(tmp_path), *option]) == 1
    assert "there is nothing to resume" in capsys.readouterr().err
