"""``synparse task`` as a user types it."""

import json
from collections import Counter
from pathlib import Path

import pytest

from synparse.tasks import ENCODERS
from tests.cli.commands import synparse

TINY = """\
encoders:
  ordered-memory: {hidden_size: 8, slots: 3}
  lstm: {hidden_size: 8}
training: {batch_size: 16, epochs: 1, validation_examples: 20}
"""


@pytest.fixture
def recipe(tmp_path):
    (tmp_path / "tiny.yaml").write_text(TINY, encoding="utf-8")
    return tmp_path / "tiny.yaml"


@pytest.fixture
def data(tmp_path):
    limits = ["--max-depth", 3, "--min-length", 4, "--max-length", 20]
    synparse("task", "listops", "generate", "--count", 60, *limits, "-o", tmp_path / "data.tsv")
    return tmp_path / "data.tsv"


def test_generate_writes_examples_and_a_seed_repeats_them():
    generated, again, other = (
        synparse("task", "listops", "generate", "--count", 20, "--max-depth", 2, "--seed", seed) for seed in (1, 1, 2)
    )
    assert generated == again != other
    assert len(generated.splitlines()) == 20
    pairs = synparse("task", "logic", "generate", "--count", 20, "--max-operators", 3)
    assert all(len(line.split("\t")) == 3 for line in pairs.splitlines())


def test_splits_divide_the_pairs(tmp_path):
    (tmp_path / "pairs").write_text("#\ta\tb\n|\t( b ( and ( not a ) ) )\ta\n")
    paths = tmp_path / "train.tsv", tmp_path / "test.tsv"
    synparse("task", "logic", "split", "A", tmp_path / "pairs", "--train-output", paths[0], "--test-output", paths[1])
    assert [path.read_text() for path in paths] == ["#\ta\tb\n", "|\t( b ( and ( not a ) ) )\ta\n"]


def test_train_and_evaluate_over_seeds(tmp_path, recipe, data):
    models = []
    for encoder, seed in (("ordered-memory", 1), ("ordered-memory", 2), ("lstm", 1)):
        models.append(tmp_path / f"{encoder}-{seed}")
        given = ["--model", encoder, "--recipe", recipe, "--seed", seed, "--device", "cpu", "-o", models[-1]]
        result = json.loads(synparse("task", "listops", "train", data, *given, "--json"))
        assert 0 <= result["held_out_accuracy"] <= 1
    text = synparse("task", "listops", "evaluate", *models, "--data", data)
    assert text.splitlines()[0].split() == [
        *("ordered-memory", "(2)", "lstm", "(1)", "majority:", text.splitlines()[0].split()[5], "examples"),
    ]
    for title in ("accuracy by length", "accuracy by depth", "accuracy by operators", "F1", "protocol"):
        assert title in text
    plain = json.loads(synparse("task", "listops", "evaluate", *models, "--data", data, "--json"))
    assert plain["encoders"]["ordered-memory"]["accuracy"]["models"] == 2
    assert plain["encoders"]["lstm"]["f1"] is None
    labels = Counter(line.partition("\t")[0] for line in Path(data).read_text().splitlines())
    [(label, count)] = labels.most_common(1)
    assert plain["baselines"][f"majority: {label}"]["accuracy"] == round(100 * count / 60, 2)
    assert plain["models"][str(models[0])]["examples"] == 60
    for group in ("length", "depth", "operators"):
        sizes = [scores["examples"] for scores in plain["models"][str(models[0])]["groups"][group].values()]
        assert sum(sizes) == 60
    assert "\\begin{tabular}" in synparse("task", "listops", "evaluate", models[2], "--data", data, "--latex")
    assert "\t" in synparse("task", "listops", "evaluate", models[2], "--data", data, "--tsv")
    error = synparse("task", "logic", "evaluate", models[0], "--data", data, code=1)
    assert "not a model of the task logic" in error
    error = synparse("task", "listops", "train", data, "--recipe", recipe, "-o", models[0], code=2)
    assert "holds a model; --force replaces it" in error
    error = synparse("task", "listops", "train", "--resume", models[0], code=1)
    assert error.endswith("there is nothing to resume: its run is finished\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("3\t[MAXX 1 3 ]", "bad.tsv:2: unknown operator '[MAXX'; there are [MAX, [MED, [MIN, [SM"),
        ("3\t[MAX 1 3", "bad.tsv:2: the list [MAX is never closed"),
        ("3\t[MAX 0 [MAX 0 [MAX 0 [MAX 3 0 ] ] ] ]", "bad.tsv:2: an expression needs 4 slots, but"),
    ],
)
def test_bad_data_are_one_line_and_exit_1(tmp_path, recipe, line, message):
    (tmp_path / "bad.tsv").write_text(f"3\t[MAX 1 3 ]\n{line}\n")
    given = [tmp_path / "bad.tsv", "--recipe", recipe, "-o", tmp_path / "model"]
    assert message in synparse("task", "listops", "train", *given, code=1)
    assert not (tmp_path / "model").exists()


def test_wrong_usage_exits_2(tmp_path, data, recipe):
    for arguments in (
        ("listops", "train", data, "--model", "gru"),
        ("listops", "train", data, "--recipe", recipe, "--set", "training.epoch=3", "-o", tmp_path / "m"),
        ("listops", "train", data, "--recipe", recipe, "--device", "abacus", "-o", tmp_path / "m"),
        ("listops", "train", data, "--recipe", recipe, "-o", tmp_path),
        ("listops", "train", "--resume", tmp_path / "m", "--seed", 3),
        ("listops", "train", data, "--recipe", recipe, "--allow-changed-corpus", "-o", tmp_path / "m"),
        ("listops", "train"),
        ("listops", "train", data, "--save-every", "often"),
        ("listops", "generate", "--count", 5, "--max-depth", 1, "--min-depth", 2),
        ("logic", "generate", "--count", 99, "--max-operators", 0),
        ("logic", "split", "D", data),
        ("listops", "evaluate", tmp_path, "--data", data, "--json", "--tsv"),
    ):
        synparse("task", *arguments, code=2)
    assert "cannot be read" in synparse("task", "listops", "train", tmp_path / "none", "-o", tmp_path / "m", code=1)
    assert "no such recipe" in synparse("task", "listops", "train", data, "--recipe", "x", "-o", tmp_path / "m", code=1)


@pytest.mark.parametrize("task", [("listops", "--max-depth", 1, "--max-arguments", 2), ("logic", "--max-operators", 1)])
def test_a_test_set_has_nothing_of_the_training_set(tmp_path, task):
    name, *limits = task
    (tmp_path / "train.tsv").write_text(synparse("task", name, "generate", "--count", 60, *limits))
    alone = synparse("task", name, "generate", "--count", 30, *limits, "--seed", 2)
    without = synparse(
        "task", name, "generate", "--count", 30, *limits, "--seed", 2, "--without", tmp_path / "train.tsv"
    )
    known = set((tmp_path / "train.tsv").read_text().splitlines())
    assert known & set(alone.splitlines())
    assert not known & set(without.splitlines())


def test_help_names_the_encoders():
    help_text = synparse("task", "listops", "train", "--help")
    assert all(encoder in help_text for encoder in ENCODERS)


def test_induced_trees_are_written_as_brackets(recipe, data, tmp_path):
    for encoder in ("ordered-memory", "lstm"):
        train = ["task", "listops", "train", data, "--model", encoder, "--recipe", recipe]
        synparse(*train, "--output", tmp_path / encoder)
    evaluate = ["task", "listops", "evaluate", "--data", data, "--trees-output", tmp_path / "trees"]
    synparse(*evaluate, tmp_path / "lstm", tmp_path / "ordered-memory")
    lines = (tmp_path / "trees").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 60
    assert synparse("show", tmp_path / "trees", "--sentences", "60").startswith("sentence 60\n")
    error = synparse(*evaluate, tmp_path / "lstm", code=2)
    assert "--trees-output: none of these encoders induces trees" in error
