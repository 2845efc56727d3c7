"""What an installation without PyTorch can do: `pip install synparse` alone."""

import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "sample"

PROGRAM = """
import sys
sys.modules["torch"] = None  # importing it fails, as where it is not installed
from synparse.cli.app import run
sys.exit(run(sys.argv[1:]))
"""


def synparse(*arguments, stdin=""):
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "model", ["english", "tiny_udgn", "tiny_student", "tiny_taught", "tiny_grammar", "right-branching"]
)
def test_parsing_gives_the_same_trees(model, request):
    name = str(request.getfixturevalue(model)) if model.startswith("tiny") else model
    text = "".join((SAMPLE / "gold.txt").read_text(encoding="utf-8").splitlines(keepends=True)[:50])
    arguments = ["parse", "--model", name, "--format", "json"]
    with_torch = subprocess.run(
        [sys.executable, "-m", "synparse", *arguments], input=text, capture_output=True, text=True, check=True
    )
    without = synparse(*arguments, stdin=text)
    assert (without.returncode, without.stderr) == (0, "")
    assert without.stdout == with_torch.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["eval", SAMPLE / "gold.conllu", SAMPLE / "gold.conllu"],
        ["show", SAMPLE / "gold.brackets", "--sentences", "1"],
        ["info"],
        ["info", "english"],
        ["info", "--language", "ja"],
        ["classes", SAMPLE / "gold.txt"],
        ["--help"],
        ["train", "--help"],
    ],
)
def test_other_commands_work(arguments):
    done = synparse(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("model", ["grammar", "dbm"])
def test_grammars_are_learned_alone_and_with_a_teacher(model, tiny_udgn, tmp_path):
    text = tiny_udgn.parents[1] / "corpus.txt"
    passes = ["--set", "grammar.dependency_passes=2", "--set", "grammar.grammar_passes=2"]
    for options in ([], ["--teacher", tiny_udgn]):
        command = ["train", text, "--model", model, "-o", tmp_path / "m", "--force", *passes, *options]
        done = synparse(*command)
        assert (done.returncode, done.stderr) == (0, "")
        done = synparse("parse", "--model", tmp_path / "m", stdin="the dog sees the cat .\n")
        assert (done.returncode, done.stderr) == (0, "")
        assert len(done.stdout.splitlines()) == 9
        assert synparse("info", tmp_path / "m").returncode == 0


def test_grammars_are_described(tiny_grammar):
    for options in (["--json"], ["--most", "3"]):
        done = synparse("grammar", tiny_grammar, *options)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout


def test_what_needs_it_says_what_to_install(tiny_model, tmp_path):
    (tmp_path / "text").write_text("a b c\n" * 10)
    for arguments in (
        ["parse", "-m", tiny_model, tmp_path / "text"],
        ["parse", "--precision", "bfloat16", tmp_path / "text"],
        ["train", tmp_path / "text", "-o", tmp_path / "model"],
        ["task", "logic", "train", tmp_path / "text", "-o", tmp_path / "model"],
    ):
        done = synparse(*arguments)
        assert (done.returncode, done.stderr) == (1, "synparse: this needs PyTorch: pip install 'synparse[train]'\n")


def test_parsing_by_several_processes_needs_it_no_more():
    text = "".join((SAMPLE / "gold.txt").read_text(encoding="utf-8").splitlines(keepends=True)[:20])
    assert synparse("parse", "--jobs", "2", stdin=text).stdout == synparse("parse", "--jobs", "1", stdin=text).stdout
