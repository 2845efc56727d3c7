"""The files of languages, and running text."""

import pytest

from benchmarks.languages import data as files
from benchmarks.languages.data import languages_in, running_text, training_sentences
from synparse.trees.conllu import read_conllu
from synparse.trees.errors import SettingError


def test_languages_are_those_of_the_folder_or_those_named(data, monkeypatch):
    monkeypatch.setitem(files.TREES, "de", "trees-none.ptb.gz")
    german, spanish = languages_in(data)
    assert (german.name, spanish.name) == ("German", "Spanish")
    assert [path.name for path in german.texts] == ["text.txt.gz", "text-nc.txt.gz"]
    assert (german.trees, spanish.trees) == (data / "de" / "trees-none.ptb.gz", None)
    assert languages_in(data, "es") == [spanish]
    assert list(training_sentences(german))[1] == ("der", "Hund", "!")


def test_a_language_that_is_not_there_is_told(data, tmp_path):
    with pytest.raises(SettingError, match=r"no fi or xx in .*; there are de, es"):
        languages_in(data, "fi,de,xx")
    with pytest.raises(SettingError, match=r"no languages in .*; there are none"):
        languages_in(tmp_path / "empty")
    for name in ("text.txt.gz", "text-nc.txt.gz"):
        (data / "de" / name).unlink()
    with pytest.raises(SettingError, match="has no text"):
        languages_in(data)


def sentence(text, *comments, space=True):
    misc = "_" if space else "SpaceAfter=No"
    return "".join(f"{line}\n" for line in (*comments, f"# text = {text}", f"1\ta\t_\t_\t_\t_\t0\troot\t_\t{misc}", ""))


def test_sentences_are_joined_as_the_treebank_says():
    lines = "".join(
        [
            sentence("私 は", space=False),
            sentence("Yes.", "# newpar"),
            sentence("No?"),
            sentence("Two"),
            sentence("New", "# newdoc id = 2"),
        ]
    )
    assert running_text(read_conllu(lines.splitlines(keepends=True), "x")) == "私 は\nYes. No? Two\nNew\n"
    joined = sentence("一。", space=False) + sentence("二。", space=False)
    assert running_text(read_conllu(joined.splitlines(keepends=True), "x")) == "一。二。\n"
