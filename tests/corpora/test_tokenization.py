import sys
import types

import pytest

from synparse.corpora.tokenization import load_tokenizer
from synparse.trees.errors import DataError, SettingError


def test_whitespace_is_one_sentence_a_line():
    assert load_tokenizer("whitespace")("Hello , world .\n") == [["Hello", ",", "world", "."]]
    assert load_tokenizer("whitespace")("\n") == [[]]


def test_treebank_splits_words_and_not_sentences():
    assert load_tokenizer("treebank")("I don't (really). Yes.\n") == [
        ["I", "do", "n't", "(", "really", ")", ".", "Yes", "."]
    ]


def test_raw_splits_sentences_and_words_without_a_network():
    found = load_tokenizer("whitespace", raw=True)("Mr. Smith doesn't swim. He walked 3.5 miles (home).\n")
    assert found == [
        ["Mr.", "Smith", "does", "n't", "swim", "."],
        ["He", "walked", "3.5", "miles", "(", "home", ")", "."],
    ]
    assert load_tokenizer("whitespace", raw=True)("\n") == [[]]


@pytest.mark.parametrize(
    "name", ["nltk", "stanza", "stanza:", "stanza:../../x", "stanza:a/b", "stanza:en\n", "stanza:é"]
)
def test_unknown_tokenizers_are_errors(name):
    with pytest.raises(SettingError, match="whitespace, treebank"):
        load_tokenizer(name)


def test_without_stanza_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "stanza", None)
    with pytest.raises(DataError, match=r"pip install 'synparse\[stanza\]'"):
        load_tokenizer("stanza:en")


def test_without_its_model_one_line_says_what_to_download(monkeypatch):
    def missing(*_, **__):
        raise FileNotFoundError("resources.json not found\nand more")

    monkeypatch.setitem(sys.modules, "stanza", types.SimpleNamespace(Pipeline=missing))
    with pytest.raises(DataError, match=r"stanza.download\('de'") as caught:
        load_tokenizer("stanza:de")
    assert "\n" not in str(caught.value)


def test_stanza_gives_sentences_of_words(monkeypatch):
    calls = {}

    def pipeline(language, **options):
        calls.update(options, language=language)
        word = types.SimpleNamespace
        sentences = [types.SimpleNamespace(words=[word(text="de"), word(text="le")])]
        return lambda _: types.SimpleNamespace(sentences=sentences)

    monkeypatch.setitem(sys.modules, "stanza", types.SimpleNamespace(Pipeline=pipeline))
    assert load_tokenizer("stanza:fr")("du") == [["de", "le"]]
    assert calls["language"] == "fr"
    assert calls["tokenize_no_ssplit"] is True
    assert calls["download_method"] is None
