"""`synparse perplexity` as a user types it."""

import functools
import json

import pytest

from synparse.language_models.loading import kinds
from tests.cli import commands
from tests.untrained import untrained


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("perplexity")
    untrained(folder / "a", "lstm", "the dog bark barks")
    untrained(folder / "b", "udgn", "the dog bark barks")
    (folder / "text.txt").write_text("The dog barks .\nthe cats bark\n")
    (folder / "tree.brackets").write_text("(S (NP the dog) (VP barks))\n")
    return folder


@pytest.fixture
def synparse(folder):
    return functools.partial(commands.synparse, cwd=folder)


def test_two_models_side_by_side(synparse):
    values = json.loads(synparse("perplexity", "a", "b", "text.txt", "--json", "--seeds", 2))
    assert values["text"] == "text.txt"
    assert not values["comparable"]
    assert values["notes"] == ["a and b cannot be compared: one predicts masked words, the other the next word"]
    next_word_model, masked_model = values["models"]
    assert list(next_word_model) == [
        *("model", "kind", "objective", "mask_rate", "seeds", "perplexity", "deviation", "predictions", "words"),
        *("unknown_words", "perplexity_per_word", "bits_per_character"),
    ]
    assert (
        next_word_model["predictions"],
        next_word_model["words"],
        next_word_model["unknown_words"],
        next_word_model["mask_rate"],
    ) == (8, 6, 1, None)
    assert (masked_model["mask_rate"], masked_model["seeds"], masked_model["perplexity_per_word"]) == (0.3, 2, None)


def test_the_protocol_and_the_notes_stand_below(synparse):
    text = synparse("perplexity", "a", "b", "-", "--pseudo", stdin="the dog\n")
    assert text.splitlines()[1].split() == ["text", "<stdin>", "<stdin>"]
    assert "\nprotocol           next word: one stream with running state" in text
    assert "each known word masked alone\nnote: a and b cannot be compared" in text


def test_texts_are_read_as_elsewhere(synparse):
    def words(*arguments, stdin=""):
        return json.loads(synparse("perplexity", "a", *arguments, "--json", stdin=stdin))["models"][0]["words"]

    assert words("tree.brackets") == words("-", "--from", "brackets", stdin="(S (NP the dog) (VP barks))") == 3
    assert words("-", "--tokenizer", "rules:en", stdin="The dog's barks.") == 4
    assert words("-", "--state", "sentence", stdin="the dog\n\nbarks") == 3


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["a"], 2, "name a text: synparse perplexity MODEL TEXT"),
        (["a", "missing.txt"], 1, "missing.txt: cannot be read"),
        (["missing", "text.txt"], 1, "missing: no such model"),
        (["chain", "text.txt"], 2, f"language models are {', '.join(kinds())}"),
        (["b", "text.txt", "--mask-rate", 1], 2, "--mask-rate takes a fraction between 0 and 1"),
        (["a", "text.txt", "--seeds", 2], 2, f"--seeds is for masked models ({', '.join(kinds('masked'))})"),
        (["a", "-"], 1, "<stdin>: a reads no words here"),
    ],
)
def test_errors_are_one_line(synparse, arguments, code, message):
    assert message in synparse("perplexity", *arguments, code=code)
