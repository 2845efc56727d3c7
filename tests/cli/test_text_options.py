"""Text of any language, from running text to trees: --raw and --language of several commands."""

import bz2
import gzip
import json
import subprocess
import sys

import pytest

from tests.cli.commands import printed

GERMAN = "Er geht z.B. zum Dom (im Ort). Sie nicht.\n"


@pytest.fixture
def command(tmp_path, monkeypatch):
    """A function that runs a command in a folder of its own: standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "stanza", None)
    (tmp_path / "de.txt").write_text(GERMAN, encoding="utf-8")
    return printed


def test_running_text_keeps_its_tokens_in_conllu(command):
    out, note = command("parse", "de.txt", "--raw", "--language", "german", "-m", "chain")
    assert note == "synparse: German: sentences by Punkt, words by rules (Stanza is not installed)\n"
    first, second = out.strip().split("\n\n")
    assert "# text = Er geht z.B. zum Dom (im Ort).\n" in first
    rows = [line.split("\t") for line in first.splitlines() if line[0] != "#"]
    assert [(row[0], row[1]) for row in rows if "-" in row[0]] == [("4-5", "zum"), ("8-9", "im")]
    assert [row[1] for row in rows if "-" not in row[0]] == "Er geht z.B. zu dem Dom ( in dem Ort ) .".split()
    assert [row[1] for row in rows if row[9] == "SpaceAfter=No"] == ["(", "Ort", ")"]
    assert second.startswith("# sent_id = 2\n# text = Sie nicht.\n")


def test_other_formats_have_the_split_words(command):
    out, _ = command("parse", "de.txt", "--raw", "--language", "de", "-m", "right-branching", "-f", "brackets")
    assert "(_ zu) (X (_ dem)" in out
    out, _ = command("parse", "de.txt", "--raw", "--language", "de", "-m", "chain", "-f", "json")
    assert json.loads(out.splitlines()[0])["tokens"][3:6] == ["zu", "dem", "Dom"]


def test_raw_text_can_be_compared_with_its_treebank(command, tmp_path):
    gold = (
        "# text = Il va au lit.\n1\tIl\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tva\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
        "3-4\tau\t_\t_\t_\t_\t_\t_\t_\t_\n3\tà\t_\tADP\t_\t_\t5\tcase\t_\t_\n4\tle\t_\tDET\t_\t_\t5\tdet\t_\t_\n"
        "5\tlit\t_\tNOUN\t_\t_\t2\tobl\t_\tSpaceAfter=No\n6\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n"
    )
    (tmp_path / "gold.conllu").write_text(gold, encoding="utf-8")
    (tmp_path / "fr.txt").write_text("Il va au lit.\n", encoding="utf-8")
    command("parse", "fr.txt", "--raw", "--language", "fr", "-m", "chain", "-o", "raw.conllu")
    out, _ = command("eval", "raw.conllu", "gold.conllu", "--protocol", "conll18")
    values = dict(line.split()[:2] for line in out.splitlines() if line.startswith(("Tokens", "Words", "Sentences")))
    assert values == {"Tokens": "100.00", "Words": "100.00", "Sentences": "100.00"}
    out, note = command("parse", "gold.conllu", "-m", "chain")  # as it came, but for heads and relations
    assert note == ""
    assert "3-4\tau\t_\t_\t_\t_\t_\t_\t_\t_\n" in out
    kept = [[*line.split("\t")[:6], *line.split("\t")[8:]] for line in gold.splitlines()]
    assert [[*line.split("\t")[:6], *line.split("\t")[8:]] for line in out.splitlines()[1:]] == kept


def test_lines_are_recognised_as_tokenised(command, tmp_path):
    (tmp_path / "lines.txt").write_text("Er geht , z.B. zum Dom .\n", encoding="utf-8")
    out, note = command("parse", "lines.txt", "--language", "de", "-m", "chain")
    assert note == (
        "synparse: German: each line is a sentence, and blanks separate its words, "
        "because punctuation is not attached to them\n"
    )
    assert "\tzum\t" in out
    assert "1-2" not in out
    out, note = command("parse", "de.txt", "--language", "de", "-m", "chain")
    assert note == (
        "synparse: German: each line is a sentence, words by rules (Stanza is not installed); "
        "--raw splits running text into sentences; --tokenizer whitespace splits at blanks only\n"
    )
    assert out.count("# sent_id") == 1
    assert "4-5\tzum\t" in out


def test_nothing_is_noted_where_quiet_is_asked_for(command):
    arguments = ("parse", "de.txt", "--language", "de", "-m", "chain")
    out, note = command(*arguments)
    assert note != ""
    assert command(*arguments, "--quiet") == (out, "")


def test_a_tokenizer_that_is_named_goes_first(command):
    out, note = command("parse", "de.txt", "--language", "de", "--tokenizer", "whitespace", "-m", "chain")
    assert note == ""
    assert "\t(im\t" in out


def test_without_a_language_text_is_taken_as_english(command):
    out, note = command("parse", "de.txt", "--raw", "-m", "chain")
    assert (
        note
        == "synparse: taken as English (--language): sentences by Punkt, words by rules (Stanza is not installed)\n"
    )
    assert "\n# sent_id = 1\n# text = Er geht z.B.\n" in out
    assert "\tzum\t" in out


@pytest.mark.parametrize("language", ["12", "gibberish"])
def test_no_language_is_wrong_usage(command, language):
    for arguments in (["parse", "-m", "chain"], ["train"], ["classes"]):
        out, error = command(arguments[0], "de.txt", *arguments[1:], "--language", language, code=2)
        assert out == ""
        assert error.startswith(f"synparse: unknown language {language!r}")
        assert error.count("\n") == 1


def test_an_unknown_code_has_general_rules(command):
    out, note = command("parse", "de.txt", "--raw", "--language", "qaa", "-m", "chain")
    assert note.startswith("synparse: qaa: sentences by rules, words by rules")
    assert "\tzum\t" in out


def test_scripts_are_mixed_and_lines_are_empty(command, tmp_path):
    (tmp_path / "ja.txt").write_text("私はPython3.5を使う。OK?はい！\n\n \t\nEnd\n", encoding="utf-8")
    out, _ = command("parse", "ja.txt", "--raw", "--language", "ja", "--tokenizer", "characters", "-m", "chain")
    assert [line for line in out.splitlines() if line.startswith("# text")] == [
        "# text = 私はPython3.5を使う。",
        "# text = OK?",
        "# text = はい！",
        "# text = End",
    ]
    assert "\tPython3.5\t" in out


def test_several_processes_and_one_give_the_same(command, tmp_path):
    (tmp_path / "long.txt").write_text(GERMAN * 700, encoding="utf-8")
    arguments = ("parse", "long.txt", "--raw", "--language", "de", "-m", "chain")
    assert command(*arguments, "--jobs", "2") == command(*arguments, "--jobs", "1")


def test_a_model_remembers_its_language(command, tmp_path):
    (tmp_path / "text.txt").write_text("Talo on EU:ssa. Hän asuu esim. Turussa, ja muttei täällä.\n" * 60, "utf-8")
    train = ("train", "text.txt", "--raw", "--language", "finnish", "--model", "dbm", "--set", "grammar.classes=5")
    _, note = command(*train, "-o", "m")
    first, branching = note.splitlines()
    assert first == "synparse: Finnish: sentences by Punkt, words by rules (Stanza is not installed)"
    assert branching.startswith("synparse: branching: unclear")  # all sentences are the same
    out, _ = command("info", "m", "--json")
    text = json.loads(out)["recipe"]["text"]
    assert (text["language"], text["tokenizer"]) == ("fi", "rules:fi")
    out, note = command("parse", "text.txt", "--raw", "-m", "m")
    assert note == ""
    assert "\n# sent_id = 1\n# text = Talo on EU:ssa.\n" in out
    assert "\tmuttei\t" in out
    out, note = command("parse", "text.txt", "--raw", "-m", "m", "--language", "de")
    assert note.startswith("synparse: German")
    assert "\tmutta\t" not in out


def test_a_model_of_tokenised_text_splits_running_text_by_its_language(command, tmp_path):
    (tmp_path / "text.txt").write_text("Er geht , und sie geht zu dem Dom .\n" * 60, "utf-8")
    train = ("train", "text.txt", "--language", "de", "--model", "dbm", "--set", "grammar.classes=5", "-o", "m")
    assert "blanks separate its words" in command(*train)[1]
    out, note = command("parse", "de.txt", "--raw", "-m", "m")
    assert note == ""  # the model knows its language
    assert "4-5\tzum\t" in out
    out, note = command("parse", "text.txt", "-m", "m")
    assert note == ""
    assert "# text = Er geht , und sie" in out


def test_the_text_of_a_pipe_is_recognised_and_read_whole():
    for text, words in [("Zum Dom , ja .\n", "Zum Dom , ja ."), ("Zum Dom, ja.\n", "Zu dem Dom , ja .")]:
        command = [sys.executable, "-m", "synparse", "parse", "--language", "de", "-m", "chain", "-f", "json"]
        out = subprocess.run(command, input=text * 2000, capture_output=True, check=True, text=True, encoding="utf-8")
        assert [json.loads(line)["tokens"] for line in out.stdout.splitlines()] == [words.split()] * 2000


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_a_pipe_is_split_as_a_file(command, tmp_path, pack):
    """Its punctuation is further on than a buffer reaches."""
    text = pack(b"Haus und Garten\n" * 900 + b"Zum Dom, ja.\n")
    (tmp_path / "text").write_bytes(text)
    parse = ("parse", "--language", "de", "-m", "chain", "-f", "brackets")
    whole, note = command(*parse, "text")
    assert "(_ dem)" in whole
    assert command(*parse, stdin=text, binary=True) == (whole, note)


def test_classes_of_running_text(command, tmp_path):
    (tmp_path / "many.txt").write_text(GERMAN * 3, encoding="utf-8")
    out, note = command("classes", "many.txt", "--raw", "--language", "de", "--classes", "2")
    assert note.startswith("synparse: German: sentences by Punkt")
    assert {"zu", "dem", "in"} <= {line.split("\t")[0] for line in out.splitlines()}


@pytest.mark.parametrize("arguments", [["parse", "-m", "chain"], ["classes"]])
def test_lines_that_are_no_sentences_are_told(command, tmp_path, arguments):
    (tmp_path / "text.txt").write_text("\\tx the dog\n\\gl DET dog\n")
    _, note = command(*arguments, "text.txt")
    assert note.startswith("synparse: text.txt: records of Toolbox or FLEx; keep only the text in them")
