import gzip
import random
import textwrap

import pytest

from synparse.corpora.text_notes import table_note, text_notes, wrapped_note

CSV, TSV = b"id,text\n1,The cat sat.\n", b"1\tThe cat sat.\n2\tIt slept.\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [("x.csv", CSV), ("x.TSV", TSV), ("x.csv.gz", gzip.compress(CSV, mtime=0)), ("x.tsv", TSV[:-1])],
)
def test_a_table_that_is_read_as_text_is_told(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    note = f"{path}: a table; each line is read as a sentence, so leave only the column of sentences in it"
    assert table_note(["-", str(path)]) == table_note([str(path)], "text") == note


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("x.txt", CSV, None),
        ("x.csv", b"The cat, it sat.\nIt slept.\n", None),
        ("x.tsv", b"1\tdogs" + b"\t_" * 8 + b"\n", None),
        ("x.tsv", TSV, "conllu"),
        ("x.csv", b"", None),
    ],
)
def test_what_need_not_be_a_table_is_not(tmp_path, name, content, format):
    (tmp_path / name).write_bytes(content)
    assert table_note([str(tmp_path / name)], format) == ""


SENTENCE = "The old sailor told us that the storm had broken the mast, but that nobody had seen it. "


@pytest.mark.parametrize("width", [30, 72])
def test_lines_that_are_wrapped_at_a_fixed_width_are_told(tmp_path, width):
    path = tmp_path / "mail.txt"
    words = random.Random(1).choices(SENTENCE.split(), k=200)
    path.write_text(textwrap.fill(" ".join(words), width) + "\n\n" + textwrap.fill(SENTENCE, width))
    [note] = text_notes([str(path)])
    assert note.startswith(f"{path}: the lines are wrapped at about ")
    assert abs(int(note.split(" characters")[0].split()[-1]) - width) <= 2
    assert wrapped_note(str(path), "conllu") == ""


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE * 9,  # a paragraph a line
        (SENTENCE + "\n") * 20,  # lines of one length that end sentences
        "no it was n't black monday\nthe dogs sleep\n" * 20,  # sentences without punctuation
        "the dogs sleep in a house\n" * 20,  # the same line again and again
        "dogs\ncats\nmice\n" * 20,  # words
        "我们昨天看了一本很有意思的书\n" * 20,  # no blanks
        "The cat sat\nIt slept a\n",  # too little text
        "# text = a\n" + "1\tdogs\tdog dog" + "\t_" * 7 + "\n",
        "",
    ],
)
def test_lines_that_need_not_be_wrapped_are_not(tmp_path, text):
    (tmp_path / "x.txt").write_text(text)
    assert wrapped_note(str(tmp_path / "x.txt")) == ""


def test_a_text_that_cannot_be_read_has_no_note(tmp_path):
    assert text_notes([str(tmp_path / "missing.txt")]) == []
