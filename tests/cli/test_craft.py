"""``synparse task craft`` as a user types it."""

import functools
import json
import shutil
from types import SimpleNamespace

import pytest

from synparse.trees.brackets import read_brackets
from tests.cli import commands

TINY = """\
models:
  option-controller: {options: 2, hidden_size: 4}
  ompn: {hidden_size: 4, slots: 2}
view: {near: 3, far: 1}
training: {batch_size: 16, epochs: 1, validation_examples: 4}
"""
WORLD = ("--size", 6, "--things", 1, "--walls", 0)


synparse = functools.partial(commands.synparse, "task", "craft")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Demonstrations, their ends, a model of each of two kinds, and an agent."""
    path = tmp_path_factory.mktemp("craft")
    (path / "tiny.yaml").write_text(TINY)
    recipe = ["--recipe", path / "tiny.yaml"]
    data = path / "demos.tsv"
    short = ["--limit", 30, "--steps", 50, "--set", "training.batch=16", "--set", "training.parallel=4"]
    for command in (
        ["generate", "AC", "DA", "--count", 12, *WORLD, "-o", data, "--ends-output", path / "ends.tsv"],
        ["train", data, *recipe, "-o", path / "ocn", "--device", "cpu"],
        ["train", data, *recipe, "--model", "ompn", "-o", path / "ompn", "--device", "cpu"],
        ["transfer", path / "ocn", "--task", "A", *WORLD, *short, "-o", path / "agent"],
    ):
        synparse(*command, has_notes=True)
    return path


def test_generate_writes_demonstrations_and_their_ends_to_two_files(folder):
    demonstrations = (folder / "demos.tsv").read_text().splitlines()
    ends = (folder / "ends.tsv").read_text().splitlines()
    assert [line.split("\t")[0] for line in demonstrations] == ["AC"] * 12 + ["DA"] * 12
    for demonstration, of_subtasks in zip(demonstrations, ends, strict=True):
        task, actions, _ = demonstration.split("\t")
        assert of_subtasks.split("\t")[0] == task
        assert int(of_subtasks.split()[-1]) == len(actions)
    generated, again, other = (synparse("generate", "AC", "--count", 3, *WORLD, "--seed", seed) for seed in (1, 1, 2))
    assert generated == again != other


def test_the_tree_of_each_demonstration(folder):
    lines = synparse("segment", folder / "ocn", folder / "demos.tsv", "--boundaries", "known").splitlines()
    trees = [tree for _, tree in read_brackets(lines, "out")]
    assert len(trees) == 24
    assert all(line.startswith(("(AC (option-", "(DA (option-")) for line in lines)
    rows = [
        json.loads(row)
        for row in synparse("segment", folder / "ompn", folder / "demos.tsv", "--format", "json").splitlines()
    ]
    assert [len(row["actions"]) for row in rows] == [len(tree.words) for tree in trees]
    assert all(row["options"] is None and len(row["ends"]) == 2 for row in rows)


def test_segments_are_drawn_beside_the_true_ones(folder, tmp_path):
    data, cut = folder / "demos.tsv", tmp_path / "found.tsv"
    synparse("segment", folder / "ocn", data, "-o", cut)  # the ending says the format
    given = [data, "--ends", folder / "ends.tsv", "--segments", cut]
    text = synparse("draw", *given, "--count", 2)
    assert text.count("demonstration ") == 2
    assert "\nsubtasks  A" in text
    assert "\nfound     " in text
    assert synparse("draw", *given, "--count", 1, "--format", "svg").startswith("<svg")
    page = synparse("draw", *given, "-f", "html")
    assert "<!doctype html>" in page.lower()
    synparse("draw", *given, "-o", tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page
    assert "demonstrations are drawn in text, .svg or .html" in synparse("draw", *given, "-o", "x.png", code=2)
    cut.write_text("AC\t1\n")
    assert f"{cut}:1: the last end is not" in synparse("draw", *given, code=1)


def test_demonstrations_are_not_awaited_from_the_keyboard(monkeypatch):
    monkeypatch.setattr("synparse.cli.options.sys", SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True)))
    assert "FILE: name a file, or pipe the input in" in synparse("draw", code=2)


def test_evaluate_has_a_column_for_each_kind(folder):
    given = ["evaluate", folder / "ocn", folder / "ompn", "--data", folder / "demos.tsv"]
    table = synparse(*given, "--ends", folder / "ends.tsv")
    assert table.splitlines()[0].split() == ["option-controller", "(1)", "ompn", "(1)"]
    values = json.loads(synparse(*given, "--success", 5, "--limit", 3, *WORLD, "--json"))
    assert set(values["models"]) == {str(folder / "ocn"), str(folder / "ompn")}
    assert values["models"][str(folder / "ocn")]["options"]["worlds"] == 5
    assert synparse(*given, "--tsv").splitlines()[0] == "\toption-controller (1)\tompn (1)"
    assert "\\begin{tabular}{lrr}" in synparse(*given, "--latex")
    assert "one of --json" in synparse(*given, "--tsv", "--latex", code=2)


def test_an_agent_plays_and_its_episodes_are_demonstrations(folder, tmp_path):
    given = ["play", folder / "agent", "--episodes", 20, "--seed", 2]
    values = json.loads(synparse(*given, "--json", "-o", tmp_path / "e.tsv", "--segments-output", tmp_path / "s.tsv"))
    assert values["episodes"] == 20
    assert values["success_rate"] == values["mean_return"]
    episodes = (tmp_path / "e.tsv").read_text().splitlines()
    assert len(episodes) == round(20 * values["success_rate"]) > 0
    assert "options" not in synparse("draw", tmp_path / "e.tsv", "--segments", tmp_path / "s.tsv")
    assert synparse(*given).startswith("20 episodes of A: mean return ")


def test_a_flat_agent_needs_no_model(tmp_path):
    short = ["--set", "training.batch=16", "--set", "training.parallel=4", "--steps", 20]
    out = synparse("transfer", "--kind", "flat", "--task", "A", *WORLD, *short, "-o", tmp_path / "flat", "--json")
    assert json.loads(out)["steps"] >= 20
    assert "holds a model; --force replaces it" in synparse(
        "transfer", "--kind", "flat", "--task", "A", *WORLD, *short, "-o", tmp_path / "flat", code=2
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["generate", "AXC"], 2, "there is no subtask 'X'; the subtasks are A (wood)"),
        (["generate", "AA", "--things", "1"], 2, "takes 2 of A, but there are 1"),
        (["generate", "A", "--size", "3"], 2, "a grid has 4 to 64 rows"),
        (["train"], 2, "name the files to train on"),
        (["train", "{demos}", "--set", "training.balanse=1"], 2, "did you mean training.balance"),
        (["train", "{cut}"], 1, "cut.tsv:2: "),
        (["train", "{demos}", "-o", "{ocn}"], 2, "holds a model; --force replaces it"),
        (["segment", "{ocn}", "{cut}"], 1, "cut.tsv:2: "),
        (["segment", "{listops}", "{demos}"], 1, "not a model that was trained by synparse task craft train"),
        (["segment", "{agent}", "{demos}"], 1, "not a model that was trained by synparse task craft train"),
        (["segment", "{ompn}", "{demos}", "--boundaries", "threshold"], 2, "use --boundaries known"),
        (["evaluate", "{ocn}", "--data", "{cut}"], 1, "cut.tsv:2: "),
        (["evaluate", "{ocn}", "--data", "{demos}", "--ends", "{cut}"], 1, "cut.tsv:1: "),
        (["transfer", "--task", "A"], 2, "name the models whose options are used"),
        (["transfer", "{ocn}", "--kind", "flat"], 2, "name no models"),
        (["transfer", "{ompn}"], 1, "a model of the kind ompn has no options to use"),
        (["transfer", "{ocn}", "--task", "E"], 2, "there is no subtask 'E'"),
        (["transfer", "{ocn}", "--set", "training.bach=1"], 2, "did you mean training.batch"),
        (["transfer", "{ocn}", "--set", "view.near=5"], 2, "unknown setting view"),
        (["transfer", "{ocn}", "--task", "AA", "--things", "1"], 2, "takes 2 of A"),
        (["play", "{ocn}"], 1, "not an agent that synparse task craft transfer trained"),
        (["play", "{agent}", "--segments-output", "s.tsv"], 2, "name a file with -o"),
        (["draw", "{cut}"], 1, "cut.tsv:2: "),
    ],
)
def test_bad_input_is_one_line(folder, tmp_path, arguments, code, message):
    cut = tmp_path / "cut.tsv"
    lines = (folder / "demos.tsv").read_text().splitlines(keepends=True)
    cut.write_text(lines[0] + lines[1][:-9])
    shutil.copytree(folder / "ocn", tmp_path / "listops")
    config = tmp_path / "listops" / "config.yaml"
    config.write_text(config.read_text().replace("task: craft", "task: listops"))
    names = {name: folder / name for name in ("ocn", "ompn", "agent")}
    paths = {**names, "demos": folder / "demos.tsv", "cut": cut, "listops": tmp_path / "listops"}
    given = [argument.format(**paths) for argument in arguments]
    if given[0] == "transfer":
        given += ["-o", str(tmp_path / "new")]
    assert message in synparse(*given, code=code)
