"""The training texts of the shipped models of languages."""

import gzip
import os
import sys
from pathlib import Path

import pytest

from benchmarks import language_text
from benchmarks.language_text import models_of_languages, sentences_of
from synparse.store.languages import TEXTS, read_rows
from synparse.trees.errors import DataError, SettingError

DATA = Path(os.environ.get("SYNPARSE_DATA", Path(__file__).parents[3] / "shared" / "data")) / "languages"


def row(file, sentences, model="–", code="cy"):
    return {"language": code, "file": file, "sentences": str(sentences), "model": model}


TABLE = [
    row("text.txt.gz", 2, "welsh"),
    row("text.txt.gz", 1),
    row("text.txt.gz", 1, "welsh"),
    row("more.txt.gz", 1),
    row("novels.txt.gz", 1, "welsh"),
]


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "cy"
    folder.mkdir()
    for name, lines in {"text": "a\nb\nc\nd\n", "novels": "e\n"}.items():
        with gzip.open(folder / f"{name}.txt.gz", "wt", encoding="utf-8") as out:
            out.write(lines)
    return tmp_path


def test_the_parts_of_a_model_are_taken_in_their_order(data):
    assert list(sentences_of("welsh", data, TABLE)) == ["a\n", "b\n", "d\n", "e\n"]


@pytest.mark.parametrize(("sentences", "message"), [(3, "fewer"), (1, "more")])
def test_files_of_other_sizes_are_refused(data, sentences, message):
    table = [row("text.txt.gz", sentences, "welsh"), *TABLE[1:]]
    with pytest.raises(DataError, match=f"{message} sentences than texts.tsv says"):
        list(sentences_of("welsh", data, table))


def test_a_model_without_text_is_told(data):
    with pytest.raises(SettingError, match="no model 'cornish'; there are german"):
        list(sentences_of("cornish", data, TABLE))


def test_the_program_writes_the_text(data, tmp_path, monkeypatch):
    monkeypatch.setattr(language_text, "read_rows", lambda _: TABLE)
    monkeypatch.setattr(sys, "argv", ["", "welsh", str(data), "--output", str(tmp_path / "welsh.txt")])
    language_text.main()
    assert (tmp_path / "welsh.txt").read_text(encoding="utf-8") == "a\nb\nd\ne\n"


def test_no_text_of_a_model_is_for_non_commercial_use():
    assert "english" not in models_of_languages()
    for row in read_rows(TEXTS):
        assert row["model"] == "–" or not {"NC", "research"} & set(row["licence"].replace("-", " ").split()), row


@pytest.mark.skipif(not DATA.is_dir(), reason="the texts are not here")
@pytest.mark.parametrize("model", sorted(models_of_languages()))
def test_the_texts_are_as_long_as_the_table_says(model):
    rows = [row for row in read_rows(TEXTS) if row["model"] == model]
    tokens = sum(len(sentence.split()) for sentence in sentences_of(model, DATA, read_rows(TEXTS)))
    assert tokens == sum(int(row["tokens"]) for row in rows)
