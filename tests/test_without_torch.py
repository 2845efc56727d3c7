"""What an installation without PyTorch can do: `pip install synparse` alone."""

import json
import re
import shlex

import pytest

from tests.cli import commands
from tests.cli.commands import SAMPLE
from tests.conftest import GRAMMARS
from tests.shell import shell_with_synparse


@pytest.fixture(scope="module")
def synparse(tmp_path_factory):
    """A function that runs a command as a process."""
    with shell_with_synparse(tmp_path_factory.mktemp("shell"), has_torch=False) as shell:

        def run(*arguments, stdin=""):
            command = shlex.join(["synparse", *map(str, arguments)])
            return shell(command, input=stdin, capture_output=True, text=True)

        yield run


@pytest.mark.parametrize(
    "model", ["english", "tiny_udgn", "tiny_student", "tiny_taught", "tiny_grammar", "right-branching"]
)
def test_parsing_gives_the_same_trees(synparse, model, request):
    name = str(request.getfixturevalue(model)) if model.startswith("tiny") else model
    text = "".join((SAMPLE / "gold.txt").read_text(encoding="utf-8").splitlines(keepends=True)[:50])
    arguments = ["parse", "--model", name, "--format", "json"]
    without = synparse(*arguments, stdin=text)
    assert (without.returncode, without.stderr) == (0, "")
    assert without.stdout == commands.synparse(*arguments, stdin=text)


@pytest.mark.parametrize(
    "arguments",
    [
        ["eval", SAMPLE / "gold.conllu", SAMPLE / "gold.conllu"],
        ["show", SAMPLE / "gold.brackets", "--sentences", "1"],
        ["recipes"],
        ["recipes", "--json"],
        ["info"],
        ["info", "english"],
        ["info", "--language", "ja"],
        ["classes", SAMPLE / "gold.txt"],
        ["--help"],
        ["train", "--help"],
    ],
)
def test_other_commands_work(synparse, arguments):
    done = synparse(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("model", ["grammar", "dbm"])
def test_grammars_are_learned_alone_and_with_a_teacher(synparse, model, tiny_udgn, sample_text, tmp_path):
    text = tmp_path / "text"
    text.write_text("\n".join(sample_text[:100]), encoding="utf-8")
    small = [argument for change in GRAMMARS for argument in ("--set", change)]
    for options in ([], ["--teacher", tiny_udgn]):
        command = ["train", text, "--model", model, "-o", tmp_path / "m", "--force", *small, *options]
        done = synparse(*command)
        assert (done.returncode, done.stderr) == (0, "")
        done = synparse("parse", "--model", tmp_path / "m", stdin="the dog sees the cat .\n")
        assert (done.returncode, done.stderr) == (0, "")
        assert len(done.stdout.splitlines()) == 10
        assert synparse("info", tmp_path / "m").returncode == 0


def test_grammars_are_described(synparse, tiny_grammar):
    for options in (["--json"], ["--most", "3"]):
        done = synparse("grammar", tiny_grammar, *options)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout


def test_what_needs_it_says_what_to_install(synparse, tiny_model, tmp_path):
    (tmp_path / "text").write_text("a b c\n" * 10)
    for arguments in (
        ["parse", "-m", tiny_model, tmp_path / "text"],
        ["parse", "--precision", "bfloat16", tmp_path / "text"],
        ["task", "logic", "train", tmp_path / "text", "-o", tmp_path / "model"],
    ):
        done = synparse(*arguments)
        assert (done.returncode, done.stderr) == (1, "synparse: this needs PyTorch: pip install 'torch>=2.6'\n")


@pytest.mark.parametrize("options", [["--recipe", "default"], ["--model", "udgn"], ["--recipe", "english"]])
def test_networks_that_are_asked_for_are_refused_at_the_start(synparse, options, tmp_path):
    (tmp_path / "text").write_text("a b c\n" * 10)
    done = synparse("train", tmp_path / "text", "-o", tmp_path / "model", *options)
    expected = r"synparse: training a network \(udgn(, student)?\) needs PyTorch: pip install 'torch>=2\.6'\n"
    assert done.returncode == 1
    assert re.fullmatch(expected, done.stderr)
    assert [path.name for path in tmp_path.iterdir()] == ["text"]


def test_the_default_recipe_learns_grammars_and_says_so(synparse, tmp_path):
    sentences = (SAMPLE / "gold.txt").read_text(encoding="utf-8").splitlines(keepends=True)[:50]
    (tmp_path / "text").write_text("".join(sentences), encoding="utf-8")
    passes = ["--set", "grammar.dependency_passes=1", "--set", "grammar.grammar_passes=1"]
    done = synparse("train", tmp_path / "text", "-o", tmp_path / "m", "--language", "en", "--json", *passes)
    assert done.returncode == 0
    note = "PyTorch is not installed, so only grammars are learned; for all: pip install 'torch>=2.6'"
    assert done.stderr.splitlines().count(f"synparse: {note}") == 1
    assert [stage["stage"] for stage in json.loads(done.stdout)["stages"]] == ["grammars", "grammars"]
    assert (
        len(synparse("parse", "-m", tmp_path / "m", "-f", "brackets", stdin="the dog barks\n").stdout.split("\n")) == 2
    )


def test_a_run_with_networks_is_not_resumed(synparse, tmp_path):
    from synparse.config.recipe import load_recipe
    from synparse.training.progress import RunState
    from synparse.training.reading import RunSettings

    state = RunState(load_recipe("default"), RunSettings(("text",), None, False, None, None, 1, None), earlier=None)
    for name, content in state.file().items():
        (tmp_path / name).write_bytes(content)
    done = synparse("train", "--resume", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("synparse: training a network (udgn, student) needs PyTorch: ")


def test_grammars_are_packed(synparse, tiny_grammar, tmp_path):
    target = tmp_path / tiny_grammar.name  # which is written with the trees
    done = synparse("pack", tiny_grammar, "-o", target)
    assert (done.returncode, done.stderr) == (0, "")
    line = "the dog sees the cat .\n"
    packed, whole = (synparse("parse", "-m", model, stdin=line) for model in (target, tiny_grammar))
    assert packed.stdout == whole.stdout != ""


def test_parsing_by_several_processes_needs_it_no_more(synparse):
    text = "".join((SAMPLE / "gold.txt").read_text(encoding="utf-8").splitlines(keepends=True)[:20])
    assert synparse("parse", "--jobs", "2", stdin=text).stdout == synparse("parse", "--jobs", "1", stdin=text).stdout
