"""A word has one meaning in all commands."""

import collections

import pytest
import typer.main

from synparse.cli import options
from synparse.cli.app import COMMANDS, app

KINDS = {
    "--by": "by what: matches are counted by a column or feature; sentences are chosen by a score",
    "--count": "how many: examples to write, a number; matches that were found, which are counted",
    "--format": "the format of what is written, of which a command has its own",
    "--from": "the format of what is read",
    "--model": "the model: where it is, or, to train one, which kind",
    "--output": "a file; a directory of models",
    "--task": "the task that is learned, of which a command has its own",
}
"""Words whose values differ from command to command, and what all of them mean."""


def commands(group, path=()):
    """Each command of a group, by its name."""
    context = group.context_class(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if hasattr(command, "list_commands"):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


ALL = dict(commands(typer.main.get_command(app)))


def options_of(command):
    return [parameter for parameter in command.params if parameter.param_type_name == "option"]


def test_every_command_is_walked():
    assert {name.split()[0] for name in ALL} == set(COMMANDS)
    assert len(ALL) > len(COMMANDS)


def test_a_word_has_values_of_one_type():
    types = collections.defaultdict(set)
    for command in ALL.values():
        for option in options_of(command):
            for word in option.opts:
                values = tuple(getattr(option.type, "choices", ())) or option.type.name.removesuffix(" range")
                types[word].add((values, option.multiple, option.is_flag))
    assert {word for word, word_types in types.items() if len(word_types) > 1 and word.startswith("--")} == KINDS.keys()


def test_shared_options_are_described_alike():
    helps = collections.defaultdict(set)
    for command in ALL.values():
        for option in options_of(command):
            helps[option.opts[0]].add(option.help)
    shared = (
        "--json",
        "--quiet",
        "--tsv",
        "--latex",
        "--report",
        "--svg",
        "--raw",
        "--punctuation",
        "--seed",
        "--device",
        "--layer",
    )
    assert {word: len(helps[word]) for word in shared} == dict.fromkeys(shared, 1)


def test_without_files_standard_input_is_read_unless_it_is_the_keyboard(monkeypatch):
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    assert options.files_or_stdin(None, "TEXT") == ["-"]
    assert options.files_or_stdin(["a", "b"], "TEXT") == ["a", "b"]
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    assert options.files_or_stdin(["a"], "TEXT") == ["a"]
    for files in (None, ["-"]):
        with pytest.raises(typer.BadParameter, match="name a file, or pipe the input in"):
            options.files_or_stdin(files, "TEXT")
