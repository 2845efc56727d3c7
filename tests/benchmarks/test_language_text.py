"""The texts of languages that models which are given away may learn from."""

import gzip
import os
import sys
from pathlib import Path

import pytest

from benchmarks import language_text
from benchmarks.language_text import languages_with_text, parts_of, sentences_of
from synparse.store.shipped import TEXTS, read_rows
from synparse.trees.errors import DataError, SettingError

DATA = Path(os.environ.get("SYNPARSE_DATA", Path(__file__).parents[3] / "shared" / "data")) / "languages"


def row(file, sentences, licence="CC BY-SA 4.0", code="cy", in_the_table="training"):
    return {
        **{"language": code, "file": file, "sentences": str(sentences), "licence": licence},
        "in the table": in_the_table,
    }


TABLE = [
    row("text.txt.gz", 2, "CC0"),
    row("text.txt.gz", 1, "CC BY-NC-SA 4.0 (the text alone: CC BY-SA)"),
    row("text.txt.gz", 1),
    row("more.txt.gz", 1, "research only"),
    row("novels.txt.gz", "–", "public domain (markup: CC BY 4.0)", in_the_table="–"),
    row("dev.conllu.gz", 1, in_the_table="gold"),
    row("text.txt.gz", 1, "public-domain novels; the collection states no licence", code="gd"),
]


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "cy"
    folder.mkdir()
    for name, lines in {"text": "a\nb\nc\nd\n", "novels": "(E, fa.) G\n\nh!\n"}.items():
        with gzip.open(folder / f"{name}.txt.gz", "wt", encoding="utf-8") as out:
            out.write(lines)
    return tmp_path


SENTENCES = ["a\n", "b\n", "d\n", "( E , fa . )\n", "G\n", "h !\n"]
"""Of the parts that may be given away, in their order; running text is split."""


def test_the_parts_that_may_be_given_away_are_taken_in_their_order(data):
    assert list(sentences_of("cy", data, TABLE)) == SENTENCES


@pytest.mark.parametrize(("sentences", "message"), [(3, "fewer"), (1, "more")])
def test_files_of_other_sizes_are_refused(data, sentences, message):
    table = [row("text.txt.gz", sentences), *TABLE[1:]]
    with pytest.raises(DataError, match=f"{message} sentences than texts.tsv says"):
        list(sentences_of("cy", data, table))


@pytest.mark.parametrize("code", ["gd", "nl"])
def test_a_language_without_such_a_text_is_told(data, code):
    with pytest.raises(SettingError, match=r"no text of (Gaelic|Dutch) may be given away"):
        list(sentences_of(code, data, TABLE))


def test_the_program_writes_the_text(data, tmp_path, monkeypatch):
    monkeypatch.setattr(language_text, "read_rows", lambda _: TABLE)
    monkeypatch.setattr(sys, "argv", ["", "welsh", str(data), "--output", str(tmp_path / "welsh.txt")])
    language_text.main()
    assert (tmp_path / "welsh.txt").read_text(encoding="utf-8") == "".join(SENTENCES)


def test_models_learned_from_text_that_may_be_given_away():
    assert not {"english", "dutch", "russian"} & languages_with_text().keys()
    rows = read_rows(TEXTS)
    for row in rows:
        of_english = row["language"] == "en"
        assert row["model"] == "–" or of_english or row in parts_of(row["language"], rows), row


OF_SENTENCES = [row for row in read_rows(TEXTS) if row["sentences"] != "–"]  # the rest takes long to split
MADE = sorted({row["model"] for row in OF_SENTENCES} & languages_with_text().keys())
"""Models whose texts are put together here."""


@pytest.mark.skipif(not DATA.is_dir(), reason="the texts are not here")
@pytest.mark.parametrize("model", MADE)
def test_the_texts_are_as_long_as_the_table_says(model):
    code = languages_with_text()[model]
    tokens = sum(len(sentence.split()) for sentence in sentences_of(code, DATA, OF_SENTENCES))
    assert tokens == sum(int(row["tokens"]) for row in parts_of(code, OF_SENTENCES))
