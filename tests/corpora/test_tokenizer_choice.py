import re
import warnings
from pathlib import Path

import pytest

from synparse.corpora.tokenization import WHITESPACE
from synparse.corpora.tokenizer_choice import chosen_tokenizer, text_settings, tokenizer_for_model


def test_a_language_without_a_tokenizer_gets_the_one_that_its_text_needs(tmp_path):
    (tmp_path / "words.txt").write_text("Er geht , und sie geht .\n" * 9)
    (tmp_path / "text.txt").write_text("Er geht, und sie geht.\n" * 9)
    words, text = ([str(tmp_path / name)] for name in ("words.txt", "text.txt"))
    assert text_settings(words, None, None) == ({}, "")
    assert text_settings(words, "treebank", None) == ({"tokenizer": "treebank"}, "")
    assert text_settings(words, "characters", "german") == ({"language": "de", "tokenizer": "characters"}, "")
    settings, note = text_settings(words, None, "german")
    assert settings == {"language": "de", "tokenizer": "whitespace"}
    assert note.startswith("German: each line is a sentence, and blanks separate its words")
    settings, note = text_settings(text, None, "german")
    assert settings["tokenizer"] != "whitespace"
    assert note.endswith("; --tokenizer whitespace splits at blanks only")


def test_text_without_blanks_between_words_has_the_language_of_its_script(tmp_path):
    path = tmp_path / "text"
    path.write_text("แมวนั่งบนเสื่อ\n")
    for raw in (False, True):
        settings, note = text_settings([str(path)], None, None, raw)
        assert settings == {"language": "th", "tokenizer": "characters"}
        assert note.startswith("Thai: ")
    path.write_text("แมว นั่ง บน เสื่อ\n")
    assert text_settings([str(path)], None, None) == ({}, "")


def test_lines_that_may_be_paragraphs_are_told(tmp_path):
    path = tmp_path / "novel.txt"
    path.write_text("Er geht, und sie geht. " * 8 + "Er.\n")
    assert text_settings([str(path)], None, "de")[1].endswith(
        "; lines have 41 words on average: --raw splits paragraphs into sentences"
    )
    path.write_text("\n\n".join(["Er geht, und sie geht. " * 8 + "Er.\n"] * 3))  # with blank lines between them
    assert "lines have 41 words on average" in text_settings([str(path)], None, "de")[1]
    choice = tokenizer_for_model([str(path)], "rules:de", "de")
    assert choice == ("rules:de", "lines have 41 words on average: --raw splits paragraphs into sentences")
    assert tokenizer_for_model([str(path)], "rules:de", "de", raw=True) == ("rules:de", "")
    path.write_text("Er geht, und sie geht. " * 8 + "\n")
    assert text_settings([str(path)], None, "de")[1].endswith("; --tokenizer whitespace splits at blanks only")


@pytest.mark.parametrize(
    ("text", "own", "expected"),
    [
        ("Mae 'r ci yn rhedeg .", "rules:cy", WHITESPACE),
        ("Mae'r ci yn rhedeg.", "rules:cy", "rules:cy"),
        ("Mae'r ci yn rhedeg", "rules:cy", "rules:cy"),  # nothing shows what it is
        ("猫 が 座った 。", "fugashi", WHITESPACE),
        ("元気", "fugashi", "fugashi"),
        ("猫 が 座った 。", "characters", "characters"),
    ],
)
def test_text_that_is_tokenised_is_left_as_it_is_by_all_models_with_words(tmp_path, text, own, expected):
    path = tmp_path / "text"
    path.write_text(text + "\n", encoding="utf-8")
    language = "cy" if own == "rules:cy" else "ja"
    assert tokenizer_for_model([str(path)], own, language) == (expected, "")


@pytest.mark.parametrize(("language", "raw"), [("", True), ("de", False), ("de", True)])
def test_files_with_words_need_no_tokenizer(tmp_path, language, raw):
    path = tmp_path / "trees.brackets"
    path.write_text("(S (NN dogs) (VBP bark))\n")
    assert chosen_tokenizer([str(path)], language, raw) == (WHITESPACE, "")


def test_texts_that_are_split_in_two_ways_are_told(tmp_path):
    tokenized, running, either = (str(tmp_path / name) for name in ("tokenized.txt", "running.txt", "either.txt"))
    for path, text in ((tokenized, "Ja , heute ."), (running, "Ja, heute."), (either, "Ja heute")):
        Path(path).write_text(f"{text}\n" * 20, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chosen_tokenizer([tokenized, either, tokenized], "de", False)
        chosen_tokenizer([tokenized, running], "de", True)
    with pytest.warns(UserWarning, match=f"^{re.escape(tokenized)} is tokenised, {re.escape(running)} is not, and"):
        chosen_tokenizer([either, running, tokenized], "de", False)
