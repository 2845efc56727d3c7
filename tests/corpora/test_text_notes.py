import gzip
import random
import textwrap

import pytest

from synparse.corpora.text_notes import text_notes
from synparse.trees.errors import DataError

CSV, TSV = b"id,text\n1,The cat sat.\n", b"1\tThe cat sat.\n2\tIt slept.\n"
COLUMNS = b"# sent_id = 1\n# text = A b\n1\tA" + b"\t_" * 9 + b"\n2\tb" + b"\t_" * 9 + b"\n"
ELAN = b"A\t\t00:00:01.2\tthe cat sat\nB\t\t00:00:04.0\tyes it did\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.csv", CSV),
        ("x.TSV", TSV),
        ("x.csv.gz", gzip.compress(CSV, mtime=0)),
        ("x.tsv", TSV[:-1]),
        ("x.txt", ELAN),
        ("x", COLUMNS),
    ],
)
def test_a_table_that_is_read_as_text_is_told(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    note = f"{path}: a table; each line is read as a sentence, so leave only the column of sentences in it"
    assert text_notes([str(path), str(path)]) == text_notes([str(path)], "text") == [note]


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
    assert text_notes([str(tmp_path / name)], format) == []


TOOLBOX = "\\ref 001\n\\tx Kungka pitjangu .\n\\gl girl come.PST\n\\ft The girl came.\n\n"
CHAT = "@UTF8\n@Begin\n*CHI:\tmore cookie .\n%mor:\tqn|more n|cookie .\n@End\n"
WIKI = '<doc id="1">\n' + "The cat sat on the mat.\n" * 50 + "</doc>\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TOOLBOX, "Toolbox"),
        (
            "\\id GEN\n\\c 1\n\\p\n\\v 1 Hapo mwanzo.\n\\v 2 Nayo.\n",
            r"USFM; keep only the text of verses in it, for instance: sed -n 's/^\\v ",
        ),
        ("1. Ja.\n2. Nein.\n10. Gut.\n", r"take them out: perl -CSD -pe 's/^\(?\d+[a-z]?[.)]* +//'"),
        ("१. हाँ।\n२. नहीं।\n३. ठीक।\n", "numbers before"),
        ("(1) Ja.\n(2a) Nein.\n(2b) Gut.\n", "numbers before"),
        ("001 Ja.\n002 «Nein».\n003 Gut.\n", "numbers before"),
        ("1:1 Ja.\n1:2 Nein.\n1:3 Gut.\n", "numbers before"),
        ("Gen 1:1 Ja.\nGen 1:2 Nein.\nGen 1:3 Gut.\n", "numbers before"),
        (CHAT, "CHAT"),
        ("@Begin\n@New Episode\n@Languages:\teng\n@Comment:\n*CHI:\tyes .\n", "CHAT"),
        ("1\r\n00:00:01,000 --> 00:00:02,500\r\nThe cat sat.\r\n\r\n2\r\n", "subtitles"),
        ("[S [NP the dog] [VP barked]]\n", "tr '[]' '()'"),
        ("The\ncat\nsat\n.\n", "one word a line"),
        ("<s>\nThe\tDT\ncat\tNN\nsat\tVBD\n.\tSENT\n</s>\n", "one word a line"),
        (WIKI * 2, "</doc>"),
        ("The dog &amp; I ran.\nIt slept.<br/>\n", "&amp;"),
        ("The cat sat .\rIt slept .\r", "tr '\\r' '\\n'"),
    ],
)
def test_lines_that_are_no_sentences_are_told(tmp_path, text, said):
    (tmp_path / "x.txt").write_text(text, newline="")
    [note] = text_notes([str(tmp_path / "x.txt")])
    assert said in note


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("1\tdogs" + "\t_" * 8 + "\n", "conllu"),
        ("1 dogs" + " _" * 8 + "\n", "conllu"),
        ("(S (NN dogs))\n", "brackets"),
        ('{"tokens": ["a"]}\n', "json"),
    ],
)
def test_trees_in_a_file_with_the_name_of_a_text_are_told(tmp_path, text, format):
    for name in ("x.txt", "x"):
        (tmp_path / name).write_text(text)
    [note] = text_notes([str(tmp_path / "x.txt"), str(tmp_path / "x")])
    assert note.endswith(f"x.txt: by its name, this is read as text; if it is {format}: --from {format}")
    assert not any("by its name" in note for note in text_notes([str(tmp_path / "x.txt")], "text"))


def test_words_of_trees_are_not_split(tmp_path):
    (tmp_path / "x.conllu").write_text("1\tdogs" + "\t_" * 8 + "\n")
    (tmp_path / "x.txt").write_text("Dogs bark.\n")
    assert text_notes([str(tmp_path / "x.txt")], to_split=True) == []
    [note] = text_notes([str(tmp_path / name) for name in ("x.txt", "x.conllu")], to_split=True)
    assert note == f"{tmp_path / 'x.conllu'}: its words stay; --raw and --tokenizer are for text"
    assert text_notes([str(tmp_path / "x.conllu")]) == []


@pytest.mark.parametrize(
    "text",
    [
        "\tThe cat sat.\n\tIt slept.\n",  # paragraphs that begin with a tab
        "我们昨天看了书。\n狗睡了。\n",  # sentences without blanks
        "yes\nno\n",  # sentences of one word
        "1 + 2 = 3\n2 + 2 = 4\n3 + 2 = 5\n",
        "3 dogs ran .\n3 cats ran .\n3 birds flew .\n",
        "the <unk> sleeps\nthe dog <unk> </s\n",  # words of language models
        "if a < b then c\nthe x & y > z\n",
        "\\ is a backslash\nthe cat sat\n",
        "The cat sat .\r\nIt slept .\r\n",
        "@anna the cat sat\n@ben it slept\n",
        "@Anna the cat sat .\n@Ben it slept .\n",
        "".join(f"我们昨天看了第{number}本书。\n" for number in range(50)) + "……\n",  # one line of punctuation
        "...\n",
        "...\r\n",  # one line, whatever its end
        "the cat\tsat\r\n",
        "\r\n",
        "\r\n\r\n",
    ],
)
def test_lines_that_may_be_sentences_have_no_note(tmp_path, text):
    (tmp_path / "x.txt").write_text(text, newline="")
    assert text_notes([str(tmp_path / "x.txt")]) == []


SENTENCE = "The old sailor told us that the storm had broken the mast, but that nobody had seen it. "


@pytest.mark.parametrize("width", [30, 72])
def test_lines_that_are_wrapped_at_a_fixed_width_are_told(tmp_path, width):
    path = tmp_path / "mail.txt"
    words = random.Random(1).choices(SENTENCE.split(), k=200)
    path.write_text(textwrap.fill(" ".join(words), width) + "\n\n" + textwrap.fill(SENTENCE, width))
    [note] = text_notes([str(path)])
    assert note.startswith(f"{path}: the lines are wrapped at about ")
    assert abs(int(note.split(" characters")[0].split()[-1]) - width) <= 2
    assert text_notes([str(path)], "conllu") == []
    assert "paragraph: awk " in note
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    [note] = text_notes([str(path)])
    assert "paragraph: tr -d '\\r' | awk -v RS= " in note


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ("The old sailor told us that the storm had broken the mast".split(), "{gsub(/\\n/, "),
        ("Der alte See- mann sagte uns dass der Sturm den Mast ge- brochen hatte".split(), '{gsub(/-\\n/, ""); gsub('),
        ("यह बात उसने हमें कल ही बताई थी और किसी ने नहीं देखी".split(), "{gsub(/\\n/, "),
    ],
)
def test_wrapped_lines_of_any_script_are_told_with_the_hyphens_at_their_ends(tmp_path, words, advice):
    path = tmp_path / "book.txt"
    path.write_text(textwrap.fill(" ".join(random.Random(1).choices(words, k=200)), 40, break_on_hyphens=False))
    [note] = text_notes([str(path)])
    assert advice in note


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE * 9,  # a paragraph a line
        (SENTENCE + "\n") * 20,  # lines of one length that end sentences
        "no it was n't black monday\nthe dogs sleep\n" * 20,  # sentences without punctuation
        "the dogs sleep in a house\n" * 20,  # the same line again and again
        "dogs\ncats\nmice\n" * 20,  # words, which might be sentences
        "我们昨天看了一本很有意思的书\n" * 20,  # no blanks
        "The cat sat\nIt slept a\n",  # too little text
        "",
    ],
)
def test_lines_that_need_not_be_wrapped_are_not(tmp_path, text):
    (tmp_path / "x.txt").write_text(text)
    assert text_notes([str(tmp_path / "x.txt")]) == []


def test_a_text_that_cannot_be_read_is_an_error(tmp_path):
    with pytest.raises(DataError, match=r"missing\.txt: cannot be read: "):
        text_notes([str(tmp_path / "missing.txt")])
