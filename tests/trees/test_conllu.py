import itertools

import conllu as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees import conllu
from synparse.trees.conllu import (
    SurfaceToken,
    format_conllu,
    induced_relations,
    read_conllu,
    text_of,
    with_comments,
    with_heads,
    with_misc,
    with_tags,
)
from synparse.trees.errors import DataError

EXAMPLE = """# sent_id = 1
# text = vámonos al mar
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\tA=B
1\tvamos\tir\tVERB\t_\tNumber=Plur\t0\troot\t0:root\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t_\t_
5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\tSpaceAfter=No
5.1\tx\t_\t_\t_\t_\t_\t_\t1:dep\t_

"""


def read(text):
    return list(read_conllu(text.splitlines(keepends=True), "file"))


def joined(sentences):
    return "".join("".join(sentence.lines) for sentence in sentences)


def test_words_are_the_syntactic_words():
    [sentence] = read(EXAMPLE)
    assert sentence.words == ("vamos", "nos", "a", "el", "mar")
    assert sentence.heads == (0, 1, 5, 5, 1)
    assert sentence.relations == ("root", "obj", "case", "det", "obl")
    assert sentence.line_of_words == 4


def test_only_columns_seven_and_eight_change():
    [sentence] = read(EXAMPLE.replace("\n", "\r\n"))
    heads = (2, 0, 2, 3, 4)
    changed = with_heads(sentence, heads, induced_relations(heads))
    before, after = "".join(sentence.lines).split("\r\n"), "".join(changed.lines).split("\r\n")
    for line, other_line in zip(before, after, strict=True):
        if line[:2] in {f"{k}\t" for k in range(1, 6)}:
            columns, other_columns = line.split("\t"), other_line.split("\t")
            assert columns[:6] == other_columns[:6]
            assert columns[8:] == other_columns[8:]
        else:
            assert line == other_line
    assert changed.heads == heads
    assert read("".join(changed.lines)) == [changed]


def test_new_tags_stand_in_column_five_of_word_lines_and_column_four_has_none():
    [sentence] = read(EXAMPLE)
    changed = with_tags(sentence, ("A", "B", "C", "D", "E"))
    assert (changed.upos, changed.xpos) == (("_",) * 5, ("A", "B", "C", "D", "E"))
    assert changed.heads == sentence.heads
    assert "".join(changed.lines) == (
        EXAMPLE.replace("VERB\t_", "_\tA")
        .replace("PRON\t_", "_\tB")
        .replace("ADP\t_", "_\tC")
        .replace("DET\t_", "_\tD")
        .replace("NOUN\t_", "_\tE")
    )
    assert read("".join(changed.lines)) == [changed]
    with pytest.raises(ValueError, match="zip"):
        with_tags(sentence, ("A",))


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE * 2,
        "\n\n" + EXAMPLE + "\n\n" + EXAMPLE,
        EXAMPLE.rstrip("\n"),
        "# nothing but a comment\n\n" + EXAMPLE + "# and at the end\n",
        EXAMPLE.replace("\n", "\r\n"),
        "",
        "\n \n",
    ],
)
def test_every_byte_is_kept(text):
    assert joined(read(text)) == text


def test_a_sentence_has_the_blank_line_after_it_and_others_are_no_words():
    before, first, between, second, after = read("\n" + EXAMPLE + "\n\n" + EXAMPLE + " \n")
    assert (before.lines, between.lines, after.lines) == (("\n",), ("\n", "\n"), (" \n",))
    assert "".join(first.lines) == "".join(second.lines) == EXAMPLE
    assert [first.first_line, between.first_line] == [2, len(first.lines) + 2]
    assert second.first_line == len(first.lines) + 4
    assert not before.rows


def test_a_sentence_is_there_with_its_blank_line():
    lines = iter(EXAMPLE.splitlines(True) * 2)
    first = next(read_conllu(lines, "file"))
    assert "".join(first.lines) == "".join(lines) == EXAMPLE


def word_line(identifier, columns=10):
    return "\t".join([identifier, "x", *["_"] * (columns - 2)])


@pytest.mark.parametrize(
    ("lines", "line", "what"),
    [
        ([word_line("1"), word_line("3")], 2, "word ID 3 where 2 is expected"),
        ([word_line("1"), "# sent_id = 2", word_line("1")], 3, "ID 1 after word 1: a blank line ends each sentence"),
        ([word_line("1"), word_line("1-2")], 2, "ID 1-2 after word 1: a blank line ends each sentence"),
        ([word_line("1", 9)], 1, "9 columns"),
        (["1 x _ _ _ _ 0 root _ _"], 1, "tabs, not spaces"),
        ([word_line("one")], 1, "no ID"),
        ([word_line("2-3"), word_line("1")], 1, "multiword token 2-3"),
        ([word_line("1-2"), word_line("1-2")], 2, "multiword token"),
        ([word_line("1-3"), word_line("1")], 1, "reaches to word 3 of 1"),
        ([word_line("1.1")], 1, "empty node"),
        (["# comment", "", "hello"], 3, "no tab: the 10 columns"),
        ([word_line("9" * 5000)], 1, "no ID"),
        ([word_line("²")], 1, "no ID"),
        ([word_line("٣")], 1, "no ID"),
        ([word_line("1-²")], 1, "no ID"),
        ([word_line("1-٣")], 1, "no ID"),
        ([word_line("1\x00")], 1, "no ID"),
        ([word_line("\ud800")], 1, "no ID"),
        ([word_line("1-999999999"), word_line("1")], 1, "reaches to word 999999999 of 1"),
        ([word_line("1"), word_line("1.999999999"), word_line("3")], 3, "word ID 3 where 2 is expected"),
        ([word_line("1-" + "9" * 5000)], 1, "no ID"),
        ([word_line("1." + "9" * 5000)], 1, "no ID"),
        ([word_line("1", 1_000_000)], 1, "1000000 columns"),
        (["1" * 1_000_000], 1, "no tab: the 10 columns"),
    ],
)
def test_malformed_lines_are_errors_that_name_the_line(lines, line, what):
    with pytest.raises(DataError, match=what) as caught:
        read("\n".join(lines))
    assert str(caught.value).startswith(f"file:{line}: ")


@pytest.mark.parametrize("head", ["_", "x", "-1", "3", "٠", "²", "9" * 5000, "1" * 1_000_000])
def test_invalid_heads_are_errors_that_name_the_line(head):
    text = EXAMPLE.replace("\t1\tobj", f"\t{head}\tobj") if head != "3" else EXAMPLE.replace("\t1\tobj", "\t9\tobj")
    with pytest.raises(DataError, match="word 2") as caught:
        _ = read(text)[0].heads
    assert str(caught.value).startswith("file:5: ")


def test_an_empty_column_of_heads_is_told_as_such():
    with pytest.raises(DataError, match=r"file:1: word 1 \(x\) has an empty column 7; write _ where"):
        _ = read("1\tx" + "\t" * 8)[0].known_heads


@given(st.lists(st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1), min_size=1, max_size=8))
def test_written_sentences_are_read_back_here_and_by_the_conllu_library(words):
    heads = tuple(range(len(words)))
    text = format_conllu(words, heads, comments=["sent_id = 1"])
    [sentence] = read(text)
    assert sentence.words == tuple(words)
    assert sentence.heads == heads
    [other] = oracle.parse(text)
    assert [token["form"] for token in other] == words
    assert [token["head"] for token in other] == list(heads)


@pytest.mark.parametrize("word", ["", "a\tb", "a\n", "a\0b", "\ud800"])
def test_a_word_that_cannot_be_a_form_is_an_error(word):
    with pytest.raises(ValueError, match="cannot be the form"):
        format_conllu([word], (0,))


blocks = st.sampled_from([EXAMPLE, EXAMPLE.replace("\n", "\r\n"), "# a comment\n", "\n", "\r\n", " \n"])


def test_written_sentences_have_the_given_parts_of_speech():
    text = format_conllu(["a", "b"], (2, 0), ["det", "root"], upos=["DET", "NOUN"], xpos=["DT", "NN"])
    assert text == "1\ta\t_\tDET\tDT\t_\t2\tdet\t_\t_\n2\tb\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n\n"


def test_lines_are_counted_from_the_given_first_line():
    with pytest.raises(DataError, match=r"^file:12: no tab"):
        list(read_conllu(["\n", "x\n"], "file", first_line=11))


@given(st.lists(blocks, max_size=8))
def test_every_mixture_of_blocks_is_kept(parts):
    # A sentence ends at a blank line, so two examples never run together.
    text = "".join(parts)
    assert joined(read(text)) == text


@pytest.mark.parametrize("line", ["\n", "# comment\n", word_line("1") + "\n"])
def test_a_sentence_with_too_many_lines_is_an_error(line, monkeypatch):
    monkeypatch.setattr(conllu, "MOST_LINES", 1000)
    with pytest.raises(DataError, match="file:1: a sentence of more than 1000"):
        list(read_conllu(itertools.repeat(line), "file"))


def test_a_treebank_survives_byte_for_byte(fixtures):
    files = sorted(fixtures.glob("*.conllu"))
    assert len(files) == 5
    for path in files:
        text = path.read_bytes().decode()
        sentences = read(text)
        assert joined(sentences) == text
        assert len(sentences) == text.count("# sent_id")
        assert [list(sentence.words) for sentence in sentences] == [
            [token["form"] for token in sentence] for sentence in oracle.parse(text)
        ]


def test_attributes_are_added_after_others_and_replace_their_like():
    lines = [
        "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tA=1\n",
        "1\tde\t_\t_\t_\t_\t0\troot\t_\tB=2|P=0.5|C\r\n",
        "2\tle" + "\t_" * 8 + "\n",
    ]
    [sentence] = read_conllu(lines, "file")
    changed = with_misc(sentence, [{"P": "0.7"}, {}], ("P",))
    assert changed.lines == (lines[0], lines[1].replace("B=2|P=0.5|C", "B=2|C|P=0.7"), lines[2])
    assert with_misc(changed, [{}, {"P": "1", "Q": "2"}], ("P",)).rows[1][9] == "P=1|Q=2"
    assert with_misc(sentence, [{}, {}], ("B", "P", "C")).rows[0][9] == "_"


def test_tokens_of_several_words_and_without_blanks_after_them():
    surface = (SurfaceToken("Zum", 2), SurfaceToken("Dom", space_after=False), SurfaceToken("."))
    misc = [{}, {}, {"P": "1"}, {}]
    text = format_conllu(["Zu", "dem", "Dom", "."], (3, 3, 0, 3), misc=misc, surface=surface)
    assert text == (
        "1-2\tZum\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "1\tZu\t_\t_\t_\t_\t3\tdep\t_\t_\n"
        "2\tdem\t_\t_\t_\t_\t3\tdep\t_\t_\n"
        "3\tDom\t_\t_\t_\t_\t0\troot\t_\tP=1|SpaceAfter=No\n"
        "4\t.\t_\t_\t_\t_\t3\tdep\t_\t_\n\n"
    )
    assert text_of(surface) == "Zum Dom."
    [sentence] = read(text)
    assert sentence.words == ("Zu", "dem", "Dom", ".")


def test_a_blank_that_is_missing_after_several_words_is_said_of_their_token():
    surface = (SurfaceToken("au", 2, space_after=False), SurfaceToken("x"))
    lines = format_conllu(["à", "le", "x"], (0, 1, 1), surface=surface).splitlines()
    assert [line.split("\t")[-1] for line in lines[:4]] == ["SpaceAfter=No", "_", "_", "_"]


@pytest.mark.parametrize("tokens", [(SurfaceToken("a"),), (SurfaceToken("a", 3),)])
def test_tokens_must_have_the_words_of_the_sentence(tokens):
    with pytest.raises(ValueError, match="tokens of"):
        format_conllu(["a", "b"], (0, 1), surface=tokens)


def test_words_that_a_search_has_found():
    rows = ("_", "Match=V,N", "A=B|Match=N", "XMatch=N|A=Match=")
    [sentence] = read("".join(f"{n}\tw\t_\t_\t_\t_\t0\t_\t_\t{misc}\n" for n, misc in enumerate(rows, 1)))
    assert sentence.matched_words == {2, 3}


def test_new_comments_follow_the_others_and_older_ones_of_their_names_go():
    [sentence] = read(EXAMPLE)
    changed = with_comments(sentence, {"sent_id": "7", "score": "0.5"}, ["sent_id", "score"])
    _, text, *rows = sentence.lines
    assert list(changed.lines) == [text, "# sent_id = 7\n", "# score = 0.5\n", *rows]
    assert list(with_comments(changed, {}, ["sent_id", "score"]).lines) == [text, *rows]
    assert with_comments(sentence, {}, ["score"]) is sentence


def test_new_comments_are_lines_before_a_word_that_ends_the_file():
    [sentence] = read(word_line("1"))
    assert list(with_comments(sentence, {"score": "0.5"}, ["score"]).lines) == ["# score = 0.5\n", word_line("1")]
    [sentence] = read("# text = x\r\n" + word_line("1"))
    lines = ["# text = x\r\n", "# score = 0.5\r\n", word_line("1")]
    assert list(with_comments(sentence, {"score": "0.5"}, ["score"]).lines) == lines


def test_attributes_and_comments_have_values():
    sentence = next(read_conllu(EXAMPLE.replace("SpaceAfter=No", "A=B|Space=x=y").splitlines(True), "file"))
    assert sentence.attributes("Space") == ("", "", "", "", "x=y")
    assert sentence.attributes("A") == ("", "", "", "", "B")  # that of the multiword token is none of a word
    assert (sentence.comment("sent_id"), sentence.comment("text")) == ("1", "vámonos al mar")
    assert sentence.comment("sent") == sentence.comment("newpar") == ""
