"""`synparse classes` as a user types it."""

import gzip
import json

import pytest

from tests.cli.commands import SAMPLE, synparse

TEXT = "the dog sees the cat .\nthe cat hears the dog !\n" * 5


def rows_of(printed):
    """(word, class, count); classes are numbered from 1, and punctuation has the last one."""
    rows = [row.split("\t") for row in printed.split("\n")[:-1]]
    last = len({name for _, name, _ in rows})
    return [(word, last if name == "PUNCT" else int(name.removeprefix("C")), int(count)) for word, name, count in rows]


def test_each_word_has_a_class_and_a_count():
    rows = rows_of(synparse("classes", "--classes", "3", stdin=TEXT))
    counts = {word: count for word, _, count in rows}
    assert counts == {"the": 20, "dog": 10, "cat": 10, "sees": 5, "hears": 5, "(other words)": 0, "(punctuation)": 10}
    classes = {word: number for word, number, _ in rows}
    assert classes["dog"] == classes["cat"] != classes["the"]
    assert classes["sees"] == classes["hears"] != classes["the"]
    assert classes["(punctuation)"] == 4
    assert rows == sorted(rows, key=lambda row: (row[1], -row[2], row[0] == "(other words)", row[0]))


def test_json_has_the_same_rows(tmp_path):
    arguments = ["classes", SAMPLE / "gold.txt", "--classes", "20"]
    rows = [row.split("\t") for row in synparse(*arguments).splitlines()]
    printed = synparse(*arguments, "--json")
    values = json.loads(printed)
    synparse(*arguments, "-o", tmp_path / "classes.json")
    assert (tmp_path / "classes.json").read_text(encoding="utf-8") == printed
    assert [[value["word"], value["class"], str(value["count"])] for value in values] == rows
    assert {value["word"] for value in values if value["group"]} >= {"(punctuation)", "(other words in -ing)"}
    assert all(value["word"].startswith("(") == value["group"] for value in values)


def test_every_format_gives_the_same_classes(tmp_path):
    packed = tmp_path / "text.gz"
    packed.write_bytes(gzip.compress((SAMPLE / "gold.txt").read_bytes()))
    files = [SAMPLE / "gold.txt", SAMPLE / "gold.brackets", SAMPLE / "gold.conllu", packed]
    classes, *others = [synparse("classes", file) for file in files]
    assert all(other == classes for other in others)
    out = tmp_path / "classes.tsv"
    assert synparse("classes", "-", "--from", "text", "-o", out, stdin=(SAMPLE / "gold.txt").read_text()) == ""
    assert out.read_text(encoding="utf-8") == classes


def test_several_files_are_one_text(tmp_path):
    (tmp_path / "a").write_text(TEXT)
    (tmp_path / "b").write_text("a mouse runs\n" * 3)
    together = synparse("classes", "a", "b", cwd=tmp_path)
    assert together == synparse("classes", stdin=TEXT + "a mouse runs\n" * 3)


def test_settings_change_what_is_learned():
    text = TEXT + "Walking\n"
    words = {word for word, *_ in rows_of(synparse("classes", stdin=text))}
    assert "walking" not in words
    changes = ["--set", "classes.class_min_count=1", "--set", "text.lowercase=false"]
    assert {word for word, *_ in rows_of(synparse("classes", *changes, stdin=text))} == words | {"Walking"}
    raw = synparse("classes", "--raw", stdin="The dog sees. The cat hears.\n" * 3, has_notes=True)
    assert raw == synparse("classes", stdin="the dog sees .\nthe cat hears .\n" * 3)
    treebank = synparse("classes", "--tokenizer", "treebank", stdin="it can't\n" * 3)
    assert {"ca", "n't"} <= {word for word, *_ in rows_of(treebank)}


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_a_text_without_words_is_told(text):
    assert synparse("classes", stdin=text, code=1) == "synparse: <stdin>: holds no words\n"


@pytest.mark.parametrize("text", [". . .\n", "a\n", "a a a\n" * 9, "a " * 1000 + "\n"])
def test_texts_of_next_to_nothing_have_classes(text):
    rows = rows_of(synparse("classes", stdin=text))
    assert [word for word, *_ in rows][-1] == "(punctuation)"
    assert sum(count for *_, count in rows) == len(text.split())


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["a.txt", "a.txt"], 2, "a.txt is named twice; name it once"),
        (["--classes", "0"], 2, "classes.classes must be a whole number of at least 1, not 0"),
        (["--classes", "1001"], 2, "classes.classes must be a whole number of at most 1000, not 1001"),
        (["--classes", "many"], 2, "'many' is not a valid int"),
        (["--set", "classes.word=1"], 2, "unknown setting classes.word"),
        (["--set", "training.epochs=1"], 2, "unknown setting training"),
        (["--tokenizer", "nltk"], 2, "unknown tokenizer 'nltk'"),
        (["missing"], 1, "missing: cannot be read"),
        (["--from", "conllu"], 1, "<stdin>:1: no tab"),
        (["-o", "no/such/place"], 1, "no/such/place: cannot be written"),
    ],
)
def test_errors_are_one_line(arguments, code, message, tmp_path):
    assert message in synparse("classes", *arguments, stdin="a\n", code=code, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []
