"""The steps that make the shipped model."""

import sys

from benchmarks import english_model
from synparse.cli.app import run


def test_every_step_reads_what_an_earlier_one_wrote_and_none_reads_trees_of_treebanks(tmp_path):
    data, work = tmp_path / "data", tmp_path / "work"
    made = set()
    for output, command in english_model.steps(data, work):
        inputs = [word for word in command[1:] if word.startswith(str(work)) and word != str(output)]
        assert set(inputs) <= made, command
        assert command[-2:] == ["--output", str(output)]
        made.add(str(output))
        from_data = [word for word in command if word.startswith(str(data))]
        assert not from_data or command[0].endswith("english_text.py")
    assert str(work / "english") in made


def test_all_options_are_those_of_the_command_line(tmp_path, capsys):
    for _, command in english_model.steps(tmp_path, tmp_path):
        if command[1] == "synparse":
            # --help ends a command before anything runs, but not before its options have been read.
            assert run([*command[2:], "--help"]) == 0, capsys.readouterr().err


def test_it_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(english_model, "run", lambda *command: ran.append(command))
    monkeypatch.setattr(english_model, "is_unfinished", lambda output: output.name == "udgn-2")
    (tmp_path / "english.txt").touch()
    (tmp_path / "udgn-1").mkdir()
    (tmp_path / "udgn-2").mkdir()
    monkeypatch.setattr(sys, "argv", ["english_model.py", "--work", str(tmp_path)])
    english_model.main()
    assert ran[0] == ("-m", "synparse", "train", "--resume", str(tmp_path / "udgn-2"))
    assert ran[1][-1] == str(tmp_path / "udgn-3")
