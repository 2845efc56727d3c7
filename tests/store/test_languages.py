import shutil

import pytest

from synparse.config import recipe
from synparse.corpora.languages import language_of
from synparse.store import languages, shipped
from synparse.store.languages import corpus_of, language_info, language_of_shipped, language_report, size_of
from synparse.store.shipped import TEXTS, read_rows
from synparse.trees.errors import SettingError

TEXT_COLUMNS = ("language", "file", "sentences", "tokens", "source", "licence", "register", "in the table", "model")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """In place of the shipped models: an empty folder."""
    monkeypatch.setattr(shipped, "recipe_folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def welsh(folder, tiny_grammar):
    """A shipped model of Welsh, with the text that it learned from, gold trees, and scores."""
    shutil.copytree(tiny_grammar, folder / "welsh")
    rows = [
        TEXT_COLUMNS,
        ("cy", "text.txt.gz", "2", "1200", "first half", "CC BY 4.0", "news", "training", "welsh"),
        ("cy", "text.txt.gz", "1", "90", "second half", "CC BY-NC 4.0", "letters", "training", "–"),
        ("cy", "dev.conllu.gz", "1", "9", "UD_Welsh", "CC BY 4.0", "news", "gold", "–"),
    ]
    (folder / "texts.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    scores = {
        **{"language": "cy", "model": "–", "settings": "--minutes 3", "seeds": "1 2", "words": "1,234"},
        **{"minutes": "3.1 (0.2)", "UAS": "40.1 (0.3)", "UUAS": "50.2", "next word UAS": "30.0"},
        **{"next word UUAS": "41.0", "tokens F1": "98.0", "sentences F1": "75.5", "scored at": "abc", "date": "2026"},
    }
    others = [f"{name} {measure}" for name in languages.PARSERS[1:] for measure in ("UAS", "UUAS")]
    scores = dict.fromkeys(others, "–") | scores
    lines = "\t".join(scores) + "\n" + "\t".join(scores.values()) + "\n"
    (folder / "languages.tsv").write_text(lines, encoding="utf-8")
    return language_info("Welsh")


def test_what_is_known_is_found_by_code_and_by_name(welsh):
    assert welsh == language_info("cy") == language_info("CYM")
    assert (welsh["language"], welsh["code"]) == ("Welsh", "cy")
    assert welsh["train"].startswith("synparse train TEXT --language cy ")


def test_a_shipped_model_has_its_text_licences_and_size(welsh, folder, tiny_grammar):
    assert list(welsh["models"]) == ["welsh"]
    model, corpus = welsh["models"]["welsh"], corpus_of(tiny_grammar)
    assert (model["kind"], model["licences"]) == ("grammar", ["CC BY 4.0"])
    assert (model["sentences"], model["words"]) == (corpus["training_sentences"], corpus["training_words"])
    assert (
        model["bytes"]
        == size_of(folder / "welsh")
        == sum(len(path.read_bytes()) for path in folder.glob("welsh/**/*.*"))
    )
    assert language_of_shipped("welsh") == language_of("cy")
    assert language_of_shipped("english") is None


def test_scores_are_numbers_without_deviations(welsh):
    [scores] = welsh["scores"]
    assert (scores["uas"]["parser"], scores["uuas"]["parser"]) == (40.1, 50.2)
    assert (scores["uas"]["next word"], scores["uas"]["random"]) == (30.0, None)
    assert (scores["minutes"], scores["words"], scores["model"]) == (3.1, 1234, None)
    assert (scores["seeds"], scores["tokens_f1"]) == (["1", "2"], 98.0)


def test_texts_say_what_they_were_used_for(welsh):
    first, second = welsh["texts"]
    assert (first["tokens"], first["used_by"]) == (1200, ["table of languages", "welsh"])
    assert (second["licence"], second["used_by"]) == ("CC BY-NC 4.0", ["table of languages"])
    assert [gold["source"] for gold in welsh["gold"]] == ["UD_Welsh"]


def test_the_report_has_it_all(welsh):
    report = "".join(language_report(welsh))
    for part in (
        "Welsh (cy)\n",
        "synparse parse --model welsh\n",
        "gold trees: UD_Welsh (news; CC BY 4.0)",
        "train --minutes 3\n  1,234 words, 3.1 minutes, seeds 1 2, 2026\n",
        "    parser                40.1   50.2\n    next word             30.0   41.0\n    F1 of tokens 98.0",
        "second half\n    90 tokens, letters; licence: CC BY-NC 4.0\n    used for: table of languages\n",
    ):
        assert part in report


def test_texts_of_a_language_that_was_not_measured_were_used_for_nothing(welsh, folder):
    (folder / "languages.tsv").write_text("language\n", encoding="utf-8")
    used = {text["source"]: text["used_by"] for text in language_info("cy")["texts"]}
    assert used == {"first half": ["welsh"], "second half": []}
    assert welsh["texts"][1]["used_by"] == ["table of languages"]


@pytest.mark.usefixtures("folder")
def test_a_language_without_data_has_a_tokenizer_and_a_way_to_train():
    known = language_info("xx")
    assert (known["models"], known["scores"], known["texts"]) == ({}, [], [])
    report = "".join(language_report(known))
    assert "xx (xx)\n\nTokenizer of running text (--raw): rules:xx\n" in report
    if known["tokenizer"]["extra"]:
        assert "\n  if Stanza has a model of this language, it is better: pip install " in report
    assert "Shipped models: none\n\nScores: none; no parser of this language has been measured\n\nTo train" in report
    with pytest.raises(SettingError, match="unknown language 'elvish'"):
        language_info("elvish")


def test_the_tables_that_are_shipped_can_be_read():
    rows = read_rows(TEXTS)
    assert tuple(rows[0]) == TEXT_COLUMNS
    assert all(None not in row.values() and None not in row for row in rows)
    for code in {row["language"] for row in (*rows, *read_rows(languages.SCORES))}:
        assert "".join(language_report(language_info(code)))
    assert recipe.recipe_folder().joinpath(languages.SCORES).exists()
