"""`synparse pairs` as a user types it."""

import functools
import json

import pytest

from synparse.language_models.loading import kinds
from tests.cli import commands
from tests.untrained import untrained

PAIRS = "phenomenon\tgrammatical\tungrammatical\nagreement\tthe dog barks\tthe dog bark\norder\tthe cat\tcat the\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    untrained(folder / "a", "lstm", "the dog bark barks", tokenizer="rules:en")
    untrained(folder / "b", "udgn", "the dog bark barks", seed=2, tokenizer="rules:en")
    (folder / "pairs.tsv").write_text(PAIRS)
    return folder


@pytest.fixture
def synparse(folder):
    return functools.partial(commands.synparse, cwd=folder)


def test_two_models_side_by_side(synparse, folder):
    values = json.loads(synparse("pairs", "a", "b", "pairs.tsv", "--json", "--scores", "scores.tsv"))
    assert (values["file"], values["by"]) == ("pairs.tsv", ["phenomenon"])
    assert [model["model"] for model in values["models"]] == ["a", "b"]
    for model in values["models"]:
        assert (model["pairs"], model["known"]["pairs"]) == (2, 1)
        assert [group["group"] for group in model["groups"]] == ["agreement", "order"]
        assert model["accuracy"] == sum(group["accuracy"] for group in model["groups"]) / 2
    rows = [line.split("\t") for line in (folder / "scores.tsv").read_text().splitlines()]
    assert [row[4] for row in rows] == ["model", "a", "a", "b", "b"]
    right = sum(float(row[5]) > float(row[6]) for row in rows[1:3])
    assert values["models"][0]["accuracy"] == 50 * right


def test_the_protocol_and_the_notes_stand_below(synparse):
    text = synparse("pairs", "a", "b", "-", stdin=PAIRS)
    assert "file                       <stdin>         <stdin>" in text
    assert "\nprotocol           right: the better sentence has the higher score" in text
    assert "\nnote: log-probabilities and pseudo-log-likelihoods are other scores" in text


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["a"], 2, "name a file of pairs: synparse pairs MODEL FILE"),
        (["a", "missing.tsv"], 1, "missing.tsv: cannot be read"),
        (["missing", "pairs.tsv"], 1, "missing: no such model"),
        (["english", "pairs.tsv"], 2, f"language models are {', '.join(kinds())}"),
        (["a", "pairs.tsv", "--json", "--tsv"], 2, "one of --json, --tsv and --latex at most"),
        (["a", "pairs.tsv", "--scores", "-"], 2, "standard output is written by another option as well"),
        (["a", "-"], 1, "<stdin>: holds no pairs: it is empty"),
    ],
)
def test_errors_are_one_line(synparse, arguments, code, message):
    assert message in synparse("pairs", *arguments, code=code)
